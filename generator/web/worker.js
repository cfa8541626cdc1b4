// The worker of the browser edition: Python, which answers what the page asks for (platelayer/studio/worker.py).

import { entries } from "./packs.js";
// @ts-expect-error It comes from npm.
import createModule from "./pyodide/pyodide.asm.mjs";
// @ts-expect-error It comes from npm.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { begin, LIBRARY, PACKAGES } from "./python.js";

const ROOT = "/platelayer", LIB = "/lib";
/** Files are kept so long after they have changed: much is often changed at once. */
const KEEP_MS = 150;
/** The number that Emscripten's files know an input/output error by. */
const EIO = 29;

let python = null, studio = null, keeping = null, again = false;
const waiting = [];

/** @param {boolean} back whether from the browser's store */
const sync = (back) => new Promise((done, failed) => { python.FS.syncfs(back, (stop) => { if (stop) failed(stop); else done(); }); });

/** Keep the files in the browser's store, soon. */
function keep() {
  again = true;
  keeping ||= (async () => {
    while (again) {
      await new Promise((done) => { setTimeout(done, KEEP_MS); });
      again = false;
      try { await sync(false); } catch (stop) { postMessage({ unkept: String(stop) }); }
    }
    keeping = null;
    postMessage({ kept: true });
  })();
}

/** Files that are fetched when one of them is opened for the first time, while Python waits: their nodes by path. */
const later = new Map();

function fetchedLater(path, bytes, pack) {
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  python.FS.writeFile(path, "");
  const { node } = python.FS.lookupPath(path), { stream_ops, node_ops } = node;
  later.set(path, { node, stream_ops, node_ops });
  node.node_ops = { ...node_ops, getattr: (each) => ({ ...node_ops.getattr(each), size: bytes }) };
  node.stream_ops = { ...stream_ops, open: () => fetchNow(pack) };
}

function fetchNow(pack) {
  const request = new XMLHttpRequest();
  request.open("GET", pack.path, false);
  request.responseType = "arraybuffer";
  try { request.send(); } catch { /* no network */ }
  if (request.status !== 200) throw new python.FS.ErrnoError(EIO);  // Python says that the file cannot be read
  fill(request.response);
}

/** @param {ArrayBuffer} data a pack of files that are fetched later */
function fill(data) {
  for (const [path, bytes] of entries(data)) {
    const { node, ...own } = later.get(`${LIB}/${path}`);
    Object.assign(node, own, { contents: bytes, usedBytes: bytes.length });
  }
}

/** @param {Map<string, Uint8Array<ArrayBuffer>>} files */
function unpack(files) {
  const made = new Set();
  for (const [path, bytes] of files) {
    const at = `${LIB}/${path}`, folder = at.slice(0, at.lastIndexOf("/"));
    if (!made.has(folder)) python.FS.mkdirTree(folder);
    made.add(folder);
    python.FS.writeFile(at, bytes, { canOwn: true });
  }
}

const bytesOf = async (path) => (await fetch(path)).arrayBuffer();

async function start() {
  const { packs, lock } = await (await fetch("files.json")).json();
  const [data, memory] = await Promise.all([bytesOf("packs/python"), bytesOf("packs/memory")]);
  const files = new Map(entries(data)), library = files.get(`${PACKAGES.slice(LIB.length + 1)}/${LIBRARY}`);
  const indexURL = new URL("pyodide/", import.meta.url).href;
  // What of the standard library is not in memory yet is fetched later.
  python = await begin({ loadPyodide, createModule }, library, new Uint8Array(memory), { indexURL, lockFileContents: lock, checkAPIVersion: true, stdLibURL: "data:," });
  postMessage({ step: 0.4 });
  python.pyimport("random").seed();
  unpack(files);
  for (const pack of packs.filter((each) => each.later)) for (const [path, bytes] of pack.files) fetchedLater(`${LIB}/${path}`, bytes, pack);
  python.FS.mkdirTree(ROOT);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, ROOT);
  await sync(true);
  postMessage({ step: 0.6 });
  const { Worker } = python.pyimport("platelayer.studio.worker");
  studio = Worker(ROOT, crypto.randomUUID().slice(0, 8), (news) => postMessage({ news: JSON.parse(news) }), keep);
  await studio.begin();
  postMessage({ ready: true });
  for (const each of waiting.splice(0)) answer(each);
}

async function answer({ data: { say, pack, method, path, query, body }, ports }) {
  if (pack) { fill(await bytesOf(pack)); postMessage({ filled: pack }); return; }
  if (say) { await studio.hear(JSON.stringify(say)); return; }
  const given = python.toPy(query), sent = python.toPy(new Uint8Array(body));
  const found = await studio.answer(method, path, given, sent.tobytes());
  const bytes = found.data.getBuffer("u8"), data = bytes.data.slice();
  bytes.release();
  ports[0].postMessage({ status: found.status, kind: found.kind, name: found.name, data }, [data.buffer]);
  for (const each of [given, sent, found]) each.destroy();
}

addEventListener("message", (event) => {
  if (studio) answer(event).catch((stop) => postMessage({ fault: String(stop) })); else waiting.push(event);
});
start().catch((stop) => postMessage({ failed: String(stop) }));
