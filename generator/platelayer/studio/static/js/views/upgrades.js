// Upgrade explorer: the upgrades of a hex or tile and their rotations; laying tiles, with the remaining supply and undo;
// saving and opening positions; supply and revenue.

import { placeOn } from "../address.js";
import { faces, get, pictureUrl, query, send, version } from "../api.js";
import { button, clear, enable, h, s, select } from "../dom.js";
import { exportDialog, save } from "../export.js";
import { Hexes, corners, points } from "../hexes.js";
import { pathOf } from "../places.js";
import { asItWas, store, t, tell } from "../store.js";
import { Viewer } from "../viewer.js";

// Tiles laid and undone, by title and variant, while the page is open.
const games = new Map();
let boards = 0;

export class UpgradesView {
  constructor() {
    this.picked = null;
    this.chooser = h("span");
    this.undo = button(t("undo"), { icon: "undo", onclick: () => this.back() });
    this.redo = button(t("redo"), { icon: "redo", onclick: () => this.forth() });
    this.viewer = new Viewer({ label: t("upgrades"), bar: [this.chooser, this.undo, this.redo,
      button(t("position_open"), { icon: "open", onclick: () => this.openFile() }),
      button(t("position_save"), { icon: "save", onclick: () => this.#attempt(() => this.save()) }),
      button(t("position_picture"), { icon: "picture", onclick: () => this.#attempt(() => this.picture()) })] });
    this.said = h("div", { class: "told", role: "status" });
    this.supply = h("details", { class: "supply", ontoggle: () => this.#supplied() }, h("summary", {}, t("supply")), h("div"));
    this.routes = h("details", { class: "supply routes", ontoggle: () => this.#routed() }, h("summary", {}, t("routes")), h("div"));
    this.panel = h("aside", { class: "panel", "aria-label": t("what_may_follow") });
    this.root = h("section", { class: "view upgrades", "aria-label": t("upgrades") }, this.viewer.root, this.panel);
    this.root.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea")) return;
      if (event.key === "z" && !event.shiftKey) this.back();
      else if (event.key === "y" || (event.key === "z" && event.shiftKey)) this.forth();
      else return;
      event.preventDefault();
    });
    this.update();
  }

  get game() {
    const { at, variant } = store.looks, key = JSON.stringify([at, variant]);
    if (!games.has(key)) games.set(key, { done: [], undone: [], rest: {} });
    return games.get(key);
  }

  get laid() {
    const now = new Map();
    for (const step of this.game.done) {
      if (step.instead) now.clear();
      else now.set(step.at, step);
    }
    return now;
  }

  async update() {
    if (!store.state?.pieces) return;
    const now = `${store.state.revision}-${JSON.stringify(store.looks)}`;
    if (this.now === now) return;
    this.now = now;
    try {
      this.facts = await get("upgrades.json");
      this.from = new Map();
      for (const pair of this.facts.pairs) {
        if (!this.from.has(pair.from)) this.from.set(pair.from, []);
        this.from.get(pair.from).push(pair);
      }
      const gone = (step) => !step.instead && (!this.facts.tiles[step.tile] || !this.facts.hexes[step.at]);
      const { game } = this;
      game.done = game.done.filter((step) => !gone(step));
      game.undone = game.undone.filter((step) => !gone(step));
      const { hex, tile } = this.picked || {};
      if (hex ? !this.facts.hexes[hex] : !this.facts.tiles[tile]) this.picked = null;
      await this.#map();
      this.viewer.say(asItWas(), "stale");
      this.#show();
      this.known = null;
      this.#supplied();
    } catch (stop) {
      this.viewer.say(stop.message, "bad");
    }
  }

  async #map() {
    const { maps } = store.state;
    this.root.classList.toggle("mapless", !maps.length);
    if (!maps.length) return;
    if (!maps.some((each) => each.id === this.map)) this.map = maps[0].id;
    clear(this.chooser, maps.length > 1 ? select(t("map"), maps.map((each) => [each.id, each.name]), this.map, (id) => {
      this.map = id; this.picked = null; this.now = null; this.update(); tell("moved"); }) : []);
    const key = `map:${this.map}`, [found] = await faces(key);
    await this.viewer.show(pictureUrl(key), { ...found, version: version(key) });
    const { layout } = maps.find((each) => each.id === this.map);
    this.layout = layout;
    this.hexes = new Hexes(this.viewer, { layout, places: found.places, label: t("hexes"), onpick: (id) => this.pick({ hex: `${this.map}/${id}` }) });
    for (const [id] of found.places) {
      const { source } = this.facts.hexes[`${this.map}/${id}`];
      this.hexes.mark(id, "dull", !this.from.has(source));
    }
    if (this.picked?.hex) this.hexes.choose(this.picked.hex.split("/")[1]);
  }

  /** Show the hexes on which a tile of the box may be laid. @param {string} tile */
  tryOut(tile) {
    this.trying = tile;
    this.picked = null;
    this.hexes?.choose(null);
    if (this.facts) this.#show();
  }

  // Hexes on which a tile may be laid now: [hex, rotations in which no track runs off the map].
  #places(tile) {
    const exits = this.facts.tiles[tile]?.exits, found = [];
    for (const hex of exits ? Object.keys(this.facts.hexes) : []) {
      const [source, lies, blocked] = this.#lying({ hex }), pair = (this.from.get(source) || []).find((each) => each.to === tile);
      const turns = (pair?.rotations || []).map((each) => this.#turned(tile, each, lies)).filter((turn) => !exits.some((edge) => blocked.includes((edge + turn) % 6)));
      if (turns.length) found.push([hex, turns.sort()]);
    }
    return found;
  }

  #turned(tile, rotation, lies) { return this.facts.tiles[tile].fixed ? rotation : (rotation + lies) % 6; }

  // Show the tile being tried, with the hexes on which it may be laid.
  #tried() {
    if (!this.facts.tiles[this.trying]) this.trying = null;
    this.hexes?.unmark("fits");
    if (!this.trying) return null;
    const places = this.#places(this.trying), start = `${this.map}/`;
    for (const [hex] of places) if (hex.startsWith(start)) this.hexes?.mark(hex.slice(start.length), "fits");
    return h("section", { class: "tried" },
      h("header", {}, h("img", { alt: "", src: pictureUrl(`tile:${this.trying}`) }), h("strong", {}, t("where_it_goes", this.trying)),
        button(t("close"), { icon: "close", class: "quiet", onclick: () => { this.trying = null; this.#show(); } })),
      places.length ? h("ul", { class: "goes", role: "list" }, places.filter(([hex]) => hex.startsWith(start)).map(([hex, turns]) => h("li", {},
        h("button", { type: "button", class: "choice", "data-hex": hex, "aria-pressed": String(this.picked?.hex === hex), title: `${t("rotations")}: ${turns.join(", ")}`,
          onclick: () => { this.hexes.choose(hex.slice(start.length)); this.pick({ hex }); } }, hex.slice(start.length), h("span", { class: "count" }, turns.join(" "))))))
        : h("p", { class: "hint" }, t("goes_nowhere")));
  }

  pick(what) {
    this.picked = what;
    this.turn = {};
    this.#show();
    if (what.hex) tell("open", `hex:${what.hex}`); else tell("moved");
  }

  // Tile or hex at the picked place: [source of its upgrades, its rotation, blocked edges].
  #lying({ hex, tile } = this.picked) {
    if (tile) return [tile, 0, []];
    const { source, blocked } = this.facts.hexes[hex], step = this.laid.get(hex);
    return step ? [step.tile, step.rotation, blocked] : [source, 0, blocked];
  }

  left(tile) {
    let used = 0;
    for (const step of this.laid.values()) if (step.tile === tile) used += 1;
    return this.facts.tiles[tile].count - used;
  }

  #show() {
    this.#paint();
    enable(this.undo, this.game.done.length);
    enable(this.redo, this.game.undone.length);
    const tried = this.#tried();
    if (!this.picked) {
      clear(this.panel, this.said, tried ?? h("p", { class: "hint" }, t("pick_hex_or_tile")), this.routes, this.#box(), this.supply);
      return;
    }
    const [source, lies, blocked] = this.#lying(), pairs = [...this.from.get(source) || []].sort((a, b) => Number(b.to === this.trying) - Number(a.to === this.trying));
    const name = this.picked.tile ? t("tile_n", this.picked.tile) : t("hex_n", this.picked.hex.split("/")[1]);
    const now = this.picked.hex && this.laid.get(this.picked.hex);
    clear(this.panel, this.said, tried,
      h("header", {}, h("strong", {}, name), now ? h("span", { class: "dim" }, t("tile_n", now.tile)) : null,
        button(t("close"), { icon: "close", class: "quiet", onclick: () => { this.picked = null; this.hexes?.choose(null); this.#show(); tell("moved"); } })),
      tried && this.picked.hex && !pairs.some(({ to }) => to === this.trying) ? h("p", { class: "hint warn" }, t("not_here", this.trying)) : null,
      pairs.length ? h("ul", { class: "follow", role: "list" }, pairs.map((pair) => this.#row(pair, lies, blocked))) : h("p", { class: "hint" }, t("nothing_follows")),
      this.routes, this.#box(), this.supply);
  }

  #row(pair, lies, blocked) {
    const { to, rotations, via } = pair, tile = this.facts.tiles[to], left = this.left(to);
    const all = rotations.map((each) => this.#turned(to, each, lies)).sort();
    const fits = (turn) => !tile.exits.some((edge) => blocked.includes((edge + turn) % 6));
    const fitting = all.filter(fits);
    if (!all.includes(this.turn[to])) this.turn[to] = fitting[0] ?? all[0];
    const image = h("img", { alt: t("tile_n", to), src: pictureUrl(`tile:${to}`), class: `turn-${this.turn[to]}` });
    const face = h("button", { type: "button", class: "tile", title: t("rotate"), onclick: () => {
      const at = all.indexOf(this.turn[to]);
      this.turn[to] = all[(at + 1) % all.length];
      this.#show();
    } }, image);
    const chips = h("span", { class: "turns", role: "group", "aria-label": t("rotations") }, [0, 1, 2, 3, 4, 5].map((turn) =>
      h("button", { type: "button", class: fits(turn) ? "chip" : "chip off", disabled: !all.includes(turn), "aria-pressed": String(this.turn[to] === turn),
        title: fits(turn) ? t("rotation_n", turn) : t("runs_off", turn), onclick: () => { this.turn[to] = turn; this.#show(); } }, String(turn))));
    const lay = this.picked.hex ? h("button", { type: "button", class: "lay", disabled: left < 1 || !fits(this.turn[to]), onclick: () => this.lay(to, this.turn[to]) }, t("lay")) : null;
    return h("li", { class: to === this.trying ? "trying" : null, "data-tile": to, "data-rotations": rotations.join("") }, face,
      h("span", { class: "words" }, h("strong", {}, to), h("span", { class: left < 1 ? "count none" : "count" }, t("left_of", left, tile.count)),
        via ? h("span", { class: "via" }, t("only_by", via)) : null, chips), lay);
  }

  #box() {
    const tiles = Object.entries(this.facts?.tiles || {});
    return h("details", { open: this.boxOpen ?? true, ontoggle: (event) => { this.boxOpen = event.target.open; } },
      h("summary", {}, t("tiles_left")), this.facts.colours.map((colour) => {
        const own = tiles.filter(([, each]) => each.colour === colour);
        return own.length ? h("div", { class: "colour" }, own.map(([id, { count }]) => {
          const left = this.left(id);
          return h("button", { type: "button", class: left < 1 ? "boxed gone" : "boxed", title: t("tile_n", id), onclick: () => { this.hexes?.choose(null); this.pick({ tile: id }); } },
            h("img", { alt: "", src: pictureUrl(`tile:${id}`), loading: "lazy" }), h("span", {}, id), h("span", { class: "count" }, left === count ? `${count}` : `${left}/${count}`));
        })) : null;
      }));
  }

  lay(tile, rotation) {
    const { game, picked: { hex } } = this;
    game.done.push({ at: hex, tile, rotation });
    game.undone = [];
    this.turn = {};
    this.#show();
    this.hexes.choose(hex.split("/")[1], true);
  }

  back() { this.#step(this.game.done, this.game.undone); }

  forth() { this.#step(this.game.undone, this.game.done); }

  // Move one step between two lists; a board that was laid at once is one step.
  #step(from, to) {
    if (!from.length) return;
    const { board } = from.at(-1);
    do to.push(from.pop()); while (board && from.at(-1)?.board === board);
    this.#show();
  }

  // Replace the tiles on all maps. @param {[string, string, number][]} tiles
  #instead(tiles) {
    const { game, map } = this, board = boards += 1;
    game.done.push({ board, instead: true }, ...tiles.map(([hex, tile, rotation]) => ({ board, at: `${map}/${hex}`, tile, rotation })));
    game.undone = [];
    this.turn = {};
    this.#show();
  }

  async #attempt(work) {
    try { await work(); } catch (stop) { this.#say([stop.message], "bad"); }
  }

  #say(lines, kind = "") {
    this.said.className = `told ${kind}`;
    clear(this.said, lines.map((line) => h("p", {}, line)));
  }

  // Return the current map as the text of a position.
  #position() {
    const tiles = {}, start = `${this.map}/`;
    for (const [at, { tile, rotation }] of this.laid) if (at.startsWith(start)) tiles[at.slice(start.length)] = `${tile} ${rotation}`;
    return send("position", { map: this.map, tiles, rest: this.game.rest[this.map] || "" });
  }

  #wrong(problems) { return problems.map(({ code, message, hint }) => `${code} ${message}${hint ? ` (${hint})` : ""}`); }

  async save() {
    const { text, problems } = await this.#position();
    save(new Blob([text], { type: "application/json" }), `${store.state.id}-position.json`);
    this.#say([t("position_saved", this.laid.size), ...this.#wrong(problems)], problems.length ? "warn" : "");
  }

  async picture() {
    const { text: position } = await this.#position(), { width, height } = this.viewer;
    const at = (suffix) => `position.${suffix}?${query({ position, v: version(`map:${this.map}`) })}`;
    exportDialog({ svg: at("svg"), pdf: at("pdf"), name: `${store.state.id}-position`, width, height });
  }

  openFile() {
    const input = h("input", { type: "file", accept: ".json" });
    input.addEventListener("change", () => this.#attempt(async () => this.open(await input.files[0].text())));
    input.click();
  }

  /** Lay the tiles of a position or a game file. @param {string} text */
  async open(text) {
    const { map, tiles, tokens, rest, problems, untold } = await send("position/open", { text });
    if (map !== this.map) {
      [this.map, this.picked, this.now] = [map, null, null];
      await this.update();
    }
    this.game.rest[map] = rest;
    const known = tiles.filter(([hex, tile]) => this.facts.tiles[tile] && this.facts.hexes[`${map}/${hex}`]);
    this.#instead(known);
    this.#say([t("position_opened", known.length, tokens), ...this.#wrong(problems), ...untold], problems.length ? "warn" : "");
  }

  // Show the supply of tiles for the map; loaded when the panel is opened.
  async #supplied() {
    const key = `${this.now} ${this.map}`;
    if (!this.supply.open || this.known === key || !this.facts) return;
    this.known = key;
    const inside = this.supply.lastElementChild;
    try {
      const told = await get("supply.json", { map: this.map });
      if (this.known !== key) return;
      clear(inside, h("p", { class: "hint" }, told.intro),
        told.bounds.map((bound) => h("section", {}, h("strong", {}, bound.name), h("p", {}, bound.says),
          h("div", { class: "actions" },
            button(t("supply_hexes"), { text: true, "aria-pressed": "false", onclick: (event) => this.#compete(bound, event.currentTarget) }),
            bound.steps.length ? button(t("supply_board"), { text: true, onclick: () => this.#instead(bound.steps) }) : null))),
        told.reach.length ? h("ul", {}, told.reach.map((words) => h("li", {}, words))) : null,
        told.never.length ? h("p", {}, `${t("supply_never")} ${told.never.join(", ")}`) : null,
        h("ol", { class: "tight" }, told.tiles.map(({ tile, says }) => h("li", {},
          h("button", { type: "button", class: "quiet", onclick: () => { this.hexes?.choose(null); this.pick({ tile }); } }, t("tile_n", tile)), h("span", { class: "dim" }, says)))));
    } catch (stop) {
      this.known = null;
      clear(inside, h("p", { class: "hint warn" }, stop.message));
    }
  }

  // Show the maximum revenue of companies on the current map; loaded when the panel is opened, and after every lay.
  async #routed(asked = { company: "", trains: "" }) {
    const key = `${this.now} ${this.map} ${JSON.stringify([...this.laid.values()])} ${this.game.rest[this.map]} ${JSON.stringify(asked)}`;
    if (!this.routes.open || this.ran === key || !this.facts) return;
    this.ran = key;
    const inside = this.routes.lastElementChild;
    this.#track([]);
    try {
      const { text: position } = await this.#position(), found = await send("routes", { position, ...asked });
      if (this.ran !== key) return;
      const company = select(t("company"), [["", t("all_companies")], ...found.companies.map((id) => [id, id])], asked.company, () => {});
      const trains = h("input", { type: "text", value: asked.trains, placeholder: "3,4", "aria-label": t("trains_of_company") });
      clear(inside, h("form", { class: "actions", onsubmit: (event) => { event.preventDefault(); this.#routed({ company: company.value, trains: trains.value }); } },
        company, trains, h("button", { type: "submit" }, t("show_routes"))),
      found.incomes.map(({ company: id, says, runs }) => h("section", { "data-company": id },
        h("button", { type: "button", class: "quiet", "aria-pressed": "false", title: t("show_routes"),
          onclick: (event) => this.#press(this.routes, event.currentTarget, (on) => this.#track(on ? runs : [])) }, h("strong", {}, says)),
        h("ul", {}, runs.map(({ colour, says: words }) => h("li", {}, s("svg", { viewBox: "0 0 16 4", width: 16, height: 4, "aria-hidden": "true" }, s("path", { d: "M0 2H16", stroke: colour, "stroke-width": 4 })), " ", words))))),
      found.notes.map((note) => h("p", { class: "hint" }, note)));
      inside.querySelector("[aria-pressed]")?.click();
    } catch (stop) {
      this.ran = null;
      // Keep the form, so that the user can change the request.
      clear(inside, inside.querySelector("form"), h("p", { class: "hint warn" }, stop.message));
    }
  }

  // Draw the runs of trains along the track, each in its own colour with a white outline.
  #track(runs) {
    if (!this.hexes) return;
    const { across } = this.hexes, paths = (width, white) => runs.flatMap(({ track, colour }) => track.flatMap(([hex, d]) => {
      const centre = this.hexes.centre(hex);
      return centre ? [s("path", { d, transform: `translate(${centre[0]} ${centre[1]}) scale(${across})`, fill: "none",
        stroke: white ? "#ffffff" : colour, "stroke-width": width, "stroke-linecap": "round", "data-run": hex })] : [];
    }));
    for (const each of this.hexes.under.querySelectorAll("[data-run]")) each.remove();
    this.hexes.under.append(...paths(0.084, true), ...paths(0.058, false));
  }

  // Toggle one of several buttons.
  #press(inside, pressed, show) {
    const on = pressed.getAttribute("aria-pressed") !== "true";
    for (const other of inside.querySelectorAll("[aria-pressed]")) other.setAttribute("aria-pressed", "false");
    pressed.setAttribute("aria-pressed", String(on));
    show(on);
  }

  // Mark the hexes that compete for tiles; a second click removes the marks.
  #compete(bound, pressed) {
    this.hexes?.unmark("short");
    this.#press(this.supply, pressed, (on) => { if (on) for (const id of bound.short) this.hexes?.mark(id, "short"); });
  }

  // Draw the laid tiles as pictures of the pieces, scaled to the hexes of the map.
  #paint() {
    if (!this.hexes) return;
    const across = this.hexes.across, items = [];
    for (const [at, { tile, rotation }] of this.laid) {
      const [map, id] = at.split("/"), centre = map === this.map && this.hexes.centre(id);
      if (!centre) continue;
      const [wide, high] = this.layout === "flat" ? [across * 2 / Math.sqrt(3), across] : [across, across * 2 / Math.sqrt(3)];
      items.push(s("g", { transform: `translate(${centre[0]} ${centre[1]}) rotate(${60 * rotation})`, "data-laid": `${at} ${tile} ${rotation}` },
        s("image", { href: pictureUrl(`tile:${tile}`), x: -wide / 2, y: -high / 2, width: wide, height: high, preserveAspectRatio: "none" }),
        s("polygon", { class: "rim", points: points(corners(this.layout, across)) })));
    }
    this.hexes.under.replaceChildren(...items, ...this.hexes.under.querySelectorAll("[data-run]"));
    this.#routed();
  }

  marks() {}

  frame(target) {
    const [, map, id] = target.match(/^hex:([^/]+)\/(.+)$/) || [];
    if (map === this.map && this.facts?.hexes[`${map}/${id}`] && this.picked?.hex !== `${map}/${id}`) {
      this.picked = { hex: `${map}/${id}` };
      this.turn = {};
      this.hexes?.choose(id);
      this.#show();
    }
  }

  get address() {
    const { hex, tile } = this.picked || {}, maps = store.state?.maps || [];
    return tile ? { at: [`tile:${tile}`] } : maps.length ? placeOn(maps, `hex:${hex || `${this.map || maps[0].id}/`}`) : {};
  }

  /** Show a hex or a tile and return the target to select. @param {import("../address.js").Place} place */
  goTo({ of, at: [what] = [] }) {
    const maps = store.state?.maps || [], map = (maps.find((each) => each.id === of) || maps[0])?.id;
    const [, tile] = what?.match(/^tile:(.+)$/) || [], target = tile ? what : `hex:${map}/${what}`;
    this.picked = !pathOf(target) ? null : tile ? { tile } : { hex: `${map}/${what}` };
    this.turn = {};
    if (this.map !== map) { [this.map, this.now] = [map, null]; this.update(); }
    else if (this.facts) { this.hexes?.choose(tile ? null : what); this.#show(); }
    return this.picked ? target : "";
  }

  close() { this.viewer.close(); }
}
