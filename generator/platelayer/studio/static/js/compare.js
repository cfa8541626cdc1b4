// Comparison of a picture with an earlier state: on disk, or when the studio was opened, or at a save, print or commit. A
// line divides the earlier picture from the current one; it is moved by dragging or with the arrow keys.

import { get, query } from "./api.js";
import { button, clear, enable, h, select } from "./dom.js";
import { ask } from "./host.js";
import { on, piece, store, t, tell } from "./store.js";

const STEP = 2, PAGE = 10;

/** Moment to compare with, and the differences; shared by all views until the comparison ends. */
const shared = { then: "", moments: [], found: null, failed: "" };

/** Return the time of a moment in words. */
function when(seconds) {
  const past = new Date(seconds * 1000), today = past.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(store.settings.ui, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }).format(past);
}

function named({ kind, time, subject }) {
  return kind === "disk" ? t("then_disk") : kind === "commit" ? `${subject} – ${when(time)}` : t(`then_${kind}`, when(time));
}

/** Return the offset of the earlier picture, in mm, that aligns the hexes that both have. */
function apart(now, then) {
  for (const [id, x, y] of then.places || []) {
    const same = (now.places || []).find((each) => each[0] === id);
    if (same) return [same[1] - x, same[2] - y];
  }
  return [0, 0];
}

export class Compare {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {() => {key: string, face: number, about: {width_mm: number, height_mm: number, places: any[]} | undefined}} shown what the viewer shows
   * @param {() => void} marked called when the differing hexes change
   */
  constructor(viewer, shown, marked = () => {}) {
    this.viewer = viewer;
    this.shown = shown;
    this.marked = marked;
    this.share = 50;
    this.toggle = button(t("compare"), { icon: "compare", text: true, "aria-pressed": "false", onclick: () => (shared.then ? this.end() : this.begin()) });
    this.before = h("img", { class: "before", alt: "", draggable: false });
    this.line = h("div", { class: "divide", role: "slider", tabIndex: 0, hidden: true, "aria-label": t("compare_line"), "aria-orientation": "horizontal",
      "aria-valuemin": 0, "aria-valuemax": 100 }, h("span", { class: "grip" }), h("span", { class: "then" }, t("then")), h("span", { class: "now" }, t("now")));
    this.chooser = h("span");
    this.summary = h("span", { role: "status" });
    this.list = h("div", { class: "changes" });
    this.details = h("details", {}, h("summary", {}, this.summary), this.list);
    this.bar = h("div", { class: "comparing", hidden: true }, this.chooser, this.details);
    viewer.port.append(this.line);
    viewer.bar.after(this.bar);
    viewer.followers.add(() => this.#divide());
    this.#listen();
    this.stop = on("edits", () => this.#follow());
    if (shared.then) this.begin(shared.then);
  }

  // With autosave, the files on disk equal what is shown, so start with the opening of the studio.
  async begin(then = store.settings.autosave ? "opened" : "disk") {
    shared.then = then;
    this.toggle.setAttribute("aria-pressed", "true");
    this.bar.hidden = false;
    try {
      shared.moments = (await ask("moments")).moments;
    } catch (stop) {
      shared.failed = stop.message;
    }
    if (shared.then !== then) return;
    const newest = shared.moments.find(({ kind }) => kind === "save" || kind === "opened");
    if (then === "opened" && newest) shared.then = newest.id;
    else if (shared.moments.length && !shared.moments.some((each) => each.id === then)) shared.then = "disk";
    this.#choices();
    await this.update();
  }

  end() {
    Object.assign(shared, { then: "", found: null, failed: "" });
    this.toggle.setAttribute("aria-pressed", "false");
    this.bar.hidden = this.line.hidden = true;
    this.before.remove();
    this.viewer.image.style.clipPath = "";
    this.marked();
  }

  #choices() {
    clear(this.chooser, h("label", {}, `${t("compare_with")} `,
      select(t("compare_with"), shared.moments.map((each) => [each.id, named(each)]), shared.then, (id) => { shared.then = id; this.update(); })));
  }

  // Reload the moments after a save or a print, which add new ones.
  async #follow() {
    if (!shared.then || this.bar.hidden) return;
    const unsaved = store.edits.unsaved.join("\n");
    if (unsaved !== this.unsaved && shared.then === "disk") this.update();
    this.unsaved = unsaved;
    const moments = (await ask("moments", {}, { first: false }).catch(() => null))?.moments;
    if (!moments || !shared.then || moments.length === shared.moments.length) return;
    shared.moments = moments;
    this.#choices();
  }

  // Load the earlier picture, and the differences, for the picture that the viewer shows.
  async update() {
    const { then } = shared, { key, face, about } = this.shown();
    if (!then) return;
    const turn = this.turn = {};
    const current = () => this.turn === turn && shared.then === then;
    let old = null;
    try {
      const found = await ask("compare", { then, language: store.looks.lang, theme: store.looks.theme });
      if (!current()) return;
      [shared.found, shared.failed] = [found, ""];
      if (about && found.pieces.find((each) => each.key === key)?.how !== "new") {
        old = (await get(`faces/${encodeURIComponent(key)}`, { then, v: found.digest }))[face];
        if (old) await this.#load(`picture/${face}/${encodeURIComponent(key)}?${query({ then, v: found.digest })}`);
      }
    } catch (stop) {
      if (!current()) return;
      if (!shared.found || stop.status !== 422) shared.found = null;
      shared.failed = stop.message;
    }
    if (!current()) return;
    this.old = old;
    if (old && about) {
      const [x, y] = apart(about, old), { style } = this.before, { width_mm: wide, height_mm: high } = about;
      style.left = `${100 * x / wide}%`;
      style.top = `${100 * y / high}%`;
      style.width = `${100 * old.width_mm / wide}%`;
      style.height = `${100 * old.height_mm / high}%`;
      this.offset = [x, y];
    }
    this.line.hidden = !old;
    if (old) this.viewer.layer.before(this.before); else this.before.remove();
    this.#divide();
    this.#tell();
    this.marked();
  }

  async #load(url) {
    if (this.before.getAttribute("src") === url) return;
    const next = new Image();
    next.src = url;
    await next.decode();
    this.before.src = url;
  }

  // Show the earlier picture left of the line, the current one right of it.
  #divide() {
    const { viewer, share } = this, split = !this.line.hidden;
    viewer.image.style.clipPath = "";
    if (!split) return;
    const at = viewer.port.clientWidth * share / 100, wide = viewer.width * viewer.pixels;
    this.line.style.left = `${at}px`;
    this.line.setAttribute("aria-valuenow", Math.round(share));
    this.line.setAttribute("aria-valuetext", t("compare_share", Math.round(share), Math.round(100 - share)));
    viewer.image.style.clipPath = `inset(0 0 0 ${Math.max(0, Math.min(wide, at - viewer.x))}px)`;
    const left = viewer.x + this.offset[0] * viewer.pixels, old = this.old.width_mm * viewer.pixels;
    this.before.style.clipPath = `inset(0 ${Math.max(0, Math.min(old, left + old - at))}px 0 0)`;
  }

  #move(share) {
    this.share = Math.max(0, Math.min(100, share));
    this.#divide();
  }

  #listen() {
    const drag = (event) => {
      const box = this.viewer.port.getBoundingClientRect();
      this.#move(100 * (event.clientX - box.left) / box.width);
    };
    this.line.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.line.setPointerCapture(event.pointerId);
      this.line.addEventListener("pointermove", drag);
    });
    for (const end of ["pointerup", "pointercancel"]) this.line.addEventListener(end, () => this.line.removeEventListener("pointermove", drag));
    this.line.addEventListener("click", (event) => event.stopPropagation());
    this.line.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -STEP, ArrowDown: -STEP, ArrowRight: STEP, ArrowUp: STEP, PageDown: -PAGE, PageUp: PAGE, Home: -100, End: 100 };
      if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.#move(this.share + steps[event.key]);
    });
  }

  // List the differences in words: pieces by kind, then hexes.
  #tell() {
    const { found, failed } = shared;
    this.bar.classList.toggle("bad", Boolean(failed && !found));
    enable(this.details.querySelector("summary"), Boolean(found && (found.pieces.length || Object.keys(found.facts).length)));
    if (!found) { this.summary.textContent = failed; clear(this.list); return; }
    const { pieces, hexes, kinds, facts } = found;
    const kindsNow = [...new Set(pieces.map((each) => each.kind))];
    const counted = kindsNow.map((kind) => `${kinds[kind]} ${pieces.filter((each) => each.kind === kind).length}`);
    this.summary.textContent = pieces.length ? `${t("differ", pieces.length)} ${counted.join(", ")}` : t("no_difference");
    const link = (target, name, how, there) => h("li", {},
      there ? h("button", { type: "button", class: "change", onclick: () => tell("frame", target) }, name) : h("span", { class: "change" }, name),
      h("span", { class: "dim" }, how));
    clear(this.list,
      Object.entries(facts).map(([group, words]) => h("section", { class: "facts" }, h("strong", {}, group), h("ul", {}, words.map((each) => h("li", {}, each))))),
      hexes.length ? h("section", {}, h("strong", {}, t("hexes")), h("ul", {}, hexes.map((each) => link(each.target, each.id, t(`how_${each.how}`), each.how !== "gone")))) : null,
      kindsNow.map((kind) => h("section", {}, h("strong", {}, kinds[kind]), h("ul", {}, pieces.filter((each) => each.kind === kind).map((each) =>
        link(each.key, each.name, each.how === "count" ? `${each.counts[0]} → ${each.counts[1]}` : t(`how_${each.how}`), Boolean(piece(each.key))))))));
  }

  /** Return the ids of the hexes of a map that differ. */
  differing(map) {
    const start = `hex:${map}/`;
    return shared.found ? shared.found.hexes.filter((each) => each.target.startsWith(start)).map((each) => each.id) : [];
  }

  close() { this.stop(); }
}
