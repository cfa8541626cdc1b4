// Painting on a map: the palette, and the strokes of its brushes over hexes.

import { get } from "./api.js";
import { button, clear, h, s, select } from "./dom.js";
import { ask, edit, PAGE } from "./host.js";
import { Schemas } from "./schema.js";
import { on, store, t, tell } from "./store.js";

const HEX = ["map", "hexes", "A1"];

/** What each brush asks for, and where a value of that stands in a file; studio/brushes.py has the brushes. */
const TOOLS = {
  colour: { colour: [...HEX, "colour"] },
  terrain: { terrain: [...HEX, "terrain", 0, "kinds", 0], cost: [...HEX, "terrain", 0, "cost"] },
  stop: { stop: [...HEX, "stops", 0, "kind"], revenue: [...HEX, "stops", 0, "revenue"], slots: [...HEX, "stops", 0, "slots"] },
  label: { text: [...HEX, "labels", 0] },
  border: { border: [...HEX, "borders", 0, "kind"], cost: [...HEX, "borders", 0, "cost"] },
  track: { gauge: [...HEX, "track", 0, 2, "gauge"] },
  icon: { icon: [...HEX, "icons", 0] },
  turn: {},
  clear: {},
  hex: {},
};

/** What a field is before anybody has chosen. */
const AT_FIRST = { text: "Y", icon: "port", cost: 0, slots: 1, edge: "0", a: "0", b: "3" };

/** The palette is as it was when the view comes back. */
const kept = { open: false, tool: "", values: /** @type {Record<string, any>} */ ({}) };

let schemas = null, strokes = 0;

export class Paint {
  /** @param {import("./viewer.js").Viewer} viewer @param {() => any} look its hexes, the id of its map and its layout @param {() => void} changed */
  constructor(viewer, look, changed) {
    this.viewer = viewer;
    this.look = look;
    this.changed = changed;
    this.refusal = "";
    this.stroke = null;
    this.queue = Promise.resolve();
    this.toggle = button(`${t("edit_map")} (e)`, { icon: "edit", text: t("edit_map"), onclick: () => this.open(!this.on) });
    this.root = h("aside", { class: "palette", "aria-label": t("palette"), hidden: true });
    this.aim = s("g", { class: "aim" });
    this.#listen();
    this.update();
  }

  get on() { return kept.open && Boolean(store.state?.writable); }
  get brush() { return this.on ? kept.tool : ""; }

  update() {
    this.toggle.hidden = !store.state?.writable;
    this.toggle.setAttribute("aria-pressed", String(this.on));
    this.root.hidden = !this.on;
    this.viewer.port.classList.toggle("brushing", Boolean(this.brush));
    if (this.on && !this.built) this.#build();
  }

  open(open) {
    kept.open = open;
    this.#leave();
    this.update();
    this.changed();
  }

  async #build() {
    this.built = true;
    schemas ??= new Schemas(await get("schemas.json"));
    this.#show();
  }

  choose(tool) {
    kept.tool = tool;
    this.#leave();
    this.update();
    this.#show();
  }

  #show() {
    const tools = Object.keys(TOOLS).map((each) => button(t(`brush_${each}`), { icon: `brush_${each}`, text: true, class: "tool",
      "aria-pressed": String(each === kept.tool), onclick: () => this.choose(each === kept.tool ? "" : each) }));
    const fields = Object.entries(TOOLS[kept.tool] || {}).map(([name, path]) => this.#field(name, path));
    clear(this.root, h("div", { class: "tools", role: "group", "aria-label": t("palette") }, tools),
      fields.length ? h("div", { class: "options" }, fields) : null, this.#byKeyboard(),
      h("p", { class: "hint" }, t(`hint_${kept.tool || "none"}`)));
  }

  #value(name, first = AT_FIRST[name] ?? "") {
    kept.values[name] ??= first;
    return kept.values[name];
  }

  // Chips for what the schemas name, else a box for a number or for letters.
  #field(name, path) {
    const found = schemas.at(this.#file, path).map(({ node }) => node);
    const choices = schemas.values(this.#file, path).map(({ value }) => JSON.parse(value)).filter((each) => typeof each === "string");
    const words = t(`field_${name}`);
    if (choices.length) {
      const chosen = this.#value(name, choices[name === "colour" ? 1 : 0]);
      return h("div", { class: `chips of-${name}`, role: "group", "aria-label": words }, choices.map((each) => h("button", { type: "button", class: "choice",
        "data-value": each, "aria-pressed": String(each === chosen), onclick: () => { kept.values[name] = each; this.#show(); } }, t(`value_${each}`))));
    }
    const number = found.find((each) => each.type === "integer"), longest = found.find((each) => each.maxLength)?.maxLength;
    const given = this.#value(name);
    const limits = number ? { type: "number", min: number.minimum, max: number.maximum } : longest ? { maxLength: longest } : {};
    return h("label", { class: "field" }, words, h("input", { ...limits, value: String(given), name, oninput: (event) => { kept.values[name] = event.target.value; } }));
  }

  // Without a pointer, edges are chosen here.
  #byKeyboard() {
    const edges = ["0", "1", "2", "3", "4", "5"], ends = [...edges, "stop:0", "stop:1"];
    const fields = { border: { edge: edges }, track: { a: ends, b: ends } }[kept.tool];
    if (!fields) return null;
    return h("details", {}, h("summary", {}, t("by_keyboard")), Object.entries(fields).map(([name, choices]) =>
      h("label", { class: "field" }, t(`field_${name}`), select(t(`field_${name}`), choices.map((each) => [each, each]), this.#value(name),
        (value) => { kept.values[name] = value; }))));
  }

  get #file() { return schemas.rootOf(null, "map.json"); }

  // The brush as the studio understands it: what is empty, or as it is anyway, is left out.
  #made(more = {}) {
    const made = { brush: kept.tool };
    for (const [name, path] of Object.entries(TOOLS[kept.tool])) {
      const given = kept.values[name], nodes = schemas.at(this.#file, path).map(({ node }) => node);
      if (given === "" || given === undefined || nodes.some((each) => each.default === given)) continue;
      made[name] = nodes.some((each) => each.type === "integer") ? Number(given) : given;
    }
    return { ...made, ...more };
  }

  #words(name) {
    const value = kept.values[Object.keys(TOOLS[kept.tool])[0]];
    const what = ["colour", "terrain", "stop", "border"].includes(kept.tool) ? t(`value_${value}`) : t(`brush_${kept.tool}`);
    return t("paint_on", what, name);
  }

  /** Apply the brush without a pointer: false if there is none. @param {string} name */
  press(name) {
    const { hexes } = this.look();
    if (!this.on || (!kept.tool && !hexes.empty.has(name))) return false;
    const whole = (/** @type {string} */ end) => /^\d$/.test(end) ? Number(end) : end, { edge, a, b } = kept.values;
    this.#begin(name);
    if (kept.tool === "track" && !hexes.empty.has(name)) this.#add(name, { a: whole(a), b: whole(b) });
    else this.#add(name, kept.tool === "border" ? { edge: Number(edge) } : {});
    this.stroke = null;
    return true;
  }

  #begin(name) {
    const { hexes } = this.look();
    this.refusal = "";
    this.stroke = { group: `${PAGE}-paint-${strokes += 1}`, done: new Set(), take: null, adds: hexes.empty.has(name) };
  }

  // One more hex of a stroke. The first of them says whether it paints or takes away.
  #add(name, more = {}, stroke = this.stroke) {
    const { hexes, id: map } = this.look(), key = `${name}/${more.edge ?? ""}`;
    if (stroke.done.has(key) || hexes.empty.has(name) !== stroke.adds) return;
    stroke.done.add(key);
    const whole = stroke.adds || kept.tool === "hex";
    const label = whole ? t(stroke.adds ? "add_hex" : "remove_hex", name) : this.#words(name);
    const op = whole ? { op: stroke.adds ? "add_hexes" : "remove_hexes", map, hexes: [name] } : { op: "stroke", map, hexes: [name], brush: this.#made(more) };
    this.queue = this.queue.then(async () => {
      const made = await edit(label, [whole ? op : { ...op, take: stroke.take }], stroke.group);
      stroke.take ??= made?.took ?? null;
    });
  }

  // The point of the picture (mm) under the pointer, and the hex there.
  #under(event) {
    const { hexes } = this.look(), box = this.viewer.layer.getBoundingClientRect();
    if (!hexes || !box.width) return null;
    const x = ((event.clientX - box.left) / box.width) * this.viewer.width, y = ((event.clientY - box.top) / box.height) * this.viewer.height;
    const name = hexes.nearest(x, y);
    return name ? { x, y, name } : null;
  }

  #direction(edge) {
    const angle = (((this.look().layout === "flat" ? 90 : 120) + 60 * edge) * Math.PI) / 180;
    return [Math.cos(angle), Math.sin(angle)];
  }

  // The middle of an edge, and the ends of its line.
  #edge(name, edge) {
    const { hexes } = this.look(), [x, y] = hexes.centre(name), [dx, dy] = this.#direction(edge), half = hexes.across / 2, long = half / Math.sqrt(3);
    const at = [x + dx * half, y + dy * half];
    return { at, from: [at[0] - dy * long, at[1] + dx * long], to: [at[0] + dy * long, at[1] - dx * long] };
  }

  #nearestEdge({ name, x, y }) {
    const far = (/** @type {number} */ edge) => { const { at } = this.#edge(name, edge); return Math.hypot(at[0] - x, at[1] - y); };
    return [0, 1, 2, 3, 4, 5].sort((a, b) => far(a) - far(b))[0];
  }

  // What stands in the file for a hex.
  async #json(name) {
    const [file, pointer] = store.state.places[`hex:${this.look().id}/${name}`] || [];
    if (!file) return {};
    try {
      let value = JSON.parse((await ask("open", { name: file })).text);
      for (const key of pointer.split("/").slice(1)) value = value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")];
      return value || {};
    } catch (stop) { tell("refused", stop.message); return {}; }
  }

  // Where track may end in a hex: its edges, and its stops about where they are drawn.
  #ends(name, json = {}) {
    const [x, y] = this.look().hexes.centre(name), half = this.look().hexes.across / 2, { stops = [], track = [] } = json;
    const placed = stops.map((stop, number) => {
      const id = `stop:${number}`, hint = stop.at === "centre" ? null : stop.at;
      const edges = track.filter((each) => each.slice(0, 2).includes(id)).flatMap((each) => each.slice(0, 2)).filter(Number.isInteger);
      const ways = hint !== undefined ? (hint === null ? [] : [hint.edge ?? hint]) : stops.length > 1 ? edges : [];
      const sum = ways.map((edge) => this.#direction(edge)).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]), long = Math.hypot(...sum) || 1;
      const far = ways.length ? half * (hint?.distance ?? 0.5) : 0;
      return { end: id, at: [x + (sum[0] / long) * far, y + (sum[1] / long) * far] };
    });
    return [...[0, 1, 2, 3, 4, 5].map((edge) => ({ end: edge, at: this.#edge(name, edge).at })), ...placed];
  }

  #nearestEnd(ends, x, y) { return [...ends].sort((a, b) => Math.hypot(a.at[0] - x, a.at[1] - y) - Math.hypot(b.at[0] - x, b.at[1] - y))[0]; }

  // The segment that a click means: the nearest that is near enough.
  #segment(ends, { track = [] }, x, y) {
    const place = new Map(ends.map((each) => [each.end, each.at]));
    const far = ([a, b]) => {
      const [p, q] = [place.get(a), place.get(b)];
      if (!p || !q) return Infinity;
      const [dx, dy] = [q[0] - p[0], q[1] - p[1]], along = Math.max(0, Math.min(1, ((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(p[0] + dx * along - x, p[1] + dy * along - y);
    };
    const best = [...track].sort((a, b) => far(a) - far(b))[0];
    return best && far(best) < this.look().hexes.across * 0.2 ? best : null;
  }

  #line(from, to, name) {
    const [[x1, y1], [x2, y2]] = [from, to];
    return s("line", { x1, y1, x2, y2, class: name });
  }

  #hover(event) {
    const at = this.#under(event), { hexes } = this.look();
    if (!at || hexes.empty.has(at.name)) { this.aim.replaceChildren(); return; }
    if (kept.tool === "border") { const { from, to } = this.#edge(at.name, this.#nearestEdge(at)); this.aim.replaceChildren(this.#line(from, to, "laying")); }
    else if (kept.tool === "track") this.aim.replaceChildren(...this.#ends(at.name).map(({ at: [cx, cy] }) => s("circle", { cx, cy, r: hexes.across * 0.06 })));
    else this.aim.replaceChildren();
    this.viewer.layer.append(this.aim);
  }

  #leave() {
    this.stroke = this.laying = null;
    this.aim.replaceChildren();
  }

  #listen() {
    const { layer, port } = this.viewer;
    layer.addEventListener("pointerdown", (event) => {
      const at = event.button === 0 && this.on ? this.#under(event) : null;
      if (!at || (!kept.tool && !this.look().hexes.empty.has(at.name))) return;
      event.stopPropagation();
      event.preventDefault();
      layer.setPointerCapture(event.pointerId);
      this.#begin(at.name);
      if (kept.tool === "track" && !this.stroke.adds) {
        const laying = this.laying = { ...at, json: this.#json(at.name), ends: this.#ends(at.name) };
        laying.json.then((json) => { laying.ends = this.#ends(at.name, json); });
      } else this.#paint(at, true);
    });
    layer.addEventListener("pointermove", (event) => {
      if (!this.on) return;
      const at = this.#under(event);
      if (this.laying && at) {
        const { x, y, ends } = this.laying;
        this.aim.replaceChildren(this.#line(this.#nearestEnd(ends, x, y).at, this.#nearestEnd(ends, at.x, at.y).at, "laying"));
        layer.append(this.aim);
      } else if (this.stroke && at) this.#paint(at, false);
      else if (!this.stroke) this.#hover(event);
    });
    const end = async (/** @type {PointerEvent} */ event) => {
      const { laying, stroke } = this;
      if (!stroke) return;
      const at = this.#under(event);
      // The hex may still be being read: what the pointer does from now on is no part of this stroke.
      this.#leave();
      if (laying && at) await this.#lay(laying, at, stroke);
      if (at) this.look().hexes.choose(at.name, true);
    };
    layer.addEventListener("pointerup", end);
    layer.addEventListener("pointercancel", () => this.#leave());
    layer.addEventListener("pointerleave", () => { if (!this.stroke) this.aim.replaceChildren(); });
    // The pointer has painted already; a click without one comes from a screen reader.
    port.addEventListener("click", (event) => {
      const at = this.on && event.detail ? this.#under(event) : null;
      if (at && (kept.tool || this.look().hexes.empty.has(at.name))) event.stopPropagation();
    }, true);
    const keys = (/** @type {KeyboardEvent} */ event) => {
      const typing = /** @type {Element} */ (event.composedPath()[0]).closest?.("input, textarea, select, [contenteditable]");
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (event.key === "Escape" && this.brush && (!typing || this.root.contains(typing))) this.choose("");
      else if (event.key === "e" && !typing && store.state?.writable) this.open(!this.on);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    const deaf = on("refused", (message) => { this.refusal = message; this.changed(); });
    this.close = () => { removeEventListener("keydown", keys); deaf(); };
  }

  #paint(at, first) {
    if (kept.tool !== "border" || this.stroke.adds) { this.#add(at.name); return; }
    const { hexes } = this.look(), [x, y] = hexes.centre(at.name);
    if (first || Math.hypot(at.x - x, at.y - y) > hexes.across * 0.3) this.#add(at.name, { edge: this.#nearestEdge(at) });
  }

  async #lay(laying, at, stroke) {
    const json = await laying.json, ends = this.#ends(laying.name, json);
    const a = this.#nearestEnd(ends, laying.x, laying.y).end, b = this.#nearestEnd(ends, at.x, at.y).end;
    const clicked = a === b ? this.#segment(ends, json, laying.x, laying.y) : [a, b];
    if (clicked) this.#add(laying.name, { a: clicked[0], b: clicked[1] }, stroke);
  }
}
