// Text editor for the files of the title, with completion and explanations from the schemas, undo and save.

import {
  ChangeSet, Compartment, EditorState, EditorView, HighlightStyle, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, collab,
  completionKeymap, defaultKeymap, drawSelection, foldGutter, foldKeymap, getSyncedVersion, highlightActiveLine, highlightActiveLineGutter,
  highlightSelectionMatches, hoverTooltip, indentOnInput, indentWithTab, json, keymap, lineNumbers,
  lintGutter, receiveUpdates, searchKeymap, sendableUpdates, setDiagnostics, syntaxHighlighting, tags,
} from "../editor/codemirror.js";
import { get } from "./api.js";
import { button, clear, enable, h } from "./dom.js";
import { PAGE, ask, beforeAsking, redo, undo } from "./host.js";
import { onDisk } from "./line.js";
import { pathIn, targetOf } from "./places.js";
import { kindsAt, names } from "./references.js";
import { find, pathAt, pointerOf } from "./pointer.js";
import { Schemas } from "./schema.js";
import { isOfTitle, on, store, t, tell } from "./store.js";

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, class: "tok-key" },
  { tag: tags.string, class: "tok-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "tok-value" },
  { tag: [tags.brace, tags.squareBracket, tags.separator], class: "tok-sign" },
]);

// Pause that begins a new undo step.
const PAUSE_MS = 1000;
// Delay before typed text is sent.
const SEND_MS = 40;

export class Editor {
  constructor() {
    this.open = new Map();
    this.name = null;
    this.refusal = "";
    this.wanted = new Map();  // chosen file, by title; it may not exist at present
    this.editable = new Compartment();
    this.files = h("select", { "aria-label": t("file"), onchange: () => this.show(this.files.value) });
    this.saved = h("span", { class: "saved", role: "status" });
    this.disputed = "";
    this.place = h("span", { class: "crumb", role: "group", "aria-label": t("place") });
    this.saver = button(t("save"), { icon: "save", text: true, onclick: () => this.save() });
    this.undoer = button(t("undo"), { icon: "undo", onclick: () => undo() });
    this.redoer = button(t("redo"), { icon: "redo", onclick: () => redo() });
    this.host = h("div", { class: "codehost" });
    // In a shadow root the editor uses adopted style sheets; the page's security policy forbids inline styles.
    const shadow = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    fetch("static/css/code.css").then((answer) => answer.text()).then((text) => sheet.replaceSync(text));
    this.inside = h("div", { class: "inside" });
    shadow.append(this.inside);
    shadow.adoptedStyleSheets = [sheet];
    this.conflict = h("div", { class: "conflict", hidden: true, role: "alert" });
    this.root = h("section", { class: "editor", "aria-label": t("editor") },
      h("div", { class: "viewbar" }, this.files, this.saver, this.undoer, this.redoer,
        this.saved, h("span", { class: "gap" }), onDisk ? button(t("open_in_code"), { icon: "open", text: "VS Code", onclick: () => this.elsewhere() }) : null),
      this.host, h("div", { class: "crumbs" }, this.place));
    this.view = new EditorView({ parent: this.inside, root: shadow, state: EditorState.create({ doc: "" }) });
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
    on("state", () => this.update());
    on("looks", () => this.update());
    on("problems", () => this.diagnose());
    on("edits", () => this.#follow());
    on("online", () => this.#status());
    on("refused", (message) => { this.refusal = message; this.#status(); });
    beforeAsking(() => this.flush());
    get("schemas.json").then((files) => { this.schemas = new Schemas(files); });
    addEventListener("beforeunload", (event) => { if (this.#unsent.length || (!store.settings.autosave && store.edits.unsaved.length)) event.preventDefault(); });
    this.update();
  }

  // Make sure that the open file belongs to the current title.
  async update() {
    const files = [...new Set([...(store.state?.files || []), ...store.edits.unsaved])].filter(isOfTitle);
    if (files.join() !== this.listed) {
      this.listed = files.join();
      this.#list(files);
    }
    if (this.name && !files.includes(this.name)) this.#leave();
    const wanted = this.wanted.get(store.looks.at);
    const first = files.find((name) => name === wanted) || files.find((name) => name.endsWith("map.json")) || files[0];
    if (first && first !== this.name) await this.show(first, false);
    this.files.value = this.name || "";
    this.#status();
  }

  /** The files of the title. */
  get listing() { return [...this.files.options].map((each) => each.value); }

  // Close the file.
  #leave() {
    this.#keep();
    this.name = this.asked = null;
    this.view.setState(EditorState.create({ extensions: [EditorView.editable.of(false), EditorState.readOnly.of(true)] }));
    this.place.textContent = "";
    this.#conflict();
  }

  #list(files) {
    clear(this.files, files.map((name) => h("option", { value: name, selected: name === this.name }, name)));
  }

  #extensions(name, version) {
    return [
      lineNumbers(), foldGutter(), lintGutter(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), syntaxHighlighting(COLOURS),
      EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
      name.endsWith(".json") ? [json(), autocompletion({ override: [(context) => this.#complete(context)] }), hoverTooltip((view, at) => this.#hover(view, at))] : EditorView.lineWrapping,
      this.editable.of(this.#writable()),
      collab({ startVersion: version, clientID: PAGE }),
      keymap.of([{ key: "Mod-s", preventDefault: true, run: () => { this.save(); return true; } },
        { key: "Mod-z", preventDefault: true, run: () => { undo(); return true; } },
        { key: "Mod-y", mac: "Mod-Shift-z", preventDefault: true, run: () => { redo(); return true; } },
        { key: "Mod-Shift-z", preventDefault: true, run: () => { redo(); return true; } },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...foldKeymap, ...completionKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => this.#updated(update)),
    ];
  }

  #writable() {
    const may = Boolean(store.state?.writable && store.online);
    return [EditorView.editable.of(may), EditorState.readOnly.of(!may)];
  }

  // Open a file. If the user did not choose it, it replaces the chosen file only until that exists again.
  async show(name, chosen = true) {
    this.asked = name;
    this.refusal = "";
    if (!isOfTitle(name)) return false;
    const { at } = store.looks, wanted = this.wanted.get(at);
    if (chosen) this.wanted.set(at, name);
    if (name === this.name) return true;
    if (!this.open.has(name)) {
      try {
        const { text, version, path } = await ask("open", { name });
        if (!this.open.has(name)) this.open.set(name, { path, state: EditorState.create({ doc: text, extensions: this.#extensions(name, version) }), talk: Promise.resolve() });
      } catch (stop) {
        if (this.asked === name) this.refusal = stop.message;
        if (chosen) this.wanted.set(at, wanted);
        this.#status();
        this.files.value = this.name || "";
        return false;
      }
    }
    if (this.asked !== name || !isOfTitle(name)) return false;
    this.#keep();
    this.name = name;
    this.view.setState(this.open.get(name).state);
    this.view.dispatch({ effects: this.editable.reconfigure(this.#writable()) });
    this.files.value = name;
    this.diagnose();
    this.#follow();
    tell("file", this.settled);
    return true;
  }

  /** The open file, unless it only replaces one that is missing. */
  get settled() { return this.name === this.wanted.get(store.looks.at) || this.name?.endsWith("map.json") ? this.name : ""; }

  #keep() { if (this.open.has(this.name)) this.open.get(this.name).state = this.view.state; }
  #stateOf(name) { return name === this.name ? this.view.state : this.open.get(name).state; }
  #dispatch(name, change) {
    if (name === this.name) this.view.dispatch(change); else this.open.get(name).state = change.state;
  }

  #updated(update) {
    if (!this.open.has(this.name)) return;
    if (update.docChanged && sendableUpdates(update.state).length) {
      const now = Date.now();
      if (now - (this.typed || 0) > PAUSE_MS) this.group = `${PAGE}:${now}`;
      this.typed = now;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), SEND_MS);
      this.#status();
    }
    if (update.selectionSet || update.docChanged) {
      const { path } = pathAt(update.state, update.state.selection.main.head, 1), pointer = pointerOf(path);
      this.place.textContent = path.join(" › ");
      const target = targetOf(this.name, pointer);
      if (!this.jumping && update.selectionSet) tell("cursor", [this.name, pointer]);
      if (!this.jumping && update.selectionSet && target && target !== this.target) tell("frame", target);
      this.target = target;
    }
  }

  get #unsent() { return [...this.open.keys()].filter((name) => sendableUpdates(this.#stateOf(name)).length); }

  // Send typed text. Changes made by others in the meantime are merged first.
  async flush() {
    clearTimeout(this.timer);
    await Promise.all(this.#unsent.map((name) => this.#talk(name, () => this.#send(name))));
  }

  // Queue work on a file, so that only one request about it runs at a time.
  #talk(name, work) {
    const file = this.open.get(name);
    file.talk = file.talk.then(work).catch((stop) => { this.refusal = stop.message; this.#status(); });
    return file.talk;
  }

  async #send(name) {
    for (;;) {
      if (!this.open.has(name)) return;
      const state = this.#stateOf(name), updates = sendableUpdates(state);
      if (!updates.length) return;
      const told = { name, version: getSyncedVersion(state), changes: updates.map((each) => each.changes.toJSON()), by: PAGE, group: this.group, label: t("typing", name) };
      try { await ask("type", told, { first: false }); } catch (stop) { if (stop.status !== 409) throw stop; }
      await this.#fetch(name);
      this.refusal = "";
      this.#status();
    }
  }

  async #fetch(name) {
    if (!this.open.has(name)) return;
    const answer = await ask("since", { name, version: getSyncedVersion(this.#stateOf(name)) }, { first: false });
    if (!this.open.has(name)) return;
    if (answer.changes) {
      const state = this.#stateOf(name);
      const updates = answer.changes.map(([parts, by]) => ({ changes: ChangeSet.fromJSON(parts), clientID: by }));
      if (updates.length) this.#dispatch(name, receiveUpdates(state, updates));
    } else {  // this page lags too far behind
      const state = EditorState.create({ doc: answer.text, extensions: this.#extensions(name, answer.version) });
      if (name === this.name) this.view.setState(state);
      this.open.get(name).state = state;
    }
  }

  // Fetch changes to open files by others: forms, brushes, undo, other pages, other programs.
  #follow() {
    for (const name of this.open.keys()) {
      const version = store.edits.versions[name];
      if (version === undefined && name !== this.name) this.open.delete(name);
      else if (version !== undefined && version !== getSyncedVersion(this.#stateOf(name))) this.#talk(name, () => this.#fetch(name));
    }
    this.#status();
    this.#conflict();
  }

  #status() {
    const { unsaved, undo: back, redo: forth } = store.edits, dirty = unsaved.includes(this.name) || this.#unsent.includes(this.name);
    this.root.ariaBusy = String(this.#unsent.length > 0);
    enable(this.saver, dirty && store.state?.writable);
    enable(this.undoer, back !== null);
    enable(this.redoer, forth !== null);
    this.undoer.title = back === null ? t("undo") : `${t("undo")}: ${back || t("outside_change")}`;
    this.redoer.title = forth === null ? t("redo") : `${t("redo")}: ${forth || t("outside_change")}`;
    this.saved.textContent = !store.state?.writable ? t("read_only") : this.refusal || (dirty ? t("unsaved") : "");
    this.saved.classList.toggle("dirty", Boolean(this.refusal || dirty));
    for (const option of this.files.options) option.textContent = `${unsaved.includes(option.value) ? "● " : ""}${option.value}`;
    if (this.name && this.view.state.facet(EditorView.editable) !== Boolean(store.state?.writable && store.online)) this.view.dispatch({ effects: this.editable.reconfigure(this.#writable()) });
  }

  // Save all changes.
  async save() {
    if (!store.state?.writable) return;
    this.refusal = "";
    try { await ask("save", {}); } catch (stop) { this.refusal = stop.message; }
    this.#status();
  }

  // Ask which text to keep of a file that has changed both here and on disk, or is gone, and list the differences.
  async #conflict() {
    const { conflicts, revision } = store.edits, name = conflicts[this.name] ? this.name : Object.keys(conflicts)[0], how = conflicts[name];
    const now = how ? JSON.stringify([name, how, revision, store.looks.lang]) : "";
    this.conflict.hidden = !how;
    if (now === this.disputed) return;
    this.disputed = now;
    if (!how) return;
    const settle = (mine) => async () => {
      await ask("settle", { name, mine });
      if (mine) await ask("save", { names: [name] });
      this.update();
    };
    const differences = h("div", { class: "facts" });
    clear(this.conflict, h("span", {}, t(how === "gone" ? "gone_from_disk" : "changed_on_disk", name)),
      button(t("keep_mine"), { text: true, onclick: settle(true) }),
      button(t(how === "gone" ? "let_it_go" : "take_theirs"), { text: true, onclick: settle(false) }), differences);
    if (how === "gone") return;
    let told = [];
    try {
      const { facts } = await ask("differences", { name, language: store.looks.lang }, { first: false }), groups = Object.entries(facts);
      told = groups.length ? [h("p", {}, t("mine_differs")), ...groups.map(([group, words]) => h("section", {}, h("strong", {}, group), h("ul", {}, words.map((each) => h("li", {}, each)))))] : [t("layout_differs")];
    } catch (stop) { told = [stop.message]; }
    if (this.disputed === now) clear(differences, told);
  }

  // Go to the text of a target or a problem.
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

  // Return the ids that can be referred to at a path, and inks where the schema has a colour.
  async #references(root, path) {
    const { names: known, where } = await names(), inside = pathIn(this.name, pointerOf(path));
    const kinds = [...(inside ? kindsAt(where, inside) : []), ...(this.schemas.isA(root, path, "ink") ? ["ink"] : [])];
    return kinds.flatMap((kind) => (known[kind] || []).map((id) => ({ id, kind: this.#kindName(kind) })));
  }

  #kindName(kind) { return store.about.words[`is_${kind}`] || kind; }

  async #complete(context) {
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
      for (const { id, kind } of await this.#references(root, [...parent, "~"]))
        if (!have.has(id)) options.push({ label: JSON.stringify(id), detail: kind, info: "", type: "variable", boost: 5, apply: `${JSON.stringify(id)}${follows ? "" : ": "}` });
      return options.length ? { from, to, options, filter: true } : null;
    }
    const values = this.schemas.values(root, path).map(({ value, words }) => ({ label: value, info: words, type: "constant", apply: value }));
    const ids = (await this.#references(root, path)).map(({ id, kind }, at) => ({ label: JSON.stringify(id), detail: kind, type: "variable", boost: -at / 100, apply: JSON.stringify(id) }));
    const options = [...ids, ...values];
    return options.length ? { from, to, options } : null;
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
