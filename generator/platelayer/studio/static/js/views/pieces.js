// All pieces of the box by kind, and single pieces large, front and back.

import { faces, pictureUrl, version } from "../api.js";
import { chooseLogo } from "../bring.js";
import { Compare } from "../compare.js";
import { button, clear, h } from "../dom.js";
import { Pair } from "../pair.js";
import { targetOfProblem } from "../places.js";
import { asItWas, piece, store, t, tell } from "../store.js";
import { Viewer } from "../viewer.js";

const FACES = { front: "front", back: "back" };

export class PiecesView {
  constructor() {
    this.kinds = h("nav", { class: "kinds", "aria-label": t("kinds") });
    this.grid = h("ul", { class: "grid", role: "list" });
    this.large = h("div", { class: "large", hidden: true });
    this.root = h("section", { class: "view pieces", "aria-label": t("pieces") }, this.kinds, this.grid, this.large);
    this.kind = "tile";
    this.cards = new Map();
    this.update();
  }

  update() {
    const { kinds = {}, pieces = [] } = store.state || {};
    this.first = kinds.tile ? "tile" : Object.keys(kinds)[0];
    if (!kinds[this.kind]) this.kind = this.first;
    clear(this.kinds, Object.entries(kinds).map(([id, { name }]) => {
      const count = pieces.filter((each) => each.kind === id).reduce((all, each) => all + each.count, 0);
      return h("button", { type: "button", class: "kind", "aria-current": id === this.kind ? "true" : null,
        onclick: () => { this.kind = id; this.#small(); this.update(); tell("moved"); } }, h("span", {}, name), h("span", { class: "count" }, count));
    }));
    this.root.dataset.notice = asItWas();
    this.root.classList.toggle("stale", this.root.dataset.notice !== "");
    const shown = pieces.filter((each) => each.kind === this.kind);
    const items = shown.map((each) => this.#card(each).parentElement);
    const keys = new Set(shown.map((each) => each.key));
    for (const key of this.cards.keys()) if (!keys.has(key)) this.cards.delete(key);
    if (this.grid.childElementCount !== items.length || items.some((item, at) => this.grid.children[at] !== item)) clear(this.grid, items);
    this.marks();
    if (this.viewer) this.#show();
  }

  #card(each) {
    const url = pictureUrl(each.key);
    let card = this.cards.get(each.key);
    if (!card) {
      card = h("button", { type: "button", class: "card", onclick: () => { this.open(each.key); tell("open", each.key); } },
        h("span", { class: "picture" }, h("img", { alt: "", loading: "lazy" })),
        h("span", { class: "caption" }, h("span", { class: "name" }), h("span", { class: "count" })));
      card.dataset.key = each.key;
      h("li", {}, card);
      this.cards.set(each.key, card);
    }
    card.querySelector(".name").textContent = each.name === each.id || !each.name ? each.id : each.kind === "tile" ? `${each.id}` : each.name;
    card.querySelector(".count").textContent = `× ${each.count}`;
    card.title = each.key;
    if (card.dataset.url !== url) {
      card.dataset.url = url;
      const old = card.querySelector("img"), next = h("img", { alt: each.key, loading: old.src ? "eager" : "lazy", src: url });
      next.addEventListener("error", () => card.classList.add("failed"), { once: true });
      next.addEventListener("load", () => { card.classList.remove("failed"); }, { once: true });
      if (old.src) next.decode().then(() => old.replaceWith(next), () => old.replaceWith(next)); else old.replaceWith(next);
    }
    return card;
  }

  marks() {
    const worst = new Map();
    for (const problem of [...store.problems].reverse()) if (problem.severity !== "note") worst.set(targetOfProblem(problem), problem.severity);
    for (const [key, card] of this.cards) {
      card.classList.toggle("error", worst.get(key) === "error");
      card.classList.toggle("warning", worst.get(key) === "warning");
    }
  }

  // Show one piece large.
  open(key) {
    if (!piece(key)) return;
    this.key = key;
    this.face = 0;
    if (!this.viewer) {
      this.sides = h("span", { class: "sides" });
      this.viewer = new Viewer({ label: key, bar: [
        button(t("all_pieces"), { icon: "back", text: true, onclick: () => this.#small(true) }), this.sides] });
      this.compare = new Compare(this.viewer, () => ({ key: this.key, face: this.face, about: this.found?.[this.face] }));
      this.sides.after(this.compare.toggle);
      clear(this.large, this.viewer.root);
      this.pair = new Pair(this.viewer, () => ({ key: this.key, face: this.face }));
      this.viewer.port.addEventListener("keydown", (event) => {
        const step = { PageDown: 1, PageUp: -1, n: 1, p: -1 }[event.key];
        if (event.key === "Escape") this.#small(true);
        else if (event.key === "b") this.#turn();
        else if (step) this.#step(step);
      });
    }
    this.large.dataset.key = key;
    this.large.hidden = false;
    this.grid.hidden = true;
    this.viewer.fitted = true;
    this.viewer.port.focus({ preventScroll: true });
    this.#show();
  }

  #small(focus = false) {
    this.close();
    this.viewer = this.pair = this.compare = null;
    this.large.hidden = true;
    this.grid.hidden = false;
    if (focus) { this.cards.get(this.key)?.focus(); tell("moved"); }
  }

  #turn() {
    this.face = (this.face + 1) % (this.found?.length || 1);
    this.#show();
  }

  #step(by) {
    const keys = store.state.pieces.filter((each) => each.kind === this.kind).map((each) => each.key);
    const next = keys[(keys.indexOf(this.key) + by + keys.length) % keys.length];
    this.open(next);
    tell("open", next);
  }

  async #show() {
    const { key } = this, own = piece(key);
    if (!own) { this.#small(); return; }
    try {
      this.found = await faces(key);
      if (!this.viewer || key !== this.key) return;
      this.face = Math.min(this.face, this.found.length - 1);
      clear(this.sides, h("strong", {}, own.name || own.id), h("span", { class: "dim" }, own.key), this.found.length > 1 ? this.found.map((each, at) =>
        h("button", { type: "button", class: "face", "aria-pressed": String(at === this.face), onclick: () => { this.face = at; this.#show(); } },
          FACES[each.label] ? t(FACES[each.label]) : `${t("page")} ${at + 1}`)) : [],
        own.company && store.state.writable ? button(t("logo_of", own.company), { icon: "brush_icon", onclick: () => chooseLogo(own) }) : null);
      await this.viewer.show(pictureUrl(key, this.face), { ...this.found[this.face], version: version(key) });
      this.viewer?.say(asItWas(), "stale");
      this.compare?.update();
    } catch (stop) {
      this.viewer?.say(stop.message, "bad");
    }
  }

  frame(target) {
    const own = piece(target);
    if (!own) return;
    if (own.kind !== this.kind) { this.kind = own.kind; this.#small(); this.update(); }
    if (this.viewer) { if (this.key !== target) this.open(target); return; }
    for (const card of this.cards.values()) card.classList.remove("framed");
    const card = this.cards.get(target);
    card?.classList.add("framed");
    card?.scrollIntoView({ block: "nearest" });
  }

  get address() { return this.viewer ? { at: [this.key] } : this.kind === this.first ? {} : { of: this.kind }; }

  /** Show a piece large, or all of a kind, and return the target to select. @param {import("../address.js").Place} place */
  goTo({ of, at: [key] = [] }) {
    const own = piece(key), { kinds } = store.state;
    const kind = own?.kind || (of && Object.hasOwn(kinds, of) ? of : this.first);
    if (!own || kind !== this.kind) this.#small();
    this.kind = kind;
    this.update();
    if (!own) return "";
    if (this.key !== key || !this.viewer) this.open(key);
    return key;
  }

  close() {
    this.compare?.close();
    this.pair?.close();
    this.viewer?.close();
  }
}
