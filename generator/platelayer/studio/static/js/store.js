// State of the page: its title, problems, view, and the settings of this browser.

const listeners = new Map();
export const store = {
  state: null,
  problems: [],
  edits: { revision: 0, versions: {}, unsaved: [], conflicts: {}, trouble: "", undo: null, redo: null },
  searching: true,
  online: true,
  selected: "",
  also: /** @type {string[]} */ ([]),
  about: null,
  wanted: null,
  drawn: null,
  looks: { at: "", variant: "", lang: "", theme: "classic" },
  settings: { ui: "", scheme: "auto", pxPerMm: 96 / 25.4, editor: true, form: false, table: false, split: 40, autosave: true },
};

/** Validators of stored values; invalid ones are ignored. */
const LOOKS = { at: isText, variant: isText, lang: (value) => /^[a-z]{2}(-[A-Za-z0-9]{2,8})?$/.test(value), theme: isText };
const SETTINGS = { ui: isText, scheme: (value) => ["auto", "light", "dark"].includes(value), pxPerMm: between(2, 9),
  editor: isTruth, form: isTruth, table: isTruth, autosave: isTruth, split: between(20, 70) };

function isTruth(value) { return typeof value === "boolean"; }
function isText(value) { return typeof value === "string"; }
function between(least, most) { return (value) => typeof value === "number" && value >= least && value <= most; }

function read(key, into, valid) {
  let found = null;
  try { found = JSON.parse(localStorage.getItem(key)); } catch { /* not ours, or no storage */ }
  for (const [name, holds] of Object.entries(valid)) if (found && Object.hasOwn(found, name) && holds(found[name])) into[name] = found[name];
}

read("studio", store.settings, SETTINGS);

/** Storage key of the view, by folder: another studio may have used this port before. */
const place = () => `studio:${store.about.folder}`;
export function readLooks() { read(place(), store.looks, LOOKS); }

export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, new Set());
  listeners.get(event).add(listener);
  return () => listeners.get(event).delete(listener);
}

export function tell(event, data) {
  for (const listener of listeners.get(event) || []) listener(data);
}

export function keep() {
  try {
    localStorage.setItem("studio", JSON.stringify(store.settings));
    localStorage.setItem(place(), JSON.stringify(store.looks));
  } catch { /* storage is full or forbidden */ }
}

export function look(changes) {
  Object.assign(store.looks, changes);
  keep();
  tell("looks");
}

export function set(changes) {
  Object.assign(store.settings, changes);
  keep();
  tell("settings");
}

export function t(key, ...parts) {
  const words = store.about?.words[key] ?? key;
  return parts.reduce((text, part) => text.replace("{}", part), words);
}

/** Message about files that cannot be read, so that an earlier state is shown. */
export function asItWas() {
  const { broken, kept = [] } = store.state || {};
  return broken ? t("broken_from_start") : kept.length ? t("as_it_was", kept.join(", ")) : "";
}

/**
 * Select a target ("hex:map/D4", "tile:57"), or nothing.
 * @param {string} target
 */
export function choose(target) {
  if (store.selected === target) return;
  store.selected = target;
  tell("selected", target);
}

// Browsers reject some language codes that a title may use.
export function languageName(id) {
  try { return new Intl.DisplayNames([id], { type: "language" }).of(id); } catch { return id; }
}

export const piece = (key) => store.state?.pieces?.find((each) => each.key === key);

/**
 * Return true if a file is in the folder of the current title, or of no title.
 * @param {string} file
 */
export function isOfTitle(file) {
  const within = (/** @type {string} */ at) => at === "" || file.startsWith(`${at}/`);
  const owners = (store.state?.titles || []).filter(within).sort((/** @type {string} */ a, /** @type {string} */ b) => b.length - a.length);
  return !owners.length || owners[0] === store.looks.at;
}
