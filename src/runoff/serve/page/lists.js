// The first column: figures, filters, and the lists.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";

export const FILTERS = { all: "all", changed: "changed", mended: "mended", harmed: "harmed",
                         unsure: "unsure", unlabelled: "not labelled" };
export const SORTS = { file: "as in the file", margin: "smallest margin", gain: "largest loss",
                       confidence: "least sure" };
const ABOUT = { base: "the base system's first choice", picked: "the ranker's pick",
                oracle: "the best candidate", random: "a candidate at random",
                shortest: "always the shortest", longest: "always the longest" };

const FORMATS = [0, 1, 2, 3].map((places) => new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places }));

export const digits = (value, places = 2) => (value === null || value === undefined ? "" : FORMATS[places].format(value).replace("-", "−"));
export const signed = (value, places = 2) => (value < 0 ? "−" : "+") + digits(Math.abs(value), places);
export const percent = (value) => `${Math.round(100 * value)}%`;

export function Figures({ figures, signature }) {
  const names = Object.keys(ABOUT).filter((name) => figures[name]);
  if (!names.length) return null;
  const metric = Object.keys(figures[names[0]])[0];
  const values = names.map((name) => figures[name][metric]);
  const most = Math.max(...values.map(Math.abs), 1e-9);
  const errors = figures.oracle[metric] < figures.random[metric];
  return html`<table class="figures">
    <caption>${metric} <span class="faint">${[errors && "less is better", signature].filter(Boolean).join(" · ")}</span></caption>
    <tbody>${names.map((name, i) => html`<tr class=${`figure-${name}`}>
      <th scope="row" title=${ABOUT[name]}>${name}</th>
      <td class="number">${digits(values[i])}</td>
      <td class="wide"><svg class="bar" width="100%" height="10" aria-hidden="true">
        <rect width=${`${(100 * Math.abs(values[i])) / most}%`} height="10" rx="2"/></svg></td>
    </tr>`)}</tbody></table>`;
}

export function ListColumn({ state, place, rows, labels, set, open, soon, more }) {
  const end = useRef();
  useEffect(() => {
    if (!end.current || rows.rows.length >= rows.matching) return undefined;
    const watch = new IntersectionObserver((seen) => seen[0].isIntersecting && more());
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [rows]);
  const shownFilters = Object.keys(FILTERS).filter((one) => one !== "mended" && one !== "harmed" || rows.figures.base);
  return html`<section class="column" id="lists" aria-labelledby="lists-title">
    <h2 id="lists-title">Lists</h2>
    <${Figures} figures=${rows.figures} signature=${rows.signature}/>
    <div class="filters" role="group" aria-label="Filter">${shownFilters.map((one) => html`
      <button class="chip" aria-pressed=${place.filter === one} onClick=${() => set({ filter: one })}>
        ${FILTERS[one]}${rows.counts[one] === undefined ? "" : html` <span class="faint">${rows.counts[one].toLocaleString("en")}</span>`}
      </button>`)}</div>
    <div class="controls">
      <label>Order <select value=${place.sort} onChange=${(event) => set({ sort: event.target.value })}>
        ${Object.entries(SORTS).map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select></label>
      <label>Find <input id="find" type="search" value=${place.find} maxlength="200"
        onInput=${(event) => set({ find: event.target.value })}/></label>
    </div>
    ${rows.error && html`<p class="error" role="alert">${rows.error}</p>`}
    <p class="faint" role="status">${rows.matching.toLocaleString("en")} of ${rows.lists.toLocaleString("en")} lists${rows.done ? "" : ", reading on…"}</p>
    <ol class="rows">${rows.rows.map((row) => html`<${Row} key=${row.key} row=${row} open=${open} soon=${soon}
      current=${String(row.key) === String(place.list)} label=${labels.get(row.labelKey)}/>`)}</ol>
    ${rows.rows.length < rows.matching && html`<button ref=${end} class="plain" onClick=${more}>Show more</button>`}
    ${!rows.lists && !state.files.length && html`<p>Drop a file of lists here, or paste one.</p>`}
  </section>`;
}

function Row({ row, open, soon, current, label }) {
  const button = useRef();
  useEffect(() => { if (current) button.current.scrollIntoView({ block: "nearest" }); }, [current]);
  const gain = row.picked === undefined ? 0 : row.picked - row.base;
  const [mark, about] = gain > 0 ? ["mended", "corrected by the ranker"]
    : gain < 0 ? ["harmed", "made worse by the ranker"]
    : row.before > 0 ? ["changed", "changed by the ranker"] : ["same", "the base system's first choice stays"];
  return html`<li><button ref=${button} class="row" aria-current=${current ? "true" : undefined} onMouseEnter=${() => soon(row.key)} onClick=${() => open(row.key)}>
    <span class=${`mark ${mark}`} title=${about}><span class="visually-hidden">${about}: </span>${{ mended: "▲", harmed: "▼", changed: "◆", same: "·" }[mark]}</span>
    <span class="row-text"><b>${row.id ?? row.number + 1}</b> ${row.text}</span>
    <span class="row-side">${label === undefined ? "" : html`<span class="labelled" title="labelled">✓</span> `}${
      row.confidence !== undefined ? percent(row.confidence) : row.margin !== undefined ? digits(row.margin, 1) : ""}</span>
  </button></li>`;
}
