// Requests to the studio. Addresses are relative to that of the page.

import { h } from "./dom.js";
import { written } from "./json.js";
import { headers } from "./line.js";
import { piece, store, t } from "./store.js";

export function query(more = {}) {
  const { at, variant, lang, theme } = store.looks;
  const given = Object.entries({ at, variant, lang, theme, ...more }).filter(([, value]) => value !== "" && value != null);
  return new URLSearchParams(given).toString();
}

export class Refusal extends Error {
  constructor(answer, status) {
    super(answer.message || (answer.problems || []).map((each) => `${each.code} ${each.message}`).join("\n"));
    this.problems = answer.problems || [];
    this.status = status;
  }
}

async function answered(response) {
  if (response.ok) return response.json();
  const text = await response.text();
  let answer = { message: text };
  try { answer = JSON.parse(text); } catch { /* plain text, not JSON */ }
  throw new Refusal(answer, response.status);
}

// Send nothing while the studio is gone: another program may now use its port.
async function ask(path, more, options = {}) {
  if (!store.online) throw new Refusal({ message: t("studio_stopped") }, 0);
  return answered(await fetch(`${path}?${query(more)}`, options));
}

export const get = (path, more) => ask(path, more);

export function send(path, body, more, method = "POST") {
  return ask(path, more, { method, headers: { ...headers, "content-type": "application/json" }, body: written(body) });
}

export const version = (key) => piece(key)?.version || "";

// The version of a piece is known only for the page's own view; for other views, use the revision of the title.
const versionIn = (key, looks) => (looks ? `${store.state?.run}-${store.state?.revision}` : version(key));

/**
 * Return the address of a face of a piece, in the view of the page or in another one.
 * @param {string} key @param {number} face @param {object | null} looks
 */
export const pictureUrl = (key, face = 0, looks = null) => !store.online ? "data:," : `picture/${face}/${encodeURIComponent(key)}?${query({ ...looks, v: versionIn(key, looks) })}`;
export const iconUrl = (/** @type {string} */ name) => `icon/${encodeURIComponent(name)}?${query({ v: store.state?.revision })}`;
export const pdfUrl = (key, face = 0) => `pdf/${face}/${encodeURIComponent(key)}?${query()}`;

/**
 * Return the faces of a piece. Faces that the studio has sent in advance are used at once; the request is sent all the
 * same, as the studio draws in advance only pieces that pages have requested.
 * @param {string} key @param {object | null} looks
 */
export function faces(key, looks = null) {
  const asked = get(`faces/${encodeURIComponent(key)}`, { ...looks, v: versionIn(key, looks) }), { drawn } = store;
  if (looks || drawn?.key !== key || drawn.version !== version(key)) return asked;
  asked.catch(() => {});
  return Promise.resolve(drawn.faces);
}

/** Return an image element for a picture or a layer. @param {string} src */
export function imageOf(src) {
  const svg = store.drawn?.layers[src.replace("layer/", "")], image = h("img", { alt: "", draggable: false, "data-src": src });
  image.src = svg ? URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) : src;
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  return image;
}
