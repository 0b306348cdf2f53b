// Winner and rival drawn: trees, word differences, translated blocks, tagged phrases, clusters.
import { html } from "./vendor/preact-htm.js";
import { alignment, partsOf, shown, wordsOf } from "./differences.js";
import { layout, parseTree } from "./tree.js";

const DRAWINGS = { tree: TreeDrawing, tags: TagDrawing, clusters: ClusterDrawing, blocks: TranslationDrawing };

// A candidate; what `other` has not is in colour. Gold is a candidate with nothing but an output.
export function Drawing({ kind, candidate, other, input, side, title, lit, light }) {
  const own = partsOf(kind, candidate, input);
  const others = new Set(other === undefined ? [] : partsOf(kind, other, input).map((one) => one.key));
  const only = other === undefined ? [] : own.filter((one) => !others.has(one.key));
  const body = html`<${DRAWINGS[kind] ?? TextDrawing} output=${candidate.output} other=${other?.output} ...${{ candidate, input, side, only, lit, light }}/>`;
  return html`<figure class=${`drawing ${side}`}><figcaption>${title}</figcaption>${body}</figure>`;
}

function TextDrawing({ output, other, side, lit, light }) {
  const words = wordsOf(typeof output === "string" ? output : shown(output));
  const common = other === undefined ? words.map(() => true) : alignment(words, wordsOf(shown(other)))[0];
  return html`<p class="text">${words.map((word, place) => html`<span
    class=${`word ${common[place] ? "" : `only-${side}`} ${lit(place, place + 1) ? "lit" : ""}`}
    onMouseEnter=${() => light(place, place + 1)} onMouseLeave=${() => light()}>${word}</span> `)}</p>`;
}

function TreeDrawing({ output, side, only, lit, light }) {
  const root = parseTree(output);
  if (!root) return html`<p class="text">${output}</p>`;
  const { nodes, width, height } = layout(root);
  const marked = new Set(only.map((one) => one.node));
  const lines = (colour) => nodes.flatMap((node) => (node.children ?? [])
    .filter((child) => marked.has(child.id) === colour)
    .map((child) => `M${node.x.toFixed(1)} ${node.y + 4}v7H${child.x.toFixed(1)}V${child.y - 13}`)).join("");
  const said = only.length ? `Only here: ${only.map((one) => `${one.label} over “${one.text}”`).join("; ")}.` : "No constituent of its own.";
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${`Drawing of the ${side}`}>
  <svg class="tree" width=${width.toFixed(0)} height=${height} viewBox=${`0 0 ${width.toFixed(0)} ${height}`} role="img" aria-label=${`${output} ${said}`}
    style=${{ minWidth: `${(0.55 * width).toFixed(0)}px` }}>
    <path class="lines" d=${lines(false)}/><path class=${`lines only-${side}`} d=${lines(true)}/>
    ${nodes.map((node) => html`<text x=${node.x.toFixed(1)} y=${node.y} font-size=${node.size}
      class=${`${node.word !== undefined ? "tree-word" : node.tag ? "tree-tag" : "tree-label"} ${marked.has(node.id) ? `only-${side}` : ""} ${node.word === undefined && lit(node.start, node.end, node.id) ? "lit" : ""}`}
      onMouseEnter=${() => light(node.start, node.end, node.id)} onMouseLeave=${() => light()}>${node.label || "·"}</text>`)}
  </svg></div>`;
}

function TagDrawing({ output, input, side, only, lit, light }) {
  const words = Array.isArray(input) ? input.map((one) => (Array.isArray(one) ? one[0] : one)) : output;
  const keys = new Set(only.map((one) => one.key));
  const phrases = partsOf("tags", { output }, input);
  const found = [];
  for (let place = 0; place < words.length; ) {
    const phrase = phrases.find((one) => one.start === place);
    const end = phrase ? phrase.end : place + 1, start = place;
    const text = words.slice(start, end).join(" ");
    found.push(html`<span class=${`span ${phrase ? "phrase" : ""} ${phrase && keys.has(phrase.key) ? `only-${side}` : ""} ${lit(start, end) ? "lit" : ""}`}
      onMouseEnter=${() => light(start, end)} onMouseLeave=${() => light()}>${text}${phrase && html`<sub>${phrase.label}</sub>`}</span> `);
    place = end;
  }
  return html`<p class="text">${found}</p>`;
}

// Only the clusters that the other has not are drawn.
function ClusterDrawing({ output, other, side, only }) {
  const drawn = other === undefined ? output : only.map((one) => one.ids);
  const same = output.length - drawn.length;
  return html`<ul class="clusters">${drawn.map((ids) => html`<li class=${other === undefined ? "" : `only-${side}`}>${
    ids.map((id) => html`<span class="record">${String(id)}</span>`)}</li>`)}</ul>
    ${same > 0 && html`<p class="faint">and ${same} ${same === 1 ? "cluster" : "clusters"} that both have</p>`}`;
}

const CELL = 24, LETTER = 8;

// The translation, and a grid: a column for each source word, a row for each target word, a box for
// each block.
function TranslationDrawing(props) {
  const { candidate, input, side, only } = props;
  const text = html`<${TextDrawing} ...${props}/>`;
  if (!candidate.blocks) return text; // gold has none
  const source = wordsOf(input), target = candidate.words;
  const longest = (words) => 12 + LETTER * Math.max(...words.map((word) => [...word].length), 1);
  const [left, top] = [longest(target), longest(source)];
  const [width, height] = [left + CELL * source.length + 4, top + CELL * target.length + 4];
  const keys = new Set(only.map((one) => one.key));
  return html`${text}<div class="scroll" tabindex="0" role="group" aria-label=${`Blocks of the ${side}`}>
  <svg class="blocks" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img"
    aria-label=${partsOf("blocks", candidate, input).map((one) => `“${one.from}” becomes “${one.text}”`).join("; ")}>
    ${source.map((word, i) => html`<text transform=${`translate(${left + CELL * i + CELL / 2 + 5} ${top - 6}) rotate(-90)`}>${word}</text>`)}
    ${target.map((word, j) => html`<line class="zero" x1=${left} x2=${width - 4} y1=${top + CELL * (j + 1)} y2=${top + CELL * (j + 1)}/>
      <text x=${left - 6} y=${top + CELL * j + CELL / 2 + 5} text-anchor="end">${word}</text>`)}
    ${partsOf("blocks", candidate, input).map((one) => html`<rect class=${keys.has(one.key) ? `only-${side}` : ""}
      x=${left + CELL * one.source[0] + 2} y=${top + CELL * one.start + 2} rx="4"
      width=${CELL * (one.source[1] - one.source[0] + 1) - 4} height=${CELL * (one.end - one.start) - 4}><title>${one.from} → ${one.text}</title></rect>`)}
  </svg></div>`;
}
