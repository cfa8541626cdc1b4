// Folders on disk that titles came from: what is saved is written there as well, where the browser allows it.

import { python } from "../../boot.js";
import { get, send } from "./api.js";
import { tell } from "./store.js";

const SUFFIXES = /\.(json|svg|md)$/;
const MOST = 400;

/** Handles of folders, and the digests of what is in them, by title. @type {Map<string, {handle: any, digests: Record<string, string>}>} */
const folders = new Map();

export const canOpenFolders = () => "showDirectoryPicker" in globalThis;

/** @param {string} at */
export const folderOf = (at) => folders.get(at)?.handle;

/** @returns {AsyncGenerator<[string, File]>} */
async function* filesIn(handle, path = "") {
  for await (const [name, each] of handle.entries()) {
    if (name.startsWith(".") || name === "output") continue;
    if (each.kind === "directory") yield* filesIn(each, `${path}${name}/`);
    else if (SUFFIXES.test(name)) yield [path + name, await each.getFile()];
  }
}

async function base64(file) {
  let text = "";
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** A title from a folder on disk. */
export async function openFolder() {
  const handle = await /** @type {any} */ (globalThis).showDirectoryPicker({ mode: "readwrite" });
  const files = [];
  for await (const [path, file] of filesIn(handle)) if (files.length < MOST) files.push({ path, data: await base64(file) });
  const made = await send("put", { name: handle.name, files });
  folders.set(made.at, { handle, digests: await get("digests", { at: made.at }) });
  return made;
}

/**
 * Write what has changed of a title into its folder.
 * @param {string} at @param {boolean} all whatever is there
 */
export async function saveInto(at, all = false) {
  const { handle, digests } = folders.get(at), now = await get("digests", { at });
  try {
    for (const [path, digest] of Object.entries(now)) {
      if (!all && digests[path] === digest) continue;
      const parts = path.split("/");
      let folder = handle;
      for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
      const writing = await (await folder.getFileHandle(parts.at(-1), { create: true })).createWritable();
      await writing.write(await (await fetch(`file?${new URLSearchParams({ at, path })}`)).blob());
      await writing.close();
      digests[path] = digest;
    }
  } catch (stop) { tell("refused", stop.message); }
}

/** Write whatever is kept into the folders, too. */
export function keepFolders() {
  python().addEventListener("message", async ({ data }) => {
    if (data.kept) for (const at of folders.keys()) await saveInto(at);
    if (data.unkept) tell("refused", data.unkept);
  });
}
