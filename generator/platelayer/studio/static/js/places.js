// Conversion between paths, files and targets. A path of the title (["companies", "NR"]) has a file and a pointer in it; a
// target ("tile:57", "hex:map/D4") identifies a piece or a hex, which has a path.

import { pointerOf, tokens } from "./pointer.js";
import { piece, store } from "./store.js";

/**
 * Return the file of a path of the title, and the pointer in it; null if the title has never been read.
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
 * Return the path of the title for a pointer in a file; null if it belongs to no part of the title.
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
 * Return the path of a target; null if there is no such piece or hex, or the title does not define it.
 * @param {string} target
 * @returns {string[] | null}
 */
export function pathOf(target) {
  const [, map, id] = target?.match(/^hex:([^/]+)\/(.*)$/) || [];
  if (map === undefined) return piece(target)?.origin.length ? piece(target).origin : null;
  return store.state?.maps?.find((each) => each.id === map)?.hexes.includes(id) ? ["maps", map, "hexes", id] : null;
}

/** Return the file and pointer of a target. */
export const placeOf = (/** @type {string} */ target) => { const path = pathOf(target); return path && source(path); };

/**
 * Return the target at a path of the title, or around it.
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

/** Return the target at a pointer in a file, or around it. */
export const targetOf = (/** @type {string} */ file, /** @type {string} */ pointer) => targetAt(pathIn(file, pointer) || []);

export const targetOfProblem = (problem) => (pathOf(problem.about) ? problem.about : targetOf(problem.file, problem.pointer || ""));
