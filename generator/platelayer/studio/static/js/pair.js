// A second picture beside the first: the same piece in another language, theme or variant, or another piece. Both pan and
// zoom together.

import { faces, pdfUrl, pictureUrl } from "./api.js";
import { button, clear, h, select } from "./dom.js";
import { exportDialog, fileName } from "./export.js";
import { languageName, on, piece, store, t } from "./store.js";
import { Viewer } from "./viewer.js";

/** State that is shared by all views while the page is open. */
const kept = { open: false, looks: /** @type {{variant: string, lang: string, theme: string} | null} */ (null) };

export class Pair {
  /**
   * Buttons on a viewer: to save its picture, and to open another beside it.
   * @param {Viewer} viewer @param {() => {key: string, face: number}} what the viewer shows
   */
  constructor(viewer, what) {
    this.first = viewer;
    this.what = what;
    this.toggler = button(t("beside"), { icon: "beside", "aria-pressed": "false", onclick: () => this.toggle() });
    viewer.bar.append(this.toggler, button(t("export_picture"), { icon: "picture", onclick: () => this.save() }));
    this.stop = on("state", () => this.update());
    viewer.followers.add(() => { this.#step(viewer, this.second); this.update(); });
    if (kept.open) queueMicrotask(() => this.#open());
  }

  save() {
    const { key, face } = this.what();
    exportDialog({ svg: this.first.wanted, pdf: pdfUrl(key, face), name: fileName(key, face), width: this.first.width, height: this.first.height });
  }

  toggle() {
    kept.open = !this.second;
    if (kept.open) this.#open(); else this.#shut();
  }

  #open() {
    if (this.second || this.closed) return;
    const { variant, lang, theme } = store.looks, { languages = [lang] } = store.state;
    kept.looks ||= { variant, lang: languages[(languages.indexOf(lang) + 1) % languages.length] || lang, theme };
    this.choices = h("span", { class: "choices" });
    this.second = new Viewer({ label: t("beside_what"), bar: [this.choices] });
    this.second.bar.append(button(t("beside_close"), { icon: "close", onclick: () => { this.toggle(); this.toggler.focus(); } }));
    this.second.root.classList.add("second");
    this.second.followers.add(() => this.#step(this.second, this.first));
    this.first.root.after(this.second.root);
    this.toggler.setAttribute("aria-pressed", "true");
    this.update();
  }

  #shut() {
    this.second?.close();
    this.second?.root.remove();
    this.second = this.other = this.shown = null;
    this.toggler.setAttribute("aria-pressed", "false");
  }

  // Apply the scale and the position of one viewer to the other.
  #step(/** @type {Viewer} */ from, /** @type {Viewer | null} */ to) {
    if (!to || this.stepping || !to.width) return;
    this.stepping = true;
    [to.factor, to.x, to.y, to.fitted] = [from.factor, from.x, from.y, false];
    to.place();
    this.stepping = false;
  }

  #choices(key) {
    const { variants = [], languages = [], pieces = [] } = store.state, { looks } = kept;
    const set = (name) => (value) => { looks[name] = value; this.update(); };
    const alike = pieces.filter((each) => each.kind === piece(key)?.kind);
    const now = JSON.stringify([looks, key, this.other, variants, languages, alike.length]);
    if (this.told === now) return;
    this.told = now;
    clear(this.choices,
      variants.length ? select(t("variant"), [["", t("no_variant")], ...variants.map((each) => [each.id, each.name])], looks.variant, set("variant")) : null,
      select(t("language"), languages.map((id) => [id, languageName(id)]), looks.lang, set("lang")),
      select(t("theme"), store.about.themes.map((id) => [id, t(`theme_${id}`)]), looks.theme, set("theme")),
      alike.length > 1 ? select(t("beside_what"), [["", t("beside_same")], ...alike.map((each) => [each.key, each.id])], this.other || "", (other) => { this.other = other; this.update(); }) : null);
  }

  // Any change of the title may change this picture, so its version is the title's revision.
  async update() {
    if (!this.second || !store.state?.pieces) return;
    const { key, face } = this.what();
    if (this.other && piece(this.other)?.kind !== piece(key)?.kind) this.other = "";
    const shown = this.other || key, { looks, looks: { lang } } = kept, url = pictureUrl(shown, face, looks);
    if (url === this.shown) return;
    this.shown = url;
    this.#choices(key);
    try {
      const found = await faces(shown, looks), { second } = this;
      if (!second || this.shown !== url) return;
      const at = Math.min(face, found.length - 1);
      if (!await second.show(pictureUrl(shown, at, looks), { ...found[at], version: `${lang} ${store.state.revision}` })) return;
      second.say("");
      this.#step(this.first, second);
    } catch (stop) {
      if (this.shown === url) this.second?.say(stop.message, "bad");
    }
  }

  close() {
    this.closed = true;
    this.stop();
    this.#shut();
  }
}
