// The print dialog: profile, options, pieces; progress; download, or write into the output folder.

import { query, send } from "./api.js";
import { dialog, field } from "./dialogs.js";
import { button, clear, enable, h, select } from "./dom.js";
import { onDisk } from "./line.js";
import { on, store, t } from "./store.js";

/** Last chosen options by name; others are as in the profile. @type {Record<string, any>} */
const kept = { profile: "home", only: [] };

/** Return a file size as text. @param {number} bytes */
export const sizeOf = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

export function printDialog() {
  const controls = store.about.options.map(({ name, values }) => {
    const set = (value) => { kept[name] = value; }, words = Object.entries(values);
    if (words.length) return field(t(name), select(t(name), [["", t("as_profile")], ...words], kept[name] ?? "", set));
    return h("label", { class: "tick" }, h("input", { type: "checkbox", checked: Boolean(kept[name]), onchange: (event) => set(event.target.checked) }), t(name));
  });
  const kinds = Object.entries(store.state.kinds).map(([id, { name }]) => h("label", { class: "tick" },
    h("input", { type: "checkbox", checked: !kept.only.length || kept.only.includes(id), value: id }), name));
  const status = h("div", { class: "progress", role: "status" }), bar = h("progress", { max: 1, value: 0, hidden: true });
  const files = h("div", { class: "files" });
  const ticks = h("div", { class: "ticks" }, kinds);
  const all = (checked) => () => { for (const each of ticks.querySelectorAll("input")) each.checked = checked; };
  const go = button(t("print"), { icon: "print", text: true, class: "strong", onclick: start });
  let number = null;

  async function start() {
    const chosen = [...ticks.querySelectorAll("input:checked")].map((each) => each.value);
    kept.only = chosen.length === kinds.length ? [] : chosen;
    clear(files);
    if (!chosen.length) { status.textContent = t("choose_pieces"); return; }
    enable(go, false);
    bar.hidden = false;
    bar.removeAttribute("value");
    status.textContent = t("working");
    try { number = (await send("print", kept)).print; } catch (stop) { fail(stop.message); }
  }

  function fail(message, problems = []) {
    bar.hidden = true;
    enable(go, true);
    status.textContent = message;
    clear(files, problems.length ? h("ul", { class: "faults" }, problems.slice(0, 12).map((each) => h("li", {}, `${each.code} ${each.message}`))) : []);
  }

  function done(news) {
    bar.hidden = true;
    enable(go, true);
    status.textContent = t("printed", news.pages, news.pieces);
    const link = (name, words) => h("a", { href: `print/${name.split("/").map(encodeURIComponent).join("/")}?${query({ n: news.print })}`, download: name.split("/").at(-1) }, words);
    const write = button(t("write_output"), { icon: "save", text: true, disabled: !store.state.writable, onclick: async () => {
      try { const { files: made } = await send("print/write", {}); write.replaceWith(h("span", { class: "dim" }, t("written", made.length, made[0].split("/").slice(0, -1).join("/")))); }
      catch (stop) { status.textContent = stop.message; }
    } });
    clear(files, h("div", { class: "actions" }, link("all.zip", t("download_all")), onDisk ? write : null),
      h("ul", {}, news.files.map((each) => h("li", {}, link(each.name, each.name), h("span", { class: "dim" }, sizeOf(each.bytes))))));
  }

  const stop = on("print", (news) => {
    if (number !== null && news.print !== number) return;
    if (news.files) done(news);
    else if (news.problems) fail(t("nothing_printed"), news.problems);
    else if (news.message) fail(news.message);
    else { bar.max = news.of; bar.value = news.done; status.textContent = t("pieces_done", news.done, news.of); }
  });
  dialog(t("print"), h("div", { class: "form" },
    field(t("profile"), select(t("profile"), Object.entries(store.about.profiles), kept.profile, (value) => { kept.profile = value; })),
    controls,
    h("fieldset", {}, h("legend", {}, t("pieces")), h("div", { class: "actions" }, button(t("all"), { text: true, onclick: all(true) }), button(t("none"), { text: true, onclick: all(false) })), ticks),
    h("div", { class: "actions end" }, status, go), bar, files), { wide: true, onclose: stop });
}
