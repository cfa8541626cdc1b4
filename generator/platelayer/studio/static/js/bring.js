// New titles: from the starter, or from another program's file or folder dropped on the page.

import { send } from "./api.js";
import { dialog, field } from "./dialogs.js";
import { button, clear, enable, h, select } from "./dom.js";
import { giveLogo, pieceUnder } from "./logo.js";
import { look, store, t } from "./store.js";

const MOST = 400;

async function entriesOf(entry, path = "") {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => { entry.file(done, failed); });
    return [[path + entry.name, file]];
  }
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, failed) => { reader.readEntries(done, failed); });
    if (!some.length) break;
    for (const each of some) if (!each.name.startsWith(".")) found.push(...await entriesOf(each, `${path}${entry.name}/`));
  }
  return found;
}

async function base64(file) {
  const url = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

const nameFor = (path) => path.split("/")[0].replace(/\.[^.]*$/, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "title";

function ask(words, name, work, more = null) {
  const input = h("input", { value: name, "aria-label": t("folder_name"), required: true });
  const status = h("p", { class: "progress", role: "status" });
  const go = button(words, { text: true, class: "strong", onclick: async () => {
    enable(go, false);
    status.textContent = t("working");
    try {
      const made = await work(input.value.trim());
      if (made.path) { clear(body, h("p", {}, t("made_mine", made.path, `platelayer studio "${made.path}"`))); return; }
      clear(body, h("p", {}, t("made_in", made.at || ".", made.files.length)),
        made.lost || made.unread ? h("p", { class: "hint" }, t("lost", made.lost, made.unread)) : null,
        h("div", { class: "actions end" }, button(t("open_it"), { text: true, class: "strong", onclick: () => { box.close(); look({ at: made.at, variant: "" }); } })));
    } catch (stop) {
      status.textContent = stop.message;
      enable(go, true);
    }
  } });
  const body = h("div", { class: "form" }, ...(more ? [more] : []), field(t("folder_name"), input, store.state?.writable === false ? "" : t("folder_hint")), status, h("div", { class: "actions end" }, go));
  const box = dialog(words, body);
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") go.click(); });
}

/** A copy of a shipped title, in a folder of one's own. */
export function beginFromShipped() {
  const { shipped } = store.about, chosen = select(t("which_title"), shipped.map((each) => [each, each]), shipped[0], () => {});
  ask(t("from_shipped"), "my-title", (name) => send("new", { name, of: chosen.value }), field(t("which_title"), chosen));
}

/** The same of the shipped title that is looked at. */
export const makeMine = () => ask(t("make_mine"), `my-${store.state.id}`, (name) => send("mine", { name }),
  h("p", {}, t("make_mine_hint"), " ", t("mine_place", store.about.own_place)));

/** A file that one chooses becomes the logo of a company. */
export function chooseLogo(own) {
  const input = h("input", { type: "file", accept: ".svg" });
  input.addEventListener("change", async () => giveLogo(own, input.files[0], await base64(input.files[0])));
  input.click();
}

/** A new title, from only a map to a whole game. */
export function begin() {
  const { starts } = store.about, chosen = select(t("start"), starts.map((each) => [each, t(`start_${each}`)]), "small", () => {});
  ask(t("new_title"), "new-title", (name) => send("new", { name, start: chosen.value }), field(t("start"), chosen));
}

export async function bring(found) {
  const files = await Promise.all(found.slice(0, MOST).map(async ([path, file]) => ({ path, data: await base64(file) })));
  if (files.length) ask(t("import"), nameFor(files[0].path), (name) => send("import", { name, files }));
}

export function chooseFile() {
  const input = h("input", { type: "file", accept: ".json,.txt" });
  input.addEventListener("change", () => bring([...input.files].map((each) => [each.name, each])));
  input.click();
}

export function listenForDrops() {
  let inside = 0;
  const shade = h("div", { class: "drop", hidden: true }, h("p", {}, t("drop_here")));
  document.body.append(shade);
  const files = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  addEventListener("dragenter", (event) => { if (files(event)) { inside += 1; shade.hidden = false; event.preventDefault(); } });
  addEventListener("dragleave", (event) => { if (files(event)) { inside -= 1; shade.hidden = inside > 0 ? false : true; } });
  // One picture over a piece of a company is its logo; everything else is to be imported.
  const logoOf = (event) => {
    const [first, ...others] = [...(event.dataTransfer?.items || [])];
    return first?.type.startsWith("image/") && !others.length ? pieceUnder(event.target) : null;
  };
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    const own = logoOf(event);
    shade.firstElementChild.textContent = own ? t("logo_here", own.company) : t("drop_here");
  });
  addEventListener("drop", async (event) => {
    if (!files(event)) return;
    event.preventDefault();
    inside = 0;
    shade.hidden = true;
    const own = logoOf(event);
    if (own) { const [file] = event.dataTransfer.files; giveLogo(own, file, await base64(file)); return; }
    const entries = [...event.dataTransfer.items].map((each) => each.webkitGetAsEntry?.()).filter(Boolean);
    bring(entries.length ? (await Promise.all(entries.map((each) => entriesOf(each)))).flat() : [...event.dataTransfer.files].map((each) => [each.name, each]));
  });
}
