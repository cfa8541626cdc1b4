// Ids that may be referred to at a place of a file: hexes, tiles, companies, trains and others.

import { get } from "./api.js";
import { store } from "./store.js";

/**
 * Ids by kind, and the kinds allowed at each path: `*` is any key or index, `a|b` is either key, and a final `~` means
 * the keys themselves.
 * @typedef {{names: Record<string, string[]>, where: Record<string, string[]>}} Names
 */

let kept = { of: "", names: /** @type {Promise<Names> | null} */ (null) };

/** Return the names that can be referred to in the title as shown. */
export function names() {
  const of = JSON.stringify([store.looks.at, store.looks.variant, store.state?.revision]);
  if (kept.of !== of || !kept.names) kept = { of, names: get("names.json").catch(() => ({ names: {}, where: {} })) };
  return kept.names;
}

/**
 * Return the kinds of names allowed at a path of the title.
 * @param {Names["where"]} where @param {string[]} path
 */
export function kindsAt(where, path) {
  const fits = (/** @type {string} */ step, /** @type {string} */ key) => (step === "~" || key === "~" ? step === key : step === "*" || step.split("|").includes(key));
  return [...new Set(Object.entries(where).filter(([pattern]) => {
    const steps = pattern.split("/");
    return steps.length === path.length && steps.every((step, at) => fits(step, path[at]));
  }).flatMap(([, kinds]) => kinds))];
}
