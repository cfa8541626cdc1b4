// Compiles Python files where they are, with the Python that will run them: node compile.mjs PYODIDE FOLDER ...

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [home, ...folders] = process.argv.slice(2).map((each) => resolve(each));
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`).href);
const python = await loadPyodide();

for (const [number, folder] of folders.entries()) {
  const at = `/compile${number}`;
  python.FS.mkdir(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, at);
  python.runPython(`
import os, py_compile
for folder, _, names in os.walk("${at}"):
    for name in names:
        if name.endswith(".py"):
            path = os.path.join(folder, name)
            shown = os.path.relpath(path, "${at}")
            # Without docstrings, a tenth of the first load; those of rules explain them to people.
            optimize = 0 if shown.startswith("platelayer/rules/") else 2
            py_compile.compile(path, path + "c", shown, True, optimize, py_compile.PycInvalidationMode.UNCHECKED_HASH)
            os.remove(path)
`);
}
