// Client of the studio's actions on the files being edited.

import { send } from "./api.js";
import { store, tell } from "./store.js";

/** Id of this page among all pages that edit the same files. */
export const PAGE = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

let first = async () => {};
/** Register work to do before each action: sending typed text. */
export function beforeAsking(work) { first = work; }

/**
 * Perform an action on the files; studio/desk.py defines the actions.
 * @param {string} what @param {object} given @param {{first?: boolean}} options
 */
export async function ask(what, given = {}, options = {}) {
  if (options.first !== false) await first();
  return send("do", { do: what, at: store.looks.at, variant: store.looks.variant || null, ...given });
}

/**
 * Apply operations to files and hexes as one undo step. Successive steps with the same group are merged.
 * @param {string} label @param {object[]} ops @param {string} group @param {object} more
 */
export async function edit(label, ops, group = "", more = {}) {
  try { return await ask("edit", { label, ops, group, ...more }); } catch (stop) { tell("refused", stop.message); return null; }
}

async function move(what) {
  try { await ask(what); } catch (stop) { tell("refused", stop.message); }
}
export const undo = () => move("undo");
export const redo = () => move("redo");
