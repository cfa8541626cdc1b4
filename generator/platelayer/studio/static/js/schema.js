// Lookup in the schemas along a path of a file: allowed values and their descriptions.

const MOST = 60;

const TYPES = { object: (each) => each instanceof Map, array: Array.isArray, string: (each) => typeof each === "string", boolean: (each) => typeof each === "boolean",
  null: (each) => each === null, integer: Number.isInteger, number: (each) => typeof each === "number" };

/** Return true if a value (of Maps and lists) satisfies a simple `if` condition. */
function holds(asked, value) {
  const has = (key) => value instanceof Map && value.has(key);
  return (asked.required || []).every(has) && Object.entries(asked.properties || {}).every(([key, each]) => !has(key) || !("const" in each) || value.get(key) === each.const);
}

/** Return true if a value fits a form, checked at the top level only. */
export function fits({ node }, value) {
  if (value === undefined) return false;
  if ("const" in node) return node.const === value;
  if (node.enum) return node.enum.includes(value);
  if (node.type && !TYPES[node.type](value)) return false;
  if (typeof value === "string") {
    const { length } = [...value];
    return (!node.pattern || new RegExp(node.pattern, "u").test(value)) && length <= (node.maxLength ?? length) && length >= (node.minLength ?? 0);
  }
  if (typeof value === "number") return value >= (node.minimum ?? -Infinity) && value <= (node.maximum ?? Infinity);
  if (value instanceof Map && node.properties)
    return (node.required || []).every((/** @type {string} */ key) => value.has(key)) && (node.additionalProperties !== false || [...value.keys()].every((key) => key in node.properties));
  return true;
}

export class Schemas {
  constructor(files) { this.files = files; }

  // Return the schema of a file: the one that it names, otherwise the one for the file's name.
  rootOf(value, name) {
    const named = typeof value?.$schema === "string" ? value.$schema.split("/").pop() : "";
    const known = [named, `${name.split("/").pop().replace(/\.json$/, "")}.schema.json`, "title.schema.json"];
    const file = known.find((each) => this.files[each]);
    return file ? { file, node: this.files[file] } : null;
  }

  // Resolve references of a schema, keeping the keys beside them: [{file, node}], outermost first.
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

  // Return a schema for a form, with references and their siblings merged; `parts` are the names of the references.
  // Conditional parts are resolved for the value.
  shape(schema, value = undefined) {
    let { file, node } = schema, around = {};
    const parts = [];
    while (node.$ref && parts.length < MOST) {
      const { $ref, ...more } = node, [where, pointer] = $ref.split("#");
      around = { ...more, ...around };
      file = where || file;
      node = this.files[file];
      for (const key of (pointer || "").split("/").slice(1)) node = node[key];
      parts.push($ref.split("/").pop());
    }
    node = { ...node, ...around };
    if (node.if) {
      const then = holds(node.if, value) ? node.then : node.else;
      const more = then ? this.shape({ file, node: then }, value).node : {};
      node = { ...node, ...more, title: node.title, description: node.description, required: [...(node.required || []), ...(more.required || [])] };
    }
    return { file, node, parts };
  }

  // Return the forms that a value may have, as shapes: one for each alternative of `anyOf` or of several types.
  forms(schema, value = undefined) {
    const shape = this.shape(schema, value), { file, node, parts } = shape;
    const ways = (node.anyOf || node.oneOf || []).filter((each) => Object.keys(each).some((key) => key !== "required"));
    if (parts.includes("text")) return [shape];
    if (ways.length) return ways.flatMap((each) => this.forms({ file, node: each }, value)).filter((each) => !each.parts.includes("path"));
    if (Array.isArray(node.type)) return node.type.map((type) => ({ file, node: { ...node, type }, parts }));
    return [shape];
  }

  // Return the schema at a key of a shape; null if the key is not allowed.
  inside({ file, node }, key) {
    const list = node.type === "array" ? node.prefixItems?.[Number(key)] ?? node.items : null;
    const found = list || (Object.hasOwn(node.properties || {}, key) ? node.properties[key] : node.additionalProperties);
    return found && typeof found === "object" ? { file, node: found } : null;
  }

  // Return the schema at a path below another, in whichever form allows it.
  below(schema, path) {
    return path.reduce((/** @type {any} */ found, /** @type {string | number} */ key) => {
      const forms = found ? this.forms(found) : [];
      return forms.map((each) => this.inside(each, key)).find(Boolean) ?? null;
    }, schema);
  }

  // Return all schemas that apply to the value at a path.
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

  // Return the keys allowed in an object at a path: [{label, detail, info}].
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

  // Return the values that the schemas list for a path.
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

  /** Return true if the value at a path is of a type that common.schema.json defines under this name. */
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
