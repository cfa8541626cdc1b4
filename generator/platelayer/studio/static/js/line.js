// The line to the studio. In the browser edition another file stands in its place (generator/web/line.js).
//
// Page and studio prove to each other that both know the page's key before either says more: whoever else answers at this
// place learns nothing.

const KEY = document.querySelector('meta[name="key"]').getAttribute("content");
const FIRST_MS = 300, LONGEST_MS = 5000;
const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What goes with everything that a page sends. */
export const headers = { "x-platelayer-key": KEY };

/** What the bar and the welcome offer beside the rest. @type {() => HTMLElement[]} */
export const offers = () => [];

/** Whether the files lie in a folder of this machine, for other programs as well. @type {boolean} */
export const onDisk = true;

/** Links that open a random map elsewhere. @type {(map: object) => HTMLElement[]} */
export const linksTo = () => [];

/** The address at which others can open this page, if they can. */
export const ownPlace = "";

/**
 * Open the line, again and again: `hear` gets the news, `turned` whether the studio is there.
 * @param {(news: {event: string, number: number, data: any}) => void} hear
 * @param {(there: boolean) => void} turned
 * @returns {(words: object) => void} what says something to the studio, if it is there
 */
export function open(hear, turned) {
  let socket = null, proved = false, follows = false, wait = FIRST_MS;

  function call() {
    const asked = question(), line = new WebSocket(`ws://${location.host}/news`);
    socket = line;
    proved = follows = false;
    line.onopen = () => line.send(asked);
    line.onmessage = async ({ data }) => {
      const said = JSON.parse(data);
      if (proved) { hear(said); return; }
      if (follows) { location.replace(said.moved + location.hash); return; }
      const proof = await prove(`studio ${asked}`);
      // The studio was started again: it knows the keys of those before it, and tells its new address for one.
      follows = Boolean(said.earlier?.includes(proof));
      if (said.proof !== proof && !follows) { turned(false); line.onclose = null; line.close(); return; }
      line.send(await prove(`page ${said.question}`));
      if (follows) return;
      proved = true;
      wait = FIRST_MS;
      turned(true);
    };
    line.onclose = () => {
      turned(false);
      setTimeout(call, wait);
      wait = Math.min(2 * wait, LONGEST_MS);
    };
  }

  call();
  return (words) => { if (proved && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(words)); };
}

const question = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/**
 * What only those say who know the page's key.
 * @param {string} words
 */
async function prove(words) {
  const key = await crypto.subtle.importKey("raw", bytes(KEY), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, bytes(words)));
}
