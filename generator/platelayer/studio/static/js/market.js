// Stock market as a table of price fields.

import { button, h } from "./dom.js";
import { withValue, within } from "./json.js";
import { t } from "./store.js";

const SPACE = /^([0-9]{1,5})([A-Za-z]*)$/;
const PAUSE_MS = 400;

const textOf = (space) => space instanceof Map ? `${space.get("price")}${(space.get("zones") || []).join("")}` : space ?? "";
const isPrice = (text) => SPACE.test(text);

/** Return a space with another price and zone letters; its other fields stay. */
function spaceOf(text, before) {
  if (!(before instanceof Map)) return text;
  const [, price, letters] = text.match(SPACE), priced = withValue(before, ["price"], Number(price));
  return withValue(priced, ["zones"], letters || before.has("zones") ? [...letters] : undefined);
}

export class Market {
  /**
   * @param {any} form @param {any} schema of a space
   * @param {(letter: string) => string} colourOf the colour of a zone
   */
  constructor(form, schema, colourOf) {
    this.form = form;
    this.schema = schema;
    this.colourOf = colourOf;
    this.path = ["rows"];
    this.at = [0, 0];
  }

  get rows() { return within(this.form.value, this.path) || []; }
  pointer(r, c) { return this.form.pointer([...this.path, r, c]); }

  /** Build the table, with an empty row and an empty column for additions. */
  build() {
    const { may } = this.form, { rows } = this, wide = Math.max(1, ...rows.map((row) => row.length)) + (may ? 1 : 0);
    const told = h("div", { class: "told", hidden: true });
    this.form.rows.set(this.form.pointer(this.path), told);
    this.said = h("p", { class: "fault", role: "alert", hidden: true });
    this.panel = h("div", { class: "space-of" });
    const table = h("table", { class: "market", "aria-label": t("form_spaces") }, [...rows, ...(may ? [[]] : [])].map((row, r) => h("tr", {},
      Array.from({ length: wide }, (_, c) => h("td", {}, this.#cell(row, r, c))),
      h("td", { class: "rowtools" }, may && r < rows.length ? [
        button(t("form_up", t("form_row", r + 1)), { icon: "up", class: "quiet small", "data-at": `row${r}#up`, onclick: () => this.#moveRow(r, r - 1) }),
        button(t("form_down", t("form_row", r + 1)), { icon: "down", class: "quiet small", "data-at": `row${r}#down`, onclick: () => this.#moveRow(r, r + 1) }),
        button(t("form_remove", t("form_row", r + 1)), { icon: "remove", class: "quiet small", "data-at": `row${r}#remove`, onclick: () => this.#dropRow(r) })] : null))));
    this.#show();
    return h("div", { class: "spaces", "data-field": this.form.pointer(this.path) }, h("div", { class: "scroll" }, table), this.said, told, this.panel);
  }

  #cell(row, r, c) {
    const space = row[c], key = this.pointer(r, c), text = this.form.pending.get(key) ?? textOf(space);
    const letters = String(textOf(space)).replace(/^\d+/, ""), colour = letters ? this.colourOf(letters[0]) : "";
    let timer = 0;
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", inputmode: "text", value: text, class: `space${space === null ? " hole" : ""}${space instanceof Map ? " full" : ""}`, readOnly: !this.form.may,
      "aria-label": t("form_space", r + 1, c + 1), "data-at": key, autocomplete: "off",
      onfocus: () => { input.select(); this.at = [r, c]; this.#show(); },
      oninput: () => {
        this.form.pending.set(key, input.value);
        clearTimeout(timer);
        this.form.waiting.set(key, () => this.#typed(r, c, input.value));
        timer = setTimeout(() => { if (isPrice(input.value.trim())) this.#typed(r, c, input.value); }, PAUSE_MS);
      },
      onchange: () => { clearTimeout(timer); this.#typed(r, c, input.value); this.#again(); },
      onkeydown: (event) => this.#keys(event, r, c),
      onpaste: (event) => this.#paste(event, r, c) }));
    if (colour) input.style.boxShadow = `inset 0 -5px 0 ${colour}`;
    if (text !== textOf(space) && !isPrice(text)) input.setAttribute("aria-invalid", "true");
    return input;
  }

  // Render the form again after a change, unless the table has already been replaced.
  #again() { setTimeout(() => { if (this.panel.isConnected) this.form.render(); }, 0); }

  #say(words) {
    this.said.textContent = words;
    this.said.hidden = !words;
  }

  // Apply the text typed into a space.
  #typed(r, c, given) {
    const text = given.trim(), { form, rows } = this, before = rows[r]?.[c], key = this.pointer(r, c);
    form.waiting.delete(key);
    if (text !== "" && !isPrice(text)) { this.#say(t("form_expected", t("form_price"))); return; }
    form.pending.delete(key);
    this.#say("");
    if (text === textOf(before)) return;
    if (text === "") { this.#empty(r, c); return; }
    const made = spaceOf(text, before), row = rows[r];
    if (!row) { form.set([...this.path, rows.length], [...Array(c).fill(null), made]); return; }
    if (c <= row.length) { form.set([...this.path, r, c], made); return; }
    const filled = [...row, ...Array(c - row.length).fill(null), made];
    this.#put(filled.slice(row.length).map((value, index) => ({ op: "put", at: this.pointer(r, row.length + index), value })), r, filled);
  }

  #put(ops, r, row) { this.form.all(ops, withValue(this.form.value, [...this.path, r], row), this.path); }

  // Clear a space. Within a row it becomes a gap; at the end it is removed; an empty row is removed.
  #empty(r, c) {
    const { form, rows } = this, row = rows[r];
    if (c < row.length - 1) { form.set([...this.path, r, c], null); return; }
    let keep = c;
    while (keep > 0 && row[keep - 1] === null) keep -= 1;
    if (!keep && rows.length > 1) { this.#dropRow(r); return; }
    if (!keep) { form.set([...this.path, r, c], null); return; }
    const ops = row.slice(keep).map((_, index) => ({ op: "remove", at: this.pointer(r, row.length - 1 - index) }));
    this.#put(ops, r, row.slice(0, keep));
  }

  #dropRow(r) {
    this.form.flush();
    if (this.rows.length > 1) this.form.set([...this.path, r], undefined, { again: true, focus: this.pointer(Math.max(0, r - 1), 0) });
  }

  #moveRow(r, to) {
    this.form.flush();
    const { rows } = this, after = [...rows];
    if (to < 0 || to >= rows.length) return;
    after.splice(to, 0, ...after.splice(r, 1));
    this.form.all([{ op: "move", at: this.form.pointer([...this.path, r]), to }], withValue(this.form.value, this.path, after), this.path, `row${to}#${to < r ? "up" : "down"}`);
  }

  #keys(event, r, c) {
    const { selectionStart: begin, selectionEnd: end, value } = event.target, whole = begin === 0 && end === value.length;
    // From a filled space, Tab leads to the next space, even one just created; from an empty one, to the rest of the page.
    const next = event.shiftKey ? c > 0 && [r, c - 1] : value.trim() !== "" && [r, c + 1];
    const to = { ...(next ? { Tab: next } : {}), Enter: [r + 1, 0], ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], ...(whole || begin === 0 ? { ArrowLeft: [r, c - 1] } : {}), ...(whole || end === value.length ? { ArrowRight: [r, c + 1] } : {}) }[event.key];
    if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#typed(r, c, value);
    this.form.render(this.pointer(to[0], to[1]));
  }

  // Paste prices: one line per row, separated by tabs, spaces, commas or semicolons.
  #paste(event, r, c) {
    const lines = event.clipboardData.getData("text").trim().split(/\r?\n/).map((line) => line.trim().split(/[\t ,;]+/));
    if (!this.form.may || (lines.length < 2 && lines[0].length < 2)) return;
    event.preventDefault();
    if (!lines.flat().every((each) => isPrice(each) || each === "-")) { this.#say(t("form_expected", t("form_price"))); return; }
    const rows = this.rows.map((row) => [...row]);
    lines.forEach((line, y) => line.forEach((each, x) => {
      while (rows.length <= r + y) rows.push([]);
      const row = rows[r + y];
      while (row.length < c + x) row.push(null);
      row[c + x] = each === "-" ? null : spaceOf(each, row[c + x]);
    }));
    this.form.set(this.path, rows, { again: true, focus: this.pointer(r, c) });
  }

  // Show the zones of the edited space as buttons, and its other fields.
  #show() {
    const [r, c] = this.at, { form } = this, space = this.rows[r]?.[c];
    if (space === undefined || !form.may) { this.panel.replaceChildren(); return; }
    const zones = [...(within(form.value, ["zones"])?.entries() || [])], text = textOf(space), letters = String(text).replace(/^\d+/, "");
    const toggle = (letter) => {
      const price = String(textOf(this.rows[r][c])).match(/^\d+/)?.[0];
      const now = letters.includes(letter) ? letters.replace(letter, "") : letters + letter;
      if (price) form.set([...this.path, r, c], spaceOf(price + now, this.rows[r][c]), { again: true });
    };
    const name = ([letter, zone]) => { const words = zone.get?.("name"); return `${letter} · ${words instanceof Map ? [...words.values()][0] : words}`; };
    const dot = (letter) => { const made = h("span", { class: "swatch" }); made.style.background = this.colourOf(letter); return made; };
    this.panel.replaceChildren(h("strong", {}, `${t("form_space", r + 1, c + 1)}: ${text}`),
      h("div", { class: "chips", role: "group", "aria-label": t("label_zones") }, space === null ? null : zones.map((zone) => h("button", { type: "button", class: "choice", "aria-pressed": String(letters.includes(zone[0])), "data-at": `zone#${zone[0]}`, onclick: () => toggle(zone[0]) }, dot(zone[0]), name(zone))),
        button(t("form_insert_space"), { icon: "plus", text: true, class: "quiet small", "data-at": "space#insert", onclick: () => this.#insert(r, c) }),
        button(t("form_remove_space"), { icon: "remove", text: true, class: "quiet small", "data-at": "space#remove", onclick: () => this.#take(r, c) })),
      space instanceof Map ? h("div", { class: "full-of" }, ...[form.widget(this.schema, space, [...this.path, r, c], false, { name: t("form_space", r + 1, c + 1), needed: true })].flat(),
        button(t("form_price_alone"), { icon: "close", text: true, class: "quiet small", "data-at": "space#alone", onclick: () => form.set([...this.path, r, c], textOf(space), { again: true }) }))
        : space === null ? null : button(t("form_more"), { icon: "plus", text: true, class: "quiet small", "data-at": "space#more", onclick: () => this.#full(r, c) }));
    this.form.owner.again();
  }

  // Turn a space into an object with further fields: ledges, an arrow, a text.
  #full(r, c) {
    const [, price, letters] = textOf(this.rows[r][c]).match(SPACE), made = new Map([["price", Number(price)]]);
    if (letters) made.set("zones", /** @type {any} */ ([...letters]));
    this.form.set([...this.path, r, c], made, { again: true });
  }

  #insert(r, c) {
    const row = this.rows[r], after = [...row];
    after.splice(c, 0, null);
    const ops = [{ op: "put", at: this.pointer(r, row.length), value: null }, { op: "move", at: this.pointer(r, row.length), to: c }];
    this.form.all(ops, withValue(this.form.value, [...this.path, r], after), this.path, this.pointer(r, c));
  }

  #take(r, c) { if (this.rows[r].length > 1) this.form.set([...this.path, r, c], undefined, { again: true, focus: this.pointer(r, c) }); }
}
