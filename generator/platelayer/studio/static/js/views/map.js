// Map as it will be printed, with clickable hexes.

import { placeOn } from "../address.js";
import { faces, get, pictureUrl, version } from "../api.js";
import { Compare } from "../compare.js";
import { h, select } from "../dom.js";
import { acrossOf, Hexes } from "../hexes.js";
import { Paint } from "../paint.js";
import { Pair } from "../pair.js";
import { Selection } from "../selection.js";
import { pathOf, targetOfProblem } from "../places.js";
import { asItWas, store, t, tell } from "../store.js";
import { Viewer } from "../viewer.js";

export class MapView {
  constructor() {
    this.chooser = h("span");
    this.tools = h("span");
    this.viewer = new Viewer({ label: t("map"), bar: [this.chooser, this.tools] });
    this.paint = new Paint(this.viewer, () => ({ hexes: this.hexes, id: this.id, layout: this.layout, sides: this.sides }), () => this.update());
    this.compare = new Compare(this.viewer, () => ({ key: this.key, face: 0, about: this.found }), () => this.marks());
    this.tools.append(this.paint.toggle, this.compare.toggle);
    this.pair = new Pair(this.viewer, () => ({ key: this.key, face: 0 }));
    this.root = h("section", { class: "view painted", "aria-label": t("map") }, this.paint.root, this.viewer.root);
    this.selection = new Selection(this.viewer, () => ({ hexes: this.hexes, id: this.id, layout: this.layout }), this.paint, this.root, () => this.#notice());
    this.id = null;
    this.picking = /** @type {any} */ (null);
    this.update();
  }

  get layout() { return store.state.maps.find((each) => each.id === this.id)?.layout; }
  get key() { return `map:${this.id}`; }

  async update() {
    const maps = store.state?.maps || [];
    this.paint.update();
    if (!maps.length) {
      this.viewer.say(store.state?.broken ? t("broken_from_start") : t("no_map"));
      return;
    }
    if (!maps.some((each) => each.id === this.id)) this.id = maps[0].id;
    this.chooser.replaceChildren(...(maps.length > 1
      ? [select(t("map"), maps.map((each) => [each.id, each.name]), this.id, (id) => { this.goTo({ of: id }); tell("moved"); })] : []));
    this.#notice();
    const [key, now, editing, { edited }] = [this.key, pictureUrl(this.key), this.paint.on, store.state];
    if (now === this.shown && editing === this.edited) {
      this.paint.settle(edited);
      this.viewer.wanted = now;
      this.#settle();
      this.marks();
      this.compare.update();
      return;
    }
    const coming = `${now} ${editing}`;
    if (coming === this.coming) return;
    this.coming = coming;
    try {
      const [[found], around] = await Promise.all([faces(key), editing ? get("empty.json", { map: this.id }) : null]);
      if (key !== this.key || editing !== this.paint.on) return;
      if (!await this.viewer.show(now, { ...found, version: version(key) })) return;
      this.paint.settle(edited);
      this.shown = now;
      this.edited = editing;
      this.failed = "";
      this.found = found;
      this.sides = around?.sides;
      this.#place(found, around?.places || []);
      this.paint.placeHandles();
      this.compare.update();
    } catch (stop) {
      this.failed = stop.message;
    } finally {
      if (this.coming === coming) this.coming = "";
    }
    this.#notice();
  }

  #place(found, around) {
    const [[, x, y]] = found.places, across = acrossOf(found.places);
    const empty = around.filter(([id]) => found.places.every((each) => each[0] !== id));
    const places = [...found.places, ...empty.map(([id, dx, dy]) => [id, x + dx * across, y + dy * across])];
    const chosen = this.hexes?.chosen, selected = this.selection.all, signature = JSON.stringify(places) + this.key + empty.length;
    if (signature !== this.signature) {
      this.hexes = new Hexes(this.viewer, {
        layout: this.layout, places, empty: empty.map(([id]) => id), label: t("hexes"),
        onpick: (id) => { if (!this.selection.press(id) && !this.#picked(id) && !this.paint.press(id)) tell("open", `hex:${this.id}/${id}`); },
        onselect: (id) => { if (!this.picking) this.selection.follow(id); },
      });
      this.signature = signature;
      if (selected.length || chosen) this.hexes.select([...selected.filter((id) => id !== chosen), ...(chosen ? [chosen] : [])]);
    }
    this.#settle();
    this.marks();
  }

  #settle() {
    this.selection.settle();
    if (this.pending) this.hexes.choose(this.pending);
    this.pending = null;
  }

  #notice() {
    const bad = this.paint.refusal || this.failed, hint = this.picking?.words || this.selection.hint;
    this.viewer.say(bad || hint || asItWas(), bad ? "bad" : hint ? "" : "stale");
  }

  /**
   * Let the user click a hex for a form, or several in turn. Chosen hexes are marked; Escape ends the choice.
   * @param {{words: string, done: (id: string) => void, chosen: (() => string[] | null) | null, ended: () => void}} picking
   */
  pick(picking) {
    this.#endPicking();
    const { tool: brush } = this.paint;
    const leave = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      this.#endPicking();
    };
    this.picking = { ...picking, brush, end: () => removeEventListener("keydown", leave, true) };
    addEventListener("keydown", leave, true);
    this.paint.choose("");
    this.#notice();
    this.marks();
    this.viewer.port.focus();
  }

  #endPicking() {
    const { picking } = this;
    if (!picking) return;
    picking.end();
    this.picking = null;
    if (picking.brush) this.paint.choose(picking.brush);
    this.#notice();
    this.marks();
    picking.ended();
  }

  #picked(id) {
    if (!this.picking || this.hexes.empty.has(id)) return false;
    const { done, chosen } = this.picking;
    if (!chosen?.()) this.#endPicking();
    done(id);
    this.marks();
    return true;
  }

  // Frame hexes with problems in the colour of their severity.
  marks() {
    if (!this.hexes) return;
    for (const level of ["error", "warning", "note", "differs", "picked"]) this.hexes.unmark(level);
    for (const id of this.picking?.chosen?.() || []) this.hexes.mark(id, "picked");
    for (const id of this.compare.differing(this.id)) this.hexes.mark(id, "differs");
    for (const problem of [...store.problems].reverse()) {
      const target = targetOfProblem(problem), start = `hex:${this.id}/`;
      if (target?.startsWith(start) && problem.severity !== "note") this.hexes.mark(target.slice(start.length), problem.severity);
    }
  }

  get address() {
    const id = this.pending || this.hexes?.chosen;
    return this.id ? placeOn(store.state.maps, `hex:${this.id}/${id || ""}`) : {};
  }

  /** Show a place and return the target to select. @param {import("../address.js").Place} place */
  goTo({ of, at: [id] = [] }) {
    const maps = store.state?.maps || [], map = (maps.find((each) => each.id === of) || maps[0])?.id;
    const target = `hex:${map}/${id}`;
    if (!pathOf(target)) {
      [this.id, this.pending] = [map, null];
      this.hexes?.choose(null);
      this.update();
      return "";
    }
    this.frame(target);
    return target;
  }

  // Frame the hex of a target.
  frame(target) {
    const [, map, id] = target.match(/^hex:([^/]+)\/(.+)$/) || [];
    if (!map) return;
    if (map !== this.id || this.pending) { [this.id, this.pending] = [map, id]; this.update(); }
    else if (this.hexes) this.hexes.choose(id);
    else this.pending = id;
  }

  close() {
    this.#endPicking();
    this.selection.close();
    this.paint.close();
    this.compare.close();
    this.pair.close();
    this.viewer.close();
  }
}
