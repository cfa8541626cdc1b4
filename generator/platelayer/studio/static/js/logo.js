// A company's logo: an SVG file that is dropped on one of its pieces, or chosen.

import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { ask } from "./host.js";
import { piece, store, t } from "./store.js";

/**
 * The piece of a company that an element belongs to, if a logo may be dropped there.
 * @param {EventTarget | null} target
 */
export function pieceUnder(target) {
  const key = target instanceof Element ? target.closest("[data-key]")?.getAttribute("data-key") : null;
  const own = key && store.state?.writable ? piece(key) : null;
  return own?.company ? own : null;
}

/** @param {{key: string, company: string}} own @param {File} file @param {string} data its bytes in base64 */
export async function giveLogo(own, file, data) {
  const label = t("logo_of", own.company);
  try {
    await ask("logo", { key: own.key, name: file.name, data, label });
  } catch (stop) {
    dialog(label, h("p", { role: "alert" }, stop.message));
  }
}
