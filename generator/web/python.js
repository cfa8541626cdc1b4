// The start of Python with its native library in place, so that its memory can be kept and taken up again.

export const PACKAGES = "/lib/python3.14/site-packages";
/** The one native library of the packages. */
export const LIBRARY = "msgspec/_core.cpython-314-wasm32-emscripten.so";

/**
 * Python at its beginning, or as it was when a snapshot of its memory was made. A snapshot holds no code: the library has
 * to stand at the same addresses again, so it is loaded before Python begins.
 * @param {{loadPyodide: Function, createModule: Function}} pyodide
 * @param {Uint8Array} library
 * @param {Uint8Array | null} snapshot
 * @param {object} options of Pyodide
 */
export function begin({ loadPyodide, createModule }, library, snapshot, options = {}) {
  return loadPyodide({
    ...options,
    env: { PYTHONHASHSEED: "0" },
    ...snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true },
    createPyodideModule: async (settings) => {
      settings.preRun.push(async (module) => {
        const path = `${PACKAGES}/${LIBRARY}`;
        module.addRunDependency(path);
        if (!module.HEAP32[trampoline(module)]) module.wasmTable.grow(1);
        const exports = await module.loadWebAssemblyModule(library, { loadAsync: true, nodelete: true, allowUndefined: true }, path, {});
        module.newDSO(path, undefined, exports).global = false;
        module.removeRunDependency(path);
      });
      const module = await createModule(settings);
      if (snapshot) {
        const at = new Uint32Array(snapshot.buffer)[1] / 4;  // of the memory, behind its header
        new Int32Array(snapshot.buffer)[at + trampoline(module)] = module.HEAP32[trampoline(module)];
        module.growMemory(snapshot.length);  // Pyodide does not (pyodide/pyodide#6254)
      }
      return module;
    },
  });
}

/**
 * Where Python's memory has the function that it calls others through: browsers without WebAssembly's garbage collection
 * have none, and one entry less in the table of functions.
 */
const trampoline = (module) => (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4]) / 4;
