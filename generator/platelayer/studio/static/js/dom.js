// Helpers to create elements in one call.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || (value === false && typeof node[name] !== "boolean")) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else if (name in node && name !== "list" && !(node instanceof SVGElement)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((each) => each !== null && each !== undefined && each !== false));
  return node;
}

export const h = (tag, props, ...children) => filled(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => filled(document.createElementNS(SVG, tag), props, children);

// Stroked 24 x 24 icons, drawn for the studio.
const ICONS = {
  search: "M10.500 4a6.500 6.500 0 1 0 .01 0M15.500 15.500L21 21",
  beside: "M3 5h18v14H3zM12 5v14",
  picture: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M15.500 9a1 1 0 1 0 .01 0",
  print: "M7 9V4h10v5M7 18H4v-8h16v8h-3M7 14h10v6H7z",
  settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  turn: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  brush_colour: "M12 3s6 6.5 6 11a6 6 0 0 1-12 0c0-4.5 6-11 6-11z",
  brush_terrain: "M3 19l6-11 4 7 3-4 5 8z",
  brush_stop: "M12 5a7 7 0 1 0 .01 0M12 10a2 2 0 1 0 .01 0",
  brush_label: "M6 5l6 7 6-7M12 12v7",
  brush_border: "M7 5h10l5 7M7 19l-5-7 5-7",
  brush_track: "M8 3v18M16 3v18M5 7h14M5 12h14M5 17h14",
  brush_icon: "M12 8v13M9 11h6M5 14a7 7 0 0 0 14 0M12 4a2 2 0 1 0 .01 0",
  brush_move: "M12 4v16M4 12h16M9 7l3-3 3 3M9 17l3 3 3-3M7 9l-3 3 3 3M17 9l3 3-3 3",
  brush_name: "M4 18L9 6l5 12M6 14h6M17 8v10M15 18h4",
  brush_river: "M4 6c4-3 6 3 10 1s5-1 6 0M4 12c4-3 6 3 10 1s5-1 6 0M4 18c4-3 6 3 10 1s5-1 6 0",
  brush_turn: "M20 11a8 8 0 1 0-2.3 6.300M20 4v7h-7",
  brush_clear: "M9 19l-5-5L14 4l6 6-9 9zM8 9l7 7M8 19h12",
  brush_hex: "M7 4h10l4.5 8-4.5 8H7l-4.5-8zM12 8v8M8 12h8",
  up: "M12 19V6M6 12l6-6 6 6",
  down: "M12 5v13M6 12l6 6 6-6",
  duplicate: "M9 9h11v11H9zM5 15H4V4h11v1",
  remove: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  open: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  first: "M6 5v14M19 5l-9 7 9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01",
  check: "M5 12l5 5 9-11",
  compare: "M12 3v18M9 7H4v10h5M15 7h5v10h-5",
  real: "M4 8v8h16V8zM8 8v4M12 8v3M16 8v4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
};

export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

/**
 * @param {string} label
 * @param {{icon?: string, text?: string | true, onclick?: (event: MouseEvent) => void, [name: string]: any}} [options] the icon, the words beside it (`true`: the label), properties
 */
export function button(label, { icon: sign, text, onclick, ...props } = {}) {
  const words = text ? h("span", { class: "label" }, text === true ? label : text) : null;
  const made = h("button", { type: "button", title: label, "aria-label": label, ...props }, sign ? icon(sign) : null, words);
  if (onclick) made.addEventListener("click", (event) => { if (made.ariaDisabled !== "true") onclick(event); });
  return made;
}

// Enable or disable a button by aria-disabled, so that a button that has just been pressed keeps the focus.
export function enable(made, on) { made.ariaDisabled = String(!on); }

export function select(label, options, value, onchange, props = {}) {
  const made = options.map(([id, name]) => h("option", { value: id, selected: id === value }, name));
  return h("select", { "aria-label": label, title: label, onchange: (event) => onchange(event.target.value), ...props }, made);
}

export function clear(node, ...children) {
  keepFocus(node, () => node.replaceChildren(...children.flat(3).filter(Boolean)));
  return node;
}

const FOCUSABLE = "button, select, input, textarea, summary, a[href], [tabindex]";
const nameOf = (each) => `${each.tagName} ${each.getAttribute("aria-label") || each.getAttribute("title") || each.textContent}`;

// Change the contents of a node. If the focus was inside, it moves to the new element with the same name (if there are
// several, to the one at the same position among them), else to the element at its position, else to the node.
export function keepFocus(node, change) {
  const { activeElement: focused } = document;
  if (focused === node || !node.contains(focused)) { change(); return; }
  const before = [...node.querySelectorAll(FOCUSABLE)], place = before.indexOf(focused), name = nameOf(focused);
  const among = before.filter((each) => nameOf(each) === name).indexOf(focused);
  change();
  const now = [...node.querySelectorAll(FOCUSABLE)].filter((each) => !each.disabled), alike = now.filter((each) => nameOf(each) === name);
  const heir = node.contains(focused) ? focused : alike[Math.min(among, alike.length - 1)] ?? now[Math.min(place, now.length - 1)] ?? node;
  if (heir === node && !node.hasAttribute("tabindex")) node.tabIndex = -1;
  heir.focus({ preventScroll: true });
}
