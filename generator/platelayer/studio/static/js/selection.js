// Selected hexes of a map, to be copied, cleared or moved together, with a ghost image until they are set down.

import { edit, ask } from "./host.js";
import { s } from "./dom.js";
import { corners, points } from "./hexes.js";
import { choose, store, t, tell } from "./store.js";

const FAR_PX = 5;

/** Return the hexes in a text that was copied from a map; null for any other text. @param {string} text */
export function clipOf(text) {
  try {
    const clip = JSON.parse(text);
    return clip?.platelayer === "hexes" && Array.isArray(clip.hexes) && clip.hexes.length ? clip : null;
  } catch { return null; }
}

export class Selection {
  /**
   * @param {import("./viewer.js").Viewer} viewer @param {() => any} look its hexes, the id of its map, its layout
   * @param {import("./paint.js").Paint} paint @param {HTMLElement} root @param {() => void} changed
   */
  constructor(viewer, look, paint, root, changed) {
    this.viewer = viewer;
    this.look = look;
    this.paint = paint;
    this.root = root;
    this.changed = changed;
    this.layer = s("g", { class: "ghost" });
    this.box = this.held = this.ghost = /** @type {any} */ (null);
    this.wanted = [];
    this.#listen();
  }

  get all() { return [...this.look().hexes?.selected || []]; }
  get may() { return Boolean(store.state?.writable && store.online); }
  get hint() { return this.ghost ? t("ghost_hint") : ""; }

  /** Select the wanted hexes as soon as they are shown. */
  settle() {
    const { hexes } = this.look();
    if (!hexes || !this.wanted.length || !this.wanted.every((id) => hexes.shapes.has(id) && !hexes.empty.has(id))) return;
    hexes.select(this.wanted, true);
    this.wanted = [];
  }

  /** Move the ghost to the hex that is now framed, and pass the selection on to the form. @param {string | null} id */
  follow(id) {
    if (this.ghost && id) this.#at(id);
    store.also = this.all.map((each) => `hex:${this.look().id}/${each}`);
    tell("selection");
  }

  /** Handle Enter, or a screen reader's click, on a hex. Return false if there is no ghost. @param {string} id */
  press(id) {
    if (!this.ghost) return false;
    this.#at(id);
    this.#setDown();
    return true;
  }

  async copy() {
    const hexes = this.#fromFramed(), { id: map } = this.look();
    if (!hexes.length) return false;
    try {
      const { text } = await ask("copy", { map, hexes });
      await navigator.clipboard.writeText(text);
    } catch (stop) { tell("refused", stop.message); return false; }
    return true;
  }

  /** Begin to set down the hexes in a text. @param {string} text */
  take(text) {
    const clip = clipOf(text), { hexes } = this.look();
    if (!clip || !hexes) return false;
    if (!this.may) { tell("refused", t("read_only")); return true; }
    this.paint.open(true);
    this.paint.choose("");
    this.#begin({ clip });
    return true;
  }

  async paste() {
    try {
      if (!this.take(await navigator.clipboard.readText())) tell("refused", t("nothing_to_paste"));
    } catch (stop) { tell("refused", stop.message); }
  }

  clear() {
    const hexes = this.all, { id: map } = this.look();
    if (hexes.length && this.may) this.#edit(t("clear_hexes", hexes.length), { op: "stroke", map, hexes, take: false, brush: { brush: "clear" } });
  }

  remove() {
    const hexes = this.all, { id: map } = this.look();
    if (hexes.length && this.may) this.#edit(t("remove_hexes", hexes.length), { op: "remove_hexes", map, hexes });
  }

  selectAll() {
    const { hexes } = this.look();
    hexes?.select(hexes.places.map(([id]) => id).filter((id) => !hexes.empty.has(id) && id !== hexes.chosen).concat(hexes.chosen || []));
  }

  // Return the selected hexes, the framed one first: it will be under the pointer when they are set down.
  #fromFramed() {
    const { chosen } = this.look().hexes || {};
    return this.all.sort((a, b) => Number(b === chosen) - Number(a === chosen));
  }

  async #edit(label, op) {
    const { lang: language, theme } = store.looks, made = await edit(label, [op], "", { language, theme });
    if (made) this.paint.patch(made);
    return made;
  }

  // --- the ghost ---

  #begin(ghost) {
    const { hexes } = this.look();
    this.ghost = { turns: 0, mirrored: false, at: null, ...ghost };
    this.#at(hexes.chosen);
    hexes.shapes.get(hexes.chosen)?.focus({ preventScroll: true });
    this.changed();
  }

  leave() {
    this.box = this.held = this.ghost = null;
    this.layer.replaceChildren();
    this.layer.remove();
    this.changed();
  }

  #at(id) {
    if (!this.ghost) return;
    this.ghost.at = id;
    this.#draw();
  }

  #turn(key) {
    const { ghost } = this;
    if (key === "r") ghost.turns = (ghost.turns + 1) % 6;
    else Object.assign(ghost, { mirrored: !ghost.mirrored, turns: (6 - ghost.turns) % 6 });
    this.#draw();
  }

  async #setDown() {
    const { at, turns, mirrored, clip, moving } = this.ghost, { id: map } = this.look();
    this.leave();
    if (!at || (moving?.[0] === at && !turns && !mirrored)) return;
    const where = { map, at, turns, mirrored }, count = (moving || clip.hexes).length;
    const made = await this.#edit(t(moving ? "move_hexes" : "paste_hexes", count, at), moving ? { op: "move_hexes", hexes: moving, ...where } : { op: "paste", clip, ...where });
    if (!made) return;
    this.wanted = made.placed;
    this.settle();
  }

  // Draw the hexes in a simple form: colour, track, stops and name.
  #draw() {
    const { hexes, layout } = this.look(), { clip, turns, mirrored, at } = this.ghost, centre = at && hexes.centre(at);
    this.layer.replaceChildren();
    if (!centre) return;
    const { across } = hexes, turned = (/** @type {number} */ edge) => ((((mirrored ? (layout === "flat" ? 0 : 5) - edge : edge) + turns) % 6) + 6) % 6;
    const way = (/** @type {number} */ edge, far = across) => {
      const angle = (((layout === "flat" ? 90 : 120) + 60 * edge) * Math.PI) / 180;
      return [Math.cos(angle) * far, Math.sin(angle) * far];
    };
    const [one, other] = [way(turned(0)), way(turned(1))];
    for (const [u, v, hex] of clip.hexes) {
      const [x, y] = [centre[0] + u * one[0] + v * other[0], centre[1] + u * one[1] + v * other[1]];
      const end = (/** @type {any} */ place) => { const [dx, dy] = Number.isInteger(place) ? way(turned(place), across / 2) : [0, 0]; return [x + dx, y + dy]; };
      const named = typeof hex.name === "string" ? hex.name : hex.name?.[store.looks.lang] || "";
      this.layer.append(s("polygon", { points: points(corners(layout, across * 0.98, x, y)), "data-value": hex.colour || "white" }),
        ...(hex.track || []).map(([a, b]) => { const [[x1, y1], [x2, y2]] = [end(a), end(b)]; return s("line", { x1, y1, x2, y2 }); }),
        ...(hex.stops || []).map(({ kind }) => s("circle", { cx: x, cy: y, r: across * (kind === "city" ? 0.16 : 0.07) })),
        ...(named ? [s("text", { x, y: y + across * 0.34, "font-size": across * 0.14 }, named)] : []));
    }
    this.viewer.layer.append(this.layer);
  }

  // --- pointer and keys ---

  #point({ clientX, clientY }) {
    const box = this.viewer.layer.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * this.viewer.width, ((clientY - box.top) / box.height) * this.viewer.height];
  }

  #listen() {
    const { port } = this.viewer;
    port.addEventListener("pointerdown", (event) => {
      const { hexes } = this.look();
      if (!hexes || event.button || /** @type {Element} */ (event.target).closest("button, input")) return;
      const point = this.#point(event), under = hexes.nearest(...point);
      if (this.ghost) this.held = { setting: true };
      else if (this.paint.brush) return;
      else if (event.shiftKey) this.box = { point, under, from: event, shape: s("rect", { class: "marquee" }) };
      else if (this.paint.on && this.may && hexes.selected.has(under)) this.held = { under, from: event };
      else return;
      event.stopPropagation();
      if (this.held?.under) return;  // it may be a click or double click
      event.preventDefault();
      port.setPointerCapture(event.pointerId);
    }, true);
    port.addEventListener("pointermove", (event) => {
      const { hexes } = this.look(), { box, held } = this;
      if (!hexes) return;
      const point = this.#point(event), far = (from) => Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > FAR_PX;
      if (box && (box.open ||= far(box.from))) {
        const [[x1, y1], [x2, y2]] = [box.point, point];
        for (const [name, value] of Object.entries({ x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) })) box.shape.setAttribute(name, String(value));
        this.viewer.layer.append(box.shape);
      } else if (held?.from && !this.ghost && far(held.from)) { port.setPointerCapture(event.pointerId); this.#lift(held.under); }
      if (this.ghost) { const id = hexes.nearest(...point); if (id && id !== this.ghost.at) this.#at(id); }
    });
    port.addEventListener("pointerup", (event) => {
      const { box, held } = this, { hexes } = this.look();
      if (!box && !held) return;
      [this.box, this.held, this.dragged] = [null, null, Boolean(box || this.ghost)];
      setTimeout(() => { this.dragged = false; });
      box?.shape.remove();
      if (box?.open) {
        const [[x1, y1], [x2, y2]] = [box.point, this.#point(event)], within = (a, b, value) => value >= Math.min(a, b) && value <= Math.max(a, b);
        hexes.select([...hexes.selected, ...hexes.places.filter(([id, x, y]) => !hexes.empty.has(id) && within(x1, x2, x) && within(y1, y2, y)).map(([id]) => id)], true);
      } else if (box) this.#toggle(box.under);
      else if (this.ghost) this.#setDown();
    });
    port.addEventListener("pointercancel", () => { if (this.box || this.held) { this.box?.shape.remove(); this.leave(); } });
    port.addEventListener("click", (event) => { if (this.dragged) event.stopPropagation(); }, true);
    const mine = (event) => {
      const from = /** @type {Element} */ (event.composedPath()[0]);
      if (event.defaultPrevented || from.closest?.("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return false;
      return [document, document.documentElement, document.body].includes(/** @type {any} */ (from)) || this.root.contains(from);
    };
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (!mine(event)) return;
      const key = event.key.toLowerCase(), ctrl = event.ctrlKey || event.metaKey;
      if (ctrl && key === "a" && !event.shiftKey) this.selectAll();
      else if (ctrl || event.altKey) return;
      else if (this.ghost && (key === "r" || key === "f")) this.#turn(key);
      else if (this.ghost && key === "escape") this.leave();
      else if (key === "escape" && !this.paint.brush && this.all.length > 1) this.look().hexes.select([this.look().hexes.chosen]);
      else if ((key === "delete" || key === "backspace") && this.all.length && !this.ghost) { if (event.shiftKey) this.remove(); else this.clear(); }
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const copy = async (/** @type {ClipboardEvent} */ event) => {
      if (!mine(event) || String(getSelection()) || !this.all.length) return;
      event.preventDefault();
      if (await this.copy() && event.type === "cut") this.clear();
    };
    const paste = (/** @type {ClipboardEvent} */ event) => { if (mine(event) && this.take(event.clipboardData?.getData("text/plain") || "")) event.preventDefault(); };
    addEventListener("keydown", keys, true);
    addEventListener("copy", copy);
    addEventListener("cut", copy);
    addEventListener("paste", paste);
    this.close = () => {
      removeEventListener("keydown", keys, true);
      removeEventListener("copy", copy);
      removeEventListener("cut", copy);
      removeEventListener("paste", paste);
      store.also = [];
    };
  }

  #toggle(id) {
    const { hexes } = this.look();
    if (!id || hexes.empty.has(id)) return;
    const others = [...hexes.selected].filter((each) => each !== id);
    if (!hexes.selected.has(id)) hexes.select([...others, id], true);
    else if (others.length) hexes.select(others, true);
    choose(`hex:${this.look().id}/${hexes.chosen}`);
  }

  // Pick up the selected hexes by the one under the pointer.
  async #lift(id) {
    const { hexes, id: map } = this.look();
    hexes.choose(id);
    const moving = this.#fromFramed();
    this.#begin({ moving, clip: { hexes: [] } });
    const { ghost } = this;
    try { ghost.clip = clipOf((await ask("copy", { map, hexes: moving })).text); } catch (stop) { this.leave(); tell("refused", stop.message); return; }
    if (this.ghost === ghost) this.#draw();
  }
}
