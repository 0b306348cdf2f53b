// What one candidate has and another has not: words, constituents, phrases, clusters.
import { parseTree, nodesOf } from "./tree.js";

// Items of two sequences, each with whether the other has it at that point (longest common
// subsequence).
export function alignment(a, b) {
  const n = a.length, m = b.length;
  if (n * m > 4e6) return [a.map(() => false), b.map(() => false)];
  const table = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  const [inA, inB] = [a.map(() => false), b.map(() => false)];
  for (let i = 0, j = 0; i < n && j < m; )
    if (a[i] === b[j]) { inA[i++] = true; inB[j++] = true; }
    else if (table[i + 1][j] >= table[i][j + 1]) i++;
    else j++;
  return [inA, inB];
}

export const wordsOf = (text) => String(text).split(/\s+/).filter((word) => word);

// Phrases of tags in IOB2 or IOBES; other tags are phrases of one word each.
export function phrasesOf(tags) {
  const found = [];
  tags.forEach((tag, place) => {
    const [mark, type] = /^[BIESLU]-/.test(tag) ? [tag[0], tag.slice(2)] : [tag === "O" ? "O" : "B", tag];
    const last = found.at(-1);
    if (mark === "O") return;
    if ("IEL".includes(mark) && last && last.end === place && last.label === type) last.end++;
    else found.push({ label: type, start: place, end: place + 1 });
  });
  return found;
}

// What was computed for an object, or for two: candidates are drawn often, and never change.
function remembered(compute) {
  const known = new WeakMap();
  return (kind, one, ...rest) => {
    const other = typeof rest[0] === "object" && rest[0] !== null ? rest[0] : known;
    if (!known.has(one)) known.set(one, new WeakMap());
    const found = known.get(one);
    if (!found.has(other)) found.set(other, compute(kind, one, ...rest));
    return found.get(other);
  };
}

// The parts of a candidate that are compared, each with a key.
export const partsOf = remembered((kind, { output, words: target, blocks }, input) => {
  if (kind === "blocks")
    return (blocks ?? []).map(([source, [start, last]]) => {
      const [from, text] = [wordsOf(input).slice(source[0], source[1] + 1).join(" "), target.slice(start, last + 1).join(" ")];
      return { key: `${source} ${text}`, label: "", source, start, end: last + 1, from, text };
    });
  if (kind === "tree") {
    const tree = parseTree(output);
    if (!tree) return [];
    const words = nodesOf(tree).filter((node) => node.word !== undefined).map((node) => node.word);
    const seen = new Map();
    return nodesOf(tree).filter((node) => node.children?.length || node.tag).map((node) => {
      const place = `${node.label} ${node.start} ${node.end} ${node.tag ? "t" : ""}`;
      seen.set(place, (seen.get(place) ?? 0) + 1);
      return { key: `${place} ${seen.get(place)}`, label: node.label, start: node.start, end: node.end, node: node.id,
               get text() { return words.slice(node.start, node.end).join(" "); } };
    });
  }
  if (kind === "tags") {
    const words = Array.isArray(input) ? input.map((one) => (Array.isArray(one) ? one[0] : one)) : [];
    return phrasesOf(output).map((one) => ({ ...one, key: `${one.label} ${one.start} ${one.end}`,
      text: words.slice(one.start, one.end).join(" ") }));
  }
  if (kind === "clusters")
    return output.map((ids) => ({ key: [...ids].map(String).sort().join(" "), label: "", ids, text: ids.join(" ") }));
  return [];
});

// What a candidate has and the winner has not, and the other way round: pieces for one line.
export const differences = remembered((kind, winner, other, input) => {
  if (kind === "text" || kind === "blocks") {
    const [a, b] = [wordsOf(winner.output), wordsOf(other.output)];
    const [inA, inB] = alignment(a, b);
    return runs(a, inA, "less").concat(runs(b, inB, "more")).sort((x, y) => x.at - y.at);
  }
  if (kind === "other") {
    const same = JSON.stringify(winner.output) === JSON.stringify(other.output);
    return same ? [] : [{ sign: "more", text: shown(other.output) }];
  }
  const [a, b] = [partsOf(kind, winner, input), partsOf(kind, other, input)];
  const [inA, inB] = [new Set(a.map((one) => one.key)), new Set(b.map((one) => one.key))];
  const piece = (sign) => (one) => ({ sign, label: one.label, text: one.text, at: one.start ?? 0 });
  return [...a.filter((one) => !inB.has(one.key)).map(piece("less")),
          ...b.filter((one) => !inA.has(one.key)).map(piece("more"))];
});

function runs(words, common, sign) {
  const found = [];
  words.forEach((word, place) => {
    if (common[place]) return;
    const last = found.at(-1);
    if (last && last.stop === place) { last.text += ` ${word}`; last.stop++; }
    else found.push({ sign, text: word, at: place, stop: place + 1 });
  });
  return found;
}

export function shown(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(" ");
  if (Array.isArray(value) && value.every((one) => Array.isArray(one)))
    return value.map((one) => one[0]).join(" ");
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
