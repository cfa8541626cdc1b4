// The first script of the browser edition: fetches what is not here yet, starts Python, then the page.

import { entries, inflated } from "./packs.js";

const KINDS = { js: "text/javascript", mjs: "text/javascript", css: "text/css", svg: "image/svg+xml", html: "text/html", json: "application/json", wasm: "application/wasm" };
const bar = /** @type {HTMLProgressElement} */ (document.querySelector("#boot progress")), said = document.querySelector("#boot p");

/** What is said here, by its key, in the language of the page: it comes with the list of files. @type {Record<string, string>} */
let words = {};

/** @param {string} key @param {string} part */
const t = (key, part = "") => (words[key] ?? key).replace("{}", part);

/** The language that the page was last shown in, or that of the browser. */
function language() {
  try { return JSON.parse(localStorage.getItem("studio")).ui || navigator.language; } catch { return navigator.language; }
}

/** How much of the bar is for what comes over the network; the rest is for what happens here. */
const FETCHED = 0.7;

/** What is not needed at first is fetched so long after the start, so that the page has all of it without a network. */
const LATER_MS = 5000;

/** What the address says to be opened: a title or a map. */
export const arrived = /^#(title|atlas)=/.test(location.hash) ? location.hash : "";

/** Whether the page for a phone at the table is wanted instead of the studio. */
const table = /^#table\d*(=|$)/.test(location.hash);

let worker = null;
/** The worker that runs Python. */
export const python = () => worker;

/**
 * A pack, kept in a cache of its own by its digest. Its files stand there one by one, or as they are for Python.
 * @param {{path: string, bytes: number, sha256: string, whole: boolean}} pack
 * @param {(bytes: number) => void} got
 */
async function fetchPack(pack, got) {
  const cache = await caches.open(`platelayer-${pack.sha256}`), done = `${pack.path}.complete`;
  if (await cache.match(done)) { got(pack.bytes); return; }
  const response = await fetch(`${pack.path}.gz`, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${pack.path}: ${response.status}`);
  const parts = [], reader = response.body.getReader();
  for (;;) {
    const { done: ended, value } = await reader.read();
    if (ended) break;
    parts.push(value);
    got(value.length);
  }
  const data = await new Blob(parts).arrayBuffer();
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((each) => each.toString(16).padStart(2, "0")).join("");
  if (digest !== pack.sha256) throw new Error(t("boot_damaged", pack.path));
  const whole = await inflated(data);
  if (pack.whole) await cache.put(pack.path, new Response(whole));
  else {
    await Promise.all([...entries(whole)].map(([path, bytes]) =>
      cache.put(path, new Response(bytes, { headers: { "content-type": KINDS[path.split(".").at(-1)] || "application/octet-stream" } }))));
  }
  await cache.put(done, new Response(""));
}

/** Show the picture that the page showed last, layer by layer, until it can be drawn again. */
async function showLast() {
  const layers = arrived || table ? [] : await (await caches.open("platelayer-last")).keys();
  if (!layers.length) return;
  document.querySelector("#boot .last").replaceChildren(...layers.map(({ url }) => Object.assign(new Image(), { src: url, alt: "" })));
}

/**
 * The styles of the page, which come in a pack, and its modules, so that they are here when Python is.
 * @param {{path: string, sha256: string}} pack
 */
async function styled(pack) {
  for (const { url } of await (await caches.open(`platelayer-${pack.sha256}`)).keys()) {
    if (url.includes(table ? "/static/table/table.js" : "/static/js/")) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: url }));
  }
  const styles = [.../** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="later"]'))];
  await Promise.all((table ? styles.slice(0, 1) : styles).map((each) => new Promise((done) => {
    each.onload = each.onerror = done;
    if (table) each.href = "static/table/table.css";
    each.rel = "stylesheet";
  })));
}

async function controlled() {
  await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => { navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }); });
}

/** Whether no other page has the titles: two would write over each other. It is held as long as this page is open. */
function alone() {
  return new Promise((done) => {
    navigator.locks.request(`platelayer:${new URL(".", location.href).pathname}`, { ifAvailable: true }, (lock) => {
      done(Boolean(lock));
      return lock ? new Promise(() => {}) : null;
    });
  });
}

async function start() {
  const { packs, words: all } = await (await fetch("files.json")).json(), first = packs.filter((each) => !each.later);
  const ui = language().slice(0, 2);
  words = all[ui] || all.en;
  document.documentElement.lang = all[ui] ? ui : "en";
  bar.ariaLabel = said.textContent = t("boot_starting");
  if (!navigator.serviceWorker || !globalThis.DecompressionStream) throw new Error(t("boot_old"));
  if (!await alone()) throw new Error(t("boot_tab"));
  await controlled();
  showLast().catch(() => {});  // there is another picture
  const bytes = first.reduce((sum, each) => sum + each.bytes, 0);
  let here = 0;
  const got = (more) => {
    here += more;
    bar.value = FETCHED * here / bytes;
    said.textContent = here < bytes ? `${(here / 1e6).toFixed(1)} / ${(bytes / 1e6).toFixed(1)} MB` : t("boot_starting");
  };
  await Promise.all(first.map((pack) => fetchPack(pack, got)));
  worker = new Worker("worker.js", { type: "module" });
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => worker.postMessage(data, [...ports]));
  navigator.serviceWorker.startMessages();
  const page = styled(packs.find((each) => each.path === "packs/page"));
  await new Promise((done, failed) => {
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) done();
      else if (data.failed) failed(new Error(data.failed));
      else if (data.step) bar.value = FETCHED + (1 - FETCHED) * data.step;
    });
    worker.addEventListener("error", (event) => failed(new Error(event.message || t("boot_worker"))));
  });
  if (arrived) history.replaceState(null, "", "#");
  await page;
  if (table) await atTable();
  else {
    await import("./static/js/main.js");
    document.getElementById("boot").remove();
  }
  // Without the rest, what needs it asks for it again.
  await fetchRest(packs.filter((each) => each.later)).catch(() => {});
}

async function atTable() {
  const ask = async (request) => {
    const response = await fetch(`atlas/table?lang=${document.documentElement.lang}`, { method: "POST", body: JSON.stringify(request) });
    const found = await response.json();
    if (!response.ok) throw new Error(found.message || found.problems.map(({ message }) => message).join("; "));
    return found;
  };
  // @ts-expect-error It stands elsewhere until it is packed.
  const { start: show } = await import("./static/table/table.js");
  show(await ask({}), ask);
}

/** @param {string} pack */
const handOn = (pack) => new Promise((done) => {
  worker.addEventListener("message", ({ data }) => { if (data.filled === pack) done(); });
  worker.postMessage({ pack });
});

/** Fetch what is not needed at first, and hand it on to Python: all is there then without a network. */
async function fetchRest(packs) {
  const kept = await Promise.all(packs.map(({ path }) => caches.match(`${path}.complete`)));
  if (!kept.every(Boolean)) await new Promise((done) => { setTimeout(done, LATER_MS); });
  for (const pack of packs) {
    await fetchPack(pack, () => {});
    await handOn(pack.path);
  }
  document.documentElement.dataset.whole = "";
}

start().catch((stop) => {
  bar.hidden = true;
  said.textContent = stop.message;
  said.setAttribute("role", "alert");
});
