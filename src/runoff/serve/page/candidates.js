// The second column: candidates in their new order, and winner and rival drawn.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { differences, shown } from "./differences.js";
import { Drawing } from "./drawings.js";
import { digits, percent, signed } from "./lists.js";

const PIECES = 8;
const FIRST = 12; // candidates that are drawn at once; the others follow when these are on the screen

export function CandidateColumn({ view, ranking, rival, selected, label, act, lit, light, showGold }) {
  const [whole, setWhole] = useState(null);
  useEffect(() => { const timer = setTimeout(() => setWhole(view), 50); return () => clearTimeout(timer); }, [view]);
  if (!view) return html`<section class="column" id="candidates" aria-labelledby="candidates-title">
    <h2 id="candidates-title">Candidates</h2><p class="faint">Choose a list.</p></section>`;
  const { candidates, kind, input } = view;
  const winner = ranking.order[0];
  const known = candidates.some((one) => one.quality !== undefined);
  const best = known ? Math.max(...candidates.map((one) => one.quality ?? -Infinity)) : null;
  return html`<section class="column" id="candidates" aria-labelledby="candidates-title">
    <h2 id="candidates-title">Candidates of ${view.id ?? "this list"} <span class="faint">${candidates.length}</span></h2>
    ${kind !== "tree" && kind !== "clusters" && shown(input) && html`<p class="input"><span class="faint">input</span> ${shown(input)}</p>`}
    ${view.confidence !== undefined && html`<p class="faint">The pick is the best with probability ${percent(view.confidence)}.</p>`}
    <div class="scroll tall" tabindex="0" role="group" aria-label="Table of candidates"><table class="candidates">
      <caption class="visually-hidden">Candidates in the new order; what differs from the winner</caption>
      <thead><tr><th scope="col">new</th><th scope="col">old</th><th scope="col">${ranking.scored ? "margin" : "logprob"}</th>
        ${known && html`<th scope="col">quality</th>`}<th scope="col" class="wide">differs from the winner in</th><th scope="col"><span class="visually-hidden">Label</span></th></tr></thead>
      <tbody>${ranking.order.slice(0, whole === view ? candidates.length : FIRST).map((one, place) => html`<${Candidate} key=${one} ...${{ one, place, candidates, winner, ranking,
        rival, selected, known, best, kind, input, label, act }}/>`)}</tbody>
    </table></div>
    <p class="hint faint"><kbd>n</kbd> <kbd>p</kbd> compare another · <kbd>Enter</kbd> it is the best · <kbd>=</kbd> no difference · <kbd>j</kbd> <kbd>k</kbd> lists · <kbd>?</kbd> all keys</p>
    <div class=${`drawings ${kind}-drawings`}>
      <${Drawing} kind=${kind} side="winner" input=${input} candidate=${candidates[winner]} lit=${lit(winner)} light=${light(winner)}
        other=${rival === null ? undefined : candidates[rival]} title=${html`<b class="winner-name">winner</b> ${was(candidates[winner])}`}/>
      ${rival !== null && html`<${Drawing} kind=${kind} side="rival" input=${input} candidate=${candidates[rival]} lit=${lit(rival)} light=${light(rival)}
        other=${candidates[winner]} title=${html`<b class="rival-name">rival</b> ${was(candidates[rival])}`}/>`}
      ${showGold && view.gold !== undefined && html`<${Drawing} kind=${kind} side="gold" input=${input} candidate=${{ output: view.gold }}
        other=${candidates[winner]} title=${html`<b>gold</b>`} lit=${() => false} light=${() => {}}/>`}
    </div>
  </section>`;
}

const was = (candidate) => (candidate.rank === 0 ? "the base system's first choice" : `number ${candidate.rank + 1} of the base system`);

function Candidate({ one, place, candidates, winner, ranking, rival, selected, known, best, kind, input, label, act }) {
  const candidate = candidates[one];
  const moved = candidate.rank - place;
  const chosen = label === candidate.index || label === "equal";
  return html`<tr class=${`${place === 0 ? "is-winner" : ""} ${one === rival ? "is-rival" : ""} ${one === selected ? "is-selected" : ""}`}
      onClick=${() => act.select(one)}>
    <th scope="row"><button class="plain pick" aria-pressed=${one === selected} aria-label=${`Compare number ${place + 1}`}
      onClick=${(event) => { event.stopPropagation(); act.select(one); }}>${place + 1}</button></th>
    <td class="number">${candidate.rank + 1}<span class=${moved > 0 ? "up" : moved < 0 ? "down" : "faint"}>${moved > 0 ? " ↑" : moved < 0 ? " ↓" : ""}</span></td>
    <td class="number">${!ranking.scored ? digits(candidate.logprob) : place === 0 ? "" : signed(ranking.scores[one] - ranking.scores[winner])}</td>
    ${known && html`<td class=${`number ${candidate.quality === best ? "best" : ""}`}>${digits(candidate.quality)}</td>`}
    <td class="wide">${place === 0 ? html`<span class="winner-text">${winnerText(kind, candidate.output)}</span>`
      : html`<${Pieces} pieces=${differences(kind, candidates[winner], candidate, input)}/>`}</td>
    <td><button class=${`plain better ${chosen ? "chosen" : ""}`} aria-pressed=${chosen} aria-label=${`Number ${place + 1} is the best`}
      title="This is the best candidate (Enter)" onClick=${(event) => { event.stopPropagation(); act.label(one); }}>${chosen ? "✓" : "○"}</button></td>
  </tr>`;
}

const winnerText = (kind, output) => (kind === "tree" ? "the winner" : kind === "clusters"
  ? `${output.length} clusters of ${output.flat().length} records` : shown(output));

// The ends of a long text.
function short(text) {
  const words = text.split(" ");
  return words.length <= 6 ? text : `${words.slice(0, 3).join(" ")} … ${words.slice(-2).join(" ")}`;
}

function Pieces({ pieces }) {
  if (!pieces.length) return html`<span class="faint">nothing that is shown</span>`;
  return html`<span class="pieces">${pieces.slice(0, PIECES).map((one) => html`<span class=${`piece ${one.sign}`}
      ><span class="visually-hidden">${one.sign === "more" ? "has " : "lacks "}</span>${one.label && html`<b>${one.label}</b> `}${short(one.text)}</span> `)}
    ${pieces.length > PIECES && html`<span class="faint">and ${pieces.length - PIECES} more</span>`}</span>`;
}
