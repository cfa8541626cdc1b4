// Random maps of Railways of the Lost Atlas: a new map, a replay of its draws, a gallery, a search for maps that meet
// conditions, and the print files of a map.

import { get, query, send } from "../api.js";
import { field } from "../dialogs.js";
import { button, clear, enable, h, s, select } from "../dom.js";
import { acrossOf, corners, points } from "../hexes.js";
import { linksTo, ownPlace } from "../line.js";
import { sizeOf } from "../print.js";
import { on, store, t } from "../store.js";
import { Viewer } from "../viewer.js";

const SHOWN = ["fairness", "diameter", "income_min", "income_max", "home_distance_mean", "land_parts"];

export class AtlasView {
  constructor() {
    const { modes, policies } = store.about.atlas;
    this.asked = { mode: Object.keys(modes)[0], policy: policies.includes("compact") ? "compact" : policies[0] };
    this.source = store.wanted;
    store.wanted = null;
    this.step = 0;
    this.seed = h("input", { class: "seed", inputMode: "numeric", placeholder: t("any_seed"), "aria-label": t("seed"),
      oninput: () => { this.seed.value = this.seed.value.replace(/\D/g, ""); }, onkeydown: (event) => { if (event.key === "Enter") this.make(); } });
    this.viewer = new Viewer({ label: t("atlas"), bar: [
      select(t("mode"), Object.entries(modes).map(([id, players]) => [id, `${t(`mode_${id}`)} (${players.join(", ")})`]), this.asked.mode, (mode) => { this.asked.mode = mode; }),
      select(t("policy"), policies.map((id) => [id, t(`policy_${id}`)]), this.asked.policy, (policy) => { this.asked.policy = policy; }),
      this.seed,
      button(t("new_map"), { icon: "turn", text: true, class: "strong", onclick: () => this.make() }),
      button(t("gallery"), { text: true, onclick: () => this.gallery() }),
      button(t("find"), { icon: "search", text: true, onclick: () => this.find() })] });
    this.sought = { where: "", best: "fairness", count: 12, seconds: 10 };
    this.paper = "a4";
    this.stop = on("find", (news) => this.#found(news));
    this.slider = h("input", { type: "range", min: 0, value: 0, "aria-label": t("draw"), oninput: () => this.go(Number(this.slider.value)) });
    this.player = button(t("play"), { icon: "play", onclick: () => this.play() });
    this.told = h("div", { class: "told", role: "status" });
    this.log = h("ol", { class: "log", role: "list" });
    this.figures = h("dl", { class: "figures" });
    this.files = h("div", { class: "files" });
    this.printed = h("div", { class: "files" });
    this.maker = button(t("map_files"), { icon: "print", text: true, onclick: () => this.print() });
    this.code = h("input", { type: "checkbox" });
    const papers = h("details", {}, h("summary", {}, t("map_print")), h("div", { class: "form" },
      field(t("paper"), select(t("paper"), Object.entries(store.about.papers), this.paper, (paper) => { this.paper = paper; })),
      ownPlace ? h("label", { class: "tick" }, this.code, t("map_code")) : null,
      h("div", { class: "actions" }, this.maker), this.printed));
    this.panel = h("aside", { class: "panel", "aria-label": t("log") },
      h("div", { class: "replay" }, button(t("first"), { icon: "first", onclick: () => this.go(0) }), button(t("back"), { icon: "back", onclick: () => this.go(this.step - 1) }),
        this.player, button(t("next"), { icon: "next", onclick: () => this.go(this.step + 1) }), button(t("last"), { icon: "last", onclick: () => this.go(Infinity) }), this.slider),
      this.told, this.figures, this.files, papers, this.log);
    this.maps = h("div", { class: "maps", hidden: true });
    this.root = h("section", { class: "view upgrades", "aria-label": t("atlas") }, this.viewer.root, this.panel, this.maps);
  }

  async update() {
    if (!this.map && !this.busy) await this.make(null, this.source);
    else if (this.map && this.looks !== query()) await this.#show();
  }

  /** Show a new random map, or the map of a code. */
  async make(seed = null, source = "") {
    this.busy = true;
    this.maps.hidden = true;
    this.viewer.say(t("working"));
    try {
      this.map = await send("atlas", source ? { source } : { ...this.asked, seed: seed ?? (this.seed.value || null) });
      this.seed.value = this.map.seed ?? "";
      await this.#show();
      this.viewer.say("");
    } catch (stop) {
      this.viewer.say(stop.message, "bad");
    }
    this.busy = false;
  }

  async #show() {
    clear(this.printed);
    const { mode, seed, policy, code } = this.map, asked = { source: code, v: store.state.run };
    this.looks = query();
    const about = await get("atlas.svg", { ...asked, places: 1 });
    await this.viewer.show(`atlas.svg?${query(asked)}`, { ...about, version: `${mode}-${seed}-${policy}-${code}` });
    const at = new Map(about.places.map(([id, x, y]) => [id, [x, y]])), across = acrossOf(about.places);
    const shape = (id, kind) => s("polygon", { class: kind, points: points(corners("flat", across * 1.02, ...at.get(id))) });
    this.covers = this.map.draws.map((draw) => s("g", {}, (draw.hexes || []).map((each) => shape(each.name, "cover"))));
    this.blanks = s("g", {}, this.map.blanks.map((each) => shape(each.name, "cover")));
    this.rings = this.map.draws.map((draw) => s("g", {}, [...(draw.hexes || []), ...(draw.overlay ? [draw.overlay] : [])].map((each) => shape(each.name, "frame"))));
    this.viewer.layer.replaceChildren(...this.covers, this.blanks, ...this.rings);
    this.slider.max = this.map.draws.length;
    clear(this.figures, SHOWN.filter((name) => name in this.map.metrics).flatMap((name) => [h("dt", {}, t(`figure_${name}`)), h("dd", {}, Number(this.map.metrics[name].toFixed(2)))]));
    const name = `${mode}-${seed ?? policy}`, log = `data:application/json;charset=utf-8,${encodeURIComponent(this.map.log)}`;
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
      clear(this.maps, this.#header(t("gallery")), this.#cards(found, () => []));
    } catch (stop) {
      clear(this.maps, h("p", { class: "hint" }, stop.message));
    }
  }

  /** Make the files of the current map. */
  async print() {
    const { mode, policy, seed, code } = this.map, wanted = { source: code, paper: this.paper, page: this.code.checked ? ownPlace : "" };
    enable(this.maker, false);
    clear(this.printed, h("p", { role: "status" }, t("working")));
    try {
      const files = await send("atlas/files", wanted);
      if (this.map.code !== code) return;
      const link = (name, words) => h("a", { href: `atlas/files/${name}?${query(wanted)}`, download: name === "all.zip" ? `${mode}-${seed ?? policy}.zip` : name }, words);
      clear(this.printed, h("div", { class: "actions" }, link("all.zip", t("download_all"))),
        h("ul", {}, files.map(({ name, bytes }) => h("li", {}, link(name, name), h("span", { class: "dim" }, sizeOf(bytes))))));
    } catch (stop) {
      clear(this.printed, h("p", { role: "alert" }, stop.message));
    } finally { enable(this.maker, true); }
  }

  /** Show the search form instead of the gallery. */
  find() {
    const { measures } = store.about.atlas, sought = this.sought;
    const text = (key) => h("input", { value: sought[key], spellcheck: false, oninput: (event) => { sought[key] = event.target.value; }, onkeydown: (event) => { if (event.key === "Enter") this.search(); } });
    const number = (key, max) => h("input", { type: "number", min: 1, max, value: sought[key], oninput: (event) => { sought[key] = Number(event.target.value); } });
    const where = text("where");
    where.placeholder = "income_min >= 80, diameter <= 12";
    const add = (name) => () => { where.value = sought.where = [sought.where.trim(), `${name} >= `].filter(Boolean).join(", "); where.focus(); };
    this.searcher = button(t("find"), { icon: "search", text: true, class: "strong", onclick: () => this.search() });
    this.ender = button(t("find_stop"), { icon: "close", text: true, onclick: () => send("atlas/stop", {}) });
    enable(this.ender, false);
    this.progress = h("progress", { max: 1, value: 0, hidden: true });
    this.said = h("div", { class: "progress", role: "status" });
    this.results = h("div");
    this.maps.hidden = false;
    clear(this.maps, this.#header(t("find")), h("div", { class: "form seek" },
      field(t("find_where"), where), field(t("find_best"), text("best")), field(t("find_count"), number("count", 60)), field(t("find_seconds"), number("seconds", 600)),
      h("details", {}, h("summary", {}, t("find_measures")), h("dl", { class: "measures" }, Object.entries(measures).flatMap(([name, words]) =>
        [h("dt", {}, h("button", { type: "button", onclick: add(name) }, name)), h("dd", {}, words)]))),
      h("div", { class: "actions" }, this.searcher, this.ender), this.progress, this.said), this.results);
    where.focus();
  }

  async search() {
    enable(this.searcher, false);
    clear(this.results);
    this.said.textContent = t("working");
    this.searching = this.latest = null;
    try {
      this.searching = (await send("atlas/find", { ...this.asked, seed: this.seed.value || 1, ...this.sought })).find;
      enable(this.ender, true);
      if (this.latest) this.#found(this.latest);  // it may arrive before the number of the search
    } catch (stop) { this.#ended(stop.message); }
  }

  #ended(words) {
    this.said.textContent = words;
    this.progress.hidden = true;
    enable(this.searcher, true);
    enable(this.ender, false);
  }

  #found(news) {
    this.latest = news;
    if (!this.searching || news.find < this.searching) return;
    if (news.find > this.searching) this.#ended(t("find_other"));
    else if (news.message) this.#ended(news.message);
    else if (news.found) {
      this.#ended(t("find_done", news.maps, news.met));
      clear(this.results, this.#cards(news.found, (map) => Object.entries(map.values).map(([name, value]) => `${name} ${value}`)),
        h("details", { open: !news.found.length }, h("summary", {}, t("find_words")), h("pre", {}, news.text)));
    } else {
      this.progress.hidden = false;
      this.progress.max = this.sought.seconds;
      this.progress.value = news.seconds;
      this.said.textContent = t("find_done", news.maps, news.met);
      return;
    }
    this.searching = null;
  }

  #header(words) {
    return h("header", {}, h("strong", {}, words), button(t("close"), { icon: "close", class: "quiet", onclick: () => { this.maps.hidden = true; } }));
  }

  /** Cards of maps to choose from. @param {any[]} maps @param {(map: any) => string[]} figures */
  #cards(maps, figures) {
    return h("div", { class: "small" }, maps.map((map) => h("button", { type: "button", class: "card", onclick: () => this.make(map.seed) }, sketch(map),
      h("span", { class: "caption" }, h("span", { class: "name" }, String(map.seed)), figures(map).map((words) => h("span", { class: "dim" }, words))))));
  }

  marks() {}
  frame() {}
  get address() { return {}; }
  goTo() { return ""; }
  close() { if (this.timer) clearInterval(this.timer); this.stop(); this.viewer.close(); }
}

// Small map of terrain, in flat-topped hexes 10 units from side to side.
function sketch(map) {
  const place = ([q, r]) => [q * 10 * Math.sqrt(3) / 2, (r + q / 2) * 10];
  const cells = [...map.draws.flatMap((draw) => draw.hexes || []), ...map.blanks.map((each) => ({ ...each, ground: "blank" }))];
  const spots = cells.map((each) => place(each.at)), xs = spots.map(([x]) => x), ys = spots.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - 7, Math.min(...ys) - 7];
  return s("svg", { viewBox: `${left} ${top} ${Math.max(...xs) + 7 - left} ${Math.max(...ys) + 7 - top}`, class: "sketch" },
    cells.map((each, at) => s("polygon", { class: `ground ${each.ground}`, points: points(corners("flat", 10, ...spots[at])) })),
    cells.map((each, at) => (each.company ? s("text", { x: spots[at][0], y: spots[at][1] + 1.6 }, each.company) : null)));
}
