// Viewer for a picture, with zoom, pan and real size, and a layer for interaction.

import { imageOf } from "./api.js";
import { button, clear, h, s } from "./dom.js";
import { on, store, t } from "./store.js";

const STEP = 1.25, LEAST = 0.02, MOST = 24;
/** A notch of a wheel is 100 or 120 units, or 3 lines, and zooms by a sixth; a pinch arrives as Ctrl plus a few units. */
const PER_UNIT = 0.0015, PER_PINCHED = 0.005, PINCH = 40, UNITS = [1, 33, 300];

export class Viewer {
  constructor({ label = "", bar = [] } = {}) {
    this.image = h("div", { class: "picture", role: "img", "aria-label": label });
    this.layer = s("svg", { class: "layer" });
    this.stage = h("div", { class: "stage" }, this.image, this.layer);
    this.scale = h("output", { class: "scale", "aria-label": t("zoom") });
    this.notice = h("div", { class: "notice", role: "status", hidden: true });
    this.port = h("div", { class: "port", tabIndex: 0, "aria-label": label }, this.stage);
    this.bar = h("div", { class: "viewbar" }, bar, h("span", { class: "gap" }),
      button(t("zoom_out"), { icon: "minus", onclick: () => this.zoom(1 / STEP) }), this.scale,
      button(t("zoom_in"), { icon: "plus", onclick: () => this.zoom(STEP) }),
      button(t("fit"), { icon: "fit", onclick: () => this.fit() }),
      button(t("real_size"), { icon: "real", onclick: () => this.real() }));
    this.root = h("div", { class: "viewer" }, this.bar, this.port, this.notice);
    this.width = this.height = 0;
    this.factor = 1;
    this.x = this.y = 0;
    this.fitted = true;
    this.wanted = "";
    this.followers = new Set();
    this.#listen();
  }

  // Show the picture at an address; the previous one stays visible until the new one is loaded.
  // Of a picture in layers, only changed layers are fetched.
  async show(url, { width_mm: width, height_mm: height, layers = [], version = "" }) {
    this.wanted = url;
    const shown = new Map([...this.image.children].map((layer) => [layer.dataset.src, layer]));
    const next = (layers.length ? layers.map((name) => `layer/${name}`) : [url]).map((src) => shown.get(src) || imageOf(src));
    try { await Promise.all(next.map((layer) => layer.isConnected || layer.decode())); } catch { if (this.wanted === url) throw new Error(t("no_picture")); return false; }
    if (this.wanted !== url) return false;
    const resized = this.width !== width || this.height !== height;
    [this.width, this.height] = [width, height];
    this.image.replaceChildren(...next);
    this.image.dataset.src = url;
    this.layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (resized && this.fitted) this.fit(); else this.place();
    this.root.dataset.version = version;
    return true;
  }

  say(words, kind = "") {
    this.notice.hidden = !words;
    this.notice.className = `notice ${kind}`;
    clear(this.notice, words || "");
  }

  get pixels() { return store.settings.pxPerMm * this.factor; }

  place() {
    const { style } = this.stage;
    style.width = `${this.width * this.pixels}px`;
    style.height = `${this.height * this.pixels}px`;
    style.transform = `translate(${Math.round(this.x)}px, ${Math.round(this.y)}px)`;
    this.scale.value = `${Math.round(this.factor * 100)} %`;
    for (const follow of this.followers) follow();
  }

  fit() {
    const { clientWidth: wide, clientHeight: high } = this.port;
    if (!wide || !this.width) return;
    const room = Math.min((wide - 32) / this.width, (high - 32) / this.height);
    this.factor = Math.max(LEAST, Math.min(MOST, room / store.settings.pxPerMm));
    this.centre();
    this.fitted = true;
  }

  real() { this.zoom(1 / this.factor); }

  centre() {
    this.x = (this.port.clientWidth - this.width * this.pixels) / 2;
    this.y = (this.port.clientHeight - this.height * this.pixels) / 2;
    this.place();
  }

  zoom(by, at = null) {
    const [x, y] = at || [this.port.clientWidth / 2, this.port.clientHeight / 2];
    const before = this.factor;
    this.factor = Math.max(LEAST, Math.min(MOST, this.factor * by));
    const grown = this.factor / before;
    this.x = x - (x - this.x) * grown;
    this.y = y - (y - this.y) * grown;
    this.fitted = false;
    this.place();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.fitted = false;
    this.place();
  }

  // Scroll a point of the picture (mm) into view if necessary.
  reveal(x, y) {
    const [px, py] = [this.x + x * this.pixels, this.y + y * this.pixels];
    const { clientWidth: wide, clientHeight: high } = this.port;
    if (px < 40 || py < 40 || px > wide - 40 || py > high - 40) this.pan(wide / 2 - px, high / 2 - py);
  }

  #listen() {
    const held = new Map();
    let moved = 0, apart = 0;
    this.port.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, [event.clientX, event.clientY]);
      if (held.size === 1) moved = 0;
    });
    this.port.addEventListener("pointermove", (event) => {
      const last = held.get(event.pointerId);
      if (!last) return;
      const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
      held.set(event.pointerId, [event.clientX, event.clientY]);
      if (held.size === 2) {
        const [a, b] = [...held.values()];
        const now = Math.hypot(a[0] - b[0], a[1] - b[1]), box = this.port.getBoundingClientRect();
        if (apart) this.zoom(now / apart, [(a[0] + b[0]) / 2 - box.left, (a[1] + b[1]) / 2 - box.top]);
        apart = now;
        moved = 99;
        return;
      }
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved > 5) {
        if (!this.port.hasPointerCapture(event.pointerId)) this.port.setPointerCapture(event.pointerId);
        this.port.classList.add("panning");
        this.pan(dx, dy);
      }
    });
    const end = (event) => { held.delete(event.pointerId); apart = 0; this.port.classList.remove("panning"); };
    this.port.addEventListener("pointerup", end);
    this.port.addEventListener("pointercancel", end);
    this.port.addEventListener("click", (event) => { if (moved > 5) event.stopPropagation(); }, true);
    this.port.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.port.getBoundingClientRect();
      const units = event.deltaY * UNITS[event.deltaMode], pinched = event.ctrlKey && Math.abs(units) < PINCH;
      this.zoom(Math.exp(-units * (pinched ? PER_PINCHED : PER_UNIT)), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    this.port.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const pans = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (pans[event.key]) this.pan(...pans[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(STEP);
      else if (event.key === "-") this.zoom(1 / STEP);
      else if (event.key === "0") this.fit();
      else if (event.key === "1") this.real();
      else return;
      event.preventDefault();
    });
    this.stop = on("settings", () => this.place());
    this.watching = new ResizeObserver(() => { if (this.fitted) this.fit(); });
    this.watching.observe(this.port);
  }

  close() {
    this.stop();
    this.watching.disconnect();
  }
}
