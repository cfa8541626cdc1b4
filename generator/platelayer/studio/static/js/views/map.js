// A map as it will be printed, its hexes to click on.

import { faces, pictureUrl, version } from "../api.js";
import { h, select } from "../dom.js";
import { Hexes } from "../hexes.js";
import { store, t, targetOfProblem, tell } from "../store.js";
import { Viewer } from "../viewer.js";

export class MapView {
  constructor() {
    this.chooser = h("span");
    this.viewer = new Viewer({ label: t("map"), bar: [this.chooser] });
    this.root = h("section", { class: "view", "aria-label": t("map") }, this.viewer.root);
    this.id = null;
    this.update();
  }

  get key() { return `map:${this.id}`; }

  async update() {
    const maps = store.state?.maps || [];
    if (!maps.length) {
      this.viewer.say(store.state?.broken ? t("broken_from_start") : t("no_map"));
      return;
    }
    if (!maps.some((each) => each.id === this.id)) this.id = maps[0].id;
    this.chooser.replaceChildren(...(maps.length > 1
      ? [select(t("map"), maps.map((each) => [each.id, each.name]), this.id, (id) => { this.id = id; this.update(); })] : []));
    this.#notice();
    const [key, now] = [this.key, pictureUrl(this.key)];
    if (now === this.shown) { this.marks(); return; }
    try {
      // Both are made by the same drawing.
      const early = new Image();
      early.src = now;
      const [found] = await faces(key);
      if (key !== this.key) return;
      if (!await this.viewer.show(now, { ...found, version: version(key) })) return;
      this.shown = now;
      this.failed = "";
      this.#place(found);
    } catch (stop) {
      this.failed = stop.message;
    }
    this.#notice();
  }

  #place(found) {
    const chosen = this.hexes?.chosen, signature = JSON.stringify(found.places) + this.key;
    if (signature !== this.signature) {
      const { layout } = store.state.maps.find((each) => each.id === this.id);
      this.hexes = new Hexes(this.viewer, {
        layout, places: found.places, label: t("hexes"), onpick: (id) => tell("open", `hex:${this.id}/${id}`),
      });
      this.signature = signature;
      if (chosen) this.hexes.choose(chosen);
      if (this.pending) { this.hexes.choose(this.pending); this.pending = null; }
    }
    this.marks();
  }

  #notice() {
    if (store.state?.broken) this.viewer.say(t("last_good"), "stale");
    else this.viewer.say(this.failed || "", "bad");
  }

  // Hexes with problems are framed in their colour.
  marks() {
    if (!this.hexes) return;
    for (const level of ["error", "warning", "note"]) this.hexes.unmark(level);
    for (const problem of [...store.problems].reverse()) {
      const target = targetOfProblem(problem), start = `hex:${this.id}/`;
      if (target?.startsWith(start) && problem.severity !== "note") this.hexes.mark(target.slice(start.length), problem.severity);
    }
  }

  // Frame what a target names: a hex of one of the maps.
  frame(target) {
    const [, map, id] = target.match(/^hex:([^/]+)\/(.+)$/) || [];
    if (!map) return;
    if (map !== this.id) { [this.id, this.pending] = [map, id]; this.update(); }
    else if (this.hexes) this.hexes.choose(id);
    else this.pending = id;
  }

  close() { this.viewer.close(); }
}
