// Modal dialogs; Escape closes them.

import { button, h } from "./dom.js";
import { on, t } from "./store.js";

export function dialog(title, body, { wide = false, onclose = () => {} } = {}) {
  const box = h("dialog", { class: wide ? "wide" : "", "aria-label": title }, h("header", {}, h("strong", {}, title),
    button(t("close"), { icon: "close", class: "quiet", onclick: () => box.close() })), h("div", { class: "body" }, body));
  box.addEventListener("close", () => { onclose(); box.remove(); });
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

export const field = (label, control, hint = "") => h("label", { class: "field" }, h("span", {}, label), control, hint ? h("small", {}, hint) : null);

on("dialog", ({ title, body }) => dialog(title, body));
