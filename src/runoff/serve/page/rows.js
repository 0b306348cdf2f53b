// The lists: those of the server's files, page by page, and those that were typed, pasted or dropped.
import { useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { page } from "./server.js";

const COUNT = 100;
const PAUSE = 100; // milliseconds before the next list is asked for
const KEPT = 8; // lists of the server that are kept, the next one among them before it is asked for
const NONE = { rows: [], matching: 0, lists: 0, done: true, figures: {}, counts: {} };

const keyOf = (files, row) => ({ ...row, key: String(row.number), labelKey: `${files.join(" ")}#${row.id ?? row.number}` });

export function useLists(state, place, labels, say) {
  const [rows, setRows] = useState(NONE);
  const [local, setLocal] = useState(null); // { lists, rows, figures } of what the browser was given
  const [view, setView] = useState(null);
  const [again, setAgain] = useState(0);
  const asked = useRef(0);
  const kept = useRef(new Map());

  const fetched = (number) => {
    const lists = kept.current;
    const found = lists.get(number) ?? page("list", { number });
    lists.delete(number);
    lists.set(number, found); // the last one now
    if (lists.size > KEPT) lists.delete(lists.keys().next().value);
    found.catch(() => lists.delete(number));
    return found;
  };
  const request = (offset) => ({
    filter: place.filter === "unlabelled" ? "all" : place.filter, sort: place.sort, find: place.find, offset, count: COUNT,
    without: place.filter === "unlabelled" ? [...labels.values()].map((one) => one.number).filter(Number.isInteger) : [],
  });
  useEffect(() => {
    if (local) { setRows(localRows(local, place, labels)); return undefined; }
    const own = ++asked.current;
    let timer;
    page("rows", request(0)).then((found) => {
      if (own !== asked.current) return;
      setRows({ ...found, rows: found.rows.map((row) => keyOf(state.files, row)) });
      if (!found.done) timer = setTimeout(() => setAgain((now) => now + 1), 400);
    }).catch((error) => say(error.message));
    return () => clearTimeout(timer);
  }, [local, place.filter, place.sort, place.find, place.filter === "unlabelled" ? labels : null, again]);

  const current = rows.rows.find((row) => row.key === place.list);
  const source = () => (local ? { list: local.lists[Number(place.list)] } : { number: Number(place.list) });
  useEffect(() => {
    if (place.list === "" || (local && !local.lists[Number(place.list)])) { setView(null); return undefined; }
    let wanted = true;
    const asked = local ? page("list", source()) : fetched(Number(place.list));
    asked.then((found) => wanted && setView(found)).catch((error) => { if (wanted) { setView(null); say(error.message); } });
    return () => { wanted = false; };
  }, [local, place.list]);
  const next = local ? undefined : rows.rows[rows.rows.findIndex((row) => row.key === place.list) + 1]?.key;
  useEffect(() => {
    const timer = view && next !== undefined && setTimeout(() => fetched(Number(next)).catch(() => {}), PAUSE);
    return () => clearTimeout(timer);
  }, [view, next]);

  const labelKey = local ? `${local.name}#${local.rows[Number(place.list)]?.id ?? place.list}` : current?.labelKey ?? `${state.files.join(" ")}#${view?.id ?? place.list}`;
  return {
    rows, view, source, labelKey, local, number: local ? undefined : Number(place.list),
    original: () => (local ? Promise.resolve(local.lists[Number(place.list)]) : page("original", source())),
    more: () => !local && page("rows", request(rows.rows.length)).then((found) => setRows((now) =>
      ({ ...now, rows: [...now.rows, ...found.rows.map((row) => keyOf(state.files, row))] }))),
    beside: (by) => {
      const at = rows.rows.findIndex((row) => row.key === place.list);
      return rows.rows[at < 0 ? 0 : at + by]?.key;
    },
    nextUnlabelled: () => {
      const at = rows.rows.findIndex((row) => row.key === place.list);
      return rows.rows.slice(at + 1).find((row) => !labels.has(row.labelKey))?.key;
    },
    soon: (key) => { if (!local) fetched(Number(key)).catch(() => {}); },
    give: (name, found) => setLocal({ name, ...found }),
    back: () => setLocal(null),
  };
}

function localRows(local, place, labels) {
  const all = local.rows.map((row) => keyOf([local.name], row));
  const gain = (row) => (row.picked ?? 0) - (row.base ?? 0);
  const unsure = (row) => (row.confidence ?? 1) < 0.7;
  const tests = { all: () => true, changed: (row) => row.before > 0, mended: (row) => gain(row) > 0, harmed: (row) => gain(row) < 0,
                  unsure, unlabelled: (row) => !labels.has(row.labelKey) };
  const wanted = place.find.toLowerCase();
  const found = all.filter(tests[place.filter] ?? tests.all).filter((row) => `${row.id} ${row.text}`.toLowerCase().includes(wanted));
  const by = { margin: (row) => row.margin ?? Infinity, gain, confidence: (row) => row.confidence ?? 1 }[place.sort];
  if (by) found.sort((a, b) => by(a) - by(b));
  const counts = Object.fromEntries(Object.entries(tests).filter(([name]) => name !== "unlabelled").map(([name, test]) => [name, all.filter(test).length]));
  return { rows: found, matching: found.length, lists: all.length, done: true, figures: local.figures, counts };
}
