// New titles: from the starter, or from another program's file or folder dropped on the page.

import { send } from "./api.js";
import { dialog, field } from "./dialogs.js";
import { button, clear, enable, h, select } from "./dom.js";
import { labelOf } from "./form.js";
import { addPicture, askPicture, giveLogo, pieceUnder } from "./logo.js";
import { look, store, t, tell } from "./store.js";

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

const folderFor = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-|-$/g, "");
const nameFor = (path) => folderFor(path.split("/")[0].replace(/\.[^.]*$/, "")) || "title";

function ask(words, name, work, more = null, input = h("input", { value: name, "aria-label": t("folder_name"), required: true }), act = words) {
  const status = h("p", { class: "progress", role: "status" });
  const go = button(act, { text: true, class: "strong", onclick: async () => {
    enable(go, false);
    status.textContent = t("working");
    try {
      const made = await work(input.value.trim());
      if (!made.path && made.lost === undefined) { box.close(); look({ at: made.at, variant: "", ...made.looks }); tell("begun"); return; }
      if (made.path) { clear(body, h("p", {}, t("made_mine", made.path, `platelayer studio "${made.path}"`))); return; }
      clear(body, h("p", {}, t("made_in", made.at || ".", made.files.length)),
        made.lost || made.unread ? h("p", { class: "hint" }, t("lost", made.lost, made.unread)) : null,
        h("div", { class: "actions end" }, button(t("open_it"), { text: true, class: "strong", onclick: () => { box.close(); look({ at: made.at, variant: "" }); } })));
    } catch (stop) {
      status.textContent = stop.message;
      enable(go, true);
    }
  } });
  const body = h("div", { class: "form" }, ...[more || []].flat(),
    // The first title in an empty folder uses that folder itself.
    store.state?.bare ? null : field(t("folder_name"), input, store.state?.writable === false ? "" : t("folder_hint")), status, h("div", { class: "actions end" }, go));
  const box = dialog(words, body);
  body.addEventListener("keydown", (event) => { if (event.key === "Enter" && /** @type {Element} */ (event.target).matches("input")) go.click(); });
}

/** Copy a shipped title into a folder of the user's own. */
export function beginFromShipped() {
  const { shipped } = store.about, chosen = select(t("which_title"), shipped.map((each) => [each, each]), shipped[0], () => {});
  ask(t("from_shipped"), "my-title", (name) => send("new", { name, of: chosen.value }), field(t("which_title"), chosen), undefined, t("create"));
}

/** Copy the shipped title that is open. */
export const makeMine = () => ask(t("make_mine"), `my-${store.state.id}`, (name) => send("mine", { name }),
  h("p", {}, t("make_mine_hint"), " ", t("mine_place", store.about.own_place)));

function choosePicture(/** @type {(file: File, data: string) => void} */ work) {
  const input = h("input", { type: "file", accept: ".svg,.png,.jpg,.jpeg" });
  input.addEventListener("change", async () => work(input.files[0], await base64(input.files[0])));
  input.click();
}

/** Let the user choose a file as the logo of a company. */
export const chooseLogo = (own) => choosePicture((file, data) => giveLogo(own, file, data));

/** Let the user choose a file as a picture of the title. */
export const chooseNewPicture = (/** @type {(id: string) => void} */ done) => choosePicture(async (file, data) => {
  const made = await addPicture(file, data);
  if (made) done(made.id);
});

/** Show the dialog for a new title: a custom map with companies and tiles, or a game to adapt. */
export function begin() {
  const { starts, boxes, languages, most_rows: most, colours, ui } = store.about;
  const folder = h("input", { value: "new-title", "aria-label": t("folder_name"), required: true });
  const number = (/** @type {string} */ words, value, min, max) => h("input", { type: "number", value: String(value), min, max, "aria-label": words });
  const name = /** @type {HTMLInputElement} */ (h("input", { "aria-label": labelOf("name"), maxLength: 80, placeholder: t("new_name"), oninput: () => {
    if (!folder.touched) folder.value = folderFor(name.value) || "new-title";
  } }));
  folder.addEventListener("input", () => { folder.touched = true; });
  const rows = number(t("new_rows"), 6, 1, most), columns = number(t("new_columns"), 8, 1, most), companies = number(labelOf("companies"), 4, 0, colours.length);
  const layout = select(labelOf("layout"), ["flat", "pointy"].map((each) => [each, t(`value_${each}`)]), "flat", () => {});
  const counted = (/** @type {(number | string)[]} */ counts) => {
    const numbers = counts.map(Number).filter(Boolean), sum = numbers.reduce((total, each) => total + each, 0);
    return numbers.length < counts.length ? `${sum} + ∞` : sum;
  };
  const tiles = select(t("new_box"), [["", t("none")], ...Object.entries(boxes).map(([id, counts]) => [id, t("new_box_of", id === "small" ? t("new_box_small") : id, counted(counts))])], "1830", () => {});
  const language = select(t("language"), Object.entries(languages), ui, () => {});
  const currency = h("input", { value: ui === "ja" ? "¥{}" : "${}", "aria-label": labelOf("currency"), maxLength: 18 });
  const land = h("input", { "aria-label": t("new_land"), placeholder: "Seattle", maxLength: 80 });
  const km = number(t("new_km"), 25, 5, 250), width = field(t("new_km"), km);
  width.hidden = true;
  land.addEventListener("input", () => { width.hidden = !land.value.trim(); });
  const size = () => ({ rows: Number(rows.value), columns: Number(columns.value), layout: layout.value, ...land.value.trim() ? { land: land.value.trim(), km: Number(km.value) } : {} });
  const shown = h("div", { class: "preview", hidden: true, "aria-live": "polite" });
  let asked = 0;
  const preview = async () => {
    const mine = asked += 1;
    shown.hidden = !land.value.trim();
    if (shown.hidden) return;
    clear(shown, h("small", {}, t("new_map_drawn")));
    try {
      const { svg } = await send("new/map", { name: "", title: { name: name.value.trim(), ...size() } });
      if (mine === asked) clear(shown, h("img", { alt: t("new_map_of", land.value.trim()), src: `data:image/svg+xml,${encodeURIComponent(svg)}` }));
    } catch (error) {
      if (mine === asked) clear(shown, h("small", { class: "bad" }, error.message));
    }
  };
  for (const input of [land, km, rows, columns, layout]) input.addEventListener("change", preview);
  const own = h("div", { class: "form" }, h("div", { class: "field" }, h("span", {}, t("new_size")), h("div", { class: "sides" }, rows, "×", columns)), field(labelOf("layout"), layout), field(t("new_land"), land, t("new_land_hint")), width, shown, field(labelOf("companies"), companies, t("new_companies_hint")), field(t("new_box"), tiles));
  const start = select(t("start"), [["", t("start_own")], ...starts.map((each) => [each, t(`start_${each}`)])], "", (id) => { own.hidden = Boolean(id); });
  ask(t("new_title"), "", async (at) => {
    const sized = start.value ? {} : { ...size(), companies: Number(companies.value), tiles: tiles.value };
    const made = await send("new", { name: at, start: start.value, title: { name: name.value.trim(), language: language.value, currency: currency.value.trim(), ...sized } });
    return { ...made, looks: { lang: language.value } };
  }, [field(labelOf("name"), name), field(t("start"), start), own, field(t("language"), language), field(labelOf("currency"), currency, t("new_currency_hint", "{}"))], folder, t("create"));
  name.focus();
}

export async function bring(found) {
  const files = await Promise.all(found.slice(0, MOST).map(async ([path, file]) => ({ path, data: await base64(file) })));
  if (files.length) ask(t("import"), nameFor(files[0].path), (name) => send("import", { name, files }), h("p", {}, h("strong", {}, files[0].path.split("/")[0])));
}

export function chooseFile() {
  const input = h("input", { type: "file" });
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
  // A single picture dropped on a piece or form of a company becomes its logo; dropped elsewhere, the user is asked. Any
  // other files are imported.
  const isPicture = (event) => {
    const [first, ...others] = [...(event.dataTransfer?.items || [])];
    return first?.type.startsWith("image/") && !others.length && store.state?.writable && !store.state.empty;
  };
  const logoOf = (event) => isPicture(event) ? pieceUnder(event.target) : null;
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    const own = logoOf(event);
    shade.firstElementChild.textContent = own ? t("logo_here", own.company) : isPicture(event) ? t("picture_here") : t("drop_here");
  });
  addEventListener("drop", async (event) => {
    if (!files(event)) return;
    event.preventDefault();
    inside = 0;
    shade.hidden = true;
    const own = logoOf(event);
    if (own) { const [file] = event.dataTransfer.files; giveLogo(own, file, await base64(file)); return; }
    if (isPicture(event)) { const [file] = event.dataTransfer.files; askPicture(file, await base64(file)); return; }
    const entries = [...event.dataTransfer.items].map((each) => each.webkitGetAsEntry?.()).filter(Boolean);
    bring(entries.length ? (await Promise.all(entries.map((each) => entriesOf(each)))).flat() : [...event.dataTransfer.files].map((each) => [each.name, each]));
  });
}
