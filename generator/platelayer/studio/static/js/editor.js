// The editor: the files of the title, with completion and explanations from the schemas, undo, save.

import {
  Compartment, EditorState, EditorView, HighlightStyle, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap,
  completionKeymap, defaultKeymap, drawSelection, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter,
  highlightSelectionMatches, history, historyKeymap, hoverTooltip, indentOnInput, indentWithTab, json, keymap, lineNumbers,
  lintGutter, redo, searchKeymap, setDiagnostics, syntaxHighlighting, tags, undo,
} from "../editor/codemirror.js";
import { get, send } from "./api.js";
import { button, clear, h } from "./dom.js";
import { find, pathAt, pointerOf } from "./pointer.js";
import { Schemas } from "./schema.js";
import { on, store, t, targetOf, tell } from "./store.js";

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, class: "tok-key" },
  { tag: tags.string, class: "tok-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "tok-value" },
  { tag: [tags.brace, tags.squareBracket, tags.separator], class: "tok-sign" },
]);

export class Editor {
  constructor() {
    this.open = new Map();
    this.name = null;
    this.editable = new Compartment();
    this.files = h("select", { "aria-label": t("file"), onchange: () => this.show(this.files.value) });
    this.saved = h("span", { class: "saved", role: "status" });
    this.place = h("span", { class: "crumb", "aria-label": t("place") });
    this.saver = button(t("save"), { icon: "save", text: true, onclick: () => this.save() });
    this.host = h("div", { class: "codehost" });
    // In a shadow root the editor adopts its style sheets, which the page's policy allows; it allows no inline style.
    const shadow = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    fetch("static/css/code.css").then((answer) => answer.text()).then((text) => sheet.replaceSync(text));
    this.inside = h("div", { class: "inside" });
    shadow.append(this.inside);
    shadow.adoptedStyleSheets = [sheet];
    this.conflict = h("div", { class: "conflict", hidden: true, role: "alert" });
    this.root = h("section", { class: "editor", "aria-label": t("editor") },
      h("div", { class: "viewbar" }, this.files, this.saver,
        button(t("undo"), { icon: "undo", onclick: () => undo(this.view) }), button(t("redo"), { icon: "redo", onclick: () => redo(this.view) }),
        this.saved, h("span", { class: "gap" }), button(t("open_in_code"), { icon: "open", text: "VS Code", onclick: () => this.elsewhere() })),
      this.conflict, this.host, h("div", { class: "crumbs" }, this.place));
    this.view = new EditorView({ parent: this.inside, root: shadow, state: EditorState.create({ doc: "" }) });
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
    on("state", () => this.update());
    on("problems", () => this.diagnose());
    get("schemas.json").then((files) => { this.schemas = new Schemas(files); });
    addEventListener("beforeunload", (event) => { if ([...this.open.values()].some((each) => each.dirty)) event.preventDefault(); });
    this.update();
  }

  async update() {
    const files = (store.state?.files || []).filter((name) => !store.looks.at || name.startsWith(`${store.looks.at}/`) || store.state.titles.length < 2);
    if (files.join() !== this.listed) {
      this.listed = files.join();
      this.#list(files);
      if (!files.includes(this.name)) {
        const first = files.find((name) => name.endsWith("map.json")) || files[0];
        if (first && !this.asked) await this.show(first); else this.files.value = this.name || "";
      }
    }
    for (const [name, each] of this.open) {
      if (!files.includes(name)) continue;
      const now = await get("file", { name }).catch(() => null);
      if (!now || now.digest === each.digest) continue;
      if (each.dirty && now.text !== each.state.doc.toString()) { each.conflict = now; if (name === this.name) this.#conflict(); continue; }
      this.#take(name, now);
    }
    this.#status();
  }

  #list(files) {
    clear(this.files, files.map((name) => h("option", { value: name, selected: name === this.name }, `${this.open.get(name)?.dirty ? "● " : ""}${name}`)));
  }

  // A file as it is on disk now; what has been typed before stays in the history.
  #take(name, { text, digest }) {
    const each = this.open.get(name), state = name === this.name ? this.view.state : each.state;
    each.digest = digest;
    each.conflict = null;
    const old = state.doc.toString();
    let from = 0, end = 0;
    while (from < Math.min(old.length, text.length) && old[from] === text[from]) from += 1;
    while (end < Math.min(old.length, text.length) - from && old.at(-1 - end) === text.at(-1 - end)) end += 1;
    each.loading = true;
    const change = state.update({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
    if (name === this.name) this.view.dispatch(change); else each.state = change.state;
    each.loading = false;
    each.dirty = false;
    this.#conflict();
  }

  #extensions(name) {
    return [
      lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), syntaxHighlighting(COLOURS),
      EditorView.contentAttributes.of({ "aria-label": name }),
      name.endsWith(".json") ? [json(), autocompletion({ override: [(context) => this.#complete(context)] }), hoverTooltip((view, at) => this.#hover(view, at))] : EditorView.lineWrapping,
      this.editable.of([EditorView.editable.of(store.state.writable), EditorState.readOnly.of(!store.state.writable)]),
      keymap.of([{ key: "Mod-s", preventDefault: true, run: () => { this.save(); return true; } },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => this.#updated(update)),
    ];
  }

  async show(name) {
    if (name === this.name) return true;
    this.asked = name;
    if (!this.open.has(name)) {
      try {
        const { text, digest, path } = await get("file", { name });
        this.open.set(name, { digest, path, dirty: false, state: EditorState.create({ doc: text, extensions: this.#extensions(name) }) });
      } catch (stop) {
        this.saved.textContent = stop.message;
        return false;
      }
    }
    if (this.asked !== name) return false;
    if (this.name) this.open.get(this.name).state = this.view.state;
    this.name = name;
    this.view.setState(this.open.get(name).state);
    this.files.value = name;
    this.diagnose();
    this.#conflict();
    this.#status();
    return true;
  }

  #updated(update) {
    const each = this.open.get(this.name);
    if (!each) return;
    each.state = update.state;
    if (update.docChanged && !each.loading && !each.dirty) { each.dirty = true; this.#status(); }
    if (update.selectionSet || update.docChanged) {
      const { path } = pathAt(update.state, update.state.selection.main.head, 1), pointer = pointerOf(path);
      this.place.textContent = path.join(" › ");
      const target = targetOf(this.name, pointer);
      if (!this.jumping && update.selectionSet && target && target !== this.target) tell("frame", target);
      this.target = target;
    }
  }

  #status() {
    const each = this.open.get(this.name);
    this.saver.disabled = !each?.dirty || !store.state.writable;
    this.saved.textContent = !store.state?.writable ? t("read_only") : each?.dirty ? t("unsaved") : "";
    this.saved.classList.toggle("dirty", Boolean(each?.dirty));
    for (const option of this.files.options) option.textContent = `${this.open.get(option.value)?.dirty ? "● " : ""}${option.value}`;
  }

  async save() {
    const name = this.name, each = this.open.get(name);
    if (!each || !store.state.writable) return;
    const doc = this.view.state.doc;
    try {
      const { digest } = await send("file", { name, text: doc.toString(), digest: each.digest }, {}, "PUT");
      each.digest = digest;
      each.dirty = !this.view.state.doc.eq(doc);
      this.#status();
    } catch (stop) {
      if (stop.status === 409) each.conflict = await get("file", { name });
      else this.saved.textContent = stop.message;
      this.#conflict();
    }
  }

  // The file has changed on disk and here: one of the two is kept.
  #conflict() {
    const name = this.name, each = this.open.get(name);
    this.conflict.hidden = !each?.conflict;
    if (!each?.conflict) return;
    clear(this.conflict, h("span", {}, t("changed_on_disk", name)),
      button(t("keep_mine"), { text: true, onclick: () => { each.digest = each.conflict.digest; each.conflict = null; this.save(); this.#conflict(); } }),
      button(t("take_theirs"), { text: true, onclick: () => { this.#take(name, each.conflict); this.#status(); } }));
  }

  // Show the place of a target, or of a problem.
  async jump(file, pointer, line = 0, column = 1) {
    if (!file || !await this.show(file)) return;
    const { state } = this.view, found = pointer ? find(state, pointer) : null;
    const at = found ? found.key : state.doc.line(Math.min(Math.max(line, 1), state.doc.lines)).from + Math.max(0, column - 1);
    const head = Math.min(at, state.doc.length);
    this.jumping = true;
    this.view.dispatch({ selection: { anchor: head }, effects: EditorView.scrollIntoView(head, { y: "center" }) });
    this.jumping = false;
  }

  focus() { this.view.focus(); }

  diagnose() {
    if (!this.name) return;
    const { state } = this.view, { lines } = state.doc;
    const marks = store.problems.filter((each) => each.file === this.name && each.line && each.line <= lines).map((each) => {
      const line = state.doc.line(each.line), from = Math.min(line.from + each.column - 1, line.to);
      const span = each.pointer ? find(state, each.pointer) : null;
      const near = span && state.doc.lineAt(span.from).number === each.line;
      const to = near ? Math.min(span.to, line.to) : line.to;
      return { from: Math.min(from, to), to, severity: each.severity === "note" ? "info" : each.severity, source: each.code, message: each.message + (each.hint ? `\n${each.hint}` : "") };
    });
    this.view.dispatch(setDiagnostics(state, marks));
  }

  elsewhere() {
    const each = this.open.get(this.name);
    if (!each) return;
    const { state } = this.view, head = state.doc.lineAt(state.selection.main.head);
    location.href = encodeURI(`vscode://file${each.path.startsWith("/") ? "" : "/"}${each.path.replaceAll("\\", "/")}:${head.number}:${state.selection.main.head - head.from + 1}`);
  }

  #root(state) {
    const named = state.sliceDoc(0, 400).match(/"\$schema"\s*:\s*"([^"]+)"/);
    return this.schemas.rootOf(named ? { $schema: named[1] } : null, this.name);
  }

  #complete(context) {
    if (!this.schemas) return null;
    const { state, pos } = context, { path, node } = pathAt(state, pos, -1), root = this.#root(state);
    const word = context.matchBefore(/"[^"\n]*|[\w$-]+/), from = word ? word.from : pos;
    if (!word && !context.explicit) return null;
    let holder = node;
    while (holder && !["Object", "Array", "Property"].includes(holder.name)) holder = holder.parent;
    const named = holder?.name === "Property" ? holder.getChild("PropertyName") : null;
    const asKey = holder?.name === "Object" || (named && pos <= named.to);
    const after = state.sliceDoc(pos, pos + 1) === '"' ? 1 : 0, to = word?.text.startsWith('"') ? pos + after : pos;
    if (asKey) {
      const parent = named ? path.slice(0, -1) : path;
      const follows = /^\s*:/.test(state.sliceDoc(to, to + 20));
      const have = new Set((holder.name === "Object" ? holder : holder.parent).getChildren("Property").map((each) => state.sliceDoc(each.from, each.getChild("PropertyName")?.to).slice(1, -1)));
      const options = this.schemas.keys(root, parent).filter(({ key }) => !have.has(key) || (named && state.sliceDoc(named.from + 1, named.to - 1) === key)).map(({ key, words, kind, needed }) => ({
        label: `"${key}"`, detail: kind, info: words, type: "property", boost: needed ? 10 : key.startsWith("$") ? -10 : 0, apply: `"${key}"${follows ? "" : ": "}` }));
      return options.length ? { from, to, options, filter: true } : null;
    }
    const values = this.schemas.values(root, path).map(({ value, words }) => ({ label: value, info: words, type: "constant", apply: value }));
    return values.length ? { from, to, options: values } : null;
  }

  #hover(view, at) {
    if (!this.schemas) return null;
    const { path, node } = pathAt(view.state, at, 1);
    if (!path.length) return null;
    const { words, kind, allowed } = this.schemas.describe(this.#root(view.state), path);
    if (!words && !kind) return null;
    return { pos: node.from, end: node.to, above: true, create: () => ({ dom: h("div", { class: "tip" },
      h("div", { class: "tip-head" }, String(path.at(-1)), kind ? h("span", {}, kind) : null), words ? h("div", {}, words) : null,
      allowed.length ? h("div", { class: "tip-values" }, allowed.slice(0, 24).map(String).join(", ")) : null) }) };
  }
}
