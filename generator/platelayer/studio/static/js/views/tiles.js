// Tile palette: the tiles in the box with their counts, the catalogue, and the title's own tiles.

import { get, pictureUrl, query } from "../api.js";
import { button, clear, h, keepFocus, select } from "../dom.js";
import { edit } from "../host.js";
import { pathOf } from "../places.js";
import { choose, on, piece, store, t, tell } from "../store.js";
import { TileEditor } from "../tileeditor.js";

const COLOURS = ["white", "yellow", "green", "brown", "gray"];
const MOST = 500;
const KIND = "application/x-platelayer-tile";

/** Features of a tile, by the words of the search and of the filters beside it. */
const HAS = {
  city: (tile) => Boolean(tile.stops.city),
  oo: (tile) => tile.stops.city > 1 || tile.labels.includes("OO"),
  town: (tile) => Boolean(tile.stops.town),
  plain: (tile) => !Object.keys(tile.stops).length,
  own: (tile) => Boolean(tile.own),
};
const STOPS = ["city", "oo", "town", "plain"];
const FIELDS = {
  colour: (tile, value) => tile.colour === value || t(`value_${tile.colour}`).toLowerCase() === value,
  label: (tile, value) => tile.labels.some((each) => each.toLowerCase() === value),
  exits: (tile, value) => tile.exits.length === Number(value),
  slots: (tile, value) => tile.slots === Number(value),
};

/**
 * Return true if a tile matches a search word: a field such as exits:3, a feature, its colour, a label, or the start of its number.
 * @param {any} tile @param {string} word
 */
function matches(tile, word) {
  const [, field, value] = word.match(/^([a-z]+):(.+)$/) || [];
  if (field && Object.hasOwn(FIELDS, field)) return FIELDS[field](tile, value);
  if (Object.hasOwn(HAS, word)) return HAS[word](tile);
  return FIELDS.colour(tile, word) || FIELDS.label(tile, word) || tile.id.toLowerCase().startsWith(word);
}

let catalogue = null;
/** Search and tile, restored when the view is shown again. */
const kept = { words: "", colour: "", exits: "", label: "", stop: "", tile: "" };

export class TilesView {
  constructor() {
    this.cards = new Map();
    this.rows = new Map();
    this.box = new Map();
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.pending = new Map();
    this.turn = 0;
    this.selected = store.selected.startsWith("tile:") ? store.selected.slice(5) : kept.tile;
    this.list = h("ul", { class: "boxlist", role: "list" });
    this.total = h("span", { class: "count" });
    this.fresh = button(t("new_tile"), { icon: "plus", text: true, onclick: () => this.#own("") });
    this.left = h("aside", { class: "tilebox", "aria-label": t("tiles_in_box") }, h("header", {}, h("strong", {}, t("tiles_in_box")), this.total, h("span", { class: "gap" }), this.fresh), this.list);
    this.grid = h("ul", { class: "grid catalogue", role: "list", "aria-label": t("tiles_catalogue") });
    this.found = h("output", { class: "dim" });
    this.search = h("input", { type: "search", class: "search", placeholder: t("search_tiles"), "aria-label": t("search_tiles"), title: t("search_tiles_hint"), value: kept.words,
      oninput: () => { kept.words = this.search.value; this.#filter(); } });
    this.choices = h("span", { class: "filters" });
    this.detail = h("aside", { class: "panel", "aria-label": t("tile"), hidden: true });
    this.column = h("div", { class: "column" }, h("div", { class: "viewbar" }, this.search, this.choices, h("span", { class: "gap" }), this.found), this.grid);
    this.notice = h("p", { class: "notice bad", role: "alert", hidden: true });
    this.column.append(this.notice);
    this.deaf = on("refused", (message) => { this.notice.textContent = message; this.notice.hidden = !message; });
    this.root = h("section", { class: "view tiles", "aria-label": t("tiles") }, this.left, this.column, this.detail);
    // Load pictures when they scroll into view.
    this.seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
        target.src = target.dataset.src;
        this.seen.unobserve(target);
      }
    }, { root: this.grid, rootMargin: "300px" });
    this.#listen();
    this.update();
  }

  get address() { return this.selected ? { at: [`tile:${this.selected}`] } : {}; }

  /** Show a tile large and return the target to select. @param {import("../address.js").Place} place */
  goTo({ at: [target = ""] = [] }) {
    this.selected = target.replace(/^tile:/, "");
    this.turn = 0;
    this.#detail();
    return target;
  }

  get writable() { return Boolean(store.state?.writable); }

  async update() {
    this.editor?.update();
    const now = `${store.state?.revision}-${JSON.stringify(store.looks)}`;
    if (!store.state?.pieces || now === this.now) return;
    this.now = now;
    try {
      const [{ tiles: box, version }, all] = await Promise.all([get("box.json"), catalogue ?? get("catalogue.json")]);
      if (this.now !== now) return;
      catalogue = all;
      // Keep counts that have been requested but not yet set.
      this.box = new Map([...box.map((each) => [each.id, each]), ...(this.waiting ? this.pending : [])]);
      const own = box.filter((each) => each.own);
      this.all = new Map([...own, ...all.filter((each) => !this.box.get(each.id)?.own)].map((each) => [each.id, each]));
      this.version = `${version}-${JSON.stringify(store.looks)}`;
      this.look = version;
      this.left.hidden = !this.writable && !box.length;
      this.fresh.hidden = !this.writable;
      this.#choices();
      this.#cards();
      this.#rows();
      if (this.selected && !this.all.has(this.selected)) this.selected = "";
      this.#detail();
      if (this.wanted && this.box.has(this.wanted)) { const id = this.wanted; this.wanted = ""; this.#draw(id); }
    } catch (stop) {
      tell("refused", stop.message);
    }
  }

  // Tiles in the box are shown as pieces of the title, others as in the catalogue.
  #picture(id) {
    if (piece(`tile:${id}`)) return pictureUrl(`tile:${id}`);
    return store.online ? `picture/0/${encodeURIComponent(`catalogue:${id}`)}?${query({ v: this.look })}` : "data:,";
  }

  #choices() {
    const labels = [...new Set([...this.all.values()].flatMap((each) => each.labels))].sort(), now = labels.join();
    if (this.chosen === now) return;
    this.chosen = now;
    const one = (name, any, options) => select(any, [["", any], ...options], kept[name], (value) => { kept[name] = value; this.#filter(); });
    clear(this.choices, one("colour", t("any_colour"), COLOURS.map((each) => [each, t(`value_${each}`)])), one("stop", t("any_stop"), STOPS.map((each) => [each, t(`stop_${each}`)])),
      one("exits", t("any_exits"), [0, 1, 2, 3, 4, 5, 6].map((each) => [String(each), t("exits_n", each)])), one("label", t("any_label"), labels.map((each) => [each, t("label_n", each)])));
  }

  #cards() {
    for (const [id, card] of this.cards) if (!this.all.has(id)) { card.item.remove(); this.cards.delete(id); }
    const items = [...this.all.values()].map((tile) => this.#card(tile).item);
    if (items.some((item, at) => this.grid.children[at] !== item)) keepFocus(this.grid, () => this.grid.replaceChildren(...items));
    this.#filter();
  }

  #card(tile) {
    const { id } = tile;
    if (!this.cards.has(id)) {
      const image = h("img", { alt: "", draggable: false }), count = h("span", { class: "count" }), mark = h("span", { class: "own" });
      const face = h("button", { type: "button", class: "card", tabIndex: -1, draggable: this.writable, "data-tile": id, onclick: () => this.select(id) },
        h("span", { class: "picture" }, image), h("span", { class: "caption" }, h("span", { class: "name" }, id), mark, count));
      this.cards.set(id, { face, image, count, mark, item: h("li", {}, face) });
    }
    const card = this.cards.get(id), src = this.#picture(id), held = this.box.get(id)?.count;
    card.tile = tile;
    card.count.textContent = held === undefined ? "" : `× ${held === "unlimited" ? "∞" : held}`;
    card.mark.textContent = tile.own ? t("own_tile") : "";
    card.face.setAttribute("aria-label", [t("tile_n", id), t(`value_${tile.colour}`), tile.own ? t("own_tile") : "", card.count.textContent].filter(Boolean).join(", "));
    card.face.setAttribute("aria-current", String(id === this.selected));
    if (card.image.dataset.src !== src) {
      card.image.dataset.src = src;
      if (card.image.src) card.image.src = src; else this.seen.observe(card.image);
    }
    return card;
  }

  #filter() {
    const words = kept.words.toLowerCase().split(/[\s,]+/).filter(Boolean);
    let first = null, number = 0;
    for (const { tile, face, item } of this.cards.values()) {
      const fits = words.every((word) => matches(tile, word)) && (!kept.colour || tile.colour === kept.colour) && (!kept.exits || tile.exits.length === Number(kept.exits))
        && (!kept.label || tile.labels.includes(kept.label)) && (!kept.stop || HAS[kept.stop](tile));
      item.hidden = !fits;
      // Show the tile with exactly this number first.
      item.classList.toggle("exact", fits && words.includes(tile.id.toLowerCase()));
      face.tabIndex = -1;
      if (!fits) continue;
      number += 1;
      if (!first || item.classList.contains("exact")) first = face;
    }
    if (first) first.tabIndex = 0;
    this.found.value = t("tiles_found", number, this.cards.size);
  }

  #rows() {
    this.total.textContent = `× ${[...this.box.values()].reduce((all, { count }) => all + (typeof count === "number" ? count : 0), 0)}`;
    if (!this.box.size) {
      this.rows.clear();
      clear(this.list, h("li", { class: "hint" }, t("no_tiles")));
      return;
    }
    for (const id of this.rows.keys()) if (!this.box.has(id)) this.rows.delete(id);
    const items = [...this.box.values()].map((each) => this.#row(each).item);
    if (this.list.childElementCount !== items.length || items.some((item, at) => this.list.children[at] !== item)) keepFocus(this.list, () => this.list.replaceChildren(...items));
  }

  #row({ id, count, own, back_of: front }) {
    if (!this.rows.has(id)) {
      const image = h("img", { alt: "", loading: "lazy" }), mark = h("span", { class: "own" });
      const face = h("button", { type: "button", class: "face", "aria-label": t("tile_n", id), onclick: () => this.select(id) }, image, h("strong", {}, id), mark);
      const counter = this.#counter(id);
      this.rows.set(id, { image, mark, counter, item: h("li", { "data-tile": id }, face, counter.root) });
    }
    const row = this.rows.get(id), src = this.#picture(id);
    if (row.image.getAttribute("src") !== src) row.image.src = src;
    row.mark.textContent = own ? t("own_tile") : "";
    row.item.firstChild.setAttribute("aria-current", String(id === this.selected));
    row.counter.show(count, Boolean(front));
    return row;
  }

  // Editable count. It shows the requested count until all requests are done.
  #counter(id) {
    let typing = false;
    const field = h("input", { type: "number", min: 0, max: MOST, "aria-label": t("count_of", id), oninput: () => { typing = true; }, onblur: () => { typing = false; }, onchange: () => { typing = false; if (field.value !== "") this.count(id, Math.min(MOST, Math.max(0, Math.round(Number(field.value))))); } });
    const words = h("span", { class: "count" });
    const step = (by) => this.count(id, Math.min(MOST, Math.max(0, (Number(this.box.get(id)?.count) || 0) + by)));
    const less = button(`${t("one_less")} (${id})`, { icon: "minus", onclick: () => step(-1) }), more = button(`${t("one_more")} (${id})`, { icon: "plus", onclick: () => step(1) });
    const show = (/** @type {number | "unlimited"} */ count, /** @type {boolean} */ fixed) => {
      const typed = this.writable && !fixed && count !== "unlimited";
      field.hidden = less.hidden = more.hidden = !typed;
      words.textContent = typed ? "" : count === "unlimited" ? "∞" : `× ${count}`;
      if (!typing && (document.activeElement !== field || !this.waiting)) field.value = String(count);
    };
    return { root: h("span", { class: "counter" }, less, field, more, words), show };
  }

  /** Set the number of copies of a tile in the box. @param {string} id @param {number | "unlimited"} count */
  count(id, count) {
    if (!this.writable || this.box.get(id)?.count === count) return;
    const entry = { ...this.all.get(id), ...this.box.get(id), count };
    this.box.set(id, entry); // the next click builds on it
    this.pending.set(id, entry);
    if (this.rows.has(id)) this.#row(entry);
    this.waiting += 1;
    this.notice.hidden = true;
    this.queue = this.queue.then(async () => {
      const made = await edit(t("set_count", id, count === "unlimited" ? t("unlimited") : count), [{ op: "set_count", tile: id, count }]);
      this.waiting -= 1;
      if (!this.waiting) this.pending.clear();
      if (!made) { this.now = ""; this.update(); }
    });
  }

  add(id) {
    const now = this.box.get(id)?.count ?? 0;
    if (now !== "unlimited") this.count(id, Math.min(MOST, now + 1));
  }

  select(id) {
    this.selected = id;
    this.turn = 0;
    tell("moved");
    if (pathOf(`tile:${id}`)) tell("open", `tile:${id}`); else choose(`tile:${id}`);
    for (const [key, { face }] of this.cards) face.setAttribute("aria-current", String(key === id));
    for (const [key, { item }] of this.rows) item.firstChild.setAttribute("aria-current", String(key === id));
    this.#detail();
  }

  // The selected tile, large, with its actions.
  #detail() {
    const { selected: id } = this, tile = this.all?.get(id), held = this.box.get(id);
    this.detail.hidden = !tile || Boolean(this.editor);
    if (this.detail.hidden) return;
    const turns = [0, 1, 2, 3, 4, 5], image = h("img", { alt: t("tile_n", id), src: this.#picture(id), class: `turn-${this.turn}` });
    const turned = (/** @type {number} */ turn) => { this.turn = turn; this.#detail(); };
    clear(this.detail,
      h("header", {}, h("strong", {}, t("tile_n", id)), tile.own ? h("span", { class: "own" }, t("own_tile")) : null,
        button(t("close"), { icon: "close", class: "quiet", onclick: () => { this.selected = ""; this.#detail(); this.cards.get(id)?.face.focus(); } })),
      h("button", { type: "button", class: "turning", title: t("rotate"), "aria-label": t("rotate"), onclick: () => turned((this.turn + 1) % 6) }, image),
      h("span", { class: "turns", role: "group", "aria-label": t("rotations") }, turns.map((turn) =>
        h("button", { type: "button", class: "chip", "aria-pressed": String(turn === this.turn), title: t("rotation_n", turn), onclick: () => turned(turn) }, String(turn)))),
      h("p", { class: "hint" }, [t(`value_${tile.colour}`), t("exits_n", tile.exits.length), ...tile.labels.map((each) => t("label_n", each))].join(" · ")),
      h("div", { class: "deeds" },
        this.writable && !held?.back_of ? button(t("add_tile"), { icon: "plus", text: true, class: "strong", onclick: () => this.add(id) }) : null,
        held && piece(`tile:${id}`) && store.state.maps.length ? button(t("try_on_map"), { icon: "play", text: true, onclick: () => tell("try", id) }) : null,
        this.writable && held?.own && piece(`tile:${id}`) ? button(t("edit_track"), { icon: "edit", text: true, onclick: () => this.#draw(id) }) : null,
        this.writable ? button(t("make_tile_mine"), { icon: "brush_hex", text: true, onclick: () => this.#own(id) }) : null,
        this.writable && held && !held.back_of ? h("label", { class: "tick" }, h("input", { type: "checkbox", checked: held.count === "unlimited",
          onchange: (event) => this.count(id, event.target.checked ? "unlimited" : 1) }), t("unlimited")) : null));
  }

  // Add a tile under the first free number, plain or as a copy, and open it for drawing.
  async #own(like) {
    let number = 1;
    while (this.all.has(`X${number}`) || this.box.has(`X${number}`)) number += 1;
    const id = this.wanted = `X${number}`;
    if (!await edit(t("own_tile_made", id), [{ op: "own_tile", tile: id, like }])) this.wanted = "";
    else { this.selected = id; choose(`tile:${id}`); this.update(); }
  }

  // Open one of the title's own tiles for drawing.
  #draw(id) {
    this.#close();
    this.selected = id;
    tell("open", `tile:${id}`);
    this.editor = new TileEditor(id, () => { this.#close(); this.#detail(); this.cards.get(id)?.face.focus(); });
    this.column.hidden = true;
    this.root.classList.add("at-work");
    this.column.after(this.editor.root);
    this.#detail();
    this.editor.focus();
  }

  #close() {
    this.editor?.close();
    this.editor?.root.remove();
    this.editor = null;
    this.column.hidden = false;
    this.root.classList.remove("at-work");
  }

  #listen() {
    this.grid.addEventListener("keydown", (event) => {
      const from = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (event.target).closest?.(".card"));
      if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
      const shown = [...this.cards.values()].filter(({ item }) => !item.hidden).map(({ face }) => face);
      shown.sort((a, b) => Number(b.parentElement.classList.contains("exact")) - Number(a.parentElement.classList.contains("exact")));
      const across = Math.max(1, getComputedStyle(this.grid).gridTemplateColumns.split(" ").length);
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key], next = shown[shown.indexOf(from) + (step ?? 0)];
      if (event.key === "Enter" && this.writable) { this.add(from.dataset.tile); this.select(from.dataset.tile); from.focus(); }
      else if (step && next) { from.tabIndex = -1; next.tabIndex = 0; next.focus(); next.scrollIntoView({ block: "nearest" }); }
      else return;
      event.preventDefault();
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      /** @type {HTMLElement} */ (this.grid.querySelector('.card[tabindex="0"]'))?.focus();
    });
    this.grid.addEventListener("dragstart", (event) => {
      const tile = /** @type {HTMLElement} */ (event.target).closest?.(".card")?.getAttribute("data-tile");
      if (!tile) return;
      event.dataTransfer.setData(KIND, tile);
      event.dataTransfer.effectAllowed = "copy";
      this.left.classList.add("wanted");
    });
    this.grid.addEventListener("dragend", () => this.left.classList.remove("wanted"));
    this.left.addEventListener("dragover", (event) => { if (this.writable && event.dataTransfer.types.includes(KIND)) event.preventDefault(); });
    this.left.addEventListener("drop", (event) => {
      const tile = event.dataTransfer.getData(KIND);
      this.left.classList.remove("wanted");
      if (!tile) return;
      event.preventDefault();
      this.add(tile);
      this.select(tile);
    });
  }

  marks() { this.editor?.update(); }

  frame(target) {
    const id = target.slice(5);
    if (!target.startsWith("tile:") || !this.all?.has(id) || this.selected === id) return;
    this.select(id);
    (this.rows.get(id)?.item ?? this.cards.get(id).item).scrollIntoView({ block: "nearest" });
  }

  close() {
    kept.tile = this.selected;
    this.seen.disconnect();
    this.deaf();
    this.#close();
  }
}
