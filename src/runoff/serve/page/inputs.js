// What the user brings: a sentence, a file of lists, labels.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { call, page } from "./server.js";
import { download, labelledLines } from "./store.js";

const N = 50;

export function InputBar({ state, lists, set, say }) {
  const [text, setText] = useState("");
  const [verb, setVerb] = useState(state.text[0] ?? "");
  const [pasting, setPasting] = useState(false);
  const [over, setOver] = useState(false);

  const give = (name, found) => { lists.give(name, found); set({ list: "0", rival: "", filter: "all", find: "", tab: "candidates" }); };
  const read = (name, content, format) => page("pasted", { text: content, name, format: format || null })
    .then((found) => { give(name || "pasted lists", found); setPasting(false); }).catch((error) => say(error.message));
  const send = async (event) => {
    event.preventDefault();
    try {
      const found = await call(`/${verb}`, { text, n: N });
      if (!found.lists.length) return;
      const lines = found.lists.map((one) => JSON.stringify(one)).join("\n");
      give(verb, await page("pasted", { text: lines, format: "jsonl" }));
    } catch (error) { say(error.message); }
  };
  useEffect(() => {
    const hold = (event) => { event.preventDefault(); setOver(event.type === "dragover"); };
    const drop = (event) => { hold(event); const file = event.dataTransfer.files[0]; if (file) file.text().then((content) => read(file.name, content)); };
    addEventListener("dragover", hold); addEventListener("dragleave", hold); addEventListener("drop", drop);
    return () => { removeEventListener("dragover", hold); removeEventListener("dragleave", hold); removeEventListener("drop", drop); };
  }, []);

  return html`<div class=${`inputs ${over ? "over" : ""}`}>
    ${state.text.length > 0 && html`<form onSubmit=${send}>
      <label class="visually-hidden" for="sentence">Sentence</label>
      <input id="sentence" type="text" placeholder="Type a sentence" value=${text} onInput=${(event) => setText(event.target.value)}/>
      ${state.text.length > 1 ? html`<select aria-label="What to do with it" value=${verb} onChange=${(event) => setVerb(event.target.value)}>
        ${state.text.map((one) => html`<option value=${one}>${one}</option>`)}</select>` : ""}
      <button class="chip" disabled=${!text.trim()}>${verb}</button></form>`}
    <button class="chip" aria-expanded=${pasting} onClick=${() => setPasting(!pasting)}>Paste or drop lists</button>
    ${lists.local && html`<button class="chip" onClick=${() => { lists.back(); set({ list: "", rival: "" }); }}>Close ${lists.local.name}</button>`}
    ${pasting && html`<${Paste} formats=${state.formats} read=${read}/>`}</div>`;
}

function Paste({ formats, read }) {
  const [content, setContent] = useState("");
  const [format, setFormat] = useState("jsonl");
  return html`<div class="paste"><label>Lists <textarea rows="4" value=${content} onInput=${(event) => setContent(event.target.value)}></textarea></label>
    <label>Format <select value=${format} onChange=${(event) => setFormat(event.target.value)}>${formats.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
    <button class="chip" disabled=${!content.trim()} onClick=${() => read("", content, format)}>Show</button>
    <label>or a file <input type="file" onChange=${(event) => { const file = event.target.files[0]; if (file) file.text().then((found) => read(file.name, found)); }}/></label></div>`;
}

export function LabelBar({ labels, act, state }) {
  if (!labels.size) return null;
  const features = (state.ranker?.features ?? []).filter((one) => !["given", "text"].includes(one)).map((one) => ` --features ${one}`).join("");
  const n = labels.size;
  return html`<aside class="labels" aria-label="Labels"><p><span><b>${n} ${n === 1 ? "list" : "lists"} labelled</b>, kept in this browser.</span>
      <button class="chip" onClick=${() => download("labels.jsonl", labelledLines(labels))}>Download labels.jsonl</button>
      <button class="plain" onClick=${act.forget}>delete them</button></p>
    <p class="command"><span class="faint">Learn from them:</span><code>runoff fit labels.jsonl${features} -o labelled.runoff</code></p></aside>`;
}
