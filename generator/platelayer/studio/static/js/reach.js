/** Return the reach implied by a train's name: "5" five stops, "2+2" two cities and two towns, "D" all; null for others. */
export function reachOf(/** @type {string} */ name) {
  const [, stops, towns] = name.match(/^([1-9]\d?)(?:\+([1-9]\d?))?$/) || [], all = ["city", "town", "offboard"];
  if (towns) return [{ stops: ["city", "offboard"], visit: Number(stops), pay: Number(stops) }, { stops: ["town"], visit: Number(towns), pay: Number(towns) }];
  return stops ? [{ stops: all, visit: Number(stops), pay: Number(stops) }] : name === "D" ? [{ stops: all, visit: null, pay: null }] : null;
}
