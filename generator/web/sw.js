// The service worker: the page's files from the cache, everything else from the page's own Python. Nothing leaves.

/** Packs by their names, with their digests, and the files that are fetched as they are: filled in by tools/web.py. */
const PACKS = {}, SHELL = [], VERSION = "";

const worker = /** @type {any} */ (self);
const SCOPE = new URL(worker.registration.scope).pathname;
const SHELL_CACHE = `platelayer-shell-${VERSION}`;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL_CACHE).then((shell) => shell.addAll(SHELL.map((path) => new Request(path || "./", { cache: "reload" })))));
});

worker.addEventListener("activate", (event) => {
  const ours = [SHELL_CACHE, "platelayer-last", ...Object.values(PACKS).map((digest) => `platelayer-${digest}`)];
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("platelayer-") && !ours.includes(name)) await caches.delete(name);
    await worker.clients.claim();
  })());
});

worker.addEventListener("fetch", (event) => event.respondWith(answer(event)));

async function answer({ request, clientId }) {
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(SCOPE)) return new Response("this page asks nobody else", { status: 403 });
  const path = decodeURIComponent(url.pathname.slice(SCOPE.length));
  if (path.endsWith(".gz")) return fetch(request);
  const kept = await caches.match(new URL(path || "./", worker.registration.scope).href, { ignoreSearch: true });
  if (kept) return kept;
  if (SHELL.includes(path)) return fetch(request);
  if (PACKS[path]) return fetchLater(path);
  const page = clientId && await worker.clients.get(clientId);
  return page ? ask(page, request, url, path) : new Response("there is no such file", { status: 404 });
}

/** A pack that is fetched when it is asked for. */
async function fetchLater(path) {
  const address = new URL(path, worker.registration.scope).href, response = await fetch(`${address}.gz`);
  if (!response.ok) return response;
  const whole = new Response(await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  await (await caches.open(`platelayer-${PACKS[path]}`)).put(address, whole.clone());
  return whole;
}

/** The page hands it on to Python, which answers straight to here. */
async function ask(page, request, url, path) {
  const body = request.method === "POST" ? await request.arrayBuffer() : new ArrayBuffer(0);
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((done) => { port1.onmessage = ({ data }) => done(data); });
  page.postMessage({ method: request.method, path, query: Object.fromEntries(url.searchParams), body }, [port2]);
  const { status, kind, name, data } = await answered;
  const headers = { "content-type": kind };
  if (name) headers["content-disposition"] = `attachment; filename="${name}"`;
  return new Response(data, { status, headers });
}
