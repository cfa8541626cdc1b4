// The page: its bar, its views, the editor and problems beside them, and navigation between them.

import { addressOf, placeAt, placeOn } from "./address.js";
import { begin, beginFromShipped, chooseFile, listenForDrops, makeMine } from "./bring.js";
import { button, clear, h, select } from "./dom.js";
import { Editor } from "./editor.js";
import { goToAnything } from "./goto.js";
import { redo, undo } from "./host.js";
import { Inspector } from "./inspector.js";
import { offers } from "./line.js";
import { connect } from "./live.js";
import { LETTERS } from "./paint.js";
import { printDialog } from "./print.js";
import { Problems } from "./problems.js";
import { nameOf, renameDialog, thingOf, things } from "./rename.js";
import { appear, keysDialog, settingsDialog, tellAutosave } from "./settings.js";
import { placeOf, source } from "./places.js";
import { tokens } from "./pointer.js";
import { choose, languageName, look, on, readLooks, set, store, t, tell } from "./store.js";
import { AtlasView } from "./views/atlas.js";
import { MapView } from "./views/map.js";
import { PiecesView } from "./views/pieces.js";
import { SheetsView } from "./views/sheets.js";
import { TilesView } from "./views/tiles.js";
import { UpgradesView } from "./views/upgrades.js";

const ICON = document.querySelector('link[rel="icon"]').getAttribute("href");
const VIEWS = { map: MapView, pieces: PiecesView, tiles: TilesView, sheets: SheetsView, upgrades: UpgradesView, atlas: AtlasView };

let view = null, shown = null, editor = null, inspector = null, problems = null, barred = null;
const stage = h("main", { class: "main", tabIndex: -1 }), top = h("header", { class: "top" }), side = h("div", { class: "side" });
const foot = h("nav", { class: "foot" }), workspace = h("div", { class: "workspace" });

function possible(id) {
  const { state } = store;
  if (id === "atlas") return Boolean(state?.atlas);
  if (id === "map") return Boolean(state?.maps?.length || state?.broken);
  return true;
}

/**
 * Show a view, optionally at a place in it.
 * @param {string} id @param {import("./address.js").Place | null} [to]
 */
function show(id, to = null) {
  if (!possible(id)) return;
  if (shown !== id) {
    view?.close();
    shown = id;
    view = new VIEWS[id]();
    const focused = stage.contains(document.activeElement);
    stage.replaceChildren(view.root);
    if (focused) stage.focus({ preventScroll: true });
  }
  narrow("view");
  bar();
  view.update();
  if (to) choose(view.goTo(to));
}

function turn(id) {
  show(id);
  remember(true);
}

/**
 * Write the current place into the address. With `step`, it becomes a new history entry.
 * @param {boolean} step
 */
function remember(step) {
  const now = addressOf(shown, view.address);
  if (now !== location.hash) history[step ? "pushState" : "replaceState"]({ file: editor.settled }, "", now);
}

// Show the place in the address, and the file that was open there.
function follow(file = "") {
  const { view: id, ...to } = placeAt(location.hash);
  if (!Object.hasOwn(VIEWS, id) || !possible(id)) { remember(false); return; }
  history.replaceState({ file }, "", location.hash);
  show(id, to);
  remember(false);
  const place = placeOf(store.selected);
  if (!store.settings.editor) return;
  if (place && (!file || place[0] === file)) editor.jump(...place);
  else if (file) editor.show(file);
}

// Show a target, select it and go to its line in the editor.
function go(target) {
  const id = viewFor(target), { maps } = store.state;
  show(id, target.startsWith("hex:") ? placeOn(maps, target) : target.startsWith("map:") ? { of: maps.length > 1 ? target.slice(4) : "" } : { at: [target] });
  choose(target);
  remember(true);
  jumpTo(target);
}

function jumpTo(target) {
  const place = placeOf(target);
  if (place && store.settings.editor) editor.jump(...place);
}

function bar() {
  const { state, looks } = store, views = Object.keys(VIEWS).filter(possible);
  // Most edits do not affect the bar, so leave it and the focus alone.
  const now = JSON.stringify([shown, views, looks, state?.titles, state?.name, state?.writable, state?.folder, state?.empty, state?.variants, state?.languages]);
  if (now === barred) return;
  barred = now;
  const tabs = views.map((id, at) => h("button", { type: "button", class: "tab", role: "tab", "aria-selected": String(id === shown),
    title: `${t(id)} (${at + 1})`, onclick: () => turn(id) }, t(id)));
  const titles = state?.titles || [];
  clear(top,
    h("span", { class: "brand" }, h("img", { src: ICON, alt: "" }),
      titles.length > 1 ? select(t("title"), titles.map((at) => [at, at || state.folder.split(/[\\/]/).at(-1)]), looks.at, (at) => look({ at, variant: "" }))
        : h("strong", {}, state?.name || state?.folder?.split(/[\\/]/).at(-1) || "Platelayer")),
    state?.empty ? null : h("div", { class: "tabs", role: "tablist", "aria-label": t("views") }, tabs),
    h("span", { class: "gap" }),
    h("div", { class: "choices" },
      state?.variants?.length ? select(t("variant"), [["", t("no_variant")], ...state.variants.map((each) => [each.id, each.name])], looks.variant, (variant) => look({ variant })) : null,
      state?.empty ? null : select(t("language"), (state?.languages || [looks.lang]).map((id) => [id, languageName(id)]), looks.lang, (lang) => look({ lang })),
      state?.empty ? null : select(t("theme"), store.about.themes.map((id) => [id, t(`theme_${id}`)]), looks.theme, (theme) => look({ theme }))),
    state?.empty ? null : button(`${t("print")} (Ctrl+P)`, { icon: "print", text: t("print"), class: "strong", onclick: printDialog }),
    ...offers(),
    state && !state.writable && !state.empty ? button(t("make_mine"), { icon: "edit", text: true, onclick: makeMine }) : null,
    button(`${t("goto")} (Ctrl+K)`, { icon: "search", class: "quiet", onclick: finder }),
    button(t("new_title"), { icon: "plus", class: "quiet", onclick: begin }),
    button(t("import"), { icon: "download", class: "quiet", onclick: chooseFile }),
    button(t("keys"), { icon: "help", class: "quiet", onclick: keysDialog }),
    button(t("settings"), { icon: "settings", class: "quiet", onclick: settingsDialog }));
}

function narrow(pane) {
  document.documentElement.dataset.pane = pane;
  for (const each of foot.children) each.setAttribute("aria-pressed", String(each.dataset.pane === pane));
}

function welcome() {
  view?.close();
  view = shown = null;
  clear(stage, h("section", { class: "welcome" }, h("img", { src: ICON, alt: "" }), h("h1", {}, t("welcome")), h("p", {}, t("welcome_words")),
    h("div", { class: "actions" }, button(t("new_title"), { icon: "plus", text: true, class: "strong", onclick: begin }), button(t("from_shipped"), { icon: "open", text: true, onclick: beginFromShipped }), button(t("import"), { icon: "download", text: true, onclick: chooseFile }), ...offers())));
}

function build() {
  editor = new Editor();
  problems = new Problems();
  inspector = new Inspector();
  clear(side, h("div", { class: "tabs", role: "tablist", "aria-label": t("panels") }, ["form", "text"].map((id) => h("button", { type: "button", class: "tab", role: "tab",
    title: `${t(`panel_${id}`)} (${id === "form" ? "i" : "/"})`, "data-panel": id, onclick: () => panel(id === "form") }, t(`panel_${id}`)))), inspector.root, editor.root);
  panel(store.settings.form);
  const handle = h("div", { class: "handle", role: "separator", tabIndex: 0, "aria-orientation": "vertical", "aria-label": t("divider"),
    "aria-valuemin": 20, "aria-valuemax": 70 });
  const size = () => {
    workspace.style.setProperty("--side", `${store.settings.split}%`);
    handle.setAttribute("aria-valuenow", Math.round(store.settings.split));
  };
  const drag = (event) => {
    const box = workspace.getBoundingClientRect();
    set({ split: Math.max(20, Math.min(70, 100 * (1 - (event.clientX - box.left) / box.width))) });
    size();
  };
  handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); handle.addEventListener("pointermove", drag); });
  handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", drag));
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: 2, ArrowRight: -2 }[event.key];
    if (step) { set({ split: Math.max(20, Math.min(70, store.settings.split + step)) }); size(); event.preventDefault(); }
  });
  size();
  clear(workspace, h("div", { class: "left" }, stage, problems.root), handle, side);
  clear(foot, ["view", "editor", "problems"].map((pane) => h("button", { type: "button", "data-pane": pane, onclick: () => narrow(pane) }, t(pane))));
  const offline = h("div", { class: "offline", role: "alert", hidden: true }, t("studio_stopped"));
  on("online", () => { offline.hidden = store.online; });
  const trouble = h("div", { class: "trouble", role: "alert", hidden: true });
  on("edits", () => {
    const words = store.edits.trouble ? t("not_saved_why", store.edits.trouble) : "";
    trouble.hidden = !words;
    if (trouble.textContent !== words) trouble.textContent = words;
  });
  document.getElementById("studio").replaceChildren(top, offline, trouble, editor.conflict, workspace, foot);
  document.documentElement.classList.toggle("editing", store.settings.editor);
}

// Switch between form and text.
function panel(form) {
  set({ form });
  for (const tab of side.querySelectorAll("[data-panel]")) tab.setAttribute("aria-selected", String((/** @type {HTMLElement} */ (tab).dataset.panel === "form") === form));
  editor.root.hidden = form;
  inspector.show(form);
}

function toggleForm() {
  set({ editor: true });
  document.documentElement.classList.add("editing");
  narrow("editor");
  panel(true);
  inspector.focus();
}

// Do something with a target as soon as the state of the title contains it.
function whenThere(target, work) {
  if (placeOf(target)) { work(); return; }
  const stop = on("state", () => { if (placeOf(target)) { stop(); work(); } });
}

// Show the first view: the one in the address, otherwise the map.
function arrive() {
  const { view: id } = placeAt(location.hash), { file } = history.state || {};
  if (Object.hasOwn(VIEWS, id) && possible(id)) follow(file);
  else {
    show(possible("map") ? "map" : "pieces");
    remember(false);
  }
}

function toggleEditor(open = !store.settings.editor) {
  set({ editor: open });
  document.documentElement.classList.toggle("editing", open);
  if (open) { narrow("editor"); panel(false); editor.focus(); }
}

function viewFor(target) {
  if (shown === "tiles" && target.startsWith("tile:")) return shown;
  if (!target.startsWith("hex:")) return shown === "upgrades" && target.startsWith("tile:") ? "pieces" : target.startsWith("map:") ? "map" : "pieces";
  return shown === "upgrades" ? "upgrades" : "map";
}

async function renameSelected() {
  if (!store.state?.writable) return;
  const thing = thingOf(await things(), store.selected);
  if (thing) renameDialog(thing); else tell("refused", t("rename_what"));
}

// Return all global commands, with their keys.
function commands() {
  const { state, about } = store, views = Object.keys(VIEWS).filter(possible);
  const named = (kind, label, run, detail = "") => ({ kind: t(kind), label, run, detail });
  const command = (label, keys, run) => named("is_command", label, run, keys);
  const editing = [command(t("undo"), "Ctrl+Z", undo), command(t("redo"), "Ctrl+Shift+Z", redo), command(t("save"), "Ctrl+S", () => editor.save()), command(`${t("rename")} …`, "F2", renameSelected)];
  const { pair, viewer } = view || {}, selection = shown === "map" ? view.selection : null;
  const zooms = viewer ? [command(t("zoom_in"), "+", () => viewer.zoom(1.25)), command(t("zoom_out"), "−", () => viewer.zoom(0.8)), { ...command(t("fit"), "0", () => viewer.fit()), words: [t("zoom")] }, { ...command(t("real_size"), "1", () => viewer.real()), words: [t("zoom")] }] : [];
  const hexes = selection ? [command(t("select_all"), "Ctrl+A", () => selection.selectAll()), command(t("copy_hexes"), "Ctrl+C", () => selection.copy()),
    ...(state.writable ? [command(t("paste"), "Ctrl+V", () => selection.paste()), command(t("clear_selected"), "Del", () => selection.clear()), command(t("remove_selected"), "Shift+Del", () => selection.remove())] : [])] : [];
  const brush = (tool) => { turn("map"); view.paint.open(true); view.paint.choose(tool); };
  const brushes = state.writable && state.maps?.length ? Object.entries(LETTERS).map(([tool, key]) => ({ ...command(t(`brush_${tool}`), key, () => brush(tool)), kind: t("is_brush") })) : [];
  const shownNow = pair ? [command(t("beside"), "", () => pair.toggle()), command(t("export_picture"), "", () => pair.save())] : [];
  const picture = [command(t("print"), "Ctrl+P", printDialog), ...editing.filter(() => state.writable), command(t("next_problem"), "F8", () => nextProblem(1)), command(t("show_editor"), "/", () => toggleEditor())];
  return [
    ...(state.empty ? [] : views.map((id, at) => named("is_view", t(id), () => turn(id), String(at + 1)))),
    ...(state.empty ? [] : [...picture, ...shownNow, ...[...zooms, ...hexes, ...brushes].map((each) => ({ ...each, late: true }))]),
    command(t("new_title"), "", begin), command(t("import"), "", chooseFile), command(t("keys"), "?", keysDialog), command(t("settings"), "", settingsDialog),
    ...["auto", "light", "dark"].map((scheme) => command(t("appear_as", t(`scheme_${scheme}`)), "", () => { set({ scheme }); appear(); })),
    ...editor.listing.map((file) => named("is_file", file, async () => { toggleEditor(true); await editor.show(file); editor.focus(); })),
    ...(state.titles?.length > 1 ? state.titles.map((at) => named("is_title", at || state.folder.split(/[\\/]/).at(-1), () => look({ at, variant: "" }))) : []),
    ...(state.variants?.length ? [{ id: "", name: t("no_variant") }, ...state.variants].map(({ id, name }) => named("is_variant", name, () => look({ variant: id }))) : []),
    ...(state.empty ? [] : state.languages || []).map((lang) => named("is_language", languageName(lang), () => look({ lang }))),
    ...(state.empty ? [] : about.themes).map((theme) => named("is_theme", t(`theme_${theme}`), () => look({ theme }))),
    ...(state.pieces || []).map((each) => ({ kind: state.kinds[each.kind]?.name || t("is_piece"), label: each.id, words: [each.name, each.key], detail: each.name === each.id ? "" : each.name, run: () => go(each.key) })),
  ];
}

// Return goals for all entries with an id: first those to go to, then those to rename.
async function entries() {
  const { maps = [], writable, kinds = {} } = store.state, all = await things();
  const board = (pointer) => (maps.length > 1 ? maps.find((each) => pointer.startsWith(`/maps/${each.id}/`))?.name : "");
  const others = all.filter(({ kind, target }) => kind === "hex" || !target || !kinds[target.split(":")[0]]).map((each) => ({
    kind: t(`is_${each.kind}`), label: each.id, words: each.names, detail: [each.names[0], board(each.pointer)].filter(Boolean).join(" · "),
    run: () => {
      const [file, pointer] = source(tokens(each.pointer));
      if (each.target) go(each.target); else tell("jump", { file, pointer });
    } }));
  const companies = all.filter(({ kind, target }) => kind === "company" && kinds[target.split(":")[0]]).map((each) => ({
    kind: t("is_company"), label: each.id, words: each.names, detail: each.names[0], run: () => go(each.target) }));
  const renamed = all.filter(({ own }) => own && writable).map((each) => ({ kind: t("is_command"), label: t("rename_it", each.id), words: each.names.map((name) => t("rename_it", name)),
    detail: nameOf(each), late: true, run: () => renameDialog(each) }));
  return [...companies, ...others, ...renamed];
}

const finder = () => goToAnything(commands(), store.state.empty ? Promise.resolve([]) : entries().catch(() => []));

let at = -1;
function nextProblem(step) {
  const list = store.problems.filter((each) => each.severity !== "note");
  if (!list.length) return;
  at = (at + step + list.length) % list.length;
  problems.go(list[at]);
}

function listen() {
  addEventListener("popstate", (event) => { if (view) follow(event.state?.file); });
  on("file", (file) => history.replaceState({ file }, "", location.hash));
  on("moved", () => remember(true));
  on("turned", () => remember(false));
  on("state", () => {
    const { state } = store;
    document.title = `${state.name || state.id || "Platelayer"} – Platelayer`;
    document.documentElement.classList.toggle("broken", Boolean(state.broken));
    document.documentElement.classList.toggle("bare", Boolean(state.empty) && !state.files.length);
    if (state.empty) welcome();
    else if (!view) arrive();
    else if (!possible(shown)) { show("pieces"); remember(false); }
    else view.update();
    bar();
  });
  on("drawn", () => view?.update());
  on("problems", () => view?.marks());
  on("go", go);
  on("renamed", (target) => whenThere(target, () => go(target)));
  on("open", (target) => {
    choose(target);
    remember(true);
    jumpTo(target);
  });
  on("inspect", (target) => {
    choose(target);
    if (viewFor(target) === shown) { view?.frame(target); remember(true); }
    jumpTo(target);
  });
  on("first", (part) => { toggleForm(); inspector.first(part); });
  on("text", () => toggleEditor(true));
  on("begun", () => panel(true));
  on("pick", (picking) => {
    const from = shown, { address } = view;
    show("map");
    narrow("view");
    view.pick({ ...picking, ended: () => { if (from !== "map") show(from, address); } });
  });
  on("try", (id) => {
    show("upgrades");
    view.tryOut(id);
  });
  on("jump", (problem) => {
    if (!store.settings.editor) toggleEditor(true);
    editor.jump(problem.file, problem.pointer, problem.line, problem.column);
    if (problem.pointer) tell("cursor", [problem.file, problem.pointer]);
  });
  on("frame", (target) => {
    choose(target);
    const wanted = viewFor(target);
    if (wanted !== shown) show(wanted);
    view?.frame(target);
    remember(!side.contains(document.activeElement));
  });
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const ctrl = event.ctrlKey || event.metaKey, typing = /** @type {Element} */ (event.composedPath()[0]).closest?.("input, textarea, select, [contenteditable]");
    if (ctrl && event.key.toLowerCase() === "k") { if (store.state && !document.querySelector("dialog[open]")) finder(); }
    else if (event.key === "F2" && !document.querySelector("dialog[open]")) renameSelected();
    else if (ctrl && event.key === "p") { if (store.state?.pieces) printDialog(); }
    else if (ctrl && event.key === "s") inspector.settled().then(() => editor.save());
    else if (ctrl && !typing && event.key.toLowerCase() === "z") (event.shiftKey ? redo : undo)();
    else if (ctrl && !typing && event.key === "y") redo();
    else if (event.key === "F8") nextProblem(event.shiftKey ? -1 : 1);
    else if (typing || ctrl || event.altKey || document.querySelector("dialog[open]")) return;
    else if (event.key === "?") keysDialog();
    else if (event.key === "/") toggleEditor(true);
    else if (event.key === "i") toggleForm();
    else if (event.key >= "1" && event.key <= "6" && !(/** @type {Element} */ (event.target)).closest?.(".port")) turn(Object.keys(VIEWS).filter(possible)[Number(event.key) - 1] || shown);
    else return;
    event.preventDefault();
  });
  listenForDrops();
}

async function start() {
  appear();
  const answer = await fetch(`about.json?ui=${store.settings.ui || navigator.language.slice(0, 2)}`);
  store.about = await answer.json();
  store.settings.ui = document.documentElement.lang = store.about.ui;
  readLooks();
  if (!store.looks.lang) store.looks.lang = store.settings.ui;
  if (!store.about.themes.includes(store.looks.theme)) store.looks.theme = "classic";
  const first = on("state", () => {
    first();
    build();
    tellAutosave();
  });
  listen();
  connect();
}

start();
