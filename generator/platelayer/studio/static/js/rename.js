// Renaming of a hex, company, train, phase or tile, with all references to it.

import { get } from "./api.js";
import { dialog, field } from "./dialogs.js";
import { button, clear, h } from "./dom.js";
import { ask } from "./host.js";
import { pathOf } from "./places.js";
import { pointerOf } from "./pointer.js";
import { t, tell } from "./store.js";

/**
 * Entry with an id: its kind, id, names, pointer in the title, and the target that shows it.
 * @typedef {{kind: string, id: string, names: string[], pointer: string, target: string, own: boolean}} Thing
 */

/** @returns {Promise<Thing[]>} */
export const things = () => get("things.json");

/**
 * Return the entry that a target belongs to; a charter or a token belongs to its company.
 * @param {Thing[]} all @param {string} target
 */
export function thingOf(all, target) {
  const pointer = `${pointerOf(pathOf(target) || [])}/`;
  return all.find((each) => each.own && pointer.startsWith(`${each.pointer}/`));
}

/** @param {Thing} thing */
export const nameOf = ({ kind, id, names }) => [t(`is_${kind}`), id, names[0] && names[0] !== id ? `(${names[0]})` : ""].filter(Boolean).join(" ");

/** @param {Thing} thing */
export function renameDialog(thing) {
  const id = h("input", { type: "text", value: thing.id, "aria-label": t("rename_id"), autocomplete: "off", spellcheck: false });
  const said = h("div", { class: "progress", role: "status" });
  const form = h("form", { class: "form", onsubmit: (event) => { event.preventDefault(); rename(); } },
    field(t("rename_id"), id, t("rename_id_hint")),
    h("div", { class: "actions end" }, said, button(t("rename"), { text: true, class: "strong", type: "submit" })));

  async function rename() {
    const key = id.value.trim();
    if (!key || key === thing.id) return;
    said.textContent = t("working");
    try {
      const { edits } = await ask("edit", { label: t("rename_step", thing.id, key), ops: [{ op: "rename", pointer: thing.pointer, key }] });
      said.textContent = t("renamed", thing.id, key, edits);
      const close = button(t("close"), { text: true, class: "strong", onclick: () => box.close() });
      clear(form, h("div", { class: "actions end" }, said, close));
      close.focus();
      await after(thing, key);
    } catch (stop) {
      said.textContent = stop.message;
      id.focus();
    }
  }

  const box = dialog(`${t("rename")}: ${nameOf(thing)}`, form);
  id.focus();
  id.select();
}

/** Select the renamed entry again by its new id. */
async function after(thing, key) {
  const now = (await things()).find((each) => each.kind === thing.kind && each.id === key);
  if (now?.target) tell("renamed", now.target);
}
