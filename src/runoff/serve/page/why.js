// The third column: bars that add up to the difference of scores.
import { html } from "./vendor/preact-htm.js";
import { digits, signed } from "./lists.js";
import { byTemplate, templateOf } from "./terms.js";

const SHOWN = 16, HERE = 8;

export function WhyColumn({ view, table, parts, factors, grouped, flip, act, lit, here, ranking, rival }) {
  const title = html`<h2 id="why-title">Why</h2>`;
  if (!view) return html`<section class="column" id="why" aria-labelledby="why-title">${title}</section>`;
  if (!table || rival === null) {
    const reason = rival === null ? "There was no other candidate to choose."
      : view.unexplained ?? "No ranker put these lists into order, so there are no reasons. Start the server with a model to see some.";
    return html`<section class="column" id="why" aria-labelledby="why-title">${title}<p>${reason}</p></section>`;
  }
  const difference = parts.reduce((sum, part) => sum + part.contribution, 0);
  const rows = grouped ? byTemplate(parts) : parts.map((part) => ({ ...part, terms: [part.term] }));
  const changed = factors.size > 0;
  return html`<section class="column" id="why" aria-labelledby="why-title">${title}
    <p class="sum" id="why-sum" role="status">${inWords(parts, difference, view, ranking, rival)}</p>
    ${view.terms.note && html`<p class="faint">${view.terms.note}</p>`}
    <div class="controls">
      <button class="chip" aria-pressed=${grouped} onClick=${act.group}>by template</button>
      <button class="chip" aria-pressed=${!!flip} onClick=${act.flip} disabled=${!!view.terms.note}>what it hangs on</button>
      <button class="chip" onClick=${act.reset} disabled=${!changed}>as learned</button>
    </div>
    ${flip !== undefined && flip !== null && html`<${Flip} ...${{ flip, ranking, act }}/>`}
    <${Waterfall} ...${{ rows, difference, table, view, factors, act, lit, flip, grouped }}/>
    ${view.command && html`<p class="command"><span class="faint">The same in a terminal:</span><code>${view.command}${ranking.over}</code></p>`}
    ${here && html`<${Here} parts=${here}/>`}
  </section>`;
}

// The terms of the word or node that is pointed at.
function Here({ parts }) {
  const rest = parts.length - HERE;
  return html`<aside class="here" aria-label="Terms of this place"><b>here</b>
    ${parts.length === 0 ? html` <span class="faint">no term that decides between the two</span>` : html`<ul>${parts.slice(0, HERE).map((part) => html`<li>
      <span class="number">${signed(part.contribution)}</span> ${part.name}</li>`)}</ul>`}
    ${rest > 0 && html`<span class="faint">and ${rest} more</span>`}</aside>`;
}

// The caption: what the bars say, in words.
export function inWords(parts, difference, view, ranking, rival) {
  const sum = (wanted) => parts.filter(wanted).reduce((total, part) => total + part.contribution, 0);
  const [pro, con] = [parts.filter((part) => part.contribution > 0), parts.filter((part) => part.contribution < 0)];
  const other = view.candidates[rival].rank === 0 ? "the base system's first choice" : `number ${ranking.order.indexOf(rival) + 1}`;
  const terms = (list) => `${list.length} term${list.length === 1 ? "" : "s"}`;
  return `The winner leads ${other} by ${digits(difference)}: ${terms(pro)} for it (${signed(sum((p) => p.contribution > 0))}), ` +
         `${terms(con)} against it (${signed(con.length ? sum((p) => p.contribution < 0) : -0)}).`;
}

function Flip({ flip, ranking, act }) {
  if (flip === "none") return html`<p class="flip">The winner wins whatever terms are removed.</p>`;
  const n = flip.terms.length;
  return html`<p class="flip">The choice hangs on ${n} term${n === 1 ? "" : "s"}: without ${n === 1 ? "it" : "them"},
    number ${ranking.order.indexOf(flip.rival) + 1} would win, by ${digits(-flip.left)}.
    <button class="chip" onClick=${act.tryFlip}>try it</button></p>`;
}

function Waterfall({ rows, difference, table, view, factors, act, lit, flip, grouped }) {
  const first = rows.slice(0, SHOWN), rest = rows.slice(SHOWN);
  const left = rest.reduce((sum, row) => sum + row.contribution, 0);
  let at = 0, low = 0, high = 0;
  const starts = [...first, { contribution: left }].map((row) => {
    const start = at;
    at += row.contribution;
    [low, high] = [Math.min(low, at), Math.max(high, at)];
    return start;
  });
  const scale = (value) => (100 * (value - low)) / (high - low || 1);
  const decisive = new Set(flip && flip !== "none" ? flip.terms.map((term) => term.term) : []);
  return html`<table class="waterfall" aria-describedby="why-sum">
    <caption class="visually-hidden">Terms, the largest first; they add up to the difference of scores</caption>
    <thead><tr><th scope="col" class="wide">${grouped ? "template" : "term"}</th><th scope="col">adds</th><th scope="col">weight ×</th></tr></thead>
    <tbody>
    ${first.map((row, i) => html`<${Term} key=${row.name} ...${{ row, start: starts[i], scale, table, view, factors, act, lit }}
      decisive=${row.terms.some((term) => decisive.has(term))}/>`)}
    ${rest.length > 0 && html`<tr class="rest"><th scope="row"><span class="term-name">${rest.length} smaller ${grouped ? "templates" : "terms"}</span>
      <${Bar} start=${starts.at(-1)} size=${left} scale=${scale}/></th><td class="number">${signed(left)}</td><td></td></tr>`}
    <tr class="total"><th scope="row"><span class="term-name">difference of scores</span><${Bar} start=${0} size=${difference} scale=${scale} total=${true}/></th>
      <td class="number">${signed(difference)}</td><td></td></tr>
    </tbody></table>`;
}

function Bar({ start, size, scale, total }) {
  const [from, to] = [scale(Math.min(start, start + size)), scale(Math.max(start, start + size))];
  const kind = total ? "total" : size > 0 ? "for" : "against";
  return html`<svg class="bar" width="100%" height="8" aria-hidden="true">
    <line class="zero" x1=${`${scale(0)}%`} x2=${`${scale(0)}%`} y1="0" y2="8"/>
    <rect class=${`bar-${kind}`} x=${`${from}%`} width=${`${Math.max(to - from, 0.4)}%`} height="8" rx="1.5"/></svg>`;
}

function Term({ row, start, scale, table, view, factors, act, lit, decisive }) {
  const about = view.terms.templates[templateOf(row.name)];
  const factor = factors.get(row.terms[0]) ?? 1;
  const numbers = row.weight === undefined ? `${row.terms.length} terms` :
    `${digits(row.winner, 3)} − ${digits(row.rival, 3)} times the weight ${digits(row.weight, 3)}`;
  return html`<tr class=${`term ${decisive ? "decisive" : ""} ${lit(row.terms) ? "lit" : ""} ${factor === 1 ? "" : "changed"}`}
      tabindex="0" onMouseEnter=${() => act.point(row.terms)} onMouseLeave=${() => act.point(null)}
      onFocus=${() => act.point(row.terms)} onBlur=${() => act.point(null)} title=${`${about ? `${about} ` : ""}(${numbers})`}>
    <th scope="row"><span class="term-name">${row.name}</span><${Bar} start=${start} size=${row.contribution} scale=${scale}/>
      ${about && html`<span class="about">${about}</span>`}</th>
    <td class="number">${signed(row.contribution)}</td>
    <td><input type="range" min="-1" max="3" step="0.05" value=${factor} disabled=${!!view.terms.note}
      aria-label=${`Weight of ${row.name}, times`} onInput=${(event) => act.factor(row.terms, Number(event.target.value))}/></td>
  </tr>`;
}
