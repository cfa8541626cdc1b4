"""The pictures of positions and of supply: a map in play, and a board that proves a bound."""

from __future__ import annotations

from pathlib import Path

from gallery import small_png
from msgspec.structs import replace
from on_the_table import PLAYS
from pictures import FOLDER

from platelayer.definitions.decode import decode
from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.model.position import InPlay, Position
from platelayer.pipeline.load import load
from platelayer.pipeline.supply import supply

WIDTH_PX = 1400
TITLES = ("18cz", "1841", "18eu", "1824")


def main(folder: Path = FOLDER) -> None:
    """Draw them into docs/pictures/."""
    part = PLAYS["table-18eu"].part
    assert part is not None
    paused: Position = decode(Position, {"title": "18eu", "tiles": part.tiles, "tokens": part.tokens})
    shown = {"position-18eu": ("18eu", paused)}
    shown |= {f"supply-{name}": (name, supply(name).witness()) for name in TITLES}
    for stem, (name, position) in shown.items():
        title = replace(load(name), in_play=InPlay(position=position, numbers=True))
        scene = draw_map(title, title.maps[0].id, style_of(title, load_theme("classic"), "en"))
        (folder / f"{stem}.png").write_bytes(small_png(scene, WIDTH_PX))


if __name__ == "__main__":
    main()
