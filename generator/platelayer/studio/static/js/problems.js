// List of the title's problems, updated as they are found; a click leads to the picture and to the line.

import { get } from "./api.js";
import { dialog, field } from "./dialogs.js";
import { button, clear, h } from "./dom.js";
import { labelOf } from "./form.js";
import { edit } from "./host.js";
import { targetOfProblem } from "./places.js";
import { on, store, t, tell } from "./store.js";

const DRAFT = "DR01";
const LEVELS = ["error", "warning", "note"];

export class Problems {
  constructor() {
    this.shown = new Set(["error", "warning"]);
    this.head = h("header", { class: "viewbar" });
    this.list = h("ul", { class: "list", role: "list" });
    this.root = h("section", { class: "problems", "aria-label": t("problems") }, this.head, this.list);
    on("problems", () => this.update());
    on("online", () => this.update());
    on("state", () => this.update());
    this.update();
  }

  get counts() { return LEVELS.map((level) => store.problems.filter((each) => each.severity === level).length); }

  update() {
    this.root.hidden = Boolean(store.state?.empty);
    const { counts } = this;
    clear(this.head, h("strong", {}, t("problems")), LEVELS.map((level, at) =>
      h("button", { type: "button", class: `level ${level}`, "aria-pressed": String(this.shown.has(level)), onclick: () => {
        if (!this.shown.delete(level)) this.shown.add(level);
        this.update();
      } }, h("span", { class: "dot" }), `${t(`${level}s`)} ${counts[at]}`)),
    h("span", { class: "dim" }, store.online ? (store.searching ? t("searching") : "") : t("stopped")));
    const todo = store.state?.writable ? store.state.todo ?? [] : [];
    const rest = store.problems.filter((each) => !todo.includes(each.todo));
    // Hide findings that only follow from empty parts of a draft.
    const whole = !rest.some((each) => each.severity === "error");
    const shown = rest.filter((each) => this.shown.has(each.severity) && !(todo.length && whole && each.code === DRAFT)).sort((a, b) => LEVELS.indexOf(a.severity) - LEVELS.indexOf(b.severity));
    const parts = todo.length ? h("li", { class: "todo" }, h("span", {}, t("still_to_do")), todo.map((part) => button(t("form_add", labelOf(part)), { icon: "plus", text: labelOf(part), class: "fix", onclick: () => tell("first", part) }))) : null;
    // Keep the size of the list, and so of the picture above, while a search has no results yet.
    const calm = !store.searching || this.root.classList.contains("calm");
    const none = shown.length || parts || !calm ? null : h("li", { class: "none" }, t("no_problems"));
    if (!store.searching || shown.length) this.root.classList.toggle("calm", !shown.length && !parts);
    clear(this.list, parts, none, shown.map((each) => this.#row(each)));
  }

  #row(each) {
    const where = each.line ? `${each.file}:${each.line}` : each.file;
    return h("li", { class: each.severity }, h("button", { type: "button", class: "problem", onclick: () => this.go(each) },
      h("span", { class: "dot", title: t(`${each.severity}s`) }), h("span", { class: "code" }, each.code),
      h("span", { class: "message" }, each.message, each.hint ? h("span", { class: "hint" }, ` ${each.hint}`) : null), h("span", { class: "where" }, where)),
    (each.fixes || []).map((fix) => button(t(`fix_${fix.kind}`, fix.word), { text: true, class: "fix", onclick: () => this.fix(each, fix) })),
    button(t("explain"), { icon: "help", class: "quiet", onclick: () => this.explain(each.code) }));
  }

  go(each) {
    const target = targetOfProblem(each);
    if (target) tell("frame", target);
    tell("jump", each);
  }

  fix(each, { kind, word, ops }) {
    const step = t(`fixed_${kind}`, word);
    if (kind !== "waive") { edit(step, ops); return; }
    const reason = h("input", { type: "text", required: true });
    dialog(t("fix_waive"), h("form", { class: "form", method: "dialog", onsubmit: () => edit(step, ops.map((op) => ({ ...op, reason: reason.value }))) },
      h("p", {}, each.message), field(t("waive_reason"), reason, t("waive_reason_hint")),
      h("div", { class: "actions" }, h("button", { type: "submit", class: "strong" }, t("fix_waive")))));
    reason.focus();
  }

  async explain(code) {
    const text = await get(`explain/${encodeURIComponent(code)}`).catch((stop) => stop.message);
    tell("dialog", { title: code, body: h("pre", { class: "explained" }, text) });
  }
}
