// Addresses of views: "#map/D4", "#map:lite/D4" (with several maps), "#pieces/tile:57", "#sheets/tiles/2".

/**
 * Place in a view: a part of it, such as a map or a kind of piece, and the path to an item in that part.
 * @typedef {{of?: string, at?: string[]}} Place
 */

const written = (/** @type {string} */ part) => encodeURIComponent(part).replaceAll("%3A", ":");
const read = (/** @type {string} */ part) => { try { return decodeURIComponent(part); } catch { return part; } };

/**
 * Return the address of a place in a view.
 * @param {string} view @param {Place} place
 */
export const addressOf = (view, { of = "", at = [] }) => `#${[view + (of && `:${written(of)}`), ...at.map(written)].join("/")}`;

/**
 * Return the view of an address, and the place in it.
 * @param {string} address
 */
export function placeAt(address) {
  const [first, ...at] = address.replace(/^#/, "").split("/"), [view, ...of] = first.split(":");
  return { view, of: read(of.join(":")), at: at.map(read) };
}

/**
 * Return a target on a map ("hex:map/D4") as a place.
 * @param {{id: string}[]} maps @param {string} target
 * @returns {Place}
 */
export function placeOn(maps, target) {
  const [, map = "", id = ""] = target.match(/^hex:([^/]+)\/(.*)$/) || [];
  return { of: maps.length > 1 && (id || map !== maps[0].id) ? map : "", at: id ? [id] : [] };
}
