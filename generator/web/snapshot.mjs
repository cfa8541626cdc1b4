// Writes the memory of a Python that has run warm.py: node snapshot.mjs PYODIDE LIBRARY PACKAGES FILE

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { begin, LIBRARY, PACKAGES } from "./python.js";

const [home, library, packages, file] = process.argv.slice(2).map((each) => resolve(each));

// The same bytes each time: a clock that counts how often it is read, and no chance.
let now = 0;
Date.now = performance.now = () => { now += 1; return now; };
crypto.getRandomValues = (bytes) => bytes.fill(0);

const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`).href);
const { default: createModule } = await import(pathToFileURL(`${home}/pyodide.asm.mjs`).href);
const python = await begin({ loadPyodide, createModule }, readFileSync(join(packages, LIBRARY)), null, { stdLibURL: library });
for (const path of readdirSync(packages, { recursive: true }).sort()) {
  const from = join(packages, path), to = `${PACKAGES}/${path}`;
  if (statSync(from).isDirectory()) python.FS.mkdirTree(to); else python.FS.writeFile(to, readFileSync(from));
}
python.runPython(readFileSync(new URL("warm.py", import.meta.url), "utf8"));
await python.runPythonAsync("await warm()");

// What is free is full of what was there before, which does not compress: zeros for it.
const { _module: module } = python, end = module.HEAPU32[module._emscripten_get_sbrk_ptr() >> 2], taken = [];
for (let size = 1 << 20; size >= 16; size >>= 1) {
  for (;;) {
    const at = module._malloc(size);
    taken.push(at);
    if (at + size > end) break;
    module.HEAPU8.fill(0, at, at + size);
  }
}
for (const at of taken) module._free(at);
writeFileSync(file, python.makeMemorySnapshot());
