// Where things stand. A path of the title (["companies", "NR"]) has a file and a pointer there; a target ("tile:57",
// "hex:map/D4") names a piece or a hex, which stands at a path.

import { pointerOf, tokens } from "./pointer.js";
import { piece, store } from "./store.js";

/**
 * File and pointer of what stands at a path of the title; null before it could be read.
 * @param {(string | number)[]} path
 * @returns {[string, string] | null}
 */
export function source(path) {
  const origins = store.state?.origins || {};
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const found = origins[pointerOf(path.slice(0, depth))];
    if (found) return [found[0], found[1] + pointerOf(path.slice(depth))];
  }
  return null;
}

/**
 * The path of the title that a pointer in one of its files is; null if it is of no part of it.
 * @param {string} file @param {string} pointer
 */
export function pathIn(file, pointer) {
  let best = null, longest = -1;
  for (const [of, [name, at]] of Object.entries(store.state?.origins || {})) {
    if (name !== file || at.length <= longest || !`${pointer}/`.startsWith(`${at}/`)) continue;
    [best, longest] = [of + pointer.slice(at.length), at.length];
  }
  return best === null ? null : tokens(best);
}

/**
 * The path of what a target names; null if there is no such piece or hex, or it is not the title's own.
 * @param {string} target
 * @returns {string[] | null}
 */
export function pathOf(target) {
  const [, map, id] = target?.match(/^hex:([^/]+)\/(.*)$/) || [];
  if (map === undefined) return piece(target)?.origin.length ? piece(target).origin : null;
  return store.state?.maps?.find((each) => each.id === map)?.hexes.includes(id) ? ["maps", map, "hexes", id] : null;
}

/** File and pointer of what a target names. */
export const placeOf = (/** @type {string} */ target) => { const path = pathOf(target); return path && source(path); };

/**
 * The target at a path of the title, or around it.
 * @param {string[]} path
 */
export function targetAt(path) {
  const [block, map, hexes, id] = path, hex = `hex:${map}/${id}`;
  if (block === "maps" && hexes === "hexes" && pathOf(hex)) return hex;
  let best = null, longest = 0;
  for (const { key, origin } of store.state?.pieces || []) {
    if (origin.length > longest && origin.every((step, at) => step === path[at])) [best, longest] = [key, origin.length];
  }
  return best;
}

/** The target at a pointer in a file, or around it. */
export const targetOf = (/** @type {string} */ file, /** @type {string} */ pointer) => targetAt(pathIn(file, pointer) || []);

export const targetOfProblem = (problem) => (pathOf(problem.about) ? problem.about : targetOf(problem.file, problem.pointer || ""));
