// The line to the studio in the browser edition, where it is a worker of the page.

import { python } from "../../boot.js";

/** What goes with everything that a page sends. */
export const headers = {};

/** What the bar and the welcome offer beside the rest. @type {() => HTMLElement[]} */
export const offers = () => [];

/**
 * Open the line.
 * @param {(news: {event: string, number: number, data: any}) => void} hear
 * @param {(there: boolean) => void} turned
 * @returns {(words: object) => void} what says something to the studio
 */
export function open(hear, turned) {
  python().addEventListener("message", ({ data }) => { if (data.news) hear(data.news); });
  setTimeout(() => turned(true));
  return (words) => python().postMessage({ say: words });
}
