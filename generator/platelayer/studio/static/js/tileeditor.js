// One tile on a large hex, drawn with the brushes of the map.

import { faces, pictureUrl, version } from "./api.js";
import { button, h } from "./dom.js";
import { Hexes } from "./hexes.js";
import { ON_TILE, Paint } from "./paint.js";
import { asItWas, piece, store, t } from "./store.js";
import { Viewer } from "./viewer.js";

export class TileEditor {
  /** @param {string} id the number of one of the title's own tiles @param {() => void} leave */
  constructor(id, leave) {
    this.id = id;
    this.leave = leave;
    this.hexes = null;
    this.viewer = new Viewer({ label: t("tile_n", id), bar: [button(t("all_tiles"), { icon: "back", text: true, onclick: leave }), h("strong", {}, t("tile_n", id))] });
    this.paint = new Paint(this.viewer, () => ({ hexes: this.hexes, layout: store.state.layout }), () => this.update(), { tools: ON_TILE, always: true });
    this.root = h("div", { class: "painted drawing" }, this.paint.root, this.viewer.root);
    this.root.addEventListener("keydown", (event) => { if (event.key === "Escape" && !this.paint.brush) leave(); });
    this.paint.start("track");
    this.update();
  }

  get key() { return `tile:${this.id}`; }

  async update() {
    if (!piece(this.key)) { this.leave(); return; }
    this.paint.update();
    this.#notice();
    const now = pictureUrl(this.key);
    if (now === this.shown) return;
    try {
      const [found] = await faces(this.key);
      if (!await this.viewer.show(now, { ...found, version: version(this.key) })) return;
      this.shown = now;
      this.failed = "";
      const { width_mm: wide, height_mm: high } = found, { layout } = store.state;
      this.hexes ??= new Hexes(this.viewer, { layout, places: [[this.id, wide / 2, high / 2]], across: layout === "flat" ? high : wide, label: t("tile_n", this.id),
        onpick: (name) => { this.paint.press(name); } });
    } catch (stop) {
      this.failed = stop.message;
    }
    this.#notice();
  }

  #notice() {
    const bad = this.paint.refusal || this.failed;
    this.viewer.say(bad || asItWas(), bad ? "bad" : "stale");
  }

  focus() { this.viewer.port.focus({ preventScroll: true }); }

  close() {
    this.paint.close();
    this.viewer.close();
  }
}
