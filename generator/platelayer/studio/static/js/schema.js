// The schemas, walked along a path of a file: what may stand there, and what it means.

const MOST = 60;

export class Schemas {
  constructor(files) { this.files = files; }

  // The schema of a file: the one that it names, else the one for its name.
  rootOf(value, name) {
    const named = typeof value?.$schema === "string" ? value.$schema.split("/").pop() : "";
    const known = [named, `${name.split("/").pop().replace(/\.json$/, "")}.schema.json`, "title.schema.json"];
    const file = known.find((each) => this.files[each]);
    return file ? { file, node: this.files[file] } : null;
  }

  // A schema with its references followed, keeping what stands beside them: [{file, node}], the nearest words first.
  #open({ file, node }, seen = new Set()) {
    if (!node || typeof node !== "object" || seen.has(node) || seen.size > MOST) return [];
    seen.add(node);
    const found = [{ file, node }];
    if (node.$ref) {
      const [where, pointer = ""] = node.$ref.split("#"), next = where || file;
      let to = this.files[next];
      for (const key of pointer.split("/").slice(1)) to = to?.[key.replaceAll("~1", "/").replaceAll("~0", "~")];
      found.push(...this.#open({ file: next, node: to }, seen));
    }
    for (const way of ["allOf", "anyOf", "oneOf"]) for (const each of node[way] || []) found.push(...this.#open({ file, node: each }, seen));
    for (const way of ["then", "else"]) if (node[way]) found.push(...this.#open({ file, node: node[way] }, seen));
    return found;
  }

  // All schemas that apply to the value at a path.
  at(root, path) {
    let now = root ? this.#open(root) : [];
    for (const key of path) {
      const next = [];
      for (const { file, node } of now) {
        if (typeof key === "number") {
          const inner = node.prefixItems?.[key] ?? node.items;
          if (inner && typeof inner === "object") next.push(...this.#open({ file, node: inner }));
          continue;
        }
        if (node.properties && key in node.properties) { next.push(...this.#open({ file, node: node.properties[key] })); continue; }
        const pattern = Object.entries(node.patternProperties || {}).find(([each]) => new RegExp(each, "u").test(key));
        if (pattern) next.push(...this.#open({ file, node: pattern[1] }));
        else if (node.additionalProperties && typeof node.additionalProperties === "object") next.push(...this.#open({ file, node: node.additionalProperties }));
      }
      now = next;
    }
    return now;
  }

  // Keys that an object at a path may have: [{label, detail, info}].
  keys(root, path) {
    const found = new Map();
    for (const { file, node } of this.at(root, path))
      for (const [key, each] of Object.entries(node.properties || {})) {
        if (found.has(key)) continue;
        const needed = node.required?.includes(key);
        found.set(key, { key, needed, words: this.words({ file, node: each }), kind: this.kind({ file, node: each }) });
      }
    return [...found.values()];
  }

  // Values that the schemas name for a path.
  values(root, path) {
    const found = new Map();
    for (const { node } of this.at(root, path)) {
      const words = node.description || "";
      for (const each of node.enum || []) found.set(JSON.stringify(each), words);
      if ("const" in node) found.set(JSON.stringify(node.const), words);
      if (node.type === "boolean") for (const each of ["true", "false"]) found.set(each, words);
      if ("default" in node) found.set(JSON.stringify(node.default), words);
    }
    return [...found].map(([value, words]) => ({ value, words }));
  }

  /** Whether what stands at a path is of a type by its name among the common ones. */
  isA(root, path, name) {
    const wanted = this.files["common.schema.json"]?.$defs?.[name];
    return Boolean(wanted) && this.at(root, path).some(({ node }) => node === wanted);
  }

  words(schema) {
    return this.#open(schema).map(({ node }) => node.description).find(Boolean) || "";
  }

  describe(root, path) {
    const found = this.at(root, path), words = found.map(({ node }) => node.description).find(Boolean) || "";
    const allowed = [...new Set(found.flatMap(({ node }) => node.enum || []))];
    return { words, kind: this.#kindOf(found), allowed };
  }

  kind(schema) { return this.#kindOf(this.#open(schema)); }

  #kindOf(found) {
    return [...new Set(found.flatMap(({ node }) => node.type || (node.enum ? ["one of"] : [])))].join(" | ");
  }
}
