"""The pages docs/atlas-gallery.md in both languages, with their pictures: maps that a search finds."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from table import FOLDER

from platelayer.atlas.find import FindOptions
from platelayer.atlas.make import find_maps
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.build import shipped_box
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions

DOCS = Path(__file__).parent
EDITION = "https://platelayer.github.io/platelayer/try/"
MAPS = 2000
WIDTH = 720
ENGLISH, JAPANESE = 0, 1


class Chosen(NamedTuple):
    """A map of the gallery: the mode, and the search that finds it, with its name in both languages."""

    name: tuple[str, str]
    mode: str
    best: str
    where: str = "home_pairs_apart = 0"


CHOSEN = {
    "fair": Chosen(("A fair land", "公平な土地"), "long", "fairness"),
    "round": Chosen(("Close together", "まとまった土地"), "long", "least diameter"),
    "wide": Chosen(("Far apart", "遠い本拠地"), "long", "home_distance_min"),
    "lakes": Chosen(("Lakes and holes", "湖と空白"), "long", "gap_hexes"),
    "rich": Chosen(("Rich homes", "豊かな本拠地"), "short", "income_min"),
    "fair-short": Chosen(("Fair and short", "短く公平に"), "short", "fairness"),
    "three": Chosen(("For three", "3人で"), "micro3", "fairness"),
    "two": Chosen(("For two", "2人で"), "micro2", "fairness"),
}
COLUMNS = {
    "fairness": ("fairness", "公平さ"),
    "hexes": ("hexes", "ヘクス"),
    "table": ("table, mm", "広さ mm"),
    "home_distance_mean": ("homes apart", "本拠地の間隔"),
    "income": ("incomes of homes", "本拠地の収入"),
    "destinations": ("off-board areas", "盤外エリア"),
}
ALT = (
    "{}: map of mode {mode} with {homes} homes on {hexes} hexes",
    "{}：{mode} のマップ、{hexes} ヘクス、本拠地 {homes} か所",
)
ABOUT = (
    """# Maps to play

Of {maps:,} compact maps of each mode (seed 1), these are the best by one [measure](atlas-measures.md) in which all homes
are connected by land. A map's name opens it in the [browser edition](browser.md); its code works wherever a map does:

```sh
platelayer atlas new --from CODE -o tonight       # poster and guides
platelayer build lost-atlas --atlas CODE          # the printed game with this map
platelayer export lost-atlas --to vassal --atlas CODE -o online
```

Pictures show off-board areas by the first card. `docs/atlas_gallery.py` searches and draws; `make docs` renews the page.
""",
    """# 遊んでみたいマップ

各モードの compact のマップ {maps:,} 枚（シード 1）から、すべての本拠地が陸でつながるもののうち、\
1 つの[測定値](atlas-measures.md)で最もよいものを選びました。\
名前をクリックすると[ブラウザ版](browser.md)で開きます。\
コードは、マップを指定できるところならどこでも使えます。

```sh
platelayer atlas new --from CODE -o tonight       # ポスターと手引き
platelayer build lost-atlas --atlas CODE          # このマップで遊ぶ箱を印刷する
platelayer export lost-atlas --to vassal --atlas CODE -o online
```

盤外エリアの収益は、最初のカードのものです。`docs/atlas_gallery.py` が探して描きます。`make docs` でページが新しくなります。
""",
)


def main() -> None:
    """Search and draw the maps, and write the pages."""
    surveyor, found = Surveyor(shipped_box()), {}
    for name, chosen in CHOSEN.items():
        (entry,) = find_maps(
            None,
            FindOptions(maps=MAPS),
            players=None,
            where=chosen.where,
            best=chosen.best,
            count=1,
            progress=lambda _stage, _done, _of: None,
            mode=chosen.mode,
            policy="compact",
            seed=1,
            blanks=None,
        ).maps
        values = surveyor.measure(entry.log)
        short, long = (round(values[f"table_{side}_mm"]) for side in ("short", "long"))
        shown = {
            **{measure: f"{value:g}" for measure, value in values.items()},
            "fairness": f"{values['fairness']:.1f}",
            "home_distance_mean": f"{values['home_distance_mean']:.1f}",
            "table": f"{short} x {long}",
            "income": f"{values['income_min']:g}–{values['income_max']:g}",
        }
        found[name] = entry.code, shown
        options = BuildOptions(variant=f"atlas={entry.code}")
        picture = Image.open(io.BytesIO(draw("lost-atlas", "map", options).paint(".png", dpi=72)))
        size = WIDTH, round(WIDTH * picture.height / picture.width)
        picture.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(
            FOLDER / f"atlas-{name}.webp", quality=78, method=6
        )
    for language, folder in ((ENGLISH, DOCS), (JAPANESE, DOCS / "ja")):
        (folder / "atlas-gallery.md").write_text(page(language, found), encoding="utf-8")


def page(language: int, found: dict[str, tuple[str, dict[str, str]]]) -> str:
    """The page in a language, of codes and measures by name."""
    heads = (("map", "マップ"), ("mode", "モード"), ("best by", "選んだ基準"), *COLUMNS.values())
    rows = [[head[language] for head in heads], ["---"] * len(heads)]
    pictures = ""
    up = "" if language == ENGLISH else "../"
    for name, (code, values) in found.items():
        chosen = CHOSEN[name]
        words = chosen.name[language]
        link = f"[{words}]({EDITION}#atlas={code})"
        rows.append(
            [link, chosen.mode, f"`{chosen.best}`", *(values[column] for column in COLUMNS)]
        )
        about = ALT[language].format(words, mode=chosen.mode, **values)
        pictures += f"\n## {words}\n\n![{about}]({up}pictures/atlas-{name}.webp)\n\n`{code}`\n"
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"{ABOUT[language].format(maps=MAPS)}\n{table}{pictures}"


if __name__ == "__main__":
    main()
