// What is kept in this browser: titles to open, to take along and to pass on.

import { get, send } from "./api.js";
import { dialog } from "./dialogs.js";
import { button, clear, h } from "./dom.js";
import { canOpenFolders, folderOf, openFolder, saveInto } from "./folders.js";
import { look, store, t, tell } from "./store.js";

/** Ask for something, and show the title that comes of it. */
async function taken(work, box) {
  try {
    const { at } = await work();
    box.close();
    look({ at, variant: "" });
  } catch (stop) { if (stop.name !== "AbortError") tell("refused", stop.message); }
}

/**
 * Put a link where it can be pasted.
 * @param {string} link @param {string} words
 */
export async function copied(link, words) {
  try { await navigator.clipboard.writeText(link); } catch { /* not allowed: it can be copied by hand */ }
  const text = h("input", { readOnly: true, value: link, "aria-label": t("link_to") });
  dialog(t("link_to"), h("div", { class: "form" }, h("p", { role: "status" }, words), text));
  text.select();
}

async function share(at) {
  try {
    const { title } = await get("link", { at });
    await copied(new URL(`#title=${title}`, document.baseURI).href, t("link_copied"));
  } catch (stop) { tell("refused", stop.message); }
}

function chooseZip(box) {
  const input = h("input", { type: "file", accept: ".zip,application/zip" });
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) taken(() => openZip(file), box);
  });
  input.click();
}

async function openZip(file) {
  const response = await fetch(`unpack?${new URLSearchParams({ name: file.name })}`, { method: "POST", body: await file.arrayBuffer() });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/** The dialog of all titles here, and of what others may be made of. */
export async function filesDialog() {
  const list = h("ul", { class: "titles" }), start = h("div", { class: "actions" });
  const box = dialog(t("files"), h("div", { class: "form" }, h("p", { class: "hint" }, t("files_kept")),
    h("section", {}, h("h2", {}, t("files_here")), list),
    h("section", {}, h("h2", {}, t("files_start")), start),
    h("section", {}, h("h2", {}, t("files_bring")), h("div", { class: "actions" },
      button(t("open_zip"), { text: true, onclick: () => chooseZip(box) }),
      canOpenFolders() ? button(t("open_folder"), { text: true, onclick: () => taken(openFolder, box) }) : null))), { wide: true });
  const fill = () => clear(list, (store.state?.titles || []).map((at) => {
    const folder = folderOf(at);
    return h("li", {}, button(at, { text: true, onclick: () => { box.close(); look({ at, variant: "" }); } }), h("span", { class: "gap" }),
      folder ? button(t("save_in_folder", folder.name), { icon: "save", onclick: () => saveInto(at, true) }) : null,
      h("a", { href: `pack.zip?${new URLSearchParams({ at })}`, download: `${at}.zip` }, t("download_zip")),
      button(t("link_to"), { text: true, onclick: () => share(at) }),
      button(t("remove"), { text: true, class: "quiet", onclick: async (event) => {
        if (!confirm(t("remove_sure", at))) return;
        await send("remove", { at });
        /** @type {Element} */ (event.target).closest("li").remove();
      } }));
  }));
  fill();
  const shipped = await get("shipped.json", { ui: store.settings.ui });
  clear(start, shipped.map(({ id, name }) => button(name, { text: true, onclick: () => taken(() => send("shipped", { id }), box) })));
}

/**
 * What the page was opened with: a title, or the code of a random map (older links: mode, policy and seed).
 * @param {string} words
 */
export async function arrive(words) {
  const [, kind, value] = words.match(/^#(title|atlas)=(.+)$/) || [];
  try {
    if (kind === "title") {
      const { at, base } = await send("linked", { title: value });
      look({ at, variant: "" });
      if (base) alert(t("link_base", base));
    }
    if (kind === "atlas") {
      store.wanted = decodeURIComponent(value);
      look({ at: (await send("shipped", { id: "lost-atlas" })).at, variant: "" });
      history.replaceState(null, "", "#atlas");
    }
  } catch (stop) { alert(stop.message); }
}

// Browsers fetch what is downloaded themselves, past the service worker: so it is fetched here.
document.addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[download]");
  if (!(link instanceof HTMLAnchorElement) || !link.href.startsWith("http")) return;
  event.preventDefault();
  const response = await fetch(link.href);
  if (!response.ok) { tell("refused", (await response.json()).message); return; }
  const address = URL.createObjectURL(await response.blob());
  h("a", { href: address, download: link.download }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
});
