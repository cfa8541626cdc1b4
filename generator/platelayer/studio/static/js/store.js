// What the page knows: the state of its title, its problems, what it looks at, and the settings of this browser.

const listeners = new Map();
const kept = JSON.parse(localStorage.getItem("studio") || "{}");

export const store = {
  state: null,
  problems: [],
  searching: true,
  online: true,
  about: null,
  looks: { at: "", variant: "", lang: "", theme: "classic", ...kept.looks },
  settings: { ui: "", scheme: "auto", pxPerMm: 96 / 25.4, editor: true, split: 40, ...kept.settings },
};

export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, new Set());
  listeners.get(event).add(listener);
  return () => listeners.get(event).delete(listener);
}

export function tell(event, data) {
  for (const listener of listeners.get(event) || []) listener(data);
}

export function keep() {
  localStorage.setItem("studio", JSON.stringify({ looks: store.looks, settings: store.settings }));
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

export const piece = (key) => store.state?.pieces?.find((each) => each.key === key);

// The place of a piece or hex is the file and the pointer of its definition; targets are named "tile:57", "hex:map/D4".
export function targetOf(file, pointer) {
  let best = null, longest = -1;
  for (const [target, [where, at]] of Object.entries(store.state?.places || {})) {
    const within = where === file && (pointer === at || pointer.startsWith(at + "/"));
    if (within && at.length > longest) [best, longest] = [target, at.length];
  }
  return best;
}

export function targetOfProblem(problem) {
  if (store.state?.places?.[problem.about]) return problem.about;
  return targetOf(problem.file, problem.pointer || "");
}
