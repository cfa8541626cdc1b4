// The files as they are edited: one small interface, which the studio answers.

import { send } from "./api.js";
import { store, tell } from "./store.js";

/** This page among all that edit the same files. */
export const PAGE = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

let first = async () => {};
/** What has to be done before anything else is asked for: to send what was typed. */
export function beforeAsking(work) { first = work; }

/**
 * Ask for something to be done with the files; what can be asked for stands in studio/desk.py.
 * @param {string} what @param {object} given @param {{first?: boolean}} options
 */
export async function ask(what, given = {}, options = {}) {
  if (options.first !== false) await first();
  return send("do", { do: what, at: store.looks.at, variant: store.looks.variant || null, ...given });
}

/**
 * One step that can be undone, of operations on files and hexes. Steps with the same group are one.
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
