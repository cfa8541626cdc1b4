// Connection to the studio. The browser edition replaces this file (generator/web/line.js).
//
// Before anything else, page and studio prove to each other that they know the page's key. Another program that answers at
// this address therefore learns nothing.

const KEY = document.querySelector('meta[name="key"]').getAttribute("content");
const FIRST_MS = 300, LONGEST_MS = 5000;
const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Headers of every request. */
export const headers = { "x-platelayer-key": KEY };

/** Additional buttons for the bar and the welcome page. @type {() => HTMLElement[]} */
export const offers = () => [];

/** True if the files are in a folder on this machine, where other programs can use them. @type {boolean} */
export const onDisk = true;

/** Links that open a random map in other programs. @type {(map: object) => HTMLElement[]} */
export const linksTo = () => [];

/** Public address of this page, if it has one. */
export const ownPlace = "";

/**
 * Keep a connection open, reconnecting when it is lost. `hear` receives news; `turned` is told whether the studio is there.
 * @param {(news: {event: string, number: number, data: any}) => void} hear
 * @param {(there: boolean) => void} turned
 * @returns {(words: object) => void} sends a message to the studio, if it is there
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
      // A restarted studio knows the keys of its predecessors, and sends its new address to their pages.
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
 * Return the signature of some words with the page's key, in hexadecimal.
 * @param {string} words
 */
async function prove(words) {
  const key = await crypto.subtle.importKey("raw", bytes(KEY), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, bytes(words)));
}
