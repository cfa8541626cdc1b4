// JSON with the order of keys preserved: objects become Maps, as plain objects would put keys such as "10" before "2+2".

/**
 * Parse JSON. Throws SyntaxError for invalid JSON.
 * @param {string} text
 * @returns {any}
 */
export function parsed(text) {
  let at = 0;
  const gap = /[\s]*/y, scalar = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
  const skip = () => { gap.lastIndex = at; gap.exec(text); at = gap.lastIndex; };
  const take = (sign) => {
    skip();
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const need = (sign) => { if (!take(sign)) throw new SyntaxError(`${sign} is missing at ${at}`); };
  const read = () => {
    if (take("{")) {
      const found = new Map();
      if (take("}")) return found;
      do {
        const key = read();
        need(":");
        found.set(key, read());
      } while (take(","));
      need("}");
      return found;
    }
    if (take("[")) {
      const found = [];
      if (take("]")) return found;
      do found.push(read()); while (take(","));
      need("]");
      return found;
    }
    skip();
    scalar.lastIndex = at;
    const [token] = scalar.exec(text) || [];
    if (token === undefined) throw new SyntaxError(`no value at ${at}`);
    at += token.length;
    return JSON.parse(token);
  };
  const value = read();
  skip();
  if (at < text.length) throw new SyntaxError(`more than a value at ${at}`);
  return value;
}

/**
 * Return a value as JSON.
 * @param {any} value
 * @returns {string}
 */
export function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value instanceof Map) return `{${[...value].map(([key, each]) => `${JSON.stringify(key)}:${written(each)}`).join(",")}}`;
  if (value && typeof value === "object") return written(new Map(Object.entries(value).filter(([, each]) => each !== undefined)));
  return JSON.stringify(value);
}

/** Convert the plain objects in a value to Maps. */
export const asMaps = (value) => parsed(written(value));

/**
 * Return the value at a path; undefined if there is none.
 * @param {any} value @param {(string | number)[]} path
 */
export function within(value, path) {
  return path.reduce((found, key) => found instanceof Map ? found.get(String(key)) : Array.isArray(found) ? found[Number(key)] : undefined, value);
}

/**
 * Return a value with the value at a path replaced, or removed if undefined. Missing objects are created.
 * @param {any} value @param {(string | number)[]} path @param {any} instead
 * @returns {any}
 */
export function withValue(value, path, instead) {
  if (!path.length) return instead;
  const [key, ...rest] = path;
  if (Array.isArray(value) || (value === undefined && typeof key === "number")) {
    const made = [...value ?? []], at = Number(key);
    if (rest.length || instead !== undefined) made[at] = withValue(made[at], rest, instead); else made.splice(at, 1);
    return made;
  }
  const made = new Map(value instanceof Map ? value : []);
  if (rest.length || instead !== undefined) made.set(String(key), withValue(made.get(String(key)), rest, instead)); else made.delete(String(key));
  return made;
}
