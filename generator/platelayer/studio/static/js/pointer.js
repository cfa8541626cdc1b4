// JSON pointers into text, resolved by the editor's syntax tree, so that they work while the text is being edited.

import { ensureSyntaxTree, syntaxTree } from "../editor/codemirror.js";

const text = (state, node) => state.sliceDoc(node.from, node.to);

function nameOf(state, property) {
  const name = property.getChild("PropertyName");
  if (!name) return null;
  try { return JSON.parse(text(state, name)); } catch { return text(state, name).replaceAll('"', ""); }
}

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

function values(node) {
  const found = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (VALUES.has(child.name)) found.push(child);
  return found;
}

const tree = (state) => ensureSyntaxTree(state, state.doc.length, 200) || syntaxTree(state);

/**
 * Return the path of keys and indices to a position, and the innermost node there.
 * @param {import("../editor/codemirror.js").EditorState} state
 * @param {number} at
 * @param {-1 | 0 | 1} side side of the position on which the node lies: before, around, or after it
 */
export function pathAt(state, at, side = -1) {
  const path = [], inside = tree(state).resolveInner(at, side);
  for (let node = inside; node; node = node.parent) {
    if (node.name === "Property") path.unshift(nameOf(state, node) ?? "");
    else if (node.parent?.name === "Array" && VALUES.has(node.name)) path.unshift(values(node.parent).findIndex((each) => each.from === node.from));
  }
  return { path, node: inside };
}

export const pointerOf = (path) => path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
export const tokens = (pointer) => pointer.split("/").slice(1).map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));

// Return the range of the value at a pointer, or of the innermost value around it: {from, to, key}.
export function find(state, pointer) {
  let node = values(tree(state).topNode)[0], key = node;
  for (const token of tokens(pointer)) {
    let next = null, named = null;
    if (node?.name === "Object") {
      for (const property of node.getChildren("Property"))
        if (nameOf(state, property) === token) [next, named] = [values(property)[0], property];
    } else if (node?.name === "Array") {
      next = named = values(node)[Number(token)] || null;
    }
    if (!next) break;
    [node, key] = [next, named];
  }
  return node ? { from: node.from, to: node.to, key: key.from } : null;
}
