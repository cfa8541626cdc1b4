// News from the studio while the page is open. A page that has lost its studio sends no requests, and has no secret in its
// address, until the studio is back.

import { open } from "./line.js";
import { look, on, piece, store, tell } from "./store.js";

const home = location.pathname;
let send = null, number = 0;
const unseen = new Map();

export function connect() {
  on("looks", say);
  send = open(hear, (there) => {
    online(there);
    if (there) say();
  });
}

// Send the current view with a new number. News carry the number of their view, so that outdated ones can be ignored.
function say() {
  number += 1;
  send({ ...store.looks, variant: store.looks.variant || null, number });
}

function hear({ event, number: of, data }) {
  if (event === "print" || event === "find") tell(event, data);
  else if (event === "edits") {
    store.edits = data;
    tell("edits");
  }
  else if (of !== number) return;
  else if (event === "state") state(data);
  else if (event === "drawn") drawn(data);
  else if (event === "problems") {
    [store.problems, store.searching] = [data.problems, !data.done];
    tell("problems");
  }
}

function state(now) {
  // A title that has never been readable has no pictures; one that breaks later keeps its last ones.
  store.state = now;
  for (const each of now.pieces || []) each.company = ["companies", "privates"].includes(each.origin[0]) ? each.origin[1] : null;
  if (now.problems) [store.problems, store.searching] = [now.problems, false];
  else store.searching = true;
  const { at, variant, lang } = store.looks;
  if (now.empty && now.titles.length && !now.titles.includes(at)) look({ at: now.titles[0], variant: "" });
  else if (now.empty && variant) look({ variant: "" });
  else if (variant && now.variants && !now.variants.some((each) => each.id === variant)) look({ variant: "" });
  else if (now.languages && !now.languages.includes(lang)) look({ lang: now.languages[0] });
  else {
    tell("state");
    tell("problems");
  }
}

// Show a new picture before the rest of the state, which takes longer to load.
function drawn(now) {
  const shown = piece(now.key);
  if (!shown) return;
  shown.version = now.version;
  Object.assign(store, { drawn: now, state: { ...store.state, edited: now.edited } });
  tell("drawn");
}

// Addresses of pictures are relative to that of the page: while its path contains no secret, neither do theirs. Pictures
// that have not been loaded yet already have an absolute address, which is removed in the meantime.
function online(now) {
  if (store.online === now) return;
  store.online = now;
  history.replaceState(history.state, "", (now ? home : "/") + location.hash);
  for (const image of now ? [] : document.images) {
    if (image.complete) continue;
    unseen.set(image, image.src);
    image.removeAttribute("src");
  }
  for (const [image, address] of now ? unseen : []) image.src ||= address;
  if (now) unseen.clear();
  tell("online");
}
