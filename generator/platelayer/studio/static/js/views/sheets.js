// Sheets as they will be printed, with paper, cut lines and backs.

import { query, send } from "../api.js";
import { button, clear, h, select } from "../dom.js";
import { asItWas, on, store, t, tell } from "../store.js";

export class SheetsView {
  constructor() {
    this.choices = store.about.options.filter((each) => each.view);
    this.options = Object.fromEntries(this.choices.map((each) => [each.name, each.default]));
    this.size = Math.min(420, innerWidth - 40);
    this.list = h("nav", { class: "kinds", "aria-label": t("documents") });
    this.pages = h("div", { class: "sheets" });
    this.bar = h("div", { class: "viewbar" });
    this.notice = h("div", { class: "notice", role: "status", hidden: true });
    this.root = h("section", { class: "view pieces", "aria-label": t("sheets") }, this.list,
      h("div", { class: "column" }, this.bar, this.pages, this.notice));
    this.page = 1;
    this.pages.addEventListener("scrollend", () => this.#turned());
    this.stop = on("settings", () => this.#resize());
    this.#bar();
    this.update();
  }

  #bar() {
    clear(this.bar,
      this.choices.map(({ name, values }) => select(t(name), Object.entries(values), this.options[name], (value) => { this.options[name] = value; this.update(); })),
      h("span", { class: "gap" }),
      h("input", { type: "range", min: 160, max: 1400, value: this.size, "aria-label": t("zoom"), title: t("zoom"),
        oninput: (event) => { this.size = Number(event.target.value); this.#resize(); } }),
      button(t("real_size"), { icon: "real", onclick: () => { this.size = null; this.#resize(); } }));
  }

  // Show all pages at the chosen width or, without a choice, each at its printed width.
  #resize() {
    for (const image of this.pages.querySelectorAll("img")) image.style.width = `${this.size ?? image.dataset.mm * store.settings.pxPerMm}px`;
  }

  async update() {
    const revision = store.state?.revision, asked = JSON.stringify(this.options) + query();
    if (this.shown === revision + asked) return;
    const now = this.shown = revision + asked;
    this.#say(this.pages.childElementCount ? "" : t("working"));
    try {
      const documents = await send("sheets.json", this.options);
      if (this.shown !== now) return;
      if (!documents.some((each) => each.stem === this.stem)) this.stem = documents[0]?.stem;
      clear(this.list, documents.map((each) => h("button", { type: "button", class: "kind", "aria-current": each.stem === this.stem ? "true" : null,
        onclick: () => { this.#open(each.stem); tell("moved"); } }, h("span", {}, each.name))));
      const sheets = await send("sheet.json", this.options, { stem: this.stem });
      if (this.shown !== now) return;
      const made = sheets.map((sheet, at) => h("figure", {},
        h("img", { alt: t("page", at + 1), loading: "lazy", src: `sheet.svg?${query({ stem: this.stem, page: at + 1, options: JSON.stringify(this.options), v: `${store.state.run}-${revision}` })}`,
          width: sheet.width_mm, height: sheet.height_mm, "data-mm": sheet.width_mm }), h("figcaption", {}, t("page_of", at + 1, sheets.length))));
      clear(this.pages, made);
      this.#resize();
      if (this.page > 1) this.#scroll();
      this.#say(asItWas(), "stale");
    } catch (stop) {
      if (this.shown === now) this.#say(stop.message, "bad");
    }
  }

  #open(stem) {
    [this.stem, this.page, this.shown] = [stem, 1, null];
    this.pages.replaceChildren();
    this.update();
  }

  #scroll() { this.pages.children[this.page - 1]?.scrollIntoView({ block: "start" }); }

  // Update the current page: the one at the top, or the next if little of that is visible.
  #turned() {
    const { top } = this.pages.getBoundingClientRect();
    const seen = [...this.pages.children].findIndex((each) => each.getBoundingClientRect().bottom - top > 60);
    if (seen < 0 || seen + 1 === this.page) return;
    this.page = seen + 1;
    tell("turned");
  }

  get address() { return !this.stem ? {} : { at: this.page > 1 ? [this.stem, String(this.page)] : [this.stem] }; }

  /** Show a page of a document. @param {import("../address.js").Place} place */
  goTo({ at: [stem, page] = [] }) {
    if (stem && stem !== this.stem) this.#open(stem);
    this.page = Math.max(1, Number.parseInt(page || "1", 10) || 1);
    this.#scroll();
    return "";
  }

  #say(words, kind = "") {
    this.notice.hidden = !words;
    this.notice.className = `notice ${kind}`;
    this.notice.textContent = words;
  }

  marks() {}
  frame() {}
  close() { this.stop(); }
}
