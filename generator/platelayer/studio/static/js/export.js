// Export of the current picture as SVG, as PNG, or as PDF by the same pipeline as a print.

import { dialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { store, t } from "./store.js";

const DPI = 300, MM_PER_INCH = 25.4;
/** Maximum canvas size that all browsers support. */
const MOST_PIXELS = 120e6, LONGEST = 16000;

/**
 * Picture: its addresses as SVG and as PDF, its size in mm, and a name for its file.
 * @typedef {{svg: string, pdf: string, width: number, height: number, name: string}} Shown
 */

/** Return a file name for a piece of the title. @param {string} key @param {number} face */
export const fileName = (key, face = 0) => [store.state.id, key.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-"), face ? String(face + 1) : ""].filter(Boolean).join("-");

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(t("no_picture"));
  return answer.blob();
}

/** @param {Shown} shown @returns {Promise<[Blob, number]>} the PNG and its resolution in dpi */
async function pixels({ svg, width, height }) {
  const inches = [width / MM_PER_INCH, height / MM_PER_INCH];
  const dpi = Math.floor(Math.min(DPI, LONGEST / Math.max(...inches), Math.sqrt(MOST_PIXELS / (inches[0] * inches[1]))));
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = svg;
  await image.decode();
  [canvas.width, canvas.height] = inches.map((each) => Math.round(each * dpi));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const made = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!made) throw new Error(t("no_picture"));
  return [/** @type {Blob} */ (made), dpi];
}

/** @param {Blob} data @param {string} name */
export function save(data, name) {
  const href = URL.createObjectURL(data);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** @param {Shown} shown */
export function exportDialog(shown) {
  const said = h("div", { class: "progress", role: "status" });
  const ways = {
    svg: async () => /** @type {[Blob, number]} */ ([await fetched(shown.svg), DPI]),
    png: () => pixels(shown),
    pdf: async () => /** @type {[Blob, number]} */ ([await fetched(shown.pdf), DPI]),
  };
  const choices = Object.entries(ways).map(([suffix, make]) => button(t(`export_${suffix}`), { text: true, "data-suffix": suffix, onclick: async () => {
    const name = `${shown.name}.${suffix}`;
    said.textContent = t("working");
    try {
      const [data, dpi] = await make();
      save(data, name);
      said.textContent = t("exported", name, dpi < DPI ? t("export_dpi", dpi) : "");
    } catch (stop) { said.textContent = stop.message; }
  } }));
  dialog(t("export_picture"), h("div", { class: "form" }, h("div", {}, `${t("export_name")}: `, h("strong", {}, shown.name)), h("div", { class: "actions" }, choices), said));
}
