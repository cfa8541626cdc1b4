// Entries of a part of the title as a table, by the same schemas as the form: one row per entry, one column per field that
// fits a cell. A paste, fill or sort is one undo step.

import { chooseLogo } from "./bring.js";
import { button, h } from "./dom.js";
import { fault, isScalar, labelOf, parse, typed } from "./form.js";
import { asMaps, withValue, within, written } from "./json.js";
import { pointerOf } from "./pointer.js";
import { reachOf } from "./reach.js";
import { store, t } from "./store.js";

/** Pattern of ids, as in common.schema.json. */
export const ID = /^[A-Za-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3005-\ud7ff\uf900-\ufaff][A-Za-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3005-\ud7ff\uf900-\ufaff._+-]{0,39}$/;
/** Parts that are shown as tables. */
export const TABLES = ["companies", "privates", "trains", "phases", "tiles"];
/** Columns that are always shown, even if no entry has the field. */
const USUAL = { companies: ["name", "colour", "value", "income"], privates: ["name", "value", "income"], trains: ["price", "starts", "rusts_on"], phases: ["on", "tiles"], tiles: [] };
const HIDDEN = ["$comment", "faces", "logo"];
const LIST = /\s*[,、;]\s*/;
const listed = (/** @type {string} */ text) => text.trim() ? text.trim().split(LIST) : [];

/** Fields with a short notation in cells; values that it cannot express are edited in the form. */
const SHORT = {
  reach: {
    read: (value) => value.map((each) => each.get("visit") ?? "D").join("+"),
    write: (text) => reachOf(text.trim()),
  },
  homes: {
    read: (value) => value.map((each) => each.get("hex")).join(", "),
    write: (text) => listed(text).every((each) => /^([a-z]|[A-Z]{1,2})-?\d{1,3}$/.test(each)) ? listed(text).map((hex) => ({ hex })) : null,
  },
  certificates: {
    read: (value) => value.map((each) => each.get("percent") + (each.get("count") > 1 ? `x${each.get("count")}` : "")).join(", "),
    write: (text) => {
      const found = listed(text).map((each) => each.match(/^(\d{1,3})(?:[x×](\d{1,2}))?$/));
      if (!found.length || !found.every(Boolean)) return null;
      return found.map(([, percent, count], at) => ({ percent: Number(percent), ...(at ? {} : { director: true }), ...(Number(count ?? 1) > 1 ? { count: Number(count) } : {}) }));
    },
  },
};

export class Table {
  /** @param {any} owner the inspector: its schemas, names, and where changes go */
  constructor(owner) {
    this.owner = owner;
    this.root = h("div", { class: "table-of" });
    this.root.addEventListener("keydown", (event) => this.#keys(event));
    this.root.addEventListener("paste", (event) => this.#paste(event));
    this.root.addEventListener("copy", (event) => this.#copy(event));
    this.root.addEventListener("focusin", (event) => { if (!event.target.closest(".set-all")) this.#select(event.target); });
    this.root.addEventListener("mousedown", (event) => {
      const cell = this.#cellOf(event.target);
      if (event.shiftKey && cell && this.from) { event.preventDefault(); this.#extend(cell); }
    });
  }

  /** @param {string[]} section @param {Map<string, any>} block */
  show(section, block) {
    this.section = section;
    this.block = block instanceof Map ? block : new Map();
    this.columns = this.#columns();
    const focused = /** @type {any} */ (this.root.contains(document.activeElement) ? document.activeElement : null);
    const at = focused?.dataset.at, may = this.owner.may, unsent = focused?.dataset.was !== undefined && focused.value !== focused.dataset.was ? focused.value : null;
    const head = h("tr", {}, h("th", { scope: "col" }, t("form_id")), this.columns.map((column) => h("th", { scope: "col" },
      button(t("table_sort", column.label), { text: column.label, class: "quiet small", onclick: () => this.#sort(column), disabled: !may }))));
    const rows = [...this.block].map(([key, entry], row) => h("tr", {}, h("th", { scope: "row" }, button(key, { text: key, class: "quiet small", onclick: () => this.owner.go([...section, key]) }), this.#logo(key)),
      this.columns.map((column, number) => this.#cell(key, entry, column, row, number))));
    const add = may ? h("tr", {}, h("th", { scope: "row" }, h("input", { type: "text", placeholder: t("form_add_here"), "aria-label": t("table_add"), "data-at": "add", "data-row": rows.length, "data-column": -1,
      onchange: (event) => { if (event.target.value.trim()) this.#enter([[event.target.value]], rows.length, -1); } })), this.columns.map(() => h("td", {}))) : null;
    this.all = h("input", { type: "text", class: "set-all", "aria-label": t("table_all"), placeholder: "", disabled: true, onchange: () => this.#fill(this.all.value) });
    this.root.replaceChildren(h("div", { class: "beside" }, h("span", { class: "dim" }, t("table_hint")), may ? this.all : null), h("table", {}, h("thead", {}, head), h("tbody", {}, rows, add)));
    const heir = /** @type {any} */ (at ? this.root.querySelector(`[data-at="${CSS.escape(at)}"]`) : null);
    if (heir && unsent !== null) heir.value = unsent;
    heir?.focus({ preventScroll: true });
  }

  // --- columns and cells ---------------------------------------------------------------------------------------------

  // Return the visible columns, or all possible ones.
  #columns(whole = false) {
    const { schemas, title_ } = this.owner, forms = schemas.forms(schemas.below(title_, [...this.section, "x"]));
    const counts = forms.filter(isScalar), form = forms.find((each) => each.node.properties), entries = [...this.block.values()];
    if (counts.length) return [{ key: "count", label: labelOf("count"), needed: true, forms: counts, path: (entry) => entry instanceof Map ? ["count"] : [] }];
    const { properties, required = [] } = form.node, part = this.section[0], found = [];
    for (const key of Object.keys(properties)) {
      const needed = required.includes(key), has = entries.some((each) => each.has?.(key));
      if (HIDDEN.includes(key) || !(whole || needed || has || USUAL[part].includes(key))) continue;
      const inner = schemas.inside(form, key), shapes = schemas.forms(inner), list = shapes.find((each) => each.node.type === "array" && each.node.items);
      const map = shapes.find((each) => each.node.type === "object" && !each.node.properties && typeof each.node.additionalProperties === "object");
      const column = { key, label: labelOf(key), needed, forms: shapes, path: () => [key], nullable: shapes.some((each) => each.node.type === "null"), colour: shapes.some((each) => each.parts.includes("rgb")) };
      const scalars = shapes.filter(isScalar), isText = schemas.shape(inner).parts.includes("text");
      const items = list ? schemas.forms(schemas.inside(list, 0)) : [];
      if (SHORT[key]) found.push({ ...column, short: SHORT[key] });
      else if (items.length && items.every(isScalar)) found.push({ ...column, forms: scalars, items });
      else if (scalars.length || isText) found.push({ ...column, forms: scalars.length ? scalars : [{ file: form.file, node: { type: "string" }, parts: [] }] });
      else if (map) {
        const values = schemas.forms({ file: map.file, node: map.node.additionalProperties });
        if (!values.every(isScalar)) continue;
        for (const each of new Set(entries.flatMap((entry) => [...entry.get?.(key)?.keys?.() ?? []]))) {
          found.push({ ...column, label: `${labelOf(key)}: ${each}`, needed: false, forms: values, path: () => [key, each] });
        }
      }
    }
    return found;
  }

  // Return the text of a cell; null if it cannot express the value.
  #text(entry, column) {
    const value = within(entry, column.path(entry));
    if (value === undefined || value === null) return "";
    if (column.short) {
      const words = column.short.read(value), again = column.short.write(words);
      return again && written(asMaps(again)) === written(value) ? words : null;
    }
    if (column.items) return Array.isArray(value) ? value.every((each) => typeof each !== "object") ? value.join(", ") : null : typed(value);
    return value instanceof Map || Array.isArray(value) ? null : typed(value);
  }

  // Return the value of a text, undefined for none. Throws an error if the text is invalid.
  #value(text, column, before) {
    if (!text.trim() && (!column.needed || column.nullable)) return column.nullable && (column.needed || before === null) ? null : undefined;
    if (column.short) {
      const made = column.short.write(text);
      if (!made) throw new SyntaxError(t("table_short", column.label));
      return asMaps(made);
    }
    const one = Array.isArray(before) || !column.forms.length ? undefined : parse(column.forms, text), several = column.items && one === undefined;
    const made = several ? listed(text).map((each) => parse(column.items, each)) : one;
    if (made === undefined || (several && made.includes(undefined))) throw new SyntaxError(`${column.label}: ${fault(several ? column.items : column.forms, text)}`);
    return made;
  }

  #cell(key, entry, column, row, number) {
    const at = pointerOf([...this.section, key, ...column.path(entry)]), text = this.#text(entry, column);
    if (text === null || !this.owner.may) {
      return h("td", {}, text === null ? button(`${key} ${column.label}`, { text: "…", class: "quiet small", onclick: () => this.owner.go([...this.section, key, column.key]) }) : text);
    }
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: text, "aria-label": `${key} ${column.label}`, "data-at": at, "data-row": row, "data-column": number, autocomplete: "off", list: this.owner.form.choices.id, "data-field": at,
      onfocus: () => this.owner.form.choices.replaceChildren(...this.owner.names([...this.section, key, ...column.path(entry), ...(column.items ? [0] : [])]).map((each) => h("option", { value: each }))),
      "data-was": text, onchange: () => commit(), onblur: () => { if (input.isConnected) commit(); } }));
    const commit = () => {
      if (input.value === input.dataset.was) return;
      input.dataset.was = input.value;
      this.#enter([[input.value]], row, number);
    };
    const swatch = column.colour && /^#[0-9a-f]{6}$/i.test(text) ? h("input", { type: "color", value: text, tabIndex: -1, "aria-label": t("form_pick", `${key} ${column.label}`), onchange: (event) => this.#enter([[event.target.value]], row, number) }) : null;
    return h("td", {}, h("div", { class: "beside" }, swatch, input));
  }

  // Companies have a button for their logo in the first column.
  #logo(key) {
    const own = ["companies", "privates"].includes(this.section[0]) && this.owner.may ? store.state.pieces.find((each) => each.company === key) : null;
    return own ? button(t("logo_of", key), { icon: "picture", class: "quiet small", onclick: () => chooseLogo(own) }) : null;
  }

  // --- changes -------------------------------------------------------------------------------------------------------

  /**
   * Enter texts into cells, starting at one of them, as one step; rows beyond the last become new entries.
   * Cells without a text stay unchanged.
   * @param {(string | undefined)[][]} texts @param {number} row @param {number} column
   */
  #enter(texts, row, column) {
    const keys = [...this.block.keys()], ops = [], wrong = [];
    let { block } = this;
    texts.forEach((cells, line) => {
      const given = cells.map((text, at) => /** @type {[number, string]} */ ([column + at, text])).filter(([at, text]) => at < this.columns.length && text !== undefined);
      const named = given.find(([at]) => at === -1)?.[1].trim(), key = column === -1 && named && keys.includes(named) ? named : keys[column === -1 ? Infinity : row + line];
      const id = key ?? named ?? this.#free(block), isNew = key === undefined;
      if (!given.some(([, text]) => text.trim())) return;
      if (isNew && !ID.test(id)) { wrong.push(t("form_bad_id")); return; }
      const kind = given.find(([at]) => this.columns[at]?.key === "kind")?.[1].trim() || undefined;
      let entry = isNew ? this.owner.begun(this.section, id, kind, block) : block.get(id);
      for (const [at, text] of given) {
        if (at < 0 || (isNew && !text.trim())) continue;
        const cell = this.columns[at], path = cell.path(entry);
        try {
          const before = within(entry, path), value = this.#value(text, cell, before);
          if (value === undefined ? before === undefined : before !== undefined && written(before) === written(value)) continue;
          entry = withValue(entry, path, value);
          if (!isNew) ops.push(value === undefined ? { op: "remove", at: pointerOf([...this.section, id, ...path]) } : { op: "put", at: pointerOf([...this.section, id, ...path]), value });
        } catch (stop) { wrong.push(`${id} ${stop.message}`); }
      }
      if (isNew) ops.push({ op: "put", at: pointerOf([...this.section, id]), value: entry });
      block = withValue(block, [id], entry);
    });
    if (wrong.length) { this.owner.say(wrong.join(" · ")); return; }
    if (!ops.length) return;
    this.owner.block = block;
    this.owner.send(ops, t("form_step", this.owner.title, t("panel_table")), "");
  }

  #free(block) {
    const numbers = [...block.keys()].filter((/** @type {string} */ key) => /^\d+$/.test(key)).map(Number);
    return String(Math.max(0, ...numbers) + 1);
  }

  #sort(column) {
    const texts = new Map([...this.block].map(([key, entry]) => [key, this.#text(entry, column) ?? ""])), keys = [...this.block.keys()];
    const compared = (one, other) => texts.get(one).localeCompare(texts.get(other), undefined, { numeric: true });
    const up = [...keys].sort(compared), wanted = up.join() === keys.join() ? [...keys].sort((one, other) => compared(other, one)) : up, ops = [];
    wanted.forEach((key, to) => {
      const from = keys.indexOf(key);
      if (from === to) return;
      keys.splice(to, 0, ...keys.splice(from, 1));
      ops.push({ op: "move", at: pointerOf([...this.section, key]), to });
    });
    if (ops.length) this.owner.send(ops, t("table_sort", column.label), "");
  }

  // --- selected cells --------------------------------------------------------------------------------------------------

  #cellOf(target) { return target.closest?.("td, th")?.querySelector("input[data-row]") ?? null; }
  #spot(input) { return [Number(input.dataset.row), Number(input.dataset.column)]; }
  #input(row, column) { return /** @type {any} */ (this.root.querySelector(`[data-row="${row}"][data-column="${column}"]`)); }

  #select(target) {
    if (!target.dataset?.row) return;
    this.from = this.to = this.#spot(target);
    this.#mark();
  }

  #extend(input) {
    if (!input) return;
    this.to = this.#spot(input);
    this.#mark();
  }

  get #range() {
    const [[top, left], [bottom, right]] = [this.from, this.to];
    return { top: Math.min(top, bottom), bottom: Math.max(top, bottom), left: Math.min(left, right), right: Math.max(left, right) };
  }

  get #selected() {
    const { top, bottom, left, right } = this.#range;
    return [...this.root.querySelectorAll("input[data-row]")].filter((each) => {
      const [row, column] = this.#spot(each);
      return row >= top && row <= bottom && column >= left && column <= right && column >= 0;
    });
  }

  // Mark the selected cells; the field for all of them shows their common text.
  #mark() {
    const chosen = this.#selected, several = chosen.length > 1, values = new Set(chosen.map((each) => /** @type {any} */ (each).value));
    for (const each of this.root.querySelectorAll("td")) each.classList.toggle("chosen", several && chosen.some((one) => each.contains(one)));
    this.all.disabled = !several;
    this.all.value = several && values.size === 1 ? [...values][0] : "";
    this.all.placeholder = several && values.size > 1 ? t("table_mixed") : "";
  }

  #fill(text) {
    const { top, bottom, left, right } = this.#range;
    this.#enter(Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => text)), top, left);
  }

  // --- keyboard and clipboard ------------------------------------------------------------------------------------------

  #keys(event) {
    if (!event.target.dataset?.row) return;
    const ctrl = event.ctrlKey || event.metaKey, step = { ArrowUp: -1, ArrowDown: 1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (ctrl && event.key.toLowerCase() === "d") {
      // Ctrl+D copies the top selected cells, or those above a single row, into the rows below.
      event.preventDefault();
      const { top, bottom, left, right } = this.#range, from = top === bottom ? top - 1 : top;
      if (from < 0) return;
      const line = Array.from({ length: right - left + 1 }, (_, at) => this.#input(from, left + at)?.value ?? "");
      this.#enter(Array.from({ length: bottom - from }, () => line), from + 1, left);
    } else if (step && !ctrl && !event.altKey) {
      event.preventDefault();
      const [row, column] = event.shiftKey && event.key !== "Enter" ? this.to : this.#spot(event.target);
      if (event.shiftKey && event.key !== "Enter") { this.#extend(this.#input(row + step, column)); return; }
      event.target.dispatchEvent(new Event("change"));
      const next = this.#input(row + step, column);
      next?.focus();
      next?.select();
    }
  }

  #paste(event) {
    const text = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n").replace(/\n$/, ""), { row, column } = event.target.dataset ?? {};
    if (row === undefined || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    let rows = text.split("\n").map((/** @type {string} */ line) => line.split("\t"));
    // If the first line contains headings, they determine the columns.
    const all = this.#columns(true), known = new Map([[t("form_id"), -1], ["id", -1], ...all.flatMap(({ label, key }, at) => [[label, at], [key, at]])].map(([name, at]) => [String(name).toLowerCase(), at]));
    const places = rows[0].map((/** @type {string} */ each) => known.get(each.trim().toLowerCase())), unknown = rows[0].filter((/** @type {string} */ _each, /** @type {number} */ at) => places[at] === undefined);
    if (places[0] === -1 && unknown.length) this.owner.say(t("table_unknown", unknown.join(", ")));
    else if (!unknown.length) {
      this.columns = all;
      const wide = this.columns.length + 1;
      rows = rows.slice(1).map((cells) => Array.from({ length: wide }, (_, at) => places.includes(at - 1) ? cells[places.indexOf(at - 1)] ?? "" : undefined));
      this.#enter(rows, Number(row), -1);
    } else this.#enter(rows, Number(row), Number(column));
  }

  // If no text is selected in a cell, copy the selected cells, or the whole table if there is only one.
  #copy(event) {
    const { target } = event, { dataset } = target;
    if (!dataset?.row || target.selectionStart !== target.selectionEnd) return;
    event.preventDefault();
    const { top, bottom, left, right } = this.#range, several = top !== bottom || left !== right;
    const lines = several ? Array.from({ length: bottom - top + 1 }, (_, row) => Array.from({ length: right - left + 1 }, (_each, at) => this.#input(top + row, left + at)?.value ?? ""))
      : [[t("form_id"), ...this.columns.map(({ label }) => label)], ...[...this.block].map(([key, entry]) => [key, ...this.columns.map((column) => this.#text(entry, column) ?? "")])];
    event.clipboardData.setData("text/plain", lines.map((cells) => cells.join("\t")).join("\n"));
  }
}
