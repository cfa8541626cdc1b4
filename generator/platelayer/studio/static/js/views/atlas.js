// Random maps of Railways of the Lost Atlas: a new one, its log replayed draw by draw, and a gallery to choose from.

import { get, query, send } from "../api.js";
import { button, clear, h, s, select } from "../dom.js";
import { acrossOf, corners, points } from "../hexes.js";
import { linksTo } from "../line.js";
import { store, t } from "../store.js";
import { Viewer } from "../viewer.js";

const SHOWN = ["fairness", "diameter", "income_min", "income_max", "home_distance_mean", "land_parts"];

export class AtlasView {
  constructor() {
    const { modes, policies } = store.about.atlas;
    this.asked = { mode: Object.keys(modes)[0], policy: policies.includes("compact") ? "compact" : policies[0] };
    const { wanted } = store;
    if (wanted) this.asked = { mode: wanted.mode, policy: wanted.policy };
    store.wanted = null;
    this.step = 0;
    this.seed = h("input", { class: "seed", value: wanted?.seed || "", inputMode: "numeric", placeholder: t("any_seed"), "aria-label": t("seed"),
      oninput: () => { this.seed.value = this.seed.value.replace(/\D/g, ""); }, onkeydown: (event) => { if (event.key === "Enter") this.make(); } });
    this.viewer = new Viewer({ label: t("atlas"), bar: [
      select(t("mode"), Object.entries(modes).map(([id, players]) => [id, `${t(`mode_${id}`)} (${players.join(", ")})`]), this.asked.mode, (mode) => { this.asked.mode = mode; }),
      select(t("policy"), policies.map((id) => [id, t(`policy_${id}`)]), this.asked.policy, (policy) => { this.asked.policy = policy; }),
      this.seed,
      button(t("new_map"), { icon: "turn", text: true, class: "strong", onclick: () => this.make() }),
      button(t("gallery"), { text: true, onclick: () => this.gallery() })] });
    this.slider = h("input", { type: "range", min: 0, value: 0, "aria-label": t("draw"), oninput: () => this.go(Number(this.slider.value)) });
    this.player = button(t("play"), { icon: "play", onclick: () => this.play() });
    this.told = h("div", { class: "told", role: "status" });
    this.log = h("ol", { class: "log", role: "list" });
    this.figures = h("dl", { class: "figures" });
    this.files = h("div", { class: "files" });
    this.panel = h("aside", { class: "panel", "aria-label": t("log") },
      h("div", { class: "replay" }, button(t("first"), { icon: "first", onclick: () => this.go(0) }), button(t("back"), { icon: "back", onclick: () => this.go(this.step - 1) }),
        this.player, button(t("next"), { icon: "next", onclick: () => this.go(this.step + 1) }), button(t("last"), { icon: "last", onclick: () => this.go(Infinity) }), this.slider),
      this.told, this.figures, this.files, this.log);
    this.maps = h("div", { class: "maps", hidden: true });
    this.root = h("section", { class: "view upgrades", "aria-label": t("atlas") }, this.viewer.root, this.panel, this.maps);
  }

  async update() {
    if (!this.map && !this.busy) await this.make();
    else if (this.map && this.looks !== query()) await this.#show();
  }

  async make(seed = null) {
    this.busy = true;
    this.maps.hidden = true;
    this.viewer.say(t("working"));
    try {
      this.map = await send("atlas", { ...this.asked, seed: seed ?? (this.seed.value || null) });
      this.seed.value = this.map.seed;
      await this.#show();
      this.viewer.say("");
    } catch (stop) {
      this.viewer.say(stop.message, "bad");
    }
    this.busy = false;
  }

  async #show() {
    const { mode, seed, policy } = this.map, asked = { mode, seed, policy, v: store.state.run };
    this.looks = query();
    const about = await get("atlas.svg", { ...asked, places: 1 });
    await this.viewer.show(`atlas.svg?${query(asked)}`, { ...about, version: `${mode}-${seed}-${policy}` });
    const at = new Map(about.places.map(([id, x, y]) => [id, [x, y]])), across = acrossOf(about.places);
    const shape = (id, kind) => s("polygon", { class: kind, points: points(corners("flat", across * 1.02, ...at.get(id))) });
    this.covers = this.map.draws.map((draw) => s("g", {}, (draw.hexes || []).map((each) => shape(each.name, "cover"))));
    this.blanks = s("g", {}, this.map.blanks.map((each) => shape(each.name, "cover")));
    this.rings = this.map.draws.map((draw) => s("g", {}, [...(draw.hexes || []), ...(draw.overlay ? [draw.overlay] : [])].map((each) => shape(each.name, "frame"))));
    this.viewer.layer.replaceChildren(...this.covers, this.blanks, ...this.rings);
    this.slider.max = this.map.draws.length;
    clear(this.figures, SHOWN.filter((name) => name in this.map.metrics).flatMap((name) => [h("dt", {}, t(`figure_${name}`)), h("dd", {}, Number(this.map.metrics[name].toFixed(2)))]));
    const name = `${mode}-${seed}`, log = `data:application/json;charset=utf-8,${encodeURIComponent(this.map.log)}`;
    clear(this.files, h("a", { href: log, download: `${name}.json` }, t("download_log")), h("a", { href: `atlas.svg?${query(asked)}`, download: `${name}.svg` }, t("download_map")), linksTo(this.map));
    clear(this.log, this.map.draws.map((draw, index) => h("li", {}, h("button", { type: "button", onclick: () => this.go(index + 1) }, this.#words(draw)))));
    this.go(Infinity);
  }

  #words(draw) {
    if (draw.hexes) return t("draw_tile", draw.tile, draw.hexes[0].name, draw.rotation) + (draw.alternatives ? ` · ${t("alternatives", draw.alternatives)}` : "");
    return draw.overlay ? t("draw_project", draw.project, draw.overlay.name) : t("draw_deferred", draw.project);
  }

  go(to) {
    if (!this.map) return;
    const all = this.map.draws.length;
    this.step = Math.max(0, Math.min(all, to));
    this.slider.value = this.step;
    this.covers.forEach((each, at) => each.classList.toggle("hidden", at < this.step));
    this.blanks.classList.toggle("hidden", this.step === all);
    this.rings.forEach((each, at) => each.classList.toggle("hidden", at !== this.step - 1 || this.step === all && to === Infinity));
    [...this.log.children].forEach((each, at) => { each.classList.toggle("later", at >= this.step); each.classList.toggle("now", at === this.step - 1); });
    const now = this.log.children[this.step - 1];
    if (now) this.log.scrollTop = now.offsetTop - this.log.offsetTop - this.log.clientHeight / 2;
    this.told.textContent = this.step ? `${this.step} / ${all}` : t("before_first", all);
  }

  play() {
    if (this.timer) { clearInterval(this.timer); this.timer = null; }
    else {
      if (this.step >= this.map.draws.length) this.go(0);
      this.timer = setInterval(() => {
        this.go(this.step + 1);
        if (this.step >= this.map.draws.length) this.play();
      }, 350);
    }
    this.player.setAttribute("aria-pressed", String(Boolean(this.timer)));
  }

  async gallery() {
    this.maps.hidden = false;
    clear(this.maps, h("p", { class: "hint" }, t("working")));
    try {
      const found = await send("atlas/gallery", { ...this.asked, seed: this.seed.value || 1 });
      clear(this.maps, h("header", {}, h("strong", {}, t("gallery")), button(t("close"), { icon: "close", class: "quiet", onclick: () => { this.maps.hidden = true; } })),
        h("div", { class: "small" }, found.map((map) => h("button", { type: "button", class: "card", onclick: () => this.make(map.seed) }, sketch(map),
          h("span", { class: "caption" }, h("span", { class: "name" }, String(map.seed)))))));
    } catch (stop) {
      clear(this.maps, h("p", { class: "hint" }, stop.message));
    }
  }

  marks() {}
  frame() {}
  get address() { return {}; }
  goTo() { return ""; }
  close() { if (this.timer) clearInterval(this.timer); this.viewer.close(); }
}

// A small map of grounds, in flat hexes that are 10 from flat to flat.
function sketch(map) {
  const place = ([q, r]) => [q * 10 * Math.sqrt(3) / 2, (r + q / 2) * 10];
  const cells = [...map.draws.flatMap((draw) => draw.hexes || []), ...map.blanks.map((each) => ({ ...each, ground: "blank" }))];
  const spots = cells.map((each) => place(each.at)), xs = spots.map(([x]) => x), ys = spots.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - 7, Math.min(...ys) - 7];
  return s("svg", { viewBox: `${left} ${top} ${Math.max(...xs) + 7 - left} ${Math.max(...ys) + 7 - top}`, class: "sketch" },
    cells.map((each, at) => s("polygon", { class: `ground ${each.ground}`, points: points(corners("flat", 10, ...spots[at])) })),
    cells.map((each, at) => (each.company ? s("text", { x: spots[at][0], y: spots[at][1] + 1.6 }, each.company) : null)));
}
