// News from the studio, as long as the page is open.

import { query } from "./api.js";
import { look, store, tell } from "./store.js";

let source = null;

export function connect() {
  source?.close();
  source = new EventSource(`events?${query()}`);
  source.addEventListener("open", () => online(true));
  source.addEventListener("error", () => online(false));
  source.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    // A file that is broken from the start has no picture yet; one that breaks later keeps the last.
    store.state = state;
    if (state.problems) [store.problems, store.searching] = [state.problems, false];
    else store.searching = true;
    const { variant, lang } = store.looks;
    if (variant && state.variants && !state.variants.some((each) => each.id === variant)) {
      look({ variant: "" });
      return;
    }
    if (state.languages && !state.languages.includes(lang)) {
      look({ lang: "en" });
      return;
    }
    tell("state");
    tell("problems");
  });
  source.addEventListener("problems", (event) => {
    const news = JSON.parse(event.data);
    store.problems = news.problems;
    store.searching = !news.done;
    tell("problems");
  });
  source.addEventListener("print", (event) => tell("print", JSON.parse(event.data)));
}

function online(now) {
  if (store.online === now) return;
  store.online = now;
  tell("online");
}

addEventListener("pagehide", () => source?.close());
