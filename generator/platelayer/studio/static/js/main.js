// The page: its bar, its views, the editor and the problems beside them, and how they lead to each other.

import { begin, chooseFile, listenForDrops } from "./bring.js";
import { button, clear, h, select } from "./dom.js";
import { Editor } from "./editor.js";
import { redo, undo } from "./host.js";
import { offers } from "./line.js";
import { connect } from "./live.js";
import { printDialog } from "./print.js";
import { Problems } from "./problems.js";
import { appear, keysDialog, settingsDialog, tellAutosave } from "./settings.js";
import { choose, look, on, readLooks, set, store, t } from "./store.js";
import { AtlasView } from "./views/atlas.js";
import { MapView } from "./views/map.js";
import { PiecesView } from "./views/pieces.js";
import { SheetsView } from "./views/sheets.js";
import { UpgradesView } from "./views/upgrades.js";

const ICON = document.querySelector('link[rel="icon"]').getAttribute("href");
const VIEWS = { map: MapView, pieces: PiecesView, sheets: SheetsView, upgrades: UpgradesView, atlas: AtlasView };

// A title may name a language by a code that browsers do not take.
function languageName(id) {
  try { return new Intl.DisplayNames([id], { type: "language" }).of(id); } catch { return id; }
}

let view = null, shown = null, editor = null, problems = null, barred = null;
const stage = h("main", { class: "main", tabIndex: -1 }), top = h("header", { class: "top" }), side = h("div", { class: "side" });
const foot = h("nav", { class: "foot" }), workspace = h("div", { class: "workspace" });

function possible(id) {
  const { state } = store;
  if (id === "atlas") return Boolean(state?.atlas);
  if (id === "map") return Boolean(state?.maps?.length || state?.broken);
  return true;
}

function show(id) {
  if (!possible(id)) return;
  if (shown !== id) {
    const first = !shown;
    view?.close();
    shown = id;
    view = new VIEWS[id]();
    const focused = stage.contains(document.activeElement);
    stage.replaceChildren(view.root);
    if (focused) stage.focus({ preventScroll: true });
    if (location.hash !== `#${id}`) history[first ? "replaceState" : "pushState"](null, "", `#${id}`);
  }
  narrow("view");
  bar();
  view.update();
}

function bar() {
  const { state, looks } = store, views = Object.keys(VIEWS).filter(possible);
  // Most edits change nothing of it, and focus stays where it is.
  const now = JSON.stringify([shown, views, looks, state?.titles, state?.name, state?.folder, state?.empty, state?.variants, state?.languages]);
  if (now === barred) return;
  barred = now;
  const tabs = views.map((id, at) => h("button", { type: "button", class: "tab", role: "tab", "aria-selected": String(id === shown),
    title: `${t(id)} (${at + 1})`, onclick: () => show(id) }, t(id)));
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
    h("div", { class: "actions" }, button(t("new_title"), { icon: "plus", text: true, class: "strong", onclick: begin }), button(t("import"), { icon: "download", text: true, onclick: chooseFile }), ...offers())));
}

function build() {
  editor = new Editor();
  problems = new Problems();
  clear(side, editor.root);
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
  document.getElementById("studio").replaceChildren(top, offline, workspace, foot);
  document.documentElement.classList.toggle("editing", store.settings.editor);
}

function toggleEditor(open = !store.settings.editor) {
  set({ editor: open });
  document.documentElement.classList.toggle("editing", open);
  if (open) { narrow("editor"); editor.focus(); }
}

function viewFor(target) {
  if (!target.startsWith("hex:")) return shown === "upgrades" && target.startsWith("tile:") ? "pieces" : target.startsWith("map:") ? "map" : "pieces";
  return shown === "upgrades" ? "upgrades" : "map";
}

let at = -1;
function nextProblem(step) {
  const list = store.problems.filter((each) => each.severity !== "note");
  if (!list.length) return;
  at = (at + step + list.length) % list.length;
  problems.go(list[at]);
}

// The view that the address names, if there is one now.
function named() {
  const id = location.hash.slice(1);
  return Object.hasOwn(VIEWS, id) && possible(id) ? id : null;
}

function listen() {
  addEventListener("hashchange", () => {
    if (!view) return;
    if (named()) show(named()); else history.replaceState(null, "", `#${shown}`);
  });
  on("state", () => {
    const { state } = store;
    document.title = `${state.name || state.id || "Platelayer"} – Platelayer`;
    document.documentElement.classList.toggle("broken", Boolean(state.broken));
    if (state.empty) welcome();
    else if (!view) show(named() || (possible("map") ? "map" : "pieces"));
    else if (!possible(shown)) show("pieces");
    else view.update();
    bar();
  });
  on("problems", () => view?.marks());
  on("open", (target) => {
    choose(target);
    const place = store.state?.places?.[target];
    if (place && store.settings.editor) editor.jump(...place);
  });
  on("jump", (problem) => {
    if (!store.settings.editor) toggleEditor(true);
    editor.jump(problem.file, problem.pointer, problem.line, problem.column);
  });
  on("frame", (target) => {
    choose(target);
    const wanted = viewFor(target);
    if (wanted !== shown) show(wanted);
    view?.frame(target);
  });
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const ctrl = event.ctrlKey || event.metaKey, typing = /** @type {Element} */ (event.composedPath()[0]).closest?.("input, textarea, select, [contenteditable]");
    if (ctrl && event.key === "p") { if (store.state?.pieces) printDialog(); }
    else if (ctrl && event.key === "s") editor.save();
    else if (ctrl && !typing && event.key.toLowerCase() === "z") (event.shiftKey ? redo : undo)();
    else if (ctrl && !typing && event.key === "y") redo();
    else if (event.key === "F8") nextProblem(event.shiftKey ? -1 : 1);
    else if (typing || ctrl || event.altKey || document.querySelector("dialog[open]")) return;
    else if (event.key === "?") keysDialog();
    else if (event.key === "/") toggleEditor(true);
    else if (event.key >= "1" && event.key <= "5" && !(/** @type {Element} */ (event.target)).closest?.(".port")) show(Object.keys(VIEWS).filter(possible)[Number(event.key) - 1] || shown);
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
