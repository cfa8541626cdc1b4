// Elements, made in one call.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
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

// Stroked icons of 24 x 24, drawn for the studio.
const ICONS = {
  print: "M7 9V4h10v5M7 18H4v-8h16v8h-3M7 14h10v6H7z",
  settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  turn: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
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
  real: "M4 8v8h16V8zM8 8v4M12 8v3M16 8v4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
};

export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

export function button(label, { icon: sign, text, ...props } = {}) {
  const words = text ? h("span", { class: "label" }, text === true ? label : text) : null;
  return h("button", { type: "button", title: label, "aria-label": label, ...props }, sign ? icon(sign) : null, words);
}

export function select(label, options, value, onchange, props = {}) {
  const made = options.map(([id, name]) => h("option", { value: id, selected: id === value }, name));
  return h("select", { "aria-label": label, title: label, onchange: (event) => onchange(event.target.value), ...props }, made);
}

export function clear(node, ...children) {
  node.replaceChildren(...children.flat(3).filter(Boolean));
  return node;
}
