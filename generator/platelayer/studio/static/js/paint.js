// Painting on a map or a tile: the palette, and strokes of its brushes.

import { get } from "./api.js";
import { button, clear, h, keepFocus, s, select } from "./dom.js";
import { ask, edit, PAGE } from "./host.js";
import { pickPicture } from "./logo.js";
import { names as referable } from "./references.js";
import { Schemas } from "./schema.js";
import { placeOf } from "./places.js";
import { on, store, t, tell } from "./store.js";

const HEX = ["map", "hexes", "A1"];

/** Fields of each brush, with the path of their value in a file, or its schema; the brushes are in studio/editing.py. */
const TOOLS = {
  colour: { colour: [...HEX, "colour"] },
  terrain: { terrain: [...HEX, "terrain", 0, "kinds", 0], cost: [...HEX, "terrain", 0, "cost"] },
  stop: { stop: [...HEX, "stops", 0, "kind"], revenue: [...HEX, "stops", 0, "revenue"], slots: [...HEX, "stops", 0, "slots"], most: { type: "integer", minimum: 1, maximum: 6, default: 1 } },
  move: {},
  name: {},
  label: { text: [...HEX, "labels", 0] },
  border: { border: [...HEX, "borders", 0, "kind"], cost: [...HEX, "borders", 0, "cost"] },
  track: { gauge: [...HEX, "track", 0, 2, "gauge"] },
  icon: { icon: [...HEX, "icons", 0] },
  river: { name: ["map", "rivers", "po", "name"] },
  turn: {},
  clear: {},
  hex: {},
};

/** Keyboard shortcuts of the brushes while the palette is open. */
export const LETTERS = { colour: "c", terrain: "t", stop: "s", move: "m", name: "n", label: "l", border: "b", track: "k", icon: "o", river: "v", turn: "r", clear: "x", hex: "h" };

/** Brushes that paint all selected hexes, if the one under the pointer is selected. */
const ON_ALL = ["colour", "terrain", "stop", "label", "border", "icon", "turn", "clear"];

/** Brushes available on a tile. */
export const ON_TILE = ["track", "stop", "move", "colour", "label", "icon", "terrain", "turn", "clear"];

/** Phase colours, by which off-boards pay. */
const COLOURS = ["yellow", "green", "brown", "gray"];

/** Initial values of fields. */
const AT_FIRST = { text: "Y", icon: "port", cost: 0, slots: 1, most: 1, edge: "0", a: "0", b: "3", number: "0", distance: "0.5" };

/** State of the palette, restored when the view is shown again. */
const kept = { open: false, tool: "", values: /** @type {Record<string, any>} */ ({}) };

let schemas = null, strokes = 0;

// New first column or row, needed if added hexes would lie before column A, or before row 1 or 0; otherwise empty.
const ahead = (/** @type {string[]} */ names, /** @type {string[]} */ before, /** @type {RegExp} */ sign) => names.some((each) => sign.test(each)) && !before.some((each) => sign.test(each));
const firstLetter = (/** @type {string[]} */ names, /** @type {string[]} */ before) => ahead(names, before, /^[a-z]/) ? "A" : "";
const firstNumber = (/** @type {string[]} */ names, /** @type {string[]} */ before) => ahead(names, before, /\D0$|-/) ? "1" : ahead(names, before, /-/) ? "0" : "";

export class Paint {
  /**
   * @param {import("./viewer.js").Viewer} viewer @param {() => any} look its hexes, the id of its map (none: they are tiles), its layout, and the rows by which it may grow
   * @param {() => void} changed @param {{tools?: string[], always?: boolean}} options available brushes, and whether the palette always stays open
   */
  constructor(viewer, look, changed, { tools = Object.keys(TOOLS), always = false } = {}) {
    this.viewer = viewer;
    this.tools = tools;
    this.always = always;
    this.look = look;
    this.changed = changed;
    this.refusal = "";
    this.stroke = null;
    this.queue = Promise.resolve();
    this.toggle = button(`${t("edit_map")} (e)`, { icon: "edit", text: t("edit_map"), onclick: () => this.open(!this.on) });
    this.root = h("aside", { class: "palette", "aria-label": t("palette"), hidden: true });
    this.aim = s("g", { class: "aim" });
    this.patches = new Map();
    this.settled = 0;
    this.handles = h("div", { class: "grow", role: "group", "aria-label": t("grow") });
    viewer.stage.append(this.handles);
    this.#listen();
    this.update();
  }

  get on() { return (this.always || kept.open) && Boolean(store.state?.writable); }
  get tool() { return this.tools.includes(kept.tool) ? kept.tool : ""; }
  get brush() { return this.on ? this.tool : ""; }

  update() {
    this.toggle.hidden = !store.state?.writable;
    this.toggle.setAttribute("aria-pressed", String(this.on));
    this.root.hidden = this.handles.hidden = !this.on;
    this.viewer.port.classList.toggle("brushing", Boolean(this.brush));
    document.documentElement.classList.toggle("painting", this.on);
    if (this.on && !this.built) this.#build();
  }

  open(open) {
    if (this.always) return;
    kept.open = open;
    this.#leave();
    this.update();
    this.changed();
  }

  /** Open with a brush. @param {string} tool */
  start(tool) {
    kept.tool = tool;
    this.update();
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
    if (schemas) this.#show();
  }

  #show() {
    const tools = this.tools.map((each) => button(`${t(`brush_${each}`)} (${LETTERS[each]})`, { icon: `brush_${each}`, text: t(`brush_${each}`), class: "tool", "aria-keyshortcuts": LETTERS[each],
      "aria-pressed": String(each === this.tool), onclick: () => this.choose(each === this.tool ? "" : each) }));
    const { tool } = this, slotless = tool === "stop" && (kept.values.stop ?? "city") !== "city" ? ["slots"] : [];
    const fields = Object.entries(TOOLS[tool] || {}).filter(([name]) => !slotless.includes(name)).map(([name, path]) => this.#field(name, path));
    this.from = null;
    clear(this.root, h("div", { class: "tools", role: "group", "aria-label": t("palette") }, tools),
      fields.length ? h("div", { class: "options" }, fields, this.#byColour()) : null, this.#byKeyboard(),
      h("p", { class: "hint" }, t(`hint_${this.tool || "none"}`)));
  }

  #value(name, first = AT_FIRST[name] ?? "") {
    kept.values[name] ??= first;
    return kept.values[name];
  }

  // Chips for values that the schemas list, otherwise a field for a number or text.
  #field(name, path) {
    const found = this.#nodes(path);
    const choices = !Array.isArray(path) ? [] : schemas.values(this.#file, path).map(({ value }) => JSON.parse(value)).filter((each) => typeof each === "string");
    const words = t(`field_${name}`);
    if (choices.length) {
      const chosen = this.#value(name, choices[name === "colour" ? 1 : 0]);
      return h("div", { class: `chips of-${name}`, role: "group", "aria-label": words }, choices.map((each) => h("button", { type: "button", class: "choice",
        "data-value": each, "aria-pressed": String(each === chosen), onclick: () => { kept.values[name] = each; this.#show(); } }, t(`value_${each}`))));
    }
    const number = found.find((each) => each.type === "integer"), longest = found.find((each) => each.maxLength)?.maxLength;
    const given = this.#value(name);
    const limits = number ? { type: "number", min: number.minimum, max: number.maximum } : longest ? { maxLength: longest } : {};
    const box = h("label", { class: "field" }, words, h("input", { ...limits, value: String(given), name, oninput: (event) => { kept.values[name] = event.target.value; } }));
    if (name !== "icon") return box;
    const pick = async () => pickPicture(words, (await referable()).names.icon || [], kept.values.icon, (id) => { kept.values.icon = id; this.#show(); });
    return h("div", { class: "beside" }, box, button(t("form_pick", words), { icon: "picture", class: "quiet small", onclick: pick }));
  }

  // Fields for the revenue of an off-board in each colour.
  #byColour() {
    if (this.tool !== "stop" || kept.values.stop !== "offboard") return null;
    return COLOURS.map((each) => h("label", { class: "field" }, t("revenue_in", t(`value_${each}`)), h("input", { type: "number", name: `in_${each}`, min: 0, max: 2000, step: 10,
      value: String(kept.values[`in_${each}`] ?? ""), oninput: (event) => { kept.values[`in_${each}`] = event.target.value; } })));
  }

  // Fields to choose edges without a pointer.
  #byKeyboard() {
    const edges = ["0", "1", "2", "3", "4", "5"], ends = [...edges, "stop:0", "stop:1", "stop:2", "junction"];
    const moves = { number: ["0", "1", "2", "3"], edge: edges, distance: ["0", "0.25", "0.5", "0.75"] };
    const fields = { border: { edge: edges }, track: { a: ends, b: ends }, move: moves }[this.tool];
    if (!fields) return null;
    return h("details", {}, h("summary", {}, t("by_keyboard")), Object.entries(fields).map(([name, choices]) =>
      h("label", { class: "field" }, t(`field_${name}`), select(t(`field_${name}`), choices.map((each) => [each, each]), this.#value(name),
        (value) => { kept.values[name] = value; }))));
  }

  #nodes(path) { return Array.isArray(path) ? schemas.at(this.#file, path).map(({ node }) => node) : [path]; }

  get #file() { return schemas.rootOf(null, "map.json"); }

  // Return the brush for the studio, without empty and default values.
  #made(more = {}) {
    const made = { brush: this.tool };
    for (const [name, path] of Object.entries(TOOLS[this.tool])) {
      const given = kept.values[name], nodes = this.#nodes(path);
      if (given === "" || given === undefined || nodes.some((each) => each.default === given)) continue;
      made[name] = nodes.some((each) => each.type === "integer") ? Number(given) : given;
    }
    const paid = COLOURS.filter((each) => kept.values[`in_${each}`]).map((each) => [each, Number(kept.values[`in_${each}`])]);
    if (made.stop === "offboard" && paid.length) made.revenue = Object.fromEntries(paid);
    return { ...made, ...more };
  }

  #words(name) {
    const value = kept.values[Object.keys(TOOLS[this.tool])[0]];
    const what = ["colour", "terrain", "stop", "border"].includes(this.tool) ? t(`value_${value}`) : t(`brush_${this.tool}`);
    return t("paint_on", what, name);
  }

  /** Apply the brush by keyboard. Return false if none is active. @param {string} name */
  press(name) {
    const { hexes } = this.look();
    if (!this.on || (!this.tool && !hexes.empty.has(name))) return false;
    const whole = (/** @type {string} */ end) => /^\d$/.test(end) ? Number(end) : end, { edge, a, b, number, distance } = kept.values;
    if (this.tool === "name" && !hexes.empty.has(name)) { this.nameIt(name); return true; }
    this.#begin(name);
    if (this.tool === "river" && !hexes.empty.has(name)) this.#flow(name);
    else this.#add(name, hexes.empty.has(name) ? {} : { track: { a: whole(a), b: whole(b) }, border: { edge: Number(edge) },
      move: { stop: Number(number), edge: Number(edge), distance: Number(distance) } }[this.tool]);
    this.stroke = null;
    return true;
  }

  // By keyboard, a river is drawn hex by hex; the same hex again removes it.
  #flow(name) {
    if (this.from) this.#river(this.from === name ? [name] : [this.from, name], name);
    this.from = this.from === name ? null : name;
  }

  #river(course, name) {
    const op = { op: "draw_river", map: this.look().id, course, name: kept.values.name || "" };
    this.queue = this.queue.then(() => edit(t(course.length > 1 ? "draw_river" : "remove_river", name), [op]));
  }

  /** Show a field for the name in the hex. @param {string} name */
  async nameIt(name) {
    const { hexes, id: map } = this.look(), [x, y] = hexes.centre(name), language = store.looks.lang;
    const { name: given = "" } = await this.#json(name), before = typeof given === "string" ? given : given[language] ?? "";
    let done = false;
    const leave = (/** @type {boolean} */ keep) => {
      if (done) return;
      done = true;
      const text = field.value.trim();
      field.remove();
      hexes.choose(name, true);
      if (keep && text !== before)
        this.queue = this.queue.then(() => edit(t("name_hex", name), [{ op: "stroke", map, hexes: [name], take: false, brush: { brush: "name", text, language } }]));
    };
    const field = h("input", { class: "naming", value: before, "aria-label": t("name_hex", name), maxLength: 80, onblur: () => leave(true), onkeydown: (event) => {
      if (event.key === "Enter" || event.key === "Escape") { event.preventDefault(); leave(event.key === "Enter"); }
      event.stopPropagation();
    } });
    for (const each of ["pointerdown", "click", "dblclick"]) field.addEventListener(each, (event) => event.stopPropagation());
    field.style.left = `${(100 * x) / this.viewer.width}%`;
    field.style.top = `${(100 * y) / this.viewer.height}%`;
    this.viewer.stage.append(field);
    field.focus({ preventScroll: true });
    field.select();
  }

  /** Place handles beside the map that add rows of hexes. */
  placeHandles() {
    const { hexes, id: map, sides, layout } = this.look();
    if (!sides) { this.handles.replaceChildren(); return; }
    const own = hexes.places.filter(([id]) => !hexes.empty.has(id)), xs = own.map((each) => each[1]), ys = own.map((each) => each[2]);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)], { width, height } = this.viewer;
    const pitch = { x: hexes.across * (layout === "flat" ? Math.sqrt(3) / 2 : 1), y: hexes.across * (layout === "flat" ? 1 : Math.sqrt(3) / 2) };
    const places = { left: [left - pitch.x * 1.6, (top + bottom) / 2, -1, 0], right: [right + pitch.x * 1.6, (top + bottom) / 2, 1, 0],
      top: [(left + right) / 2, top - pitch.y * 1.6, 0, -1], bottom: [(left + right) / 2, bottom + pitch.y * 1.6, 0, 1] };
    keepFocus(this.handles, () => this.handles.replaceChildren(...Object.entries(places).filter(([side]) => sides[side].length).map(([side, [x, y, dx, dy]]) => {
      const made = button(t(`grow_${side}`), { class: `handle-of ${side}` }), count = h("span", {}, "+");
      let from = null;
      const rows = (event) => {
        const pixels = this.viewer.pixels, far = ((event.clientX - from.clientX) * dx) / (pitch.x * pixels) + ((event.clientY - from.clientY) * dy) / (pitch.y * pixels);
        return Math.max(1, Math.min(sides[side].length, Math.round(far)));
      };
      const grow = (/** @type {number} */ number) => {
        const names = sides[side].slice(0, number).flat();
        const before = own.map(([id]) => id), first = `${firstLetter(names, before)}${firstNumber(names, before)}`;
        this.queue = this.queue.then(() => edit(t("grow_by", names.length), [{ op: "add_hexes", map, hexes: names }, ...(first ? [{ op: "renumber", first }] : [])]));
      };
      made.append(count);
      made.addEventListener("pointerdown", (event) => { event.stopPropagation(); from = event; made.setPointerCapture(event.pointerId); });
      made.addEventListener("pointermove", (event) => { if (from) count.textContent = `+${rows(event)}`; });
      made.addEventListener("pointerup", (event) => { if (from) grow(rows(event)); from = null; count.textContent = "+"; });
      made.addEventListener("pointercancel", () => { from = null; count.textContent = "+"; });
      made.addEventListener("click", (event) => { event.stopPropagation(); if (!event.detail) grow(1); });
      made.style.left = `${(100 * x) / width}%`;
      made.style.top = `${(100 * y) / height}%`;
      return made;
    })));
  }

  #begin(name) {
    const { hexes } = this.look();
    this.refusal = "";
    this.stroke = { group: `${PAGE}-paint-${strokes += 1}`, done: new Set(), take: null, adds: hexes.empty.has(name) };
  }

  /** Show hexes as changed by an edit. @param {{hexes: Record<string, string>, revision: number}} made */
  patch({ hexes, revision }) { for (const [name, svg] of Object.entries(hexes)) this.#patch(name, svg, revision); }

  // Show the new look of a hex until the whole map has been drawn again.
  async #patch(name, svg, revision) {
    const href = `data:image/svg+xml,${encodeURIComponent(svg)}`, early = new Image();
    early.src = href;
    try { await early.decode(); } catch { return; }
    const { hexes, layout } = this.look(), centre = hexes.centre(name);
    if (!centre || revision <= this.settled) return;
    const long = (2 * hexes.across) / Math.sqrt(3), [width, height] = layout === "flat" ? [long, hexes.across] : [hexes.across, long];
    const old = this.patches.get(name);
    const image = s("image", { href, x: centre[0] - width / 2, y: centre[1] - height / 2, width, height, class: "patch" });
    this.patches.set(name, { image, revision });
    hexes.under.append(image);
    old?.image.remove();
    this.viewer.root.dataset.patched = String(revision);
  }

  /** The map now includes all edits up to this revision, so remove the patches for them. @param {number} edited */
  settle(edited) {
    this.settled = edited;
    for (const [name, { image, revision }] of this.patches) if (revision <= edited) { image.remove(); this.patches.delete(name); }
  }

  // Add a hex, or all selected hexes, to a stroke. The first hex determines whether the stroke paints or erases.
  #add(name, more = {}, stroke = this.stroke) {
    const { hexes, id: map } = this.look(), key = (/** @type {string} */ each) => [each, more.edge, more.a, more.b].join("/");
    if (stroke.done.has(key(name)) || hexes.empty.has(name) !== stroke.adds) return;
    const names = map && !stroke.adds && ON_ALL.includes(this.tool) && hexes.selected.has(name) ? [name, ...[...hexes.selected].filter((each) => each !== name)] : [name];
    for (const each of names) stroke.done.add(key(each));
    const whole = stroke.adds || this.tool === "hex";
    const label = whole ? t(stroke.adds ? "add_hex" : "remove_hex", name) : this.#words(names.length > 1 ? t("hexes_n", names.length) : name);
    const where = map ? { op: "stroke", map, hexes: names } : { op: "stroke_tile", tile: name };
    const op = whole ? { op: stroke.adds ? "add_hexes" : "remove_hexes", map, hexes: [name] } : { ...where, brush: this.#made(more) };
    this.queue = this.queue.then(async () => {
      const { lang: language, theme } = store.looks;
      const made = await edit(label, [whole ? op : { ...op, take: stroke.take }], stroke.group, map ? { language, theme } : {});
      stroke.take ??= made?.took ?? null;
      if (made && map === this.look().id) this.patch(made);
    });
  }

  // Return the point of the picture (mm) under the pointer, and the hex there.
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

  // Return the midpoint of an edge, and the ends of its line.
  #edge(name, edge) {
    const { hexes } = this.look(), [x, y] = hexes.centre(name), [dx, dy] = this.#direction(edge), half = hexes.across / 2, long = half / Math.sqrt(3);
    const at = [x + dx * half, y + dy * half];
    return { at, from: [at[0] - dy * long, at[1] + dx * long], to: [at[0] + dy * long, at[1] - dx * long] };
  }

  #nearestEdge({ name, x, y }) {
    const far = (/** @type {number} */ edge) => { const { at } = this.#edge(name, edge); return Math.hypot(at[0] - x, at[1] - y); };
    return [0, 1, 2, 3, 4, 5].sort((a, b) => far(a) - far(b))[0];
  }

  // Load the JSON of a hex or tile.
  async #json(name) {
    const { id } = this.look(), place = placeOf(id ? `hex:${id}/${name}` : `tile:${name}`);
    if (!place) return {};
    try {
      const { texts: [text] } = await ask("values", { name: place[0], pointers: [`${place[1]}${id ? "" : "/tile"}`] });
      return JSON.parse(text) || {};
    } catch (stop) { tell("refused", stop.message); return {}; }
  }

  // Possible ends of track in a hex: its edges, and its stops at roughly their drawn positions.
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

  // Return the segment closest to a click, if it is close enough.
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

  // Extend a track by the hexes on the way of the pointer, with the points passed in each. Steps are interpolated, as the
  // pointer may be fast. Going back into the previous hex removes the last one.
  #along(laying, at) {
    const { hexes } = this.look(), { way } = laying, { x, y } = laying.end, steps = Math.ceil((8 * Math.hypot(at.x - x, at.y - y)) / hexes.across);
    for (let step = 1; step <= steps; step += 1) {
      const [px, py] = [x + ((at.x - x) * step) / steps, y + ((at.y - y) * step) / steps], name = hexes.nearest(px, py), point = { x: px, y: py, name };
      if (!name || hexes.empty.has(name)) continue;
      if (name === way.at(-2)?.name) way.pop();
      else if (name !== way.at(-1).name) way.push({ ...point, points: [] });
      way.at(-1).points.push(point);
    }
    laying.end = at;
  }

  // Extend a river by the hexes on the way of the pointer; steps are interpolated, as the pointer may be fast.
  #run(at) {
    const { hexes } = this.look(), { way } = this.course, { x, y } = way.at(-1), steps = Math.ceil((4 * Math.hypot(at.x - x, at.y - y)) / hexes.across);
    for (let step = 1; step <= steps; step += 1) {
      const [px, py] = [x + ((at.x - x) * step) / steps, y + ((at.y - y) * step) / steps], name = hexes.nearest(px, py);
      if (!name || hexes.empty.has(name)) break;
      if (name !== way.at(-1).name) way.push({ x: px, y: py, name });
      else if (way.length > 1) Object.assign(way.at(-1), { x: px, y: py });
    }
    this.course.end = at;
    const middles = way.map(({ name }) => hexes.centre(name));
    this.aim.replaceChildren(s("polyline", { points: middles.map((each) => each.join(",")).join(" "), class: "laying run" }));
    this.viewer.layer.append(this.aim);
  }

  // Extend a river beyond the map where it begins or ends near the rim.
  #toTheRim({ way, end }) {
    const { hexes } = this.look();
    const rim = (/** @type {any} */ point) => {
      const [x, y] = hexes.centre(point.name), half = hexes.across / 2;
      if (Math.hypot(point.x - x, point.y - y) < half * 0.6) return [];
      const edge = this.#nearestEdge(point), [dx, dy] = this.#direction(edge), beyond = hexes.nearest(x + dx * hexes.across, y + dy * hexes.across);
      return !beyond || hexes.empty.has(beyond) ? [{ hex: point.name, edge }] : [];
    };
    return [...rim(way[0]), ...way.map(({ name }) => name), ...rim(end.name === way.at(-1).name ? end : way.at(-1))];
  }

  #line(from, to, name) {
    const [[x1, y1], [x2, y2]] = [from, to];
    return s("line", { x1, y1, x2, y2, class: name });
  }

  #hover(event) {
    const at = this.#under(event), { hexes } = this.look();
    if (!at || hexes.empty.has(at.name)) { this.aim.replaceChildren(); return; }
    if (this.tool === "border") { const { from, to } = this.#edge(at.name, this.#nearestEdge(at)); this.aim.replaceChildren(this.#line(from, to, "laying")); }
    else if (this.tool === "track") this.aim.replaceChildren(...this.#ends(at.name).map(({ at: [cx, cy] }) => s("circle", { cx, cy, r: hexes.across * 0.06 })));
    else this.aim.replaceChildren();
    this.viewer.layer.append(this.aim);
  }

  #leave() {
    this.stroke = this.laying = this.course = null;
    this.aim.replaceChildren();
  }

  #listen() {
    const { layer, port } = this.viewer;
    layer.addEventListener("pointerdown", (event) => {
      const at = event.button === 0 && this.on ? this.#under(event) : null;
      if (!at || (!this.tool && !this.look().hexes.empty.has(at.name))) return;
      event.stopPropagation();
      event.preventDefault();
      layer.setPointerCapture(event.pointerId);
      this.#begin(at.name);
      if (this.tool === "river" && !this.stroke.adds) this.course = { way: [at], end: at };
      else if (this.tool === "name" && !this.stroke.adds) return;
      else if (["track", "move"].includes(this.tool) && !this.stroke.adds) {
        const laying = this.laying = { ...at, json: this.#json(at.name), ends: this.#ends(at.name), way: [{ ...at, points: [at] }], end: at };
        laying.json.then((json) => { laying.ends = this.#ends(at.name, json); });
      } else this.#paint(at, true);
    });
    layer.addEventListener("pointermove", (event) => {
      if (!this.on) return;
      const at = this.#under(event);
      if (this.laying && at) {
        const { x, y, ends, name } = this.laying;
        if (this.tool === "move") this.#aimAt(name, at);
        else {
          this.#along(this.laying, at);
          if (this.laying.way.length === 1) this.aim.replaceChildren(this.#line(this.#nearestEnd(ends, x, y).at, this.#nearestEnd(ends, at.x, at.y).at, "laying"));
          else this.aim.replaceChildren(s("polyline", { points: this.laying.way.flatMap((each) => each.points).map((each) => `${each.x},${each.y}`).join(" "), class: "laying run" }));
        }
        layer.append(this.aim);
      } else if (this.course && at) this.#run(at);
      else if (this.tool === "name" && this.stroke) return;
      else if (this.stroke && at) this.#paint(at, false);
      else if (!this.stroke) this.#hover(event);
    });
    const end = async (/** @type {PointerEvent} */ event) => {
      const { laying, stroke, course } = this;
      if (!stroke) return;
      const at = this.#under(event);
      if (course && at) this.#run(at);
      // End the stroke first: the hex may still be loading, and later pointer events must not be part of the stroke.
      this.#leave();
      if (course) this.#river(course.way.length > 1 ? this.#toTheRim(course) : [course.way[0].name], course.way[0].name);
      if (laying && at) await (this.tool === "move" ? this.#move(laying, at, stroke) : this.#lay(laying, at, stroke));
      if (at && this.tool === "name" && !stroke.adds) this.nameIt(at.name);
      else if (at) this.look().hexes.choose(at.name, true);
    };
    layer.addEventListener("pointerup", end);
    layer.addEventListener("pointercancel", () => this.#leave());
    layer.addEventListener("pointerleave", () => { if (!this.stroke) this.aim.replaceChildren(); });
    layer.addEventListener("dblclick", (event) => {
      const at = this.on && !this.tool ? this.#under(event) : null;
      if (at && this.look().id && !this.look().hexes.empty.has(at.name)) this.nameIt(at.name);
    });
    // Ignore clicks of the pointer, which has painted already; others come from a screen reader.
    port.addEventListener("click", (event) => {
      const at = this.on && event.detail ? this.#under(event) : null;
      if (at && (this.tool || this.look().hexes.empty.has(at.name))) event.stopPropagation();
    }, true);
    const keys = (/** @type {KeyboardEvent} */ event) => {
      const typing = /** @type {Element} */ (event.composedPath()[0]).closest?.("input, textarea, select, [contenteditable]");
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (event.key === "Escape" && this.brush && (!typing || this.root.contains(typing))) this.choose("");
      else if (event.key === "e" && !typing && store.state?.writable) this.open(!this.on);
      else if (this.on && !typing && this.tools.find((each) => LETTERS[each] === event.key)) this.choose(this.tools.find((each) => LETTERS[each] === event.key));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    const deaf = on("refused", (message) => { this.refusal = message; this.changed(); });
    this.close = () => {
      removeEventListener("keydown", keys);
      deaf();
      document.documentElement.classList.remove("painting");
    };
  }

  #paint(at, first) {
    if (this.tool !== "border" || this.stroke.adds) { this.#add(at.name); return; }
    const { hexes } = this.look(), [x, y] = hexes.centre(at.name);
    if (first || Math.hypot(at.x - x, at.y - y) > hexes.across * 0.3) this.#add(at.name, { edge: this.#nearestEdge(at) });
  }

  async #lay(laying, at, stroke) {
    this.#along(laying, at);
    const { way } = laying;
    if (way.length > 1) { await this.#layAlong(way, stroke); return; }
    const json = await laying.json, ends = this.#ends(laying.name, json);
    const a = this.#nearestEnd(ends, laying.x, laying.y).end, b = this.#nearestEnd(ends, at.x, at.y).end;
    const clicked = a === b ? this.#segment(ends, json, laying.x, laying.y) : [a, b];
    if (clicked) this.#add(laying.name, { a: clicked[0], b: clicked[1] }, stroke);
  }

  // Lay track through several hexes, from edge to edge, via any stop that the pointer has passed.
  async #layAlong(way, stroke) {
    const all = await Promise.all(way.map(({ name }) => this.#json(name))), { across } = this.look().hexes;
    way.forEach(({ name, points }, at) => {
      const ends = this.#ends(name, all[at]), towards = (/** @type {any} */ other) => this.#nearestEdge({ name, x: other[0], y: other[1] });
      const beside = (/** @type {number} */ step) => towards(this.look().hexes.centre(way[at + step].name));
      const a = at ? beside(-1) : this.#nearestEnd(ends, points[0].x, points[0].y).end;
      const b = at < way.length - 1 ? beside(1) : this.#nearestEnd(ends, points.at(-1).x, points.at(-1).y).end;
      const far = (/** @type {any} */ end) => Math.min(...points.map(({ x, y }) => Math.hypot(end.at[0] - x, end.at[1] - y)));
      const [stop] = ends.slice(6).filter((end) => far(end) < across * 0.2).sort((one, other) => far(one) - far(other)).map(({ end }) => end);
      const joints = [a, ...(stop !== undefined && stop !== a && stop !== b ? [stop] : []), b];
      for (let part = 1; part < joints.length; part += 1) {
        const [from, to] = [joints[part - 1], joints[part]], [first, second] = Number.isInteger(from) ? [from, to] : [to, from];
        if (from !== to) this.#add(name, { a: first, b: second }, stroke);
      }
    });
  }

  // Return the edge towards which a point of a hex lies, and its distance from the centre, snapped to simple values.
  #placeIn(name, at) {
    const { hexes, layout } = this.look(), [x, y] = hexes.centre(name), angle = (Math.atan2(at.y - y, at.x - x) * 180) / Math.PI;
    const exact = (angle - (layout === "flat" ? 90 : 120)) / 60, half = Math.round(exact * 2) / 2, edge = Math.abs(exact - half) < 0.15 ? half : exact;
    const distance = Math.min(0.85, Math.round((Math.hypot(at.x - x, at.y - y) / (hexes.across / 2)) * 20) / 20);
    return { edge: Math.round((((edge % 6) + 6) % 6) * 100) / 100, distance: distance < 0.15 ? 0 : distance };
  }

  #aimAt(name, at) {
    const { hexes } = this.look(), { edge, distance } = this.#placeIn(name, at), [x, y] = hexes.centre(name), [dx, dy] = this.#direction(edge), far = (distance * hexes.across) / 2;
    this.aim.replaceChildren(s("circle", { cx: x + dx * far, cy: y + dy * far, r: hexes.across * 0.16 }));
  }

  async #move(laying, at, stroke) {
    const json = await laying.json, stops = this.#ends(laying.name, json).slice(6);
    if (!stops.length) { tell("refused", t("no_stop", laying.name)); return; }
    const stop = Number(this.#nearestEnd(stops, laying.x, laying.y).end.slice(5)), clicked = Math.hypot(at.x - laying.x, at.y - laying.y) < this.look().hexes.across * 0.05;
    this.#add(laying.name, { stop, ...(clicked ? {} : this.#placeIn(laying.name, at)) }, stroke);
  }
}
