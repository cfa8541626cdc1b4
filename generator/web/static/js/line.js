// The line to the studio in the browser edition, where it is a worker of the page.

import { arrived, python } from "../../boot.js";
import { button, h } from "./dom.js";
import { arrive, copied, filesDialog } from "./files.js";
import { keepFolders } from "./folders.js";
import { t } from "./store.js";

/** What goes with everything that a page sends. */
export const headers = {};

/** What the bar and the welcome offer beside the rest. */
export const offers = () => [button(t("files"), { icon: "open", text: true, onclick: filesDialog })];

/** Whether the files lie in a folder of this machine, for other programs as well. @type {boolean} */
export const onDisk = false;

/** Links that open a random map elsewhere, in the studio and step by step on a phone. */
export const linksTo = ({ code }) => [["atlas", "link_map"], ["table", "link_phone"]].map(([page, words]) => {
  const link = new URL(`#${page}=${code}`, document.baseURI).href;
  return h("a", { href: link, onclick: (event) => { event.preventDefault(); copied(link, t("link_map_copied")); } }, t(words));
});

/** The address at which others can open this page. */
export const ownPlace = new URL(".", document.baseURI).href;

/** A picture is kept so long after it is shown: while one paints, they come one after the other. */
const KEEP_MS = 2000;

/** Keep the picture that is shown, which the next start shows until Python is there. */
async function keepPicture() {
  const images = /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll(".viewer .picture img"));
  const layers = await Promise.all([...images].map(({ src }) => fetch(src))), cache = await caches.open("platelayer-last");
  if (!layers.length || !layers.every(({ ok }) => ok)) return;
  // There is a picture at every moment: the page may be left while this one is kept.
  for (const [number, layer] of layers.entries()) await cache.put(`last/${number}`, layer);
  for (const old of (await cache.keys()).slice(layers.length)) await cache.delete(old);
}

function keepPictures() {
  let soon = 0;
  new MutationObserver(() => {
    clearTimeout(soon);
    soon = setTimeout(() => keepPicture().catch(() => {}), KEEP_MS);  // without it, a start shows another picture
  }).observe(document.getElementById("studio"), { subtree: true, attributeFilter: ["data-version"] });
}

/**
 * Open the line.
 * @param {(news: {event: string, number: number, data: any}) => void} hear
 * @param {(there: boolean) => void} turned
 * @returns {(words: object) => void} what says something to the studio
 */
export function open(hear, turned) {
  python().addEventListener("message", ({ data }) => { if (data.news) hear(data.news); });
  keepFolders();
  keepPictures();
  arrive(arrived).finally(() => turned(true));
  return (words) => python().postMessage({ say: words });
}
