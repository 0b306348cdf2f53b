// The page: what is shown, and what keys and buttons do.
import { html, render, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { CandidateColumn } from "./candidates.js";
import { KEYS, Help } from "./help.js";
import { InputBar, LabelBar } from "./inputs.js";
import { FILTERS, ListColumn } from "./lists.js";
import { useLists } from "./rows.js";
import { page } from "./server.js";
import { readLabels, readPlace, writeLabels, writePlace } from "./store.js";
import { between, flipOf, orderOf, plainName, scoresOf, tableOf, weighted } from "./terms.js";
import { WhyColumn } from "./why.js";

const PAUSE = 150; // milliseconds before places are asked for, so that going through lists is quick
const MANY = 80; // terms from which on they are shown by template at first

const TABS = { lists: "Lists", candidates: "Candidates", why: "Why" };

function App({ state }) {
  const [place, setPlace] = useState(readPlace);
  const [labels, setLabels] = useState(readLabels);
  const [message, say] = useState("");
  const [help, setHelp] = useState(false);
  const [gold, setGold] = useState(false);
  const [asked, setAsked] = useState(null); // whether reasons are shown by template, if the user said so
  const [factors, setFactors] = useState(new Map());
  const [flip, setFlip] = useState(null);
  const [pointed, setPointed] = useState(null);
  const lists = useLists(state, place, labels, say);
  const set = (change) => setPlace((now) => ({ ...now, ...change }));
  const view = lists.view;

  useEffect(() => writePlace(place), [place]);
  useEffect(() => {
    const moved = () => setPlace(readPlace());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  useEffect(() => { setFactors(new Map()); setFlip(null); setPointed(null); }, [view]);

  const table = useMemo(() => (view?.terms ? tableOf(view.terms) : null), [view]);
  const ranking = useMemo(() => rank(view, table, factors), [view, table, factors]);
  const picked = ranking?.order[0] ?? 0;
  const selected = view ? chosen(place.rival, view, picked) : null;
  const rival = !view || view.candidates.length < 2 ? null : selected === picked ? usualRival(view, ranking) : selected;
  const parts = useMemo(
    () => (table && rival !== null ? between(table, weighted(table, factors), picked, rival) : []),
    [table, factors, picked, rival]);
  const grouped = asked ?? parts.length > MANY;
  if (ranking) ranking.over = rival !== null && rival !== usualRival(view, ranking) ? ` --over ${ranking.order.indexOf(rival)}` : "";

  const places = usePlaces(view, lists.source, picked, rival);
  const lighting = lightingOf(places, parts, pointed);
  const labelKey = lists.labelKey;
  const act = {
    select: (one) => set({ rival: String(one) }),
    label: async (one) => {
      const original = await lists.original();
      const better = one === "equal" ? "equal" : view.candidates[one].index;
      const next = new Map(labels);
      next.delete(labelKey);
      next.set(labelKey, { list: original, label: better, number: lists.number });
      keep(next, "Labelled.");
    },
    unlabel: () => {
      const next = new Map(labels);
      next.delete([...next.keys()].at(-1));
      keep(next, "The last label is taken back.");
    },
    forget: () => keep(new Map(), "All labels are deleted."),
    group: () => setAsked(!grouped),
    reset: () => setFactors(new Map()),
    factor: (terms, value) => setFactors((now) => {
      const next = new Map(now);
      for (const term of terms) if (value === 1) next.delete(term); else next.set(term, value);
      return next;
    }),
    flip: () => setFlip((now) => (now || !table ? null : flipOf(table, weighted(table, factors), ranking.order, ranking.ranks) ?? "none")),
    tryFlip: () => { act.factorAll(flip.terms.map((one) => one.term), 0); setFlip(null); },
    factorAll: (terms, value) => act.factor(terms, value),
    point: (terms) => setPointed(terms && { terms: new Set(terms) }),
  };
  const keep = (next, said) => { setLabels(next); say(writeLabels(next) ? said : "The browser does not keep labels: download them."); };

  const keys = useRef();
  keys.current = { place, set, lists, view, ranking, selected, act, setHelp, setGold, help };
  useEffect(() => {
    const pressed = (event) => onKey(event, keys.current);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  useEffect(() => { if (message) { const timer = setTimeout(() => say(""), 6000); return () => clearTimeout(timer); } return undefined; }, [message]);

  return html`<${Header} state=${state} setHelp=${setHelp}/>
    <nav class="tabs" role="tablist" aria-label="Columns">${Object.entries(TABS).map(([one, text]) => html`
      <button role="tab" id=${`tab-${one}`} aria-controls=${one} aria-selected=${place.tab === one} onClick=${() => set({ tab: one })}>${text}</button>`)}</nav>
    <${InputBar} state=${state} lists=${lists} set=${set} say=${say}/>
    <main class=${`columns show-${place.tab}`}>
      <${ListColumn} ...${{ state, place, labels, set, rows: lists.rows, soon: lists.soon, more: lists.more }} open=${(key) => set({ list: String(key), rival: "", tab: "candidates" })}/>
      <${CandidateColumn} ...${{ view, ranking, rival, selected, act, lit: lighting.lit, showGold: gold }} label=${labels.get(labelKey)?.label}
        light=${(candidate) => (start, end, node) => setPointed(start === undefined ? null : { candidate, start, end, node })}/>
      <${WhyColumn} ...${{ view, table, parts, factors, grouped, flip, act, ranking, rival }} lit=${lighting.term} here=${lighting.here}/>
    </main>
    <${LabelBar} labels=${labels} act=${act} state=${state}/>
    <div class=${`message ${message ? "" : "empty"}`} role="status" aria-live="polite">${message}</div>
    ${help && html`<${Help} close=${() => setHelp(false)}/>`}`;
}

function Header({ state, setHelp }) {
  const ranker = state.ranker;
  return html`<header><h1>Runoff</h1>
    <p class="about-model">${ranker ? html`<b>${ranker.file.split("/").at(-1)}</b> <span class="faint">${ranker.learner}, features ${ranker.features.join(", ")}</span>`
      : state.models.length ? html`<b>${state.models.map((one) => one.file).join(", ")}</b> <span class="faint">lists in their own order</span>`
      : html`<span class="faint">no ranker: lists in their own order</span>`}
      ${state.files.length > 0 && html` on <b>${state.files.join(", ")}</b>`}</p>
    <button class="plain" onClick=${theme} title="Light or dark (d)" aria-label="Light or dark">◐</button>
    <button class="plain" onClick=${() => setHelp(true)} title="Keys (?)" aria-label="Keys">?</button></header>`;
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

// The order with the user's weights; without any, the ranker's own.
function rank(view, table, factors) {
  if (!view) return null;
  const ranks = view.candidates.map((one) => one.rank);
  const scored = view.candidates.every((one) => one.score !== undefined);
  if (!table || !factors.size)
    return { order: view.candidates.map((_, place) => place), ranks, scored, scores: view.candidates.map((one) => one.score) };
  const scores = scoresOf(table, weighted(table, factors));
  return { order: orderOf(scores, ranks), ranks, scored, scores };
}

const chosen = (asked, view, picked) => {
  const one = asked === "" ? picked : Number(asked);
  return Number.isInteger(one) && one >= 0 && one < view.candidates.length ? one : picked;
};

// The base system's first choice, or the runner-up where that is the winner.
function usualRival(view, ranking) {
  const base = ranking.ranks.indexOf(0);
  return base === ranking.order[0] ? ranking.order[1] : base;
}

// Where the features are that tell winner and rival apart.
function usePlaces(view, source, winner, rival) {
  const [places, setPlaces] = useState(new Map());
  useEffect(() => {
    setPlaces(new Map());
    if (!view?.terms || rival === null) return undefined;
    const asked = [winner, rival];
    const timer = setTimeout(() => page("places", { ...source(), candidates: asked.map((one) => view.candidates[one].index) })
      .then((found) => current && setPlaces(new Map(asked.map((one, i) => [one, found[i]])))).catch(() => {}), PAUSE);
    let current = true;
    return () => { current = false; clearTimeout(timer); };
  }, [view, winner, rival]);
  return places;
}

// What lights up: the places of a term that is pointed at, or the terms of a place.
function lightingOf(places, parts, pointed) {
  const none = { lit: () => () => false, term: () => false, here: null };
  if (!pointed) return none;
  if (pointed.terms) {
    const names = new Set(parts.filter((part) => pointed.terms.has(part.term)).flatMap((part) => [part.name, plainName(part.name)]));
    return { ...none, lit: (candidate) => {
      const found = (places.get(candidate) ?? []).filter((one) => names.has(one[0]));
      const nodes = new Set(found.map((one) => one[3]).filter((node) => node !== null));
      const spans = found.filter((one) => one[3] === null);
      return (start, end, node) => nodes.has(node) || spans.some((one) => one[1] < end && start < one[2]);
    } };
  }
  const here = (places.get(pointed.candidate) ?? []).filter((one) => (pointed.node === undefined || one[3] === null
    ? one[1] < pointed.end && pointed.start < one[2] && one[3] === null : one[3] === pointed.node));
  const names = new Set(here.map((one) => one[0]));
  const own = parts.filter((part) => names.has(part.name) || names.has(plainName(part.name)));
  const terms = new Set(own.map((part) => part.term));
  return { ...none, term: (row) => row.some((term) => terms.has(term)), here: own };
}

function onKey(event, now) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { now.setHelp(false); document.activeElement?.blur?.(); return; }
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range") return;
  if (event.key === "Enter" && /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName)) return;
  const action = KEYS[event.key] ?? (/^[1-9]$/.test(event.key) ? KEYS["1-9"] : null);
  if (!action || (now.help && event.key !== "?")) return;
  event.preventDefault();
  action.run({ ...now, theme, filters: Object.keys(FILTERS) }, event.key);
}

page("state").then((state) => render(html`<${App} state=${state}/>`, document.getElementById("app")))
  .catch((error) => { document.getElementById("app").textContent = `The server does not answer: ${error.message}`; });
