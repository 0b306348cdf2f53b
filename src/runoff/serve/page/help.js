// The keys, said once: what each does, and the list that `?` shows.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";

const step = (now, by) => {
  const place = now.ranking ? now.ranking.order.indexOf(now.selected) + by : -1;
  const one = now.ranking?.order[place];
  if (one !== undefined) now.act.select(one);
};
const select = (now, one) => one !== undefined && one !== -1 && now.act.select(one);
const best = (view) => {
  const qualities = view.candidates.map((one) => one.quality ?? -Infinity);
  return qualities.some((one) => one > -Infinity) ? qualities.indexOf(Math.max(...qualities)) : -1;
};
const toList = (now, key) => key !== undefined && now.set({ list: String(key), rival: "" });

export const KEYS = {
  j: { about: "next list", run: (now) => toList(now, now.lists.beside(1)) },
  k: { about: "list before", run: (now) => toList(now, now.lists.beside(-1)) },
  n: { about: "next candidate", run: (now) => step(now, 1) },
  p: { about: "candidate before", run: (now) => step(now, -1) },
  "1-9": { about: "candidate of this number", run: (now, key) => select(now, now.ranking?.order[key - 1]) },
  b: { about: "the base system's first choice", run: (now) => now.view && select(now, now.ranking.ranks.indexOf(0)) },
  o: { about: "the oracle: the best candidate", run: (now) => now.view && select(now, best(now.view)) },
  g: { about: "draw gold, or hide it", run: (now) => now.setGold((shown) => !shown) },
  Enter: { about: "this candidate is the best", run: (now) => now.view && now.act.label(now.selected) },
  "=": { about: "no difference", run: (now) => now.view && now.act.label("equal") },
  u: { about: "next list that is not labelled", run: (now) => toList(now, now.lists.nextUnlabelled()) },
  z: { about: "take the last label back", run: (now) => now.act.unlabel() },
  w: { about: "reasons by term or by template", run: (now) => now.act.group() },
  r: { about: "weights as learned", run: (now) => now.act.reset() },
  f: { about: "flip: the fewest terms that the choice hangs on", run: (now) => now.act.flip() },
  d: { about: "light or dark", run: (now) => now.theme() },
  "/": { about: "find", run: () => document.getElementById("find")?.focus() },
  "?": { about: "these keys", run: (now) => now.setHelp((shown) => !shown) },
};

export function Help({ close }) {
  const dialog = useRef();
  useEffect(() => { dialog.current.showModal(); }, []);
  return html`<dialog ref=${dialog} class="help" aria-labelledby="keys-title" onClose=${close}>
    <h2 id="keys-title">Keys</h2>
    <dl>${Object.entries(KEYS).map(([key, one]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${one.about}</dd></div>`)}</dl>
    <button class="chip" onClick=${() => dialog.current.close()}>Close</button></dialog>`;
}
