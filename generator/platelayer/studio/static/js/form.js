// Form for a JSON value: a widget for each field, chosen by its schema.
//
// The form holds the value that it shows. A change is applied to it at once and sent to the owner as an operation on the
// file; text that is not valid yet stays in its field.

import { button, h, select } from "./dom.js";
import { withValue, within, written } from "./json.js";
import { pickPicture } from "./logo.js";
import { pointerOf } from "./pointer.js";
import { fits } from "./schema.js";
import { store, t } from "./store.js";

/** Pause in typing after which a field is sent. */
const PAUSE_MS = 300;
/** Text typed into one field without such a pause is one undo step. */
const STEP_MS = 1500;
/** Entries of longer lists and maps are collapsed at first if they have fields. */
const MOST_OPEN = 6;
const HIDDEN = ["$schema", "format"];
const BLANK = "";

const isScalar = ({ node }) => "const" in node || node.enum || ["string", "integer", "number", "boolean", "null"].includes(node.type);
const isNumber = ({ node }) => node.type === "integer" || node.type === "number";
const isNull = ({ node }) => node.type === "null";
const isNamed = ({ node }) => "const" in node || node.enum || node.type === "boolean";
const namesOf = ({ node }) => "const" in node ? [node.const] : node.enum ?? [false, true];
const isMap = ({ node }) => node.type === "object" && !node.properties && node.additionalProperties && typeof node.additionalProperties === "object";
const isFree = ({ node }) => !isScalar({ node }) && node.type !== "array" && !node.properties && !isMap({ node });

const worded = (key, otherwise) => Object.hasOwn(store.about.words, key) ? store.about.words[key] : otherwise;

/**
 * Return the label of a key.
 * @param {string | number} key
 */
export function labelOf(key) {
  const plain = String(key).replaceAll("_", " ").replaceAll("$", "");
  const words = t(`label_${String(key).replace("$", "")}`);
  return words.startsWith("label_") ? plain.charAt(0).toUpperCase() + plain.slice(1) : words;
}

const valueWords = (value) => value === null ? t("form_null") : typeof value === "boolean" ? t(value ? "form_yes" : "form_no") : worded(`value_${value}`, String(value));

/** Return a value as the text that a user would type. */
const typed = (value) => value === undefined || value === null ? "" : value instanceof Map || Array.isArray(value) ? written(value) : String(value);

export class Form {
  /**
   * @param {any} owner provides schemas and names, and receives changes
   */
  constructor(owner) {
    this.owner = owner;
    this.root = h("div", { class: "fields" });
    this.value = undefined;
    this.path = [];
    this.pending = new Map();  // invalid text, by pointer
    this.faults = new Map();
    this.waiting = new Map();  // changes not sent yet, by pointer
    this.choices = h("datalist", { id: "choices" });  // suggestions for the focused field
    this.offers = new WeakMap();
    this.rows = new Map();  // element for messages beside each field, by pointer
    this.opened = new Map();  // sections opened or closed by the user, by pointer
    this.top = h("div", { class: "told" });
    this.root.addEventListener("focusin", (event) => this.#help(event.target));
  }

  /**
   * Show the value at a path of the title.
   * @param {(string | number)[]} path @param {any} schema @param {any} value
   */
  show(path, schema, value) {
    this.flush();
    this.path = path;
    this.schema = schema;
    this.value = value;
    this.render();
  }

  get may() { return this.owner.may; }
  get schemas() { return this.owner.schemas; }

  pointer(path) { return pointerOf([...this.path, ...path]); }

  // Rebuild the form; the focus stays.
  render(focus = "") {
    const focused = /** @type {any} */ (this.root.contains(document.activeElement) ? document.activeElement : null);
    const at = focus || focused?.dataset.at, [begin, end] = focused && "selectionStart" in focused ? [focused.selectionStart, focused.selectionEnd] : [];
    this.rows.clear();
    this.root.replaceChildren(...this.#top());
    const heir = /** @type {any} */ (at ? this.root.querySelector(`[data-at="${CSS.escape(at)}"]`) : null);
    if (!heir) return;
    heir.focus({ preventScroll: !focus });
    if (focus) heir.select?.();
    if (!focus && begin !== undefined && begin !== null && heir.setSelectionRange) try { heir.setSelectionRange(begin, end); } catch { /* colour inputs have no selection */ }
  }

  #top() {
    this.top = h("div", { class: "told" });
    const widget = this.widget(this.schema, this.value, [], true);
    return [this.top, ...[widget].flat(), this.choices];
  }

  // --- changes -----------------------------------------------------------------------------------------------------

  /**
   * Set or remove the value at a path. Missing objects and lists around it are created.
   * @param {(string | number)[]} path @param {any} value
   * @param {{again?: boolean, focus?: string, label?: string}} [how] `again`: the fields of the form change
   */
  set(path, value, { again = false, focus = "", label = "" } = {}) {
    const before = within(this.value, path), at = this.pointer(path);
    if (value === undefined ? before === undefined : before !== undefined && written(before) === written(value)) return;
    const put = this.#missing(path), after = withValue(this.value, path, value);
    this.value = after;
    const op = value === undefined ? { op: "remove", at } : { op: "put", at: this.pointer(put), value: within(after, put) };
    this.owner.send([op], this.#step(path, label), this.#group(at));
    if (again || focus) this.render(focus);
  }

  /**
   * Send several operations as one step; `value` is the resulting value of the whole form.
   * @param {object[]} ops @param {any} value @param {(string | number)[]} path @param {string} focus
   */
  all(ops, value, path, focus = "") {
    this.value = value;
    this.owner.send(ops, this.#step(path, ""), "");
    this.render(focus);
  }

  // Send pending changes now.
  flush() { for (const commit of [...this.waiting.values()]) commit(true); }

  #step(path, label) {
    const named = [...path].reverse().find((key) => typeof key === "string") ?? this.path.at(-1) ?? "";
    return t("form_step", this.owner.title, label || labelOf(named));
  }

  #group(at) {
    const now = Date.now();
    if (at !== this.last?.at || now - this.last.when > STEP_MS) this.last = { at, when: now, group: `form:${at}:${now}` };
    this.last.when = now;
    return this.last.group;
  }

  // --- help and messages ---------------------------------------------------------------------------------------------

  #help(target) {
    const row = target.closest?.("[data-help]"), names = this.offers.get(target);
    if (names) this.choices.replaceChildren(...names().map((/** @type {string} */ each) => h("option", { value: each })));
    this.owner.help(row?.dataset.help || "");
  }

  say(path) {
    const at = this.pointer(path), told = this.rows.get(at);
    if (told) this.told(at, told);
  }

  told(at, told) {
    const wrong = this.faults.get(at);
    const own = wrong ? [h("p", { class: "fault", role: "alert" }, wrong)] : [];
    told.replaceChildren(...own, ...(this.problems?.get(at) || []).map((each) => h("p", { class: each.severity }, each.message, each.hint ? h("span", { class: "hint" }, ` ${each.hint}`) : null)));
    told.hidden = !told.childElementCount;
  }

  /**
   * Show each problem beside the innermost visible field that it concerns.
   * @param {[string, any][]} problems by pointer of the title
   */
  tell(problems) {
    this.problems = new Map();
    for (const [pointer, problem] of problems) {
      let at = pointer;
      while (at && !this.rows.has(at)) at = at.slice(0, at.lastIndexOf("/"));
      const known = this.rows.has(at) ? at : "top";
      this.problems.set(known, [...(this.problems.get(known) || []), problem]);
    }
    for (const [at, told] of this.rows) this.told(at, told);
    this.told("top", this.top);
  }

  // --- widgets -------------------------------------------------------------------------------------------------------

  // Field with its name, widget and messages.
  #field(key, schema, path, { needed = false, name = labelOf(key), gone = null } = {}) {
    const value = within(this.value, path), at = this.pointer(path), { node } = this.schemas.shape(schema, value);
    const forms = this.schemas.forms(schema, value), whole = !forms.every((each) => isScalar(each));
    const told = h("div", { class: "told", hidden: true });
    this.rows.set(at, told);
    const widget = this.widget(schema, value, path, false, { needed, name });
    this.told(at, told);
    const help = node.description || "";
    const away = gone || (whole && !needed && value !== undefined && this.may ? () => this.set(path, undefined, { again: true }) : null);
    const remover = away && value !== undefined && this.may ? button(t("form_clear", name), { icon: "close", class: "quiet small", onclick: away, "data-at": `${at}#clear` }) : null;
    const wide = whole || this.#isLong(forms[0]);
    return h("div", { class: `entry${wide ? " wide" : ""}${needed && value === undefined ? " lacking" : ""}`, "data-help": help, "data-field": at, ...(whole && !this.#isLong(forms[0]) ? { role: "group", "aria-label": name } : {}) },
      h("div", { class: "name", title: help }, h("span", {}, name), path.length === 1 && this.owner.mixed?.has(key) ? h("span", { class: "dim" }, ` (${t("mixed")})`) : null, remover), widget, told);
  }

  #isLong({ node, parts }) { return parts.includes("text") || (node.type === "string" && (node.maxLength ?? 0) > 60); }

  widget(schema, value, path, top = false, { needed = true, name = "" } = {}) {
    const shape = this.schemas.shape(schema, value), forms = this.schemas.forms(schema, value);
    const given = { name, needed, node: shape.node, parts: shape.parts };
    if (shape.parts.includes("text")) return this.#text(schema, value, path, given);
    if (shape.parts.includes("rgb") || shape.parts.includes("ink")) return this.#colour(forms, value, path, given);
    const own = this.owner.own([...this.path, ...path], this, value, path);
    if (own) return own;
    if (forms.every(isScalar)) return this.#scalar(forms, value, path, given);
    // All scalar forms are one alternative; each list or object form is another.
    const plain = forms.filter(isScalar), ways = [...(plain.length ? [plain] : []), ...forms.filter((each) => !isScalar(each)).map((each) => [each])];
    const now = ways.find((way) => way.some((each) => fits(each, value))) || ways.find((way) => way.some((each) => alike(each, value))) || ways[0];
    const widget = now === plain ? this.#scalar(plain, value, path, given) : this.#compound(now[0], value, path, given, top);
    if (ways.length === 1 || !this.may) return widget;
    const chooser = select(t("form_kind", name), ways.map((way, index) => [String(index), this.#formWords(way)]), String(ways.indexOf(now)),
      (index) => this.set(path, this.#turned(within(this.value, path), ways[Number(index)], path), { again: true }),
      { class: "kind-of", "data-at": `${this.pointer(path)}#kind` });
    return h("div", { class: now === plain ? "beside" : "either" }, chooser, ...[widget].flat());
  }

  #formWords(way) {
    const [form] = way, told = way.filter((each) => !isNull(each));
    if (!told.length) return t("form_null");
    if (told.every(isNumber)) return t("form_number");
    if (isScalar(form)) return t("form_word");
    if (form.node.type === "array") return t("form_list");
    return isMap(form) ? t("form_table") : t("form_details");
  }

  // Convert a value to another form, preserving the first part of it that fits.
  #turned(value, way, path) {
    const has = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [], [form] = way;
    const fitting = has.find((each) => way.some((one) => fits(one, each)));
    if (fitting !== undefined) return fitting;
    const made = this.owner.sample(way.find((each) => !isNull(each)) || form, [...this.path, ...path]);
    if (isScalar(form) || value === undefined) return made;
    if (form.node.type === "array") return this.schemas.forms(this.schemas.inside(form, 0)).some((each) => fits(each, value)) ? [value] : made;
    for (const key of [...form.node.required || [], ...Object.keys(form.node.properties || {})]) {
      const inner = this.schemas.inside(form, key);
      if (inner && this.schemas.forms(inner).some((each) => fits(each, value))) return withValue(made, [key], value);
    }
    return made;
  }

  #compound(shape, value, path, given, top) {
    if (isFree(shape)) return this.#raw(value, path);
    if (shape.node.type === "array") {
      if (shape.node.prefixItems) return this.#tuple(shape, value || [], path);
      const items = this.schemas.inside(shape, 0), forms = this.schemas.forms(items);
      if (forms.every((each) => isNamed(each) && namesOf(each).length > 1)) return this.#chips(forms.flatMap(namesOf), value || [], path, given);
      const asText = this.schemas.shape(items).parts.includes("text");
      return forms.every(isScalar) && !asText ? this.#words(shape, items, value || [], path, given) : this.#list(shape, items, value || [], path, given, asText);
    }
    return isMap(shape) ? this.#map(shape, value, path, given) : this.#object(shape, value, path, top);
  }

  #object(shape, value, path, top) {
    const { properties, required = [] } = shape.node, all = Object.keys(properties).filter((key) => !HIDDEN.includes(key) && !this.owner.hides?.([...this.path, ...path, key]));
    const has = (key) => (value instanceof Map && value.has(key)) || (!path.length && this.owner.mixed?.has(key)), needed = (key) => required.includes(key);
    const row = (key) => this.#field(key, this.schemas.inside(shape, key), [...path, key], { needed: needed(key) });
    const last = (/** @type {string} */ key) => key === "$comment" ? 1 : 0, byPlace = (/** @type {string[]} */ keys) => keys.sort((a, b) => last(a) - last(b));
    const shown = byPlace(all.filter((key) => has(key) || needed(key))), more = byPlace(all.filter((key) => !has(key) && !needed(key)));
    const strange = value instanceof Map ? [...value.keys()].filter((key) => !Object.hasOwn(properties, key)) : [];
    const rest = strange.map((key) => this.#strange(value.get(key), [...path, key]));
    const few = all.length <= 7 && !top;
    if (!this.may) return h("div", { class: "group" }, shown.map(row), rest);
    if (few) return h("div", { class: "group" }, byPlace(all.filter((key) => key !== "$comment" || has(key))).map(row), rest);
    return h("div", { class: "group" }, shown.map(row), rest, more.length ? this.#details(`${this.pointer(path)}#more`, false, t("form_more"), () => h("div", { class: "group" }, more.map(row)), "more") : null);
  }

  // Field for an unknown key, which can only be removed.
  #strange(value, path) {
    const at = this.pointer(path), told = h("div", { class: "told", hidden: true });
    this.rows.set(at, told);
    return h("div", { class: "entry wide", "data-field": at }, h("div", { class: "name" }, h("span", {}, String(path.at(-1))),
      this.may ? button(t("form_clear", String(path.at(-1))), { icon: "close", class: "quiet small", onclick: () => this.set(path, undefined, { again: true }) }) : null), h("code", {}, written(value)), told);
  }

  #details(key, open, words, content, kind = "") {
    const now = this.opened.get(key) ?? open, body = h("div", { class: "inner" });
    if (now) body.append(...[content()].flat());
    const made = h("details", { class: kind, open: now, ontoggle: () => {
      if (!made.open || body.childElementCount) return;
      body.append(...[content()].flat());
      this.owner.again();
    } }, h("summary", { "data-at": key, onclick: () => this.opened.set(key, !made.open) }, words), body);
    return made;
  }

  // --- scalars -------------------------------------------------------------------------------------------------------

  #scalar(forms, value, path, given) {
    if (forms.length === 1 && forms[0].node.type === "boolean") return this.#tick(value, path, given);
    if (forms.every((each) => isNamed(each) || isNull(each))) return this.#choice(forms, value, path, given);
    const nothing = forms.find(isNull);
    const input = this.#input(forms, value, path, given);
    if (!nothing || !this.may) return value === null && nothing ? h("span", { class: "plain" }, this.#nullWords(given.node)) : input;
    if (given.more) {
      const words = this.#nullWords(given.node), toggle = button(`${given.name}: ${words}`, { text: "∅", class: "quiet small", "aria-pressed": String(value === null), "data-at": `${this.pointer(path)}#null`, onclick: () => {
        this.#forget(path);
        this.set(path, value === null ? this.owner.sample(forms.find((each) => !isNull(each)), [...this.path, ...path]) : null, { again: true });
      } });
      return h("div", { class: "beside" }, value === null ? h("span", { class: "plain" }, "–") : input, toggle);
    }
    const box = h("input", { type: "checkbox", checked: value === null, "data-at": `${this.pointer(path)}#null`, onchange: () => {
      const rest = forms.filter((each) => !isNull(each));
      this.#forget(path);
      this.set(path, box.checked ? null : this.owner.sample(rest[0], [...this.path, ...path]), { again: true });
    } });
    return h("div", { class: "beside" }, value === null ? null : input, h("label", { class: "tick" }, box, this.#nullWords(given.node)));
  }

  // Meaning of null, taken from the description.
  #nullWords(node) {
    const said = (node.description || "").match(/null:? (?:for )?([^.;,]+)/i)?.[1];
    return store.settings.ui === "en" && said ? said : t("form_null");
  }

  #tick(value, path, { needed, name, node }) {
    const now = value ?? node.default ?? false;
    if (!this.may) return h("span", { class: "plain" }, valueWords(now));
    const box = h("input", { type: "checkbox", checked: now === true, "aria-label": name, "data-at": this.pointer(path), onchange: () => {
      this.set(path, !needed && box.checked === (node.default ?? false) && "default" in node ? undefined : box.checked);
    } });
    return h("label", { class: "tick" }, box, h("span", {}, valueWords(now)));
  }

  #choice(forms, value, path, { needed, name, node }) {
    const values = forms.flatMap((each) => isNull(each) ? [null] : namesOf(each)), none = value === undefined;
    const known = none || values.includes(value);
    const blank = none || !needed ? [[BLANK, this.#default(node) || t("form_none")]] : [];
    const options = [...blank, ...(known ? [] : [["!", String(written(value))]]), ...values.map((each) => [JSON.stringify(each), valueWords(each)])];
    const made = select(name, options, none ? BLANK : known ? JSON.stringify(value) : "!", (text) => {
      if (text === "!") return;
      this.set(path, text === BLANK ? undefined : JSON.parse(text), { again: true });
    }, { disabled: !this.may, "data-at": this.pointer(path) });
    return made;
  }

  #default(node) {
    if ("default" in node) return t("form_default", typeof node.default === "object" ? written(node.default) : valueWords(node.default));
    const said = (node.description || "").match(/(?:Default: |[Ll]eft out: )([^.;]+)/)?.[1];
    return said ? t("form_default", said) : "";
  }

  // Text field that sets its value as soon as the text is valid.
  #input(forms, value, path, given) {
    const { needed, name, node, more = /** @type {any} */ ({}) } = given;
    const at = this.pointer(path), text = this.pending.get(at) ?? typed(value);
    const numeric = forms.every((each) => isNumber(each) || isNull(each));
    if (!this.may) return h("span", { class: "plain" }, text);
    const consts = forms.filter(isNamed).flatMap(namesOf).map(String), long = forms.length === 1 && (forms[0].node.maxLength ?? 0) > 60;
    const currency = isOf(forms, "money") ? this.owner.currency : "", { how = {} } = more;
    const rest = Object.fromEntries(Object.entries(more).filter(([key]) => key !== "how" && key !== "onkeydown"));
    const input = /** @type {HTMLInputElement} */ (h(long ? "textarea" : "input", { ...(long ? { rows: rowsFor(text) } : { type: "text" }), value: text, "aria-label": name, "data-at": at, list: long ? null : this.choices.id,
      inputmode: numeric ? "numeric" : null, class: numeric ? "number" : "", placeholder: value === undefined ? this.#default(node) : "", autocomplete: "off", ...rest,
      onkeydown: (/** @type {any} */ event) => {
        if (more.onkeydown) more.onkeydown(event);
        else if (event.key === "Enter" && !event.shiftKey) { commit(true); if (!input.closest(".plain-item")) event.preventDefault(); }
      },
      oninput: () => {
        this.pending.set(at, input.value);
        this.waiting.set(at, commit);
        if (long) /** @type {any} */ (input).rows = rowsFor(input.value);
        clearTimeout(timer);
        timer = setTimeout(commit, PAUSE_MS);
      }, onchange: () => commit(true) }));
    this.#offer(input, () => [...consts, ...(given.inks ? this.owner.inks : []), ...this.owner.names([...this.path, ...path])]);
    let timer = 0;
    const commit = (done = false) => {
      clearTimeout(timer);
      this.waiting.delete(at);
      this.#commit(forms, path, input.value, { needed, done, ...how });
      input.toggleAttribute("aria-invalid", this.faults.has(at));
    };
    input.toggleAttribute("aria-invalid", this.faults.has(at));
    if (!more.how && this.owner.isHex?.([...this.path, ...path])) return h("div", { class: "beside" }, input, this.#picker(path));
    if (!more.how && this.owner.isPicture?.([...this.path, ...path])) return h("div", { class: "beside" }, input, this.#pictures(path, name, (/** @type {string} */ id) => this.set(path, id, { again: true })));
    return currency ? h("span", { class: "money" }, currency.split("{}")[0] ? h("span", { class: "unit" }, currency.split("{}")[0]) : null, input, currency.split("{}")[1] ? h("span", { class: "unit" }, currency.split("{}")[1]) : null) : input;
  }

  // Button to choose a hex on the map, ignored if the form shows something else by then.
  #picker(path) {
    const at = this.pointer(path);
    return button(t("pick_hex"), { icon: "brush_hex", class: "quiet small", onclick: () => this.owner.pick((/** @type {string} */ id) => {
      if (this.pointer(path) !== at) return;
      this.#forget(path);
      this.set(path, id, { again: true });
    }) });
  }

  // Button to choose several hexes on the map; each click adds a hex to the list or removes it.
  #pickers(path, needed) {
    const at = this.pointer(path), chosen = () => this.pointer(path) === at ? within(this.value, path) || [] : null;
    return button(t("pick_hexes"), { icon: "brush_hex", text: true, class: "quiet small", "data-at": `${at}#pick`, onclick: () => this.owner.pick((/** @type {string} */ id) => {
      const now = chosen(), index = now?.indexOf(id);
      if (!now) return;
      this.#shift();
      if (index === -1) this.set([...path, now.length], id, { again: true });
      else this.set(now.length > 1 || needed ? [...path, index] : path, undefined, { again: true });
    }, chosen) });
  }

  // Button that opens a grid of pictures to choose from.
  #pictures(path, name, done) {
    const at = this.pointer(path);
    return button(t("form_pick", name), { icon: "picture", class: "quiet small", "data-at": `${at}#pick`, onclick: () => pickPicture(name, this.owner.names([...this.path, ...path]), within(this.value, path), (id) => {
      if (this.pointer(path) !== at) return;
      this.#forget(path);
      done(id);
    }) });
  }

  #commit(forms, path, text, { needed, done = false, blank = null, again = false, focus = "" }) {
    const at = this.pointer(path);
    if (!this.pending.has(at)) return;
    const before = within(this.value, path);
    if (text === typed(before) && before !== null) { this.#forget(path); this.say(path); return; }
    if (text.trim() === "" && (blank || !needed || before === undefined)) {
      this.#forget(path);
      this.say(path);
      if (before === undefined) return;
      if (blank) { if (done) blank(); else this.pending.set(at, text); } else this.set(path, undefined);
      return;
    }
    const value = parse(forms, text);
    if (value === undefined) {
      this.faults.set(at, fault(forms, text));
      this.say(path);
      return;
    }
    this.#forget(path);
    this.say(path);
    this.set(path, value, { again, focus });
  }

  #forget(path) {
    const at = this.pointer(path);
    this.pending.delete(at);
    this.faults.delete(at);
  }

  // Offer names as suggestions; they are read when the field gets the focus.
  #offer(input, names) { this.offers.set(input, names); }

  // --- text by language ----------------------------------------------------------------------------------------------

  #text(schema, value, path, given) {
    const { file, node } = this.schemas.shape(schema), [plain, table] = node.anyOf.map((/** @type {any} */ each) => this.schemas.shape({ file, node: each }));
    const inner = { ...given, node: { ...plain.node, description: node.description } };
    if (!(value instanceof Map)) {
      const input = this.#input([plain], value, path, inner), languages = this.owner.languages;
      return h("div", { class: "beside" }, input, this.may && value !== undefined && languages.length > 1
        ? button(t("form_by_language"), { text: "A/あ", class: "quiet small", "data-at": `${this.pointer(path)}#languages`, onclick: () => this.set(path, new Map([[languages[0], value]]), { again: true, focus: this.pointer([...path, languages[0]]) }) }) : null);
    }
    const each = this.schemas.inside(table, ""), missing = this.owner.languages.filter((language) => !value.has(language));
    const rows = [...value.keys(), ...(this.may ? missing : [])].map((language) => h("div", { class: "beside language" }, h("span", { class: "key" }, language),
      this.#input(this.schemas.forms(each), value.get(language), [...path, language], { ...given, needed: value.size === 1 && value.has(language), name: `${given.name} (${language})`, node: {} })));
    return h("div", { class: "languages" }, rows, this.may && value.size === 1 ? button(t("form_one_text"), { text: true, class: "quiet small", "data-at": `${this.pointer(path)}#languages`,
      onclick: () => this.set(path, [...value.values()][0], { again: true, focus: this.pointer(path) }) }) : null);
  }

  // --- colours -------------------------------------------------------------------------------------------------------

  #colour(forms, value, path, given) {
    const at = this.pointer(path), ink = given.parts.includes("ink"), said = h("div", { class: "verdict" });
    const judge = async (colour) => {
      const told = colour ? await this.owner.verdict(colour, [...this.path, ...path], this.value) : null;
      if (!said.isConnected && said.childElementCount) return;
      said.replaceChildren(...(told ? this.#verdict(told) : []));
      if (told && picker && document.activeElement !== picker) picker.value = told.rgb;
      if (told && swatch) swatch.style.background = told.rgb;
    };
    let picker = null, swatch = null;
    const text = this.#input(forms, value, path, { ...given, inks: ink });
    if (this.may) {
      let timer = 0;
      const pick = () => {
        clearTimeout(timer);
        this.#forget(path);
        this.say(path);
        this.set(path, picker.value);
        /** @type {HTMLInputElement} */ (text).value = picker.value;
        judge(picker.value);
      };
      picker = h("input", { type: "color", value: /^#[0-9a-f]{6}$/i.test(String(value)) ? value.toLowerCase() : "#ffffff", "aria-label": t("form_pick", given.name), "data-at": `${at}#pick`,
        oninput: () => { clearTimeout(timer); timer = setTimeout(pick, PAUSE_MS); }, onchange: pick });
      text.addEventListener("input", () => { if (parse(forms, /** @type {any} */ (text).value) !== undefined) judge(/** @type {any} */ (text).value); });
    } else if (value) swatch = h("span", { class: "swatch" });
    if (value !== undefined) judge(value);
    return h("div", { class: "colours" }, h("div", { class: "beside" }, picker, swatch, text), said);
  }

  #verdict({ rgb, beside, contrast, least, alike: near }) {
    const sample = h("span", { class: "sample" }, "Aa");
    sample.style.background = rgb;
    sample.style.color = beside;
    const reads = contrast >= least;
    return [h("p", { class: reads ? "good" : "warning" }, sample, t(reads ? "form_reads" : "form_pale", contrast, least)),
      ...near.map((/** @type {any} */ each) => h("p", { class: "warning" }, t(`alike_${each.vision}`, each.company, each.difference)))];
  }

  // --- lists, tables ---------------------------------------------------------------------------------------------------

  #chips(values, now, path, { name, needed, node }) {
    const least = node.minItems ?? (needed ? 0 : 1);
    return h("div", { class: "chips", role: "group", "aria-label": name }, values.filter((each) => this.may || now.includes(each)).map((each) =>
      h("button", { type: "button", class: "choice", "data-value": String(each), "aria-pressed": String(now.includes(each)), "data-at": `${this.pointer(path)}#${each}`, disabled: !this.may, onclick: () => {
        const has = within(this.value, path) || [], chosen = has.includes(each) ? has.filter((one) => one !== each) : [...has, each];
        const ordered = has.every((one, index) => index === 0 || values.indexOf(has[index - 1]) < values.indexOf(one)) ? values.filter((one) => chosen.includes(one)) : chosen;
        if (ordered.length < least && needed) return;
        this.set(path, ordered.length || needed ? ordered : undefined, { again: true });
      } }, valueWords(each))));
  }

  // List of scalars: one field each, and an empty one for adding.
  #words(shape, items, value, path, given) {
    const forms = this.schemas.forms(items), short = forms.every((each) => isNumber(each) || isNull(each) || each.parts.some((part) => ["id", "hex"].includes(part)) || (each.node.maxLength ?? 99) < 13);
    const most = shape.node.maxItems ?? 999, least = shape.node.minItems ?? 0;
    const drop = (index) => {
      const keep = value.length - 1 || given.needed || least;
      this.pending.clear();
      this.set(keep ? [...path, index] : path, undefined, { again: true });
    };
    const line = (each, index) => {
      const at = [...path, index], isNew = index >= value.length;
      const key = this.pointer(at), more = { placeholder: isNew ? t("form_add_here") : "", how: { blank: () => drop(index), again: isNew },
        onkeydown: (event) => this.#keys(event, path, index, value.length) };
      const one = isNew && !value.length
        ? this.#input(forms, undefined, at, { name: `${given.name} ${index + 1}`, needed: false, node: {}, more: { ...more, how: { ...more.how } } })
        : this.#scalar(forms, each, at, { name: `${given.name} ${index + 1}`, needed: true, node: this.schemas.shape(items).node, more });
      const told = h("div", { class: "told", hidden: true });
      this.rows.set(key, told);
      this.told(key, told);
      return h("div", { class: "word", "data-field": key }, one, told);
    };
    const lines = value.map(line);
    if (this.may && value.length < most) {
      const next = [...path, value.length], whole = [...this.path, ...next];
      lines.push(line(undefined, value.length));
      if (this.owner.isHex?.(whole)) lines.push(this.#pickers(path, given.needed || least));
      if (this.owner.isPicture?.(whole)) lines.push(this.#pictures(next, given.name, (/** @type {string} */ id) => this.set(next, id, { again: true })));
    }
    return h("div", { class: `words${short ? " short" : ""}`, role: "group", "aria-label": given.name }, lines);
  }

  // Enter goes to the next field; Alt with an arrow key moves an item.
  #keys(event, path, index, count) {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }[event.key] : 0;
    if (event.key === "Enter" && event.target.tagName !== "TEXTAREA") {
      event.preventDefault();
      event.target.dispatchEvent(new Event("change"));
      /** @type {any} */ (this.root.querySelector(`[data-at="${CSS.escape(this.pointer([...path, index + 1]))}"]`))?.focus();
    } else if (step) {
      event.preventDefault();
      this.#move(path, index, index + step, count);
    }
  }

  #move(path, from, to, count, role = "") {
    if (to < 0 || to >= count || from >= count) return;
    const list = within(this.value, path);
    let after = null;
    if (list instanceof Map) {
      const entries = [...list];
      entries.splice(to, 0, ...entries.splice(from, 1));
      after = new Map(entries);
    } else {
      after = [...list];
      after.splice(to, 0, ...after.splice(from, 1));
    }
    const key = list instanceof Map ? [...list.keys()][from] : from;
    this.all([{ op: "move", at: this.pointer([...path, key]), to }], withValue(this.value, path, after), path, `${this.pointer([...path, list instanceof Map ? key : to])}${role}`);
  }

  // List of entries that have fields.
  #list(shape, items, value, path, given, plain) {
    const { maxItems: most = 999, minItems: least = 0 } = shape.node, name = given.name;
    const add = (index, made) => {
      const list = within(this.value, path) || [], at = [...path, index], after = [...list];
      after.splice(index, 0, made);
      const ops = list.length ? [{ op: "put", at: this.pointer([...path, list.length]), value: made }] : [{ op: "put", at: this.pointer(this.#missing(path)), value: within(withValue(this.value, path, after), this.#missing(path)) }];
      if (list.length && index < list.length) ops.push(/** @type {any} */ ({ op: "move", at: this.pointer([...path, list.length]), to: index }));
      this.opened.set(this.pointer(at), true);
      this.all(ops, withValue(this.value, path, after), path, this.#first(at, made));
    };
    const drop = (index) => {
      this.#shift();
      this.set(value.length > 1 || given.needed || least ? [...path, index] : path, undefined, { again: true, focus: `${this.pointer(path)}#add` });
    };
    const rows = value.map((each, index) => {
      const at = [...path, index], key = this.pointer(at), told = h("div", { class: "told", hidden: true });
      this.rows.set(key, told);
      const tools = this.may ? h("div", { class: "rowtools" }, value.length > 1 ? [this.#tool("up", name, index, () => this.#move(path, index, index - 1, value.length, "#up"), `${key}#up`), this.#tool("down", name, index, () => this.#move(path, index, index + 1, value.length, "#down"), `${key}#down`)] : null,
        value.length < most ? this.#tool("duplicate", name, index, () => add(index + 1, each), `${key}#duplicate`) : null, value.length > least ? this.#tool("remove", name, index, () => drop(index), `${key}#remove`) : null) : null;
      const widget = () => this.widget(items, each, at, false, { name: `${name} ${index + 1}`, needed: true });
      this.told(key, told);
      const next = (/** @type {any} */ event) => {
        if (event.key !== "Enter" || event.shiftKey || event.defaultPrevented || !this.may || value.length >= most || event.target.tagName === "BUTTON") return;
        event.preventDefault();
        add(index + 1, t("form_text"));
      };
      if (plain) return h("div", { class: "item plain-item", "data-field": key, onkeydown: next }, widget(), tools, told);
      const body = value.length > MOST_OPEN ? this.#details(key, false, `${index + 1} · ${brief(each)}`, widget) : h("div", {}, widget());
      return h("div", { class: "item", "data-field": key, role: "group", "aria-label": `${name} ${index + 1}` }, h("div", { class: "number-of" }, String(index + 1)), h("div", { class: "body-of" }, body, told), tools);
    });
    const adder = this.may && value.length < most ? button(t("form_add", name), { icon: "plus", text: t("form_add_one"), class: "quiet small", "data-at": `${this.pointer(path)}#add`,
      onclick: () => { const list = within(this.value, path) || []; add(list.length, this.owner.sample(this.schemas.shape(items), [...this.path, ...path, list.length], list.at(-1))); } }) : null;
    return h("div", { class: "items" }, rows, adder);
  }

  // Return the outermost missing path on the way to a path: a value must be put there.
  #missing(path) {
    let depth = path.length;
    while (depth > 0 && within(this.value, path.slice(0, depth - 1)) === undefined) depth -= 1;
    return path.slice(0, depth);
  }

  #first(path, value) { return value instanceof Map && value.size ? this.#first([...path, [...value.keys()][0]], [...value.values()][0]) : this.pointer(path); }

  #tool(kind, name, index, onclick, at) {
    return button(t(`form_${kind}`, `${name} ${index + 1}`), { icon: kind, class: "quiet small", onclick, "data-at": at });
  }

  // Indices have changed, so discard invalid text stored by index.
  #shift() { for (const key of [...this.pending.keys()]) if (/\/\d+(\/|$)/.test(key)) { this.pending.delete(key); this.faults.delete(key); } }

  #tuple(shape, value, path) {
    return h("div", { class: "tuple" }, shape.node.prefixItems.map((/** @type {any} */ _node, /** @type {number} */ index) => {
      const inner = this.schemas.inside(shape, index), needed = index < (shape.node.minItems ?? 0);
      if (index > value.length) return null;
      const name = t("form_part", index + 1);
      if (!needed && value[index] === undefined) return this.may ? button(t("form_more"), { icon: "plus", class: "quiet small", "data-at": `${this.pointer([...path, index])}#add`, onclick: () => this.set([...path, index], this.owner.sample(this.schemas.shape(inner), [...this.path, ...path, index]), { again: true }) }) : null;
      return h("div", { class: "part" }, this.widget(inner, value[index], [...path, index], false, { name, needed }),
        !needed && this.may ? button(t("form_clear", name), { icon: "close", class: "quiet small", onclick: () => this.set([...path, index], undefined, { again: true }) }) : null);
    }));
  }

  // Map with keys that the user chooses.
  #map(shape, value, path, given) {
    const entries = value instanceof Map ? [...value] : [], { maxProperties: most = 999, minProperties: least = 0, propertyNames } = shape.node;
    const keys = propertyNames ? [this.schemas.shape({ file: shape.file, node: { type: "string", ...propertyNames } })] : [{ file: shape.file, node: { type: "string" }, parts: [] }];
    const inner = { file: shape.file, node: shape.node.additionalProperties };
    const simple = this.schemas.forms(inner).every(isScalar);
    const drop = (key) => this.set(entries.length > 1 || given.needed || least ? [...path, key] : path, undefined, { again: true, focus: `${this.pointer(path)}#key` });
    const suggestions = () => this.owner.keys([...this.path, ...path]);
    const rows = entries.map(([key, each], index) => {
      const at = [...path, key], where = this.pointer(at), told = h("div", { class: "told", hidden: true });
      this.rows.set(where, told);
      const name = this.may ? this.#key(keys, key, path, entries.map(([one]) => one), suggestions) : h("span", { class: "key" }, key);
      const tools = this.may ? h("div", { class: "rowtools" }, entries.length > 1 ? [this.#tool("up", key, "", () => this.#move(path, index, index - 1, entries.length, "#up"), `${where}#up`), this.#tool("down", key, "", () => this.#move(path, index, index + 1, entries.length, "#down"), `${where}#down`)] : null,
        entries.length > least ? button(t("form_remove", key), { icon: "remove", class: "quiet small", onclick: () => drop(key), "data-at": `${where}#remove` }) : null) : null;
      const widget = () => this.widget(inner, each, at, false, { name: `${given.name} ${key}`, needed: true });
      this.told(where, told);
      return h("div", { class: `pair${simple ? " simple" : ""}`, "data-field": where, role: "group", "aria-label": `${given.name} ${key}` }, name, simple || entries.length <= MOST_OPEN ? h("div", { class: "body-of" }, widget(), told) : h("div", { class: "body-of" }, this.#details(where, false, brief(each), widget), told), tools);
    });
    return h("div", { class: "pairs" }, rows, this.may && entries.length < most ? this.#key(keys, null, path, entries.map(([one]) => one), suggestions, inner) : null);
  }

  // Field for the key of an entry; a change renames it. The empty field adds an entry.
  #key(forms, key, path, taken, suggestions, inner = null) {
    const at = `${this.pointer(key === null ? path : [...path, key])}#key`, told = h("p", { class: "fault", role: "alert", hidden: true });
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", class: "key", value: this.pending.get(at) ?? key ?? "", placeholder: key === null ? t("form_add_key") : "", "aria-label": key === null ? t("form_add_key") : t("form_key", key), "data-at": at,
      list: this.choices.id, autocomplete: "off", oninput: () => this.pending.set(at, input.value),
      onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); input.dispatchEvent(new Event("change")); } },
      onchange: () => {
        const text = input.value.trim();
        if (text === (key ?? "")) { this.pending.delete(at); told.hidden = true; return; }
        const wrong = taken.includes(text) ? t("form_taken", text) : parse(forms, text) === undefined ? fault(forms, text) : "";
        told.textContent = wrong;
        told.hidden = !wrong;
        if (wrong) return;
        this.pending.delete(at);
        const now = within(this.value, path);
        if (key === null) {
          const made = this.owner.sample(this.schemas.forms(inner)[0], [...this.path, ...path, text], now instanceof Map ? [...now.values()].at(-1) : undefined);
          this.opened.set(this.pointer([...path, text]), true);
          this.set([...path, text], made, { focus: this.#first([...path, text], made), again: true });
        } else {
          const after = new Map([...now].map(([one, each]) => [one === key ? text : one, each]));
          this.all([{ op: "rekey", at: this.pointer([...path, key]), key: text }], withValue(this.value, path, after), path, `${this.pointer([...path, text])}#key`);
        }
      } }));
    this.#offer(input, () => suggestions().filter((/** @type {string} */ each) => !taken.includes(each)));
    return key === null ? h("div", { class: "new-key" }, input, told) : h("div", { class: "key-of" }, input, told);
  }

  // Field with JSON, for values without a form.
  #raw(value, path) {
    const at = this.pointer(path), text = this.pending.get(at) ?? (value === undefined ? "" : written(value));
    if (!this.may) return h("code", {}, text);
    const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "raw", rows: Math.min(12, rowsFor(text)), value: text, "aria-label": labelOf(path.at(-1) ?? ""), "data-at": at, oninput: () => this.pending.set(at, area.value), onchange: () => {
      const made = this.owner.read(area.value);
      if (made === undefined) { this.faults.set(at, t("form_no_json")); this.say(path); return; }
      this.#forget(path);
      this.say(path);
      this.set(path, made);
    } }));
    return area;
  }
}

function alike({ node }, value) {
  return Array.isArray(value) ? node.type === "array" : value instanceof Map ? node.type === "object" : value !== undefined && isScalar({ node });
}

const isOf = (forms, part) => forms.some((each) => each.parts.includes(part));
const rowsFor = (text) => Math.max(1, Math.min(8, text.split("\n").reduce((sum, line) => sum + Math.ceil((line.length || 1) / 46), 0)));

/** Parse a text by one of several forms; undefined if none fits. */
function parse(forms, text) {
  const asked = text.trim(), number = /^-?\d+(\.\d+)?$/.test(asked) ? Number(asked) : NaN;
  for (const form of forms) {
    const { node } = form;
    const tried = isNumber(form) ? number : isNamed(form) ? namesOf(form).find((each) => String(each) === asked) : isNull(form) ? undefined : node.type === "string" || !node.type ? (node.pattern && (node.maxLength ?? 0) < 60 ? asked : text) : undefined;
    if (tried !== undefined && !Number.isNaN(tried) && fits(form, tried)) return tried;
  }
  return undefined;
}

/** Return the reason why a text fits none of several forms. */
function fault(forms, text) {
  const numbers = forms.filter(isNumber), { node } = forms[0];
  if (numbers.length === forms.filter((each) => !isNull(each)).length && numbers.length) {
    const [least, most] = [numbers[0].node.minimum, numbers[0].node.maximum];
    return t("form_between", least ?? "–", most ?? "–");
  }
  const length = [...text].length;
  if (node.maxLength && length > node.maxLength) return t("form_too_long", node.maxLength, length);
  return t("form_expected", forms.map((each) => each.node.title || each.node.description || "").filter(Boolean).join("; "));
}

/** Return a short summary of a collapsed entry. */
function brief(value) {
  if (value instanceof Map) {
    const named = value.get("name") ?? value.get("subject") ?? value.get("heading") ?? value.get("text") ?? [...value.entries()].find(([key, each]) => key !== "$comment" && !(each instanceof Map))?.[1];
    return brief(named instanceof Map ? named.get(store.looks.lang) ?? [...named.values()][0] : named);
  }
  return value === undefined ? "…" : Array.isArray(value) ? value.map(brief).join(", ").slice(0, 50) : String(value).slice(0, 50);
}

export { brief, fault, isScalar, parse, typed };
