"""The page docs/words.md, made from the schemas, the drawings and the themes: the words that a
definition may use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from platelayer.definitions.schemas import raw_schema
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.icons import icon_names
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.languages import FixedWords, wordings
from platelayer.foundation.text import slips
from platelayer.model.manifest import build_manifest
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Group, Scene, Use, translation

PAGE = Path(__file__).parent / "words.md"
PICTURE = Path(__file__).parent / "pictures" / "words.svg"

INTRODUCTION = """\
# Words of definitions

The words that definitions may use as values, with pictures. `docs/words.py` generates this page from the schemas and the
drawings (`make docs`), so it is complete.

![Tiles with every colour, kind of terrain and icon, each with its name](pictures/words.svg)
"""
COLUMNS = 6

OTHERS = """\
## Words of other programs

Words of other programs and their equivalents in the format. `check` reports them as errors and suggests the equivalent."""


def enum(schema: str, *path: str) -> Sequence[str]:
    """The words that a part of a schema allows."""
    part: Any = raw_schema(schema)
    for step in path:
        part = part[step]
    return [each for each in part["enum"] if isinstance(each, str)]


COLOURS = enum("common", "$defs", "colour_name")
TERRAIN = enum("tile", "$defs", "terrain", "properties", "kinds", "items")
LISTS = (
    ("Colours of tiles and hexes", "`colour`", COLOURS),
    ("Terrain", '`"terrain": [{"kinds": ["hill"], "cost": 40}]`', TERRAIN),
    (
        "Icons",
        '`"icons": ["port"]`; any other is [a picture of your own](definitions.md#pictures-of-the-title)',
        icon_names(),
    ),
    ("Stops", '`"stops": [{"kind": "city"}]`', enum("tile", "$defs", "stop", "properties", "kind")),
    (
        "Borders",
        '`"borders": [{"edge": 0, "kind": "river"}]`',
        enum("map", "$defs", "border", "properties", "kind"),
    ),
    (
        "Track",
        '`[0, 3, {"gauge": "narrow"}]`',
        enum("tile", "$defs", "segment_attributes", "properties", "gauge"),
    ),
    ("Companies", "`kind`", enum("companies", "$defs", "company", "properties", "kind")),
    ("Markets", "`shape`", enum("market", "$defs", "block", "properties", "shape")),
    (
        "Statuses of a phase",
        '`"status": ["can_buy_companies"]`',
        tuple(FixedWords("cards").table("status")),
    ),
    ("Wordings", '`"wording": ["president"]`', tuple(wordings())),
)


def page() -> str:
    """The text of docs/words.md."""
    lists = [f"## {name}\n\n{where}: {_quoted(words)}" for name, where, words in LISTS]
    tints = {f"tile.{colour}" for colour in COLOURS}
    inks = [
        name
        for name in load_theme("classic").inks
        if name in tints or name.startswith(("map.zone.", "ground."))
    ]
    lists.append(
        f"## Inks\n\nWhere a colour may be `#rrggbb` or the name of an ink of the theme: {_quoted(inks)}"
    )
    rows = "\n".join(
        f"| {word} | {', '.join(f'`{each}`' for each in meant)} |"
        for word, meant in slips().items()
    )
    lists.append(f"{OTHERS}\n\n| word | is here |\n|---|---|\n{rows}")
    return "\n\n".join([INTRODUCTION.rstrip(), *lists]) + "\n"


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def picture(folder: Path) -> bytes:
    """A tile for every colour, kind of terrain and icon, with its name, as SVG; `folder` is for its
    definition."""
    shown: list[dict[str, Any]] = [{"name": name, "colour": name} for name in COLOURS]
    shown += [
        {"name": name, "colour": "white", "terrain": [{"kinds": [name], "cost": 40}]}
        for name in TERRAIN
    ]
    shown += [{"name": name, "colour": "white", "icons": [name]} for name in icon_names()]
    tiles = {f"{number}": {"count": 1, "tile": tile} for number, tile in enumerate(shown, 1)}
    raw = {
        "format": "platelayer.title/1",
        "id": "words",
        "name": "Words",
        "tiles": tiles,
    }
    (folder / "title.json").write_text(json.dumps(raw), encoding="utf-8")
    title = load_title(folder).title
    manifest, style = build_manifest(title), style_of(title, load_theme("classic"), "en")
    scenes = [
        draw_piece(title, manifest, manifest.by_key[f"tile:{number}"], style)[0] for number in tiles
    ]
    across, down = scenes[0].width_mm * 1.03, scenes[0].height_mm * 1.04
    items = tuple(
        Group(
            items=(Use(scene=scene),),
            clip=scene.die_line,
            matrix=translation(index % COLUMNS * across, index // COLUMNS * down),
        )
        for index, scene in enumerate(scenes)
    )
    rows = -(-len(scenes) // COLUMNS)
    return render_svg(
        Scene(key="words", width_mm=COLUMNS * across, height_mm=rows * down, items=items)
    )


def main() -> None:
    """Write the page and its picture."""
    PAGE.write_text(page(), encoding="utf-8")
    with TemporaryDirectory() as folder:
        PICTURE.write_bytes(picture(Path(folder)))


if __name__ == "__main__":
    main()
