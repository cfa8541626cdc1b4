// Inspector: the selected entry as a form, with navigation to all other parts of the title.

import { get } from "./api.js";
import { chooseLogo, chooseNewPicture } from "./bring.js";
import { dialog, field } from "./dialogs.js";
import { button, clear, enable, h, select } from "./dom.js";
import { brief, Form, labelOf } from "./form.js";
import { PAGE, ask, redo, undo } from "./host.js";
import { asMaps, parsed, withValue, within, written } from "./json.js";
import { Market } from "./market.js";
import { pathIn, pathOf, source, targetAt } from "./places.js";
import { pointerOf, tokens } from "./pointer.js";
import { reachOf } from "./reach.js";
import { kindsAt } from "./references.js";
import { Schemas } from "./schema.js";
import { choose, on, set, store, t, tell } from "./store.js";
import { ID, Table, TABLES } from "./table.js";

/** Section for fields of the title that belong to no block. */
const FACTS = "";
const OWN = ["terms", "pictures", "provenance", "waivers", "variants"];
/** Sections in their order. */
const ORDER = ["maps", "tiles", "companies", "privates", "trains", "phases", "market", "upgrades", "pieces", "aids", "bonuses", "atlas", ...OWN];
const KINDS = ["major", "minor", "private", "concession", "national"];
const FIRST_ROWS = [["60", "70", "80", "90", "100"]];

/** Initial values of new entries by block; `all` are the existing entries. */
const BEGINNINGS = {
  trains: (id, all) => {
    const last = [...all.values()].at(-1);
    const price = last instanceof Map && last.has("price") ? last.get("price") : 100;
    const hexes = Number(id.match(/^([1-9]\d?)H$/)?.[1]);  // the reach of a 4H is in hexes
    return { count: 1, name: id.slice(0, 12), price, ...(hexes ? { hexes } : {}), reach: reachOf(hexes ? "D" : id) ?? last?.get?.("reach") ?? reachOf("2"), permanent: true };
  },
  phases: (id, all, names) => {
    const last = [...all.values()].at(-1), begun = new Set([...all.values()].flatMap((each) => each.get("on") ?? []));
    const train = all.size ? (names.train || []).includes(id) ? id : (names.train || []).find((each) => !begun.has(each)) ?? null : null;
    return { on: train, train_limits: last?.get("train_limits") ?? { major: 4 }, tiles: last?.get("tiles") ?? ["yellow"], operating_rounds: last?.get("operating_rounds") ?? 1 };
  },
  companies: (id, all, _names, kind) => {
    const used = [...all.values()].map((each) => String(each.get("colour")).toLowerCase());
    const [colour, second] = store.about.colours.find(([each]) => !used.includes(each)) ?? ["#808080"];
    if (kind === "private") return { name: id, kind, value: 20, income: 5 };
    if (kind === "concession") return { name: id, kind, colour, value: 20, income: 5 };
    if (kind === "minor") return { name: id, kind, colour, second, stations: [0], homes: [] };
    return { name: id, kind, colour, second, certificates: [{ percent: 20, director: true }, { percent: 10, count: 8 }], stations: [0, 40], homes: [], float_percent: 50 };
  },
  privates: (id) => ({ name: id, kind: "private", value: 20, income: 5 }),
};

export class Inspector {
  constructor() {
    this.path = [];
    this.names_ = { names: {}, where: {}, inks: {} };
    this.mixed = new Set();
    this.sending = 0;
    this.queue = Promise.resolve();
    this.place = h("nav", { class: "viewbar", "aria-label": t("form_place") });
    this.tools = h("div", { class: "viewbar tools-of" });
    this.undoer = button(t("undo"), { icon: "undo", class: "quiet", onclick: () => { this.form.flush(); this.queue.then(undo); } });
    this.redoer = button(t("redo"), { icon: "redo", class: "quiet", onclick: () => { this.form.flush(); this.queue.then(redo); } });
    this.note = h("p", { class: "notice-of", role: "status", hidden: true });
    this.form = new Form(this);
    this.table = new Table(this);
    this.body = h("div", { class: "body", tabIndex: -1 });
    this.foot = h("p", { class: "help-of" });
    this.root = h("section", { class: "inspector", "aria-label": t("inspector"), hidden: true }, this.place, this.tools, this.note, this.body, this.foot);
    this.root.addEventListener("keydown", (event) => this.#keys(event));
    addEventListener("beforeunload", (event) => { if (this.form.waiting.size || this.sending) event.preventDefault(); });
    on("state", () => this.update());
    on("looks", () => { this.path = []; });
    on("edits", () => this.update());
    on("online", () => this.update());
    on("problems", () => this.again());
    on("selected", (target) => this.#follow(target));
    on("selection", () => this.update());
    on("cursor", ([file, pointer]) => this.#at(pathIn(file, pointer)));
    this.ready = get("schemas.json").then((files) => {
      this.schemas = new Schemas(files);
      this.title_ = { file: "title.schema.json", node: files["title.schema.json"] };
      this.#follow(store.selected);  // the target of the address was selected before the schemas were loaded
      this.update();
    });
  }

  // --- interface for the form ------------------------------------------------------------------------------------------

  get may() { return Boolean(store.state?.writable && store.online); }
  get title() { return this.#others.length ? t("hexes_n", this.#others.length + 1) : this.#words(this.path); }
  get currency() { return store.state?.currency ?? ""; }
  get languages() { return [...new Set([store.looks.lang, ...(store.state?.languages || [])])].filter(Boolean); }
  get inks() { return this.names_.names.ink || []; }

  help(words) { this.foot.textContent = words; }

  /** Return the names allowed at a path. */
  names(path) { return this.#named(path.map(String)); }
  /** Return true if a path names a hex, which can be chosen on the map. */
  isHex(path) { return kindsAt(this.names_.where, path.map(String)).includes("hex"); }
  /** Return true if a path names an icon or a picture. */
  isPicture(path) { return kindsAt(this.names_.where, path.map(String)).some((kind) => kind === "icon" || kind === "picture"); }

  /**
   * Let the user click a hex on the map, or several if there is a function that returns those already chosen.
   * @param {(id: string) => void} done @param {(() => string[] | null) | null} chosen returns null once the form shows something else
   */
  pick(done, chosen = null) {
    tell("pick", { words: t(chosen ? "pick_hint_several" : "pick_hint", this.title), done, chosen });
  }

  keys(path) { return this.#named([...path.map(String), "~"]); }

  #named(path) {
    return [...new Set(kindsAt(this.names_.where, path).flatMap((kind) => this.names_.names[kind] || []))];
  }

  read(text) { try { return parsed(text); } catch { return undefined; } }

  hides(path) { return path.length === 1 ? this.sections.some(([id]) => id === path[0]) || path[0] === "maps" : path.length === 3 && path[0] === "maps" && path[2] === "hexes"; }

  own(path, form, value, at) {
    if (pointerOf(path) !== "/market/rows") return null;
    const zone = (letter) => within(form.value, ["zones", letter, "colour"]);
    this.market = new Market(form, this.#full(["market", "rows", 0, 0]), (letter) => { const colour = zone(letter) || ""; return this.names_.inks[colour] || (colour.startsWith("#") ? colour : ""); });
    this.market.path = at;
    return this.market.build();
  }

  // Schema of the full (object) form of the value at a path.
  #full(path) { return this.schemas.forms(this.schemas.below(this.title_, path)).find((each) => each.node.type === "object"); }

  async verdict(colour, path, value) {
    const [block, company, key] = path, asks = { colour, theme: "classic" };
    if (block === "companies" && path.length === 3) {
      const own = key === "colour" ? within(value, ["text_colour"]) : within(value, ["colour"]);
      Object.assign(asks, { company, field: key, on: own || "" });
    }
    try { return await get("colour.json", asks); } catch { return null; }
  }

  /** Return a minimal valid value for a path: a copy of `last` if given, otherwise what the schema requires. */
  sample(shape, path, last = undefined) {
    if (last !== undefined) return last;
    const { node } = shape, forms = this.schemas.forms(shape);
    if (node.default !== undefined) return asMaps(node.default);
    if ("const" in node) return node.const;
    if (node.enum) return node.enum[0];
    if (shape.parts.includes("text")) return t("form_text");
    if (forms.length > 1) return this.sample(forms.find((each) => each.node.type !== "null") || forms[0], path);
    if (forms[0].node.type === "object" || node.properties) {
      const made = new Map();
      for (const key of node.required || []) made.set(key, this.sample(this.schemas.shape(this.schemas.inside({ ...shape, node: { type: "object", ...node } }, key)), [...path, key]));
      return made;
    }
    if (node.type === "array") return Array.from({ length: node.minItems || 0 }, (_, index) => this.sample(this.schemas.shape(this.schemas.inside(shape, index)), [...path, index]));
    if (node.type === "integer" || node.type === "number") return Math.max(node.minimum ?? 0, node.maximum === 100 && node.minimum === 1 ? 10 : node.minimum ?? 0);
    if (node.type === "boolean") return false;
    if (node.type === "null") return null;
    if (shape.parts.includes("rgb")) return store.about.colours[0][0];
    if (shape.parts.includes("ink")) return "tile.yellow";
    return this.names(path)[0] ?? (node.pattern?.includes("stop:") ? "stop:0" : shape.parts.includes("hex") ? "A1" : "X");
  }

  /** Return a promise that resolves when all typed text has been sent. */
  settled() {
    this.form.flush();
    return this.queue;
  }

  /** Send operations as one step, after all earlier ones. Pointers are those of the title. */
  send(ops, label, group) {
    const own = pointerOf(this.path), all = ops.flatMap((op) => [op, ...(op.at.startsWith(`${own}/`) ? this.#others.map((other) => ({ ...op, at: pointerOf(other) + op.at.slice(own.length) })) : [])]);
    const placed = all.map(({ at, ...op }) => { const [file, pointer] = source(tokens(at)); return { ...op, file, pointer }; });
    this.#do(placed, label, group ? `${PAGE}:${group}` : "");
  }

  #do(ops, label, group = "", after = () => {}) {
    this.sending += 1;
    this.queue = this.queue.then(async () => {
      try {
        const { prose } = await ask("edit", { label, ops, group });
        this.#notice(prose.length ? t("renumber_prose", prose.join(" · ")) : "");
        after();
      } catch (stop) {
        this.#notice(stop.message);
        this.shown = null;
      }
      this.sending -= 1;
      if (!this.sending) await this.update();
    });
  }

  again() {
    const within_ = source(this.path);
    const problems = store.problems.filter((each) => each.severity !== "note").map((each) => [this.#pointerOf(each), each]).filter(([pointer]) => pointer !== null && (pointer === pointerOf(this.path) || pointer.startsWith(`${pointerOf(this.path)}/`)));
    if (within_ && !this.root.hidden) this.form.tell(/** @type {any} */ (problems));
  }

  // Paths of the other selected hexes. The form shows the values that all share, and changes apply to all.
  get #others() {
    const [block, map, hexes, id] = this.path, also = id === undefined || block !== "maps" ? [] : store.also;
    if (!also.includes(`hex:${map}/${id}`)) return [];
    return also.map((/** @type {string} */ each) => each.slice(`hex:${map}/`.length)).filter((/** @type {string} */ each) => each !== id && this.block?.has?.(each)).map((/** @type {string} */ each) => [block, map, hexes, each]);
  }

  // Return the common part of several values; keys with differences are noted in `mixed`.
  #shared(values) {
    const keys = new Set(values.flatMap((value) => [...value.keys()])), first = values[0];
    this.mixed = new Set([...keys].filter((key) => values.some((value) => !value.has(key) || written(value.get(key)) !== written(first.get(key) ?? null))));
    return new Map([...first].filter(([key]) => !this.mixed.has(key)));
  }

  // --- paths and sections ----------------------------------------------------------------------------------------------

  #pointerOf({ file, pointer }) {
    const path = pathIn(file, pointer || "");
    return path ? pointerOf(path) : null;
  }

  get sections() {
    const { names } = this.names_, maps = names.map || [];
    const rest = ORDER.filter((key) => key !== "maps" && (key !== "privates" && key !== "atlas" && key !== "bonuses" || store.state?.origins?.[`/${key}`] || this.top?.has?.(key)));
    return /** @type {[string, string][]} */ ([[FACTS, t("form_title")], ...maps.flatMap((/** @type {string} */ id) => [[`maps/${id}`, maps.length > 1 ? `${labelOf("map")} ${id}` : labelOf("map")], [`maps/${id}/hexes`, maps.length > 1 ? `${labelOf("hexes")} ${id}` : labelOf("hexes")]]),
      ...rest.map((key) => [key, labelOf(key)])]);
  }

  // Return the section of a path, and the key of the entry in it, if any.
  #section(path) {
    if (path[0] === "maps" && path.length > 1) return path[2] === "hexes" ? [path.slice(0, 3), path[3]] : [path.slice(0, 2), undefined];
    if (!path.length || !ORDER.includes(path[0])) return [[], undefined];
    return [[path[0]], this.#isTable([path[0]]) ? path[1] : undefined];
  }

  #isTable(section) {
    const schema = this.schemas?.below(this.title_, section);
    if (!section.length || !schema || section[0] === "terms") return false;
    const [{ node }] = this.schemas.forms(schema);
    return node.type === "object" && !node.properties && Boolean(node.additionalProperties);
  }

  #isTabular(section) { return TABLES.includes(section[0]) && Boolean(store.settings.table); }

  /** Show a notice above the form. @param {string} words */
  say(words) { this.#notice(words); }

  #words(path) {
    const [section, entry] = this.#section(path);
    return entry ?? (this.sections.find(([id]) => id === section.join("/"))?.[1] || "");
  }

  // --- display ---------------------------------------------------------------------------------------------------------

  show(on_) {
    this.root.hidden = !on_;
    if (on_) this.update();
    else this.form.flush();
  }

  focus() {
    const first = /** @type {HTMLElement} */ (this.body.querySelector("input, select, textarea, button, summary"));
    (first || this.body).focus();
  }

  // Show the entry at a path of the title.
  go(path, picture = true) {
    const [section, entry] = this.#section(path), next = entry === undefined ? section : [...section, entry];
    const deeper = path.length > next.length ? pointerOf(path) : "";
    if (pointerOf(next) !== pointerOf(this.path) || !this.shown) {
      this.form.flush();
      this.path = next;
      this.shown = null;
      this.tools.inert = this.body.inert = true;  // they still belong to the previous entry
      this.update().then(() => this.#reveal(deeper));
    } else this.#reveal(deeper);
    const target = picture ? targetAt(next) : null;
    if (target && pointerOf(pathOf(target)) === pointerOf(next)) tell("inspect", target);
  }

  // Scroll to the field at a pointer, or to the innermost visible field around it.
  #reveal(pointer) {
    for (let at = pointer; at.length > pointerOf(this.path).length; at = at.slice(0, at.lastIndexOf("/"))) {
      const found = this.body.querySelector(`[data-field="${CSS.escape(at)}"]`);
      if (found) { found.scrollIntoView({ block: "nearest" }); return; }
    }
  }

  #follow(target) { this.#at(pathOf(target)); }

  #at(path) {
    if (path && this.schemas) this.go(path, false);
  }

  async update() {
    if (this.root.hidden || !this.schemas || !store.state?.origins || this.sending) return;
    if (!store.state.origins[""]) { this.#notice(t("broken_from_start")); clear(this.body); clear(this.place); clear(this.tools); return; }
    const turn = {};
    this.turn = turn;
    try {
      const [section] = this.#section(this.path);
      const [block, names] = await Promise.all([this.#load(section), this.named === store.state.revision ? this.names_ : get("names.json")]);
      if (this.turn !== turn || this.sending) return;
      this.names_ = names;
      this.named = store.state.revision;
      this.block = block;
      if (!section.length) this.top = block;
      if (this.refused) this.#notice("");
      this.refused = false;
      this.#draw();
    } catch (stop) {
      if (this.turn !== turn) return;
      this.refused = true;
      this.#notice(stop.message);
      this.shown = null;
      this.tools.inert = this.body.inert = false;
      clear(this.body, button(t("form_to_text"), { text: true, onclick: () => tell("text") }));
    }
  }

  // Load the value of a section, with the changes of a variant applied.
  async #load(section) {
    const base = pointerOf(section), places = [[base, ...source(section)]];
    for (const [of, [file, pointer]] of Object.entries(store.state.origins)) if (section.length && of.startsWith(`${base}/`)) places.push([of, file, pointer]);
    const files = new Map();
    for (const [of, file, pointer] of places) files.set(file, [...(files.get(file) || []), [of, pointer]]);
    const found = new Map();
    await Promise.all([...files].map(async ([name, wanted]) => {
      const { texts } = await ask("values", { name, pointers: wanted.map(([, pointer]) => pointer) });
      texts.forEach((/** @type {string | null} */ text, /** @type {number} */ index) => found.set(wanted[index][0], text === null ? undefined : parsed(text)));
    }));
    return places.slice(1).reduce((value, [of]) => found.get(of) === undefined ? value : withValue(value, tokens(of).slice(section.length), found.get(of)), found.get(base));
  }

  #draw() {
    const [section, entry] = this.#section(this.path), table = this.#isTable(section);
    this.tools.inert = this.body.inert = false;
    this.root.dataset.part = section.join("/");
    let value = entry === undefined ? this.block : within(this.block, [entry]);
    if (entry !== undefined && value === undefined) { this.path = section; this.shown = null; value = this.block; }
    const one = entry !== undefined && this.path.length > section.length, others = one && value instanceof Map ? this.#others : [];
    this.mixed = new Set();
    if (others.length) value = this.#shared([value, ...others.map((path) => within(this.block, [path[3]]))]);
    const keys = table ? [...(this.block?.keys?.() || [])] : [], all = table && !one;
    const now = JSON.stringify([this.path, others, [...this.mixed], this.may, this.languages, this.sections, keys, value === undefined, all && written(value ?? null)]);
    const is = value === undefined || all ? "" : written(value);
    if (now === this.shown && (is === "" || is === written(this.form.value))) { this.#steps(); this.again(); return; }
    const same = this.shownPath === pointerOf(this.path);
    this.shown = now;
    this.shownPath = pointerOf(this.path);
    this.#bar(section, table, one ? entry : undefined);
    const schema = this.schemas.below(this.title_, this.path);
    if (all) this.#all(section);
    else if (value === undefined && section.length) clear(this.body, h("p", { class: "dim" }, t("form_nothing")), this.may ? button(t("form_add", this.title), { icon: "plus", text: true, class: "strong", onclick: () => this.#begin(section, schema) }) : null);
    else {
      const kept = same && this.form.root.isConnected && !others.length && !this.body.querySelector(".several");
      if (!kept) this.body.replaceChildren(...(others.length ? [h("p", { class: "dim several" }, this.title)] : one && this.may ? [this.#id(section, entry)] : []), this.form.root);
      this.form.show(this.path, this.#form(schema), value);
      if (!kept) this.body.scrollTop = 0;
    }
    this.body.dataset.at = pointerOf(this.path);
    this.again();
  }

  // Schema of a block without the alternative of a file path.
  #form(schema) {
    const forms = this.schemas.forms(schema);
    return forms.length === 1 && !forms[0].parts.includes("text") ? { file: forms[0].file, node: forms[0].node } : schema;
  }

  #bar(section, table, entry) {
    const keys = table ? [...(this.block?.keys?.() || [])] : [];
    clear(this.place, select(t("form_section"), this.sections, section.join("/"), (id) => this.go(id ? id.split("/") : [])),
      table ? select(t("form_entry"), [["", `${t("form_all")} (${keys.length})`], ...keys.map((key) => [key, this.#called(key)])], entry ?? "", (key) => this.go(key ? [...section, key] : section)) : null);
    const at = keys.indexOf(entry), own = ["companies", "privates"].includes(section[0]) && entry !== undefined ? store.state.pieces.find((each) => each.company === entry) : null;
    if (own) this.root.dataset.key = own.key; else delete this.root.dataset.key;
    clear(this.tools, section[0] === "maps" && entry === undefined && this.may ? button(t("renumber"), { text: true, onclick: () => { this.form.flush(); this.#do([{ op: "renumber", first: "A1" }], t("renumber")); } }) : null,
      table && this.may ? button(t("form_new"), { icon: "plus", text: true, onclick: () => this.#new(section) }) : null,
      entry !== undefined && this.may ? [
        button(t("form_duplicate", entry), { icon: "duplicate", text: t("form_copy"), onclick: () => this.#duplicate(section, entry) }),
        button(t("form_up", entry), { icon: "up", onclick: () => this.#move(section, entry, at - 1) }),
        button(t("form_down", entry), { icon: "down", onclick: () => this.#move(section, entry, at + 1) }),
        button(t("form_remove", entry), { icon: "remove", onclick: () => this.#remove(section, entry) })] : null,
      table && entry === undefined && TABLES.includes(section[0]) ? button(t("panel_table"), { text: true, "aria-pressed": String(this.#isTabular(section)), onclick: () => {
        set({ table: !store.settings.table });
        this.shown = null;
        this.update();
      } }) : null,
      own && this.may ? button(t("logo_of", own.company), { icon: "picture", text: labelOf("logo"), onclick: () => chooseLogo(own) }) : null,
      h("span", { class: "gap" }), this.may ? [this.undoer, this.redoer] : h("span", { class: "dim" }, t("read_only")));
    this.#steps();
  }

  #steps() {
    const { undo: back, redo: forth } = store.edits;
    enable(this.undoer, back !== null);
    enable(this.redoer, forth !== null);
    this.undoer.title = back === null ? t("undo") : `${t("undo")}: ${back || t("outside_change")}`;
    this.redoer.title = forth === null ? t("redo") : `${t("redo")}: ${forth || t("outside_change")}`;
  }

  #called(key) {
    const value = within(this.block, [key]), words = value instanceof Map ? brief(value) : "";
    return !words || words === key || words === "…" ? key : `${key} · ${words}`;
  }

  // List all entries of a section, one per line.
  #all(section) {
    const keys = [...(this.block?.keys?.() || [])], schema = this.schemas.below(this.title_, [...section, keys[0] ?? "x"]);
    if (this.#isTabular(section)) {
      if (!this.table.root.isConnected) clear(this.body, this.table.root, this.form.choices);
      this.table.show(section, this.block);
      return;
    }
    const short = schema && this.schemas.forms(schema).some((each) => each.node.type === "integer");
    const row = (key, index) => h("li", {}, button(key, { text: this.#called(key), class: "entry-of", onclick: () => this.go([...section, key]) }),
      short && this.may && !(within(this.block, [key]) instanceof Map) ? this.#count(section, key) : null,
      this.may ? h("span", { class: "rowtools" }, button(t("form_up", key), { icon: "up", class: "quiet small", onclick: () => this.#move(section, key, index - 1) }), button(t("form_down", key), { icon: "down", class: "quiet small", onclick: () => this.#move(section, key, index + 1) }),
        button(t("form_duplicate", key), { icon: "duplicate", class: "quiet small", onclick: () => this.#duplicate(section, key) }), button(t("form_remove", key), { icon: "remove", class: "quiet small", onclick: () => this.#remove(section, key) })) : null);
    if (!this.list?.isConnected) clear(this.body, this.list = h("ul", { class: "entries", role: "list" }));
    clear(this.list, keys.map(row), keys.length ? null : h("li", { class: "dim" }, t("form_nothing")));
  }

  // Number field in the list itself, such as the count of a tile.
  #count(section, key) {
    const value = within(this.block, [key]);
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", class: "number", value: String(value), "aria-label": t("form_count", key), onchange: () => {
      const text = input.value.trim(), made = /^\d+$/.test(text) ? Number(text) : text, forms = this.schemas.forms(this.schemas.below(this.title_, [...section, key]));
      const valid = Number.isInteger(made) || forms.some((each) => each.node.const === made);
      input.toggleAttribute("aria-invalid", !valid);
      if (!valid) { this.#notice(t("form_expected", forms.map((each) => each.node.title || "").find(Boolean) || labelOf("count"))); return; }
      this.send([{ op: "put", at: pointerOf([...section, key]), value: made }], t("form_step", key, labelOf("count")), "");
    } }));
    return input;
  }

  // Field for the id of an entry; a change is applied to all references.
  #id(section, entry) {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: entry, "aria-label": t("form_id"), onchange: () => {
      const key = input.value.trim();
      if (key === entry) return;
      if (!ID.test(key)) { this.#notice(t("form_bad_id")); return; }
      this.form.flush();
      this.path = [...section, key];
      const [file, pointer] = source([...section, entry, "name"]), named = within(this.block, [entry, "name"]) === entry;
      this.#do([...(named ? [{ op: "put", file, pointer, value: key }] : []), { op: "rename", pointer: pointerOf([...section, entry]), key }], t("form_renamed", entry, key));
    } }));
    return h("div", { class: "fields" }, h("div", { class: "group" }, h("div", { class: "entry", "data-help": t("form_id_help") }, h("div", { class: "name" }, t("form_id")), input)));
  }

  #notice(words) {
    this.note.textContent = words;
    this.note.hidden = !words;
  }

  // --- entries ---------------------------------------------------------------------------------------------------------

  #begin(section, schema) {
    const made = section[0] === "market" ? asMaps({ shape: "grid", rows: FIRST_ROWS, zones: { p: { name: t("form_par"), colour: "tile.yellow", par: true } } })
      : section[0] === "provenance" || section[0] === "waivers" ? [this.sample(this.schemas.shape(this.schemas.below(this.title_, [...section, 0])), [...section, 0])] : this.sample(this.schemas.forms(schema)[0], section);
    this.send([{ op: "put", at: pointerOf(section), value: made }], t("form_added", this.title), "");
  }

  // Return a free id: the highest number plus one.
  #free(like = "") {
    const keys = [...(this.block?.keys?.() || [])], numbers = keys.filter((key) => /^\d+$/.test(key)).map(Number);
    if (!like) return numbers.length === keys.length && numbers.length ? String(Math.max(...numbers) + 1) : "";
    let number = 2;
    while (keys.includes(`${like}-${number}`)) number += 1;
    return `${like}-${number}`;
  }

  #ask(title, id, kinds, done) {
    const keys = [...(this.block?.keys?.() || [])], told = h("p", { class: "fault", role: "alert", hidden: true });
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: id, required: true, autocomplete: "off", "aria-label": t("form_id") }));
    const kind = kinds ? select(labelOf("kind"), kinds.map((each) => [each, t(`value_${each}`)]), kinds[0], () => {}) : null;
    const box = dialog(title, h("form", { class: "form", onsubmit: (event) => {
      event.preventDefault();
      const key = input.value.trim(), wrong = keys.includes(key) ? t("form_taken", key) : ID.test(key) ? "" : t("form_bad_id");
      told.textContent = wrong;
      told.hidden = !wrong;
      if (wrong) return;
      box.close();
      done(key, kind?.value);
    } }, field(t("form_id"), input, t("form_id_help")), kind ? field(labelOf("kind"), kind) : null, told, h("div", { class: "actions" }, h("button", { type: "submit", class: "strong" }, t("form_add_one")))));
    input.focus();
    input.select();
  }

  #new(section) {
    this.form.flush();
    if (section[0] === "pictures") { chooseNewPicture((id) => { this.#enter(section, id); this.update(); }); return; }
    this.#ask(`${t("form_new")}: ${this.#words(section)}`, this.#free(), section[0] === "companies" ? KINDS : null, (id, kind) => this.#add(section, id, kind));
  }

  // Add an entry with the initial values of its block.
  #add(section, id, kind = KINDS[0]) {
    this.#enter(section, id);
    this.send([{ op: "put", at: pointerOf([...section, id]), value: this.begun(section, id, kind) }], t("form_added", id), "");
  }

  /** Return the initial value of a new entry of a section. */
  begun(section, id, kind = KINDS[0], block = this.block) {
    const begin = BEGINNINGS[section.at(-1)], schema = this.schemas.below(this.title_, [...section, id]);
    return begin ? asMaps(begin(id, block instanceof Map ? block : new Map(), this.names_.names, kind)) : section[0] === "tiles" ? 1 : this.sample(this.schemas.shape(schema), [...section, id]);
  }

  /** Add the first entry of an empty part. @param {string} part */
  async first(part) {
    this.form.flush();
    await Promise.all([this.ready, this.queue]);
    this.path = [part];
    this.shown = null;
    await this.update();
    const { train = [] } = this.names_.names;
    if (part === "market") this.#begin([part], this.schemas.below(this.title_, [part]));
    else this.#add([part], part === "tiles" ? "57" : part === "phases" ? train[0] ?? "2" : part === "trains" ? "2" : "1");
  }

  #duplicate(section, entry) {
    this.form.flush();
    this.#ask(t("form_duplicate", entry), this.#free() || this.#free(entry), null, (id) => {
      const keys = [...this.block.keys()], at = keys.indexOf(entry);
      this.#enter(section, id);
      const ops = [{ op: "put", at: pointerOf([...section, id]), value: within(this.block, [entry]) }];
      if (at < keys.length - 1) ops.push(/** @type {any} */ ({ op: "move", at: pointerOf([...section, id]), to: at + 1 }));
      this.send(ops, t("form_added", id), "");
    });
  }

  // Show an entry as soon as it exists.
  #enter(section, id) {
    this.path = [...section, id];
    this.shown = null;
    choose("");
  }

  #remove(section, entry) {
    const keys = [...this.block.keys()], at = keys.indexOf(entry), next = keys[at + 1] ?? keys[at - 1];
    this.form.flush();
    if (this.path.length > section.length) this.path = next === undefined ? section : [...section, next];
    this.send([{ op: "remove", at: pointerOf([...section, entry]) }], t("form_removed", entry), "");
  }

  #move(section, entry, to) {
    const count = this.block.size;
    if (to < 0 || to >= count) return;
    this.send([{ op: "move", at: pointerOf([...section, entry]), to }], t("form_moved", entry), "");
  }

  // Use the studio's undo, except while the field has text that has not been sent.
  #keys(event) {
    if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(event.key.toLowerCase())) return;
    const at = event.target.dataset?.at;
    if (at && this.form.pending.has(at)) return;
    event.preventDefault();
    this.form.flush();
    this.queue.then(event.shiftKey || event.key.toLowerCase() === "y" ? redo : undo);
  }
}
