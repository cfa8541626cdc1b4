// Pictures that the user drops or chooses: logos of companies, and pictures for hexes and cards.

import { iconUrl } from "./api.js";
import { dialog, field } from "./dialogs.js";
import { button, h, select } from "./dom.js";
import { ask } from "./host.js";
import { piece, store, t } from "./store.js";

/**
 * Return the company's piece that an element belongs to, if a logo may be dropped there.
 * @param {EventTarget | null} target
 */
export function pieceUnder(target) {
  const key = target instanceof Element ? target.closest("[data-key]")?.getAttribute("data-key") : null;
  const own = key && store.state?.writable ? piece(key) : null;
  return own?.company ? own : null;
}

/** @param {string} label @param {object} given */
async function add(label, given) {
  try {
    return await ask("logo", { ...given, label });
  } catch (stop) {
    dialog(label, h("p", { role: "alert" }, stop.message));
    return null;
  }
}

/** @param {{key: string, company: string}} own @param {File} file @param {string} data its bytes in base64 */
export const giveLogo = (own, file, data) => add(t("logo_of", own.company), { key: own.key, name: file.name, data });

/** @param {File} file @param {string} data */
export const addPicture = (file, data) => add(t("add_picture"), { name: file.name, data });

/**
 * Let the user choose an icon or a picture of the title.
 * @param {string} title @param {string[]} names @param {string} now @param {(id: string) => void} done
 */
export function pickPicture(title, names, now, done) {
  const box = dialog(title, h("div", { class: "icons" }, names.map((id) => h("button", { type: "button", class: "choice", "aria-pressed": String(id === now), onclick: () => {
    box.close();
    done(id);
  } }, h("img", { alt: "", loading: "lazy", src: iconUrl(id) }), h("span", {}, id)))));
}

/** Ask for the purpose of a dropped picture. @param {File} file @param {string} data */
export function askPicture(file, data) {
  const companies = new Map(store.state.pieces.filter((each) => each.company).map((each) => [each.company, each]));
  const purpose = select(t("picture_for"), [["", t("picture_own")], ...[...companies.keys()].map((each) => [each, t("logo_of", each)])], "", () => {});
  const box = dialog(file.name, h("div", { class: "form" }, field(t("picture_for"), purpose), h("div", { class: "actions end" }, button(t("form_add_one"), { text: true, class: "strong", onclick: () => {
    box.close();
    const own = companies.get(purpose.value);
    if (own) giveLogo(own, file, data); else addPicture(file, data);
  } }))));
  purpose.focus();
}
