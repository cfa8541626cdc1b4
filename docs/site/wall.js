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
