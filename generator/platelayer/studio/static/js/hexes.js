// Layer of hexes in a viewer, to select, frame and lay tiles on.

import { keepFocus, s } from "./dom.js";
import { t } from "./store.js";

const HALF = Math.sqrt(3) / 2;

export function corners(layout, across, x = 0, y = 0) {
  const radius = across / 2 / HALF, first = layout === "flat" ? 0 : 30;
  return [0, 1, 2, 3, 4, 5].map((k) => {
    const angle = ((first + 60 * k) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

export const points = (shape) => shape.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

// Width of a hex: the minimum distance between centres.
export function acrossOf(places) {
  let least = Infinity;
  for (let i = 0; i < places.length; i++)
    for (let j = i + 1; j < places.length; j++)
      least = Math.min(least, Math.hypot(places[i][1] - places[j][1], places[i][2] - places[j][2]));
  return Number.isFinite(least) ? least : 40;
}

export class Hexes {
  constructor(viewer, { layout, places, label, onpick, onselect = /** @type {any} */ (null), empty = [], across = acrossOf(places) }) {
    this.viewer = viewer;
    this.layout = layout;
    this.places = places;
    this.onpick = onpick;
    this.onselect = onselect;
    this.selected = new Set();
    this.empty = new Set(empty);
    this.across = across;
    this.chosen = null;
    this.under = s("g", { class: "under" });
    this.shapes = new Map();
    const group = s("g", { class: "hexes", role: "listbox", "aria-multiselectable": "true", "aria-label": label });
    for (const [id, x, y] of places) {
      const shape = s("polygon", {
        points: points(corners(layout, this.across, x, y)), class: this.empty.has(id) ? "hex empty" : "hex", role: "option", tabindex: -1,
        "aria-label": this.empty.has(id) ? t("empty_place", id) : id,
        onclick: () => this.pick(id), onkeydown: (event) => this.#key(event, id),
      }, s("title", {}, id));
      this.shapes.set(id, shape);
      group.append(shape);
    }
    if (places.length) this.shapes.get(places[0][0]).setAttribute("tabindex", 0);
    this.frame = s("polygon", { class: "frame", points: "" });
    keepFocus(viewer.layer, () => viewer.layer.replaceChildren(this.under, group, this.frame));
  }

  centre(id) {
    const found = this.places.find((each) => each[0] === id);
    return found ? [found[1], found[2]] : null;
  }

  // The hex at a point, or one close to it; null if there is none.
  nearest(x, y) {
    let best = null, least = this.across * 0.58;
    for (const [id, cx, cy] of this.places) {
      const far = Math.hypot(cx - x, cy - y);
      if (far < least) [best, least] = [id, far];
    }
    return best;
  }

  pick(id, { quiet = false, focus = true } = {}) {
    this.select([id], focus);
    if (!quiet) this.onpick?.(id);
  }

  /** Select hexes; the last one gets the focus of the arrow keys. @param {string[]} ids */
  select(ids, focus = false) {
    for (const id of this.selected) this.#marks(id, false);
    this.selected = new Set(ids.filter((id) => this.shapes.has(id) && !this.empty.has(id)));
    this.choose(ids.at(-1) ?? null, focus);
  }

  // Frame a hex. If it is selected, the selection stays; otherwise it becomes the selection.
  choose(id, focus = false) {
    const at = id && this.centre(id);
    if (!this.selected.has(id)) {
      for (const each of this.selected) this.#marks(each, false);
      this.selected = new Set(at && !this.empty.has(id) ? [id] : []);
    }
    this.chosen = at ? id : null;
    for (const each of this.selected) this.#marks(each, true);
    this.frame.setAttribute("points", at ? points(corners(this.layout, this.across * 0.98, ...at)) : "");
    this.onselect?.(this.chosen);
    if (!at) return;
    for (const shape of this.shapes.values()) shape.setAttribute("tabindex", -1);
    const shape = this.shapes.get(id);
    shape.setAttribute("tabindex", 0);
    if (focus) shape.focus({ preventScroll: true });
    this.viewer.reveal(...at);
  }

  #marks(id, on) {
    const shape = this.shapes.get(id);
    shape.setAttribute("aria-selected", String(on));
    shape.classList.toggle("selected", on && this.selected.size > 1);
  }

  mark(id, name, on = true) { this.shapes.get(id)?.classList.toggle(name, on); }
  unmark(name) { for (const shape of this.shapes.values()) shape.classList.remove(name); }

  #key(event, id) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (event.key === "Enter" || event.key === " ") this.pick(id);
    else if (way && !event.ctrlKey && !event.metaKey && !event.altKey) this.#move(id, way, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(id, [dx, dy], extending) {
    const [x, y] = this.centre(id);
    let best = null, least = Infinity;
    for (const [other, ox, oy] of this.places) {
      const along = (ox - x) * dx + (oy - y) * dy, beside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along < this.across * 0.3) continue;
      const cost = along + 2 * beside;
      if (cost < least) [best, least] = [other, cost];
    }
    if (best) this.select(extending ? [...this.selected, best] : [best], true);
  }
}
