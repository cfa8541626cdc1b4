// Page for a phone at the table: a map step by step, and a map while players lay it. Alone it holds one map; in the browser
// edition, Python answers it (platelayer/atlas/phone.py).

const SVG = "http://www.w3.org/2000/svg";
// Pictures have hexes of 40 units from flat to flat; letters have at least so many pixels.
const ACROSS = 40, COLUMN = ACROSS * Math.sqrt(3) / 2, LETTERS = 12;
// A hex on which a thumb meets the right one of the places round it.
const THUMB = 48;
const NEAR = [[0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1], [1, 0]];
const SWIPE = 50;
// So many new tiles have their numbers in a small picture; more would hide it.
const FEW = 3;

function filled(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((each) => each !== null && each !== undefined && each !== false));
  return node;
}
const h = (tag, props, ...children) => filled(document.createElement(tag), props, children);
const s = (tag, props, ...children) => filled(document.createElementNS(SVG, tag), props, children);
const button = (label, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, label);

/** @typedef {{tile: number, rotation: number, hexes: [number, number][]}} Piece a map tile, or a capital (tile 0) */

/** @param {any[]} hex */
const key = ([q, r]) => `${q},${r}`;
/** @param {any[]} hex */
const centre = ([q, r]) => [q * COLUMN, (r + q / 2) * ACROSS];
const middle = (hexes) => [0, 1].map((axis) => hexes.reduce((sum, at) => sum + centre(at)[axis], 0) / hexes.length);
const around = ([q, r]) => NEAR.map(([dq, dr]) => /** @type {[number, number]} */ ([q + dq, r + dr]));
const corners = (size = ACROSS) => [0, 1, 2, 3, 4, 5].map((k) => [Math.cos(k * Math.PI / 3), Math.sin(k * Math.PI / 3)].map((part) => (part * size / Math.sqrt(3)).toFixed(1)).join()).join(" ");

/** @param {any[]} draw @returns {Piece} */
function piece([tile, q, r, rotation]) {
  const offset = (corner) => {
    let [dq, dr] = corner;
    for (let k = 0; k < rotation; k++) [dq, dr] = [-dr, dq + dr];
    return /** @type {[number, number]} */ ([q + dq, r + dr]);
  };
  return { tile, rotation, hexes: (tile ? [[0, 0], [1, 0], [0, 1]] : [[0, 0]]).map(offset) };
}

/** What is kept in this browser; without it, the page only forgets. */
const kept = {
  get: (name) => { try { return JSON.parse(localStorage.getItem(`table ${name}`)); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(`table ${name}`, JSON.stringify(value)); } catch { /* not allowed here */ } },
};

let lock = null;
/** Keep the screen on, where the browser can. */
async function stayAwake() {
  try { if (!lock || lock.released) lock = await navigator.wakeLock?.request("screen"); } catch { /* not now */ }
}

/**
 * Show the page.
 * @param {any} given words and choices (`choices` of phone.py); alone also the map, as `sheet`, and `players`
 * @param {((request: object) => Promise<any>) | null} ask asks Python
 */
export function start(given, ask = null) {
  const t = (name, ...parts) => parts.reduce((text, part, at) => text.replaceAll(`{${at}}`, part).replace("{}", part), given.words[name] ?? name);
  const status = h("p", { class: "status", role: "status" }), bar = h("header"), main = h("main"), foot = h("footer");
  const defs = s("svg", { width: 0, height: 0, "aria-hidden": "true" });
  defs.innerHTML = `<defs>${Object.values(given.symbols).join("")}</defs>`;
  document.body.replaceChildren(defs, bar, main, status, foot);
  document.documentElement.lang = given.language;
  if (ask) document.title = t("table_page");

  const wanted = { mode: Object.keys(given.modes)[0], policy: Object.keys(given.policies)[0], players: /** @type {number | null} */ (given.players ?? null) };
  let sheet = null, at = 0, ticks = {}, laying = null;

  const grounds = ({ tile }) => given.tiles[tile] || [];
  const nameOf = (hex) => sheet.names[key(hex)];
  const covered = (pieces) => new Map(pieces.filter(({ tile }) => tile).flatMap((each) => each.hexes.map((hex) => [key(hex), each.tile])));
  const beside = (hexes, cover) => [...new Set(hexes.flatMap(around).map((hex) => cover.get(key(hex))).filter(Boolean))];

  /** Hexes beside borders that nothing may cover. */
  function shut(pieces) {
    const cover = covered(pieces);
    const rims = pieces.flatMap((each) => each.hexes.filter((_, index) => grounds(each)[index] === "border").flatMap(around));
    return [...new Map(rims.filter((hex) => !cover.has(key(hex))).map((hex) => [key(hex), hex])).values()];
  }

  const wide = () => Math.min(main.clientWidth - 2 * parseFloat(getComputedStyle(main).paddingInlineStart), 640);
  const use = (ground, hex) => { const [x, y] = centre(hex); return s("use", { href: `#${ground}`, transform: `translate(${x} ${y})` }); };
  const polygon = (kind, hex, size = ACROSS) => { const [x, y] = centre(hex); return s("polygon", { class: kind, points: corners(size), transform: `translate(${x} ${y})` }); };
  const words = (text, x, y, size, kind = "") => s("text", { x, y: y + size * 0.36, "font-size": size, class: kind }, text);

  /**
   * A picture of pieces. Those in `now` are drawn in full, those in `before` in grey (or in full as well), the others as ghosts.
   * @param {{before?: Piece[], now?: Piece[], later?: Piece[], full?: boolean, crossed?: any[], blanks?: any[], view?: any[], room?: number, across?: number, width?: number,
   *   label?: string, names?: any[], numbered?: Piece[], rims?: boolean, more?: (unit: number) => any}} what `more` draws what can be tapped, with the units of a pixel
   */
  function picture({ before = [], now = [], later = [], full = false, crossed = [], blanks = [], view, room = 0.6, across, width = wide(), label = "", names = [], numbered = [...before, ...now], rims = false, more }) {
    const spots = (view || [...before, ...now, ...later].flatMap(({ hexes }) => hexes).concat(crossed, blanks)).map(centre);
    const pad = room * ACROSS, rim = rims ? 0.7 * ACROSS : 0;
    const [left, top] = [0, 1].map((axis) => Math.min(...spots.map((each) => each[axis])) - pad - (axis ? ACROSS / 2 : ACROSS / Math.sqrt(3)) - rim);
    const [right, bottom] = [0, 1].map((axis) => Math.max(...spots.map((each) => each[axis])) + pad + (axis ? ACROSS / 2 : ACROSS / Math.sqrt(3)));
    const scale = across ? across / ACROSS : Math.min(width / (right - left), 1.9), unit = 1 / scale, size = LETTERS * unit;
    const tileIn = (each, kind) => s("g", { class: kind }, each.hexes.map((hex, index) => (kind === "old" || kind === "ghost" ? polygon(kind, hex) : use(grounds(each)[index], hex))));
    const number = (each) => {
      const [x, y] = middle(each.hexes);
      return [s("circle", { class: "plate", cx: x, cy: y, r: size * 0.75 }), words(each.tile, x, y, size, "number")];
    };
    const tiles = (list) => list.filter(({ tile }) => tile), capitals = (list) => list.filter(({ tile }) => !tile);
    return s("svg", { class: "board", viewBox: [left, top, right - left, bottom - top].map((each) => each.toFixed(1)).join(" "), width: ((right - left) * scale).toFixed(2), height: ((bottom - top) * scale).toFixed(2),
      role: label ? "img" : null, "aria-label": label || null, "aria-hidden": label || more ? null : "true" },
    tiles(later).map((each) => tileIn(each, "ghost")), blanks.map((hex) => polygon("blank", hex)), tiles(before).map((each) => tileIn(each, full ? "full" : "old")), tiles(now).map((each) => tileIn(each, "now")),
    crossed.map((hex) => { const [x, y] = centre(hex); return s("path", { class: "cross", d: `M${x - 9} ${y - 9}l18 18m0-18l-18 18` }); }),
    capitals(before).map((each) => polygon("capital", each.hexes[0], 33)), capitals(now).map((each) => polygon("capital now", each.hexes[0], 33)),
    tiles(numbered).map(number),
    names.map((hex) => { const [x, y] = centre(hex); return nameOf(hex) && words(nameOf(hex), x, y + 0.32 * ACROSS, size, "name"); }),
    rims ? rimNames(left, top, size) : null, more?.(unit));
  }

  /** Letters of columns and numbers of rows, as many as there is room for. */
  function rimNames(left, top, size) {
    const columns = new Map(), rows = new Map();
    for (const [hex, name] of Object.entries(sheet.names)) {
      const [, letters, row] = name.match(/^(\D+)(\d+)$/) || [], [x, y] = centre(hex.split(",").map(Number));
      if (letters) { columns.set(Math.round(x), letters); rows.set(Math.round(y), row); }
    }
    const sparse = (all, room) => [...all].sort(([a], [b]) => a - b).reduce((some, each) => (some.length && each[0] - some.at(-1)[0] < room ? some : [...some, each]), []);
    return [...sparse(columns, 1.7 * size).map(([x, letters]) => words(letters, x, top + size * 0.7, size, "rim")), ...sparse(rows, 1.3 * size).map(([y, row]) => words(row, left + size * 0.8, y, size, "rim"))];
  }

  /** A map tile alone, as it lies. */
  function sign(tile, rotation, across) {
    const only = piece([tile, 0, 0, rotation]);
    return picture({ now: [only], numbered: [], across, room: 0.1 });
  }

  const list = (name, lines) => h("ul", { class: "ticks" }, lines.map((line, index) => {
    const id = `${name} ${index}`, box = h("input", { type: "checkbox", onchange: () => { ticks[id] = box.checked; keep(); } });
    box.checked = Boolean(ticks[id]);
    return h("li", {}, h("label", {}, box, h("span", {}, line)));
  }));
  const tasks = (all) => all.map(({ key: name, head, lines }) => [h("h2", {}, head), list(name, lines)]);
  const comma = (hexes) => hexes.map(nameOf).join(", ");

  /** Signs of hexes, and what may not be done. @param {boolean} crossed whether there are crossed hexes */
  function legend(crossed) {
    const hex = (inside) => s("svg", { viewBox: "-25 -22 50 44", width: 34, height: 30, "aria-hidden": "true" }, inside);
    const signs = [...Object.entries(given.grounds).map(([ground, name]) => [use(ground, [0, 0]), name]),
      [polygon("capital now", [0, 0], 33), t("capital")], [polygon("old", [0, 0]), t("laid_before")], [polygon("ghost", [0, 0]), t("later")],
      [s("path", { class: "cross", d: "M-9 -9l18 18m0-18l-18 18" }), t("empty")]];
    return [h("details", { class: "signs" }, h("summary", {}, t("symbols")), h("ul", {}, signs.map(([inside, name]) => h("li", {}, hex(inside), name)))),
      h("section", { class: "forbidden" }, h("h2", {}, t("forbidden")), h("ul", {}, h("li", {}, t("no_flip")), crossed ? h("li", {}, t("no_touch")) : null))];
  }

  // The screens of a whole map.

  function screens() {
    const pieces = sheet.draws.map(piece), capitals = pieces.filter(({ tile }) => !tile).map(({ hexes }) => hexes[0]), first = pieces[0];
    const room = () => [h("h1", {}, t("room")), h("p", { class: "large" }, t("room_cm", ...sheet.size_cm)), h("p", {}, t("first_cm", first.tile, ...sheet.first_cm)),
      picture({ now: [first], later: pieces.slice(1), blanks: sheet.blanks, label: t("whole"), rims: true }), h("p", { class: "facts" }, [sheet.name, ...sheet.facts].join(" · "))];
    const prepare = () => [h("h1", {}, t("prepare")), tasks(sheet.before), legend(true)];
    const step = (now, index) => () => {
      const before = pieces.slice(0, index), later = pieces.slice(index + 1), cover = covered(before), near = beside(now.hexes, cover), crossed = shut([...before, now]);
      const [here] = now.hexes, view = now.hexes.flatMap(around), close = new Set(view.map(key)), hexes = [...new Map([...view, ...now.hexes].map((hex) => [key(hex), hex])).values()];
      const about = now.tile ? h("div", { class: "piece" }, h("h1", {}, h("span", { class: "small" }, t("tile", "")), h("b", { class: "number" }, now.tile)), sign(now.tile, now.rotation, 38),
        h("p", { class: "places" }, now.hexes.map((hex, each) => h("span", {}, given.grounds[grounds(now)[each]], " ", h("b", {}, nameOf(hex))))))
        : h("div", { class: "piece" }, h("h1", {}, t("capital")), h("p", { class: "large" }, t("overlay", nameOf(here))));
      const shown = before.filter((each) => each.hexes.some((hex) => close.has(key(hex))));
      return [h("p", { class: "facts" }, `${t("step", index + 1, pieces.length)} · ${near.length ? t(now.tile ? "beside" : "on", near.join(", ")) : t(now.tile ? "first" : "on", cover.get(key(here)) ?? "")}`), about,
        picture({ before: shown, full: true, now: [now], crossed: crossed.filter((hex) => close.has(key(hex))), view: hexes, room: 0.1, width: Math.min(wide(), 300), names: now.hexes, label: t("near") }),
        picture({ before, now: [now], later, crossed, label: t("whole"), rims: true }), legend(crossed.length > 0)];
    };
    const blanks = () => [h("h1", {}, t("blanks_head")), takeBack(), h("p", { class: "large" }, t("lay_blanks", sheet.blanks.length)),
      picture({ before: pieces, blanks: sheet.blanks, crossed: shut(pieces), names: [], label: t("blanks_head"), rims: true }), list("blanks", sheet.blanks.map(nameOf)), h("section", { class: "forbidden" }, h("h2", {}, t("forbidden")), h("ul", {}, h("li", {}, t("no_blanks"))))];
    const check = () => {
      const lines = [t("check_tiles", pieces.length - capitals.length), ...capitals.length ? [t("check_capitals", comma(capitals))] : [], ...sheet.blanks.length ? [t("check_blanks", comma(sheet.blanks))] : [], t("check_borders")];
      const { head, homes = [] } = sheet.fairness, most = Math.max(1, ...homes.map(([, worth]) => worth));
      return [h("h1", {}, t("check")), takeBack(), picture({ before: pieces, full: true, blanks: sheet.blanks, label: t("whole"), rims: true }), list("check", lines),
        radios(t("shuffle"), "players", [["", t("any_number")], ...given.modes[sheet.mode].players.map((players) => [players, players])], wanted.players ?? "", (players) => { wanted.players = players ? Number(players) : null; address(); show(); }),
        tasks(sheet.after[wanted.players ?? ""] || sheet.after[""]), head ? h("h2", {}, head) : null,
        h("dl", { class: "homes" }, homes.map(([name, worth, money]) => [h("dt", {}, name), h("dd", {}, h("meter", { max: most, value: worth, "aria-label": name }), money)])), share()];
    };
    return [room, prepare, ...pieces.map(step), ...sheet.blanks.length ? [blanks] : [], check];
  }

  const takeBack = () => (ask && sheet.by_hand ? button(t("undo"), async () => open(await draw(sheet.draws.slice(0, -1)))) : null);

  function share() {
    const link = ask ? location.href : sheet.code, box = h("input", { readonly: true, value: link, "aria-label": t(ask ? "link" : "code") });
    const copy = async () => { box.select(); try { await navigator.clipboard.writeText(link); say(t("copied")); } catch { /* it can be copied by hand */ } };
    return h("div", { class: "share" }, button(t(ask ? "link" : "code"), copy), box);
  }

  function radios(name, id, options, value, onchange) {
    return h("fieldset", {}, h("legend", {}, name), options.map(([option, label]) => {
      const input = h("input", { type: "radio", name: id, value: option, onchange: () => onchange(option) });
      input.checked = String(option) === String(value);
      return h("label", {}, input, h("span", {}, label));
    }));
  }

  // The page as a whole.

  const say = (text = "", bad = false) => { status.textContent = text; status.classList.toggle("bad", bad); };
  const keep = () => { if (sheet) kept.set(sheet.code, { at, ticks }); };
  const put = (...nodes) => { main.replaceChildren(...nodes.flat(4).filter(Boolean)); scrollTo(0, 0); };
  const footer = (...nodes) => foot.replaceChildren(...nodes.filter(Boolean));
  function address() {
    keep();
    if (!ask) return;
    const to = sheet ? `#table${wanted.players ?? ""}=${sheet.code}` : "#table";
    history.replaceState(null, "", to);
    if (sheet) kept.set("last", to);
  }

  /** Ask Python, and say what stops it. */
  async function call(request) {
    say(t("working"));
    try {
      const found = await ask(request);
      say();
      return found;
    } catch (stop) {
      say(stop.message, true);
      return null;
    }
  }

  function show() {
    if (!sheet) home();
    else if (sheet.left) lay();
    else steps();
  }

  function open(found, from = null) {
    if (!found) return;
    sheet = found;
    laying = null;
    const last = kept.get(sheet.code) || {};
    ticks = last.ticks || {};
    const all = sheet.left ? 0 : screens().length;
    at = Math.min(from === "end" ? all - 1 - (sheet.blanks.length ? 1 : 0) : last.at ?? 0, Math.max(0, all - 1));
    address();
    stayAwake();
    show();
  }

  function home() {
    const modes = Object.entries(given.modes), last = kept.get("last");
    bar.replaceChildren();
    put(h("h1", {}, t("table_page")),
      radios(t("mode"), "mode", modes.map(([id, { name }]) => [id, name]), wanted.mode, (mode) => { wanted.mode = mode; wanted.players = null; home(); }),
      radios(t("players"), "players", [["", t("any_number")], ...given.modes[wanted.mode].players.map((each) => [each, each])], wanted.players ?? "", (players) => { wanted.players = players ? Number(players) : null; }),
      radios(t("taste"), "policy", Object.entries(given.policies), wanted.policy, (policy) => { wanted.policy = policy; }),
      last ? button(t("go_on"), () => { history.replaceState(null, "", last); arrive(); }) : null);
    footer(button(t("new_map"), async () => open(await call({ mode: wanted.mode, policy: wanted.policy })), { class: "strong" }),
      button(t("lay_ourselves"), async () => open(await call({ mode: wanted.mode, draws: [] }))));
  }

  function leave() {
    sheet = null;
    address();
    say();
    show();
  }

  const top = () => bar.replaceChildren(...[ask ? button(t("home"), leave) : null, h("span", {}, sheet.name)].filter(Boolean));

  function steps() {
    const all = screens(), go = (to) => { at = Math.max(0, Math.min(all.length - 1, to)); keep(); say(); show(); };
    top();
    const progress = h("progress", { max: all.length - 1, value: at, "aria-label": t("step", at + 1, all.length) });
    bar.append(progress);
    put(all[at]());
    const done = h("input", { type: "checkbox", onchange: () => { ticks[`step ${at}`] = done.checked; keep(); if (done.checked) go(at + 1); } });
    done.checked = Boolean(ticks[`step ${at}`]);
    const back = button("‹", () => go(at - 1), { "aria-label": t("back"), class: "arrow" }), next = button("›", () => go(at + 1), { "aria-label": t("next"), class: "arrow" });
    back.disabled = at === 0;
    next.disabled = at === all.length - 1;
    footer(back, h("label", { class: "done" }, done, h("span", {}, t("laid"))), next);
    turnPage = go;
  }

  let turnPage = null;

  // A map while it is laid.

  const draw = (draws, more = {}) => call({ mode: sheet.mode, draws, ...more });

  function lay() {
    turnPage = null;
    top();
    const pieces = sheet.draws.map(piece), crossed = shut(pieces), total = sheet.wanted, text = [], stuck = total && !sheet.left.some(([, , fits]) => fits);
    const { tile, places, where, turn, cities } = laying || {}, trial = tile && where !== undefined ? piece([tile, ...places[where][turn]]) : null;
    const thumb = { before: pieces, full: true, crossed, across: THUMB, room: 2.2, view: pieces.length || trial ? undefined : [[0, 0]] };
    /** @param {string} label @param {number[]} point @param {number} unit @param {() => void} onclick @param {string} kind @param {any[]} hexes */
    const spot = (label, point, unit, onclick, kind, hexes) => {
      const [x, y] = point;
      const go = (event) => { event.preventDefault(); onclick(); };
      return s("g", { class: `spot ${kind}`, role: "button", tabindex: 0, "aria-label": label, "data-hexes": hexes.map(key).join(" "), onclick: go, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") go(event); } },
        s("circle", { cx: x, cy: y, r: 13 * unit }), s("circle", { class: "dot", cx: x, cy: y, r: 9 * unit }));
    };
    const cover = covered(pieces), turnIt = () => { laying.turn = (turn + 1) % places[where].length; lay(); };
    const spots = (unit) => [
      ...(places || []).map((turns, index) => {
        const { hexes } = piece([tile, ...turns[0]]);
        return index === where ? null : spot(t("place_beside", beside(hexes, cover).join(", ")), middle(hexes), unit, () => { laying.where = index; laying.turn = 0; lay(); }, "", hexes);
      }),
      ...(cities || []).map((city) => spot(t("city_at", nameOf(city)), centre(city), unit, () => lays([0, ...city, 0]), "city", [city])),
      trial ? spot(t("turn"), middle(trial.hexes), unit * 2.2, turnIt, "trial", trial.hexes) : null].filter(Boolean);
    async function lays(next) {
      const found = await draw([...sheet.draws, next]);
      if (!found) return;
      const border = (given.tiles[next[0]] || []).includes("border");
      if (found.left) { open(found); if (border) say(t("border_laid", next[0])); } else open(found, "end");
    }
    const undo = button(t("undo"), async () => open(await draw(sheet.draws.slice(0, -1))));
    undo.disabled = !sheet.draws.length;
    const board = h("div", { class: "table", tabindex: 0, role: "group", "aria-label": t("whole") }, pieces.length || trial ? picture({ ...thumb, now: trial ? [trial] : [], more: spots }) : null);
    if (trial) text.push(t("how_turned")); else if (tile) text.push(t("where")); else if (cities) text.push(t("which_city")); else if (stuck) text.push(t("stuck")); else if (total) text.push(t("which"));
    const choose = async (number, fits) => {
      if (!fits) { say(t("dead_end", number), true); return; }
      const found = await draw(sheet.draws, { tile: number });
      if (found) { laying = { tile: number, places: found.places, where: found.places.length === 1 ? 0 : undefined, turn: 0 }; lay(); }
    };
    const capital = () => {
      if (!sheet.cities.length) { say(t("defer"), true); return; }
      laying = { cities: sheet.cities };
      lay();
    };
    const tiles = h("div", { class: "numbers" }, sheet.left.map(([number, , fits]) => button([h("b", {}, number), sign(number, 0, 13)], () => choose(number, fits), { class: fits ? null : "stuck" })),
      sheet.projects ? button(t("capital_project"), capital, { class: "project" }) : null);
    const found = h("div", { class: "endings" });
    const showEndings = async () => {
      const answer = await draw(sheet.draws, { then: "endings" });
      if (!answer) return;
      found.replaceChildren(h("h2", {}, t(answer.more_than ? "ways_drawn" : answer.ways > answer.endings.length ? "ways_some" : "ways", answer.endings.length, answer.ways, answer.more_than)), ...answer.endings.map(({ fairness, draws }, index) => {
        const all = draws.map(piece), fresh = draws.length > sheet.draws.length ? all.slice(sheet.draws.length) : [];
        return button([picture({ before: all.slice(0, sheet.draws.length), now: fresh, numbered: fresh.length > FEW ? [] : fresh, width: 150, room: 0.2 }), h("span", {}, t("ending", index + 1, fairness))], async () => open(await draw(draws), "end"));
      }));
      found.scrollIntoView();
    };
    const more = !laying && sheet.draws.length ? [stuck ? null : h("div", { class: "rest" }, button(t("finish"), async () => open(await draw(sheet.draws, { then: "finish" }), "end")), button(t("endings"), showEndings)), found, share()] : [];
    put(h("p", { class: "facts" }, total ? t("left", total) : t("projects_left", sheet.projects)), h("h1", { class: "ask" }, text), board, laying ? null : tiles, more, legend(crossed.length > 0));
    const other = button(t("other"), () => { laying = null; lay(); });
    footer(laying ? other : undo, trial ? button(t("turn"), turnIt) : null, trial ? button(t("lay"), () => lays([tile, ...places[where][turn]]), { class: "strong" }) : null);
    const focus = trial || pieces.at(-1), svg = board.firstElementChild;
    if (focus && svg) {
      const [x, y] = middle(focus.hexes), [left, upper] = svg.getAttribute("viewBox").split(" ").map(Number), scale = THUMB / ACROSS;
      board.scrollTo((x - left) * scale - board.clientWidth / 2, (y - upper) * scale - board.clientHeight / 2);
    }
  }

  /** Open what the address names: the number of players, and the code of a map, or mode, policy and seed. */
  async function arrive() {
    const [, players, code] = decodeURIComponent(location.hash).match(/^#table(\d*)=(.*)/) || [];
    if (players) wanted.players = Number(players);
    sheet = null;
    if (code) open(await call({ code }));
    if (!sheet) show();
  }

  let from = null;
  document.addEventListener("touchstart", ({ touches, target }) => { from = touches.length === 1 && !(/** @type {Element} */ (target)).closest(".table") ? [touches[0].clientX, touches[0].clientY] : null; }, { passive: true });
  document.addEventListener("touchend", ({ changedTouches: [touch] }) => {
    if (!from || !turnPage) return;
    const dx = touch.clientX - from[0], dy = touch.clientY - from[1];
    if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) turnPage(at - Math.sign(dx));
  });
  addEventListener("keydown", ({ key: name, target }) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[name];
    if (way && turnPage && !(/** @type {Element} */ (target)).closest("input:not([type=checkbox]), .table")) turnPage(at + way);
  });
  addEventListener("hashchange", () => { if (ask) arrive(); });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && sheet) stayAwake(); });
  if (given.sheet) open(given.sheet); else arrive();
}
