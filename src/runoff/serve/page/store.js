// What outlives a visit: labels in the browser, the place in the address.

const KEY = "runoff labels";

// Labels by list: { list, label }, where label is the place of the better candidate in the list as
// it was read, or "equal".
export function readLabels() {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Map();
  }
}

export function writeLabels(labels) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...labels]));
    return true;
  } catch {
    return false; // the browser keeps no more, or nothing at all
  }
}

// The labelled lists as JSON Lines: the better candidate has quality 1, the others 0; where there is
// no difference, all have 1.
export function labelledLines(labels) {
  return [...labels.values()].map(({ list, label }) => {
    const candidates = list.candidates.map((one, place) => ({
      ...one, quality: label === "equal" || label === place ? 1 : 0,
    }));
    return JSON.stringify({ ...list, candidates }) + "\n";
  }).join("");
}

export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const DEFAULTS = { list: "", rival: "", filter: "all", sort: "file", find: "", tab: "lists" };

export function readPlace() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(Object.entries(DEFAULTS).map(([key, value]) => [key, given.get(key) ?? value]));
}

export function writePlace(place) {
  const shown = Object.entries(place).filter(([key, value]) => value !== "" && value !== DEFAULTS[key]);
  const hash = new URLSearchParams(shown.map(([key, value]) => [key, String(value)])).toString();
  if (hash !== location.hash.slice(1)) history.replaceState(null, "", hash ? `#${hash}` : location.pathname);
}
