// "Go to anything": a searchable list of commands and entries, used with the arrow keys.

import { dialog } from "./dialogs.js";
import { clear, h } from "./dom.js";
import { t } from "./store.js";

/** Maximum number of results; typing more narrows them down. */
const MOST = 60;
/** Distance of the weakest match: the letters occur in the word in this order. */
const WORST = 4;

/**
 * Something to go to: its main label, other names, kind, and action.
 * @typedef {{label: string, words?: string[], kind: string, detail?: string, run: () => void, late?: boolean}} Goal
 */

const plain = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[:…]+ */g, " ").toLowerCase().trim();

/**
 * Return the distance of a word from the typed text (lower is better); null if it does not match.
 * @param {string} word @param {string} typed both normalised by `plain`
 */
function distance(word, typed) {
  if (word === typed) return 0;
  if (word.startsWith(typed)) return 1;
  const inside = word.indexOf(typed);
  if (inside > 0) return /[\p{L}\p{N}]/u.test(word[inside - 1]) ? 3 : 2;
  const parts = typed.split(/\s+/);
  if (parts.length > 1 && parts.every((part) => word.includes(part))) return 3;
  let at = -1;
  for (const letter of typed) {
    at = word.indexOf(letter, at + 1);
    if (at < 0) return null;
  }
  return typed.length > 2 ? WORST : null;
}

/**
 * Return the matching goals, best first; ties keep the given order. `late` goals match only by the start of their name.
 * @param {Goal[]} goals @param {string} typed
 */
export function ranked(goals, typed) {
  const wanted = plain(typed);
  if (!wanted) return goals.filter((goal) => !goal.late);
  const found = [];
  for (const [order, goal] of goals.entries()) {
    const far = [goal.label, ...(goal.words || [])].map((word) => distance(plain(word), wanted) ?? Infinity);
    if (plain(`${goal.kind} ${goal.label}`).startsWith(wanted)) far.push(1);
    const best = Math.min(...far);
    if (best <= (goal.late ? 1 : WORST)) found.push({ goal, best, order });
  }
  return found.sort((a, b) => a.best - b.best || a.order - b.order).map(({ goal }) => goal);
}

/**
 * Show the dialog.
 * @param {Goal[]} first @param {Promise<Goal[]>} more goals that are still being loaded
 */
export function goToAnything(first, more) {
  const list = h("ul", { class: "goals", role: "listbox", id: "goals", "aria-label": t("goto") });
  const told = h("div", { class: "told", role: "status" });
  const field = h("input", { type: "text", role: "combobox", "aria-label": t("goto"), "aria-controls": "goals", "aria-expanded": "true",
    "aria-autocomplete": "list", autocomplete: "off", spellcheck: false, placeholder: t("goto_hint"), oninput: () => show() });
  let goals = first, found = /** @type {Goal[]} */ ([]), at = 0;

  function show(/** @type {Goal | null} */ kept = null) {
    const all = ranked(goals, field.value);
    found = all.slice(0, MOST);
    clear(list, found.map((goal, index) => h("li", { role: "option", id: `goal-${index}`, onclick: () => run(index), onpointermove: () => choose(index) },
      h("span", { class: "name" }, goal.label), goal.detail ? h("span", { class: "dim detail" }, goal.detail) : null, h("span", { class: "dim" }, goal.kind))));
    told.textContent = !all.length ? t("goto_none") : all.length > MOST ? t("goto_first", MOST, all.length) : t("goto_found", all.length);
    choose(Math.max(0, kept ? found.indexOf(kept) : 0));
  }

  function choose(/** @type {number} */ index) {
    list.children[at]?.setAttribute("aria-selected", "false");
    at = Math.max(0, Math.min(found.length - 1, index));
    const row = list.children[at];
    row?.setAttribute("aria-selected", "true");
    if (row) field.setAttribute("aria-activedescendant", row.id); else field.removeAttribute("aria-activedescendant");
    row?.scrollIntoView({ block: "nearest" });
  }

  function run(/** @type {number} */ index) {
    const goal = found[index];
    if (!goal) return;
    box.close();
    goal.run();
  }

  field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key === "Enter") run(at);
    else if (event.key in steps) choose(Math.abs(steps[event.key]) > 1 ? at + steps[event.key] : (at + steps[event.key] + found.length) % (found.length || 1));
    else return;
    event.preventDefault();
  });
  const box = dialog(t("goto"), [field, list, told], { wide: true });
  box.classList.add("goto");
  field.focus();
  show();
  more.then((each) => { goals = [...each, ...first]; if (box.open) show(at ? found[at] : null); });
}
