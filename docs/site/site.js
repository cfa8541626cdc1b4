/** The wall of tiles: shows those that every typed word is said of. */
const line = document.querySelector(".wall-search");
if (line) {
  const field = line.querySelector("input");
  const count = line.querySelector("output");
  const walls = [...document.querySelectorAll(".wall")];
  const find = () => {
    const typed = field.value.toLowerCase().split(/[\s,、]+/).filter(Boolean);
    let shown = 0;
    for (const wall of walls) {
      let here = 0;
      for (const tile of wall.children) {
        const said = tile.dataset.words.split(" ");
        tile.hidden = !typed.every((word) => said.some((each) => each.startsWith(word)));
        here += Number(!tile.hidden);
      }
      wall.previousElementSibling.hidden = wall.hidden = here === 0;
      shown += here;
    }
    count.textContent = count.dataset.words.replace("{}", shown);
  };
  field.addEventListener("input", find);
  line.hidden = false;
  find();
}

/** Looks for something four times a second until it is there. @param {() => boolean} there */
const until = (there) => { const timer = setInterval(() => { if (there()) clearInterval(timer); }, 250); };

/** The browser edition in a frame, behind a picture of its first title that goes when the title is there. */
const trial = document.querySelector(".trial");
if (trial) {
  const button = trial.querySelector("button"), status = trial.querySelector("[role=status]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.src = button.dataset.address;
    frame.title = button.dataset.title;
    button.remove();
    trial.append(frame);
    until(() => {
      const shown = frame.contentDocument, there = Boolean(shown?.querySelector(".viewer img"));
      status.textContent = shown?.querySelector("#boot p")?.textContent ?? "";
      trial.classList.toggle("there", there);
      return there;
    });
  });
}

// What the theme leaves out: a name of the search, and that its wide tables and code can be scrolled by keys.
const search = document.querySelector(".md-search");
search?.setAttribute("aria-label", search.querySelector("input").placeholder);
addEventListener("load", () => {
  for (const wide of document.querySelectorAll(".md-typeset__scrollwrap")) wide.tabIndex = 0;
});
