// What may be referred to at a place of a file: ids of hexes, tiles, companies, trains and the like.

import { get } from "./api.js";
import { store } from "./store.js";

/**
 * Ids by kind of thing, and the kinds that may be named, by where: `*` is any key or index, `a|b` either key; at the end,
 * `~` is for the keys themselves.
 * @typedef {{names: Record<string, string[]>, where: Record<string, string[]>}} Names
 */

let kept = { of: "", names: /** @type {Promise<Names> | null} */ (null) };

/** What there is to refer to in the title as it is shown. */
export function names() {
  const of = JSON.stringify([store.looks.at, store.looks.variant, store.state?.revision]);
  if (kept.of !== of || !kept.names) kept = { of, names: get("names.json").catch(() => ({ names: {}, where: {} })) };
  return kept.names;
}

/**
 * The kinds of things that may be named at a path of the title.
 * @param {Names["where"]} where @param {string[]} path
 */
export function kindsAt(where, path) {
  const fits = (/** @type {string} */ step, /** @type {string} */ key) => (step === "~" || key === "~" ? step === key : step === "*" || step.split("|").includes(key));
  return [...new Set(Object.entries(where).filter(([pattern]) => {
    const steps = pattern.split("/");
    return steps.length === path.length && steps.every((step, at) => fits(step, path[at]));
  }).flatMap(([, kinds]) => kinds))];
}
