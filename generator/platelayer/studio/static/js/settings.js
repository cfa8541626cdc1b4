// Settings of this browser: page language, appearance, automatic saving, and the size of a millimetre on this screen.

import { dialog, field } from "./dialogs.js";
import { h, select } from "./dom.js";
import { ask } from "./host.js";
import { LETTERS } from "./paint.js";
import { set, store, t } from "./store.js";

const CARD_MM = 85.6;
const KEYS = [["Ctrl+K", "keys_goto"], ["1 – 6", "keys_views"], ["Alt+← →", "keys_back"], ["F2", "keys_rename"], ["/", "keys_editor"], ["i", "keys_form"], ["e", "keys_paint"], ["F8", "keys_problem"], ["Ctrl+S", "keys_save"], ["Ctrl+P", "keys_print"], ["+ − 0 1", "keys_zoom"], ["← ↑ → ↓", "keys_move"], ["Enter", "keys_open"], ["n  p  b", "keys_pieces"], ["Ctrl+Z", "keys_undo"], ["Ctrl+Shift+Z", "keys_redo"],
  ["Shift", "keys_select"], ["Ctrl+A", "keys_all"], ["Ctrl+C  X  V", "keys_copy"], ["R  F", "keys_ghost"], ["Del", "keys_clear"], [Object.values(LETTERS).join(" "), "keys_brushes"], ["?", "keys_help"]];

/** Send the studio this browser's setting for automatic saving. */
export const tellAutosave = () => ask("autosave", { on: store.settings.autosave }).catch(() => {});

export function appear() {
  const { scheme } = store.settings;
  if (scheme === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

export function settingsDialog() {
  const card = h("div", { class: "bankcard" });
  const size = () => { card.style.width = `${CARD_MM * store.settings.pxPerMm}px`; card.style.height = `${53.98 * store.settings.pxPerMm}px`; };
  size();
  dialog(t("settings"), h("div", { class: "form" },
    field(t("page_language"), select(t("page_language"), Object.entries(store.about.languages), store.settings.ui, (ui) => { set({ ui }); location.reload(); })),
    field(t("appearance"), select(t("appearance"), ["auto", "light", "dark"].map((id) => [id, t(`scheme_${id}`)]), store.settings.scheme, (scheme) => { set({ scheme }); appear(); })),
    h("label", { class: "tick" }, h("input", { type: "checkbox", checked: store.settings.autosave, onchange: (event) => { set({ autosave: event.target.checked }); tellAutosave(); } }), t("autosave")),
    field(t("calibrate"), h("input", { type: "range", min: 2, max: 9, step: 0.01, value: store.settings.pxPerMm, "aria-label": t("calibrate"),
      oninput: (event) => { set({ pxPerMm: Number(event.target.value) }); size(); } }), t("calibrate_hint")),
    h("div", { class: "cardplace" }, card)), { wide: true });
}

export function keysDialog() {
  dialog(t("keys"), h("dl", { class: "keys" }, KEYS.flatMap(([keys, words]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, t(words))])));
}
