// Winner and rival drawn: trees, word differences, tagged phrases, clusters.
import { html } from "./vendor/preact-htm.js";
import { alignment, partsOf, shown, wordsOf } from "./differences.js";
import { layout, parseTree } from "./tree.js";

export function Drawing({ kind, output, other, input, side, title, places, lit, light }) {
  const own = new Set(partsOf(kind, output, input).map((one) => one.key));
  const others = new Set(other === undefined ? [] : partsOf(kind, other, input).map((one) => one.key));
  const only = partsOf(kind, output, input).filter((one) => other !== undefined && !others.has(one.key));
  const props = { output, other, input, side, only, lit, light };
  const body = kind === "tree" ? html`<${TreeDrawing} ...${props}/>`
    : kind === "tags" ? html`<${TagDrawing} ...${props}/>`
    : kind === "clusters" ? html`<${ClusterDrawing} ...${props}/>`
    : html`<${TextDrawing} ...${props}/>`;
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
  const phrases = partsOf("tags", output, input);
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

function ClusterDrawing({ output, side, only }) {
  const keys = new Set(only.map((one) => one.key));
  return html`<ul class="clusters">${output.map((ids) => html`<li
    class=${keys.has([...ids].sort().join(" ")) ? `only-${side}` : ""}>${ids.map((id) => html`<code>${String(id)}</code> `)}</li>`)}</ul>`;
}
