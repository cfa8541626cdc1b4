"""Maps of each mode and policy in, a picture of how their measures spread for docs/atlas-method.md out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from table import FOLDER

from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.compiled import compiled, seed_of_map
from platelayer.atlas.measures import NONE, Surveyor
from platelayer.definitions.build import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.pool import available_processes, share_out
from platelayer.render.png import render_png
from platelayer.scene.shapes import Anchor, Item, Scene, rectangle_path
from platelayer.scene.shapes import Path as Shape
from platelayer.scene.typeset import set_line

MAPS = {"uniform": 2000, "compact": 2000, "best": 500, "even": 400}
"""Maps of each policy; even ones take longest."""
MEASURES = ("perimeter", "home_distance_mean", "income_mean", "fairness")
BOX = shipped_box()
_AT_ONCE = 25
_LEFT, _TOP, _CELL, _GAP, _LINE = 26.0, 16.0, 54.0, 8.0, 5.2


def rows(job: tuple[str, str, int, int]) -> list[list[float]]:
    """The measures of some maps of a survey with seed 1."""
    mode, policy, first, end = job
    seeds = [seed_of_map(1, number) for number in range(first, end)]
    core = compiled(BOX, mode, policy, None)
    if core is not None and (fast := core.rows(seeds)):
        return [[row.value(name) for name in MEASURES] for row in fast]
    surveyor = Surveyor(BOX)
    measured = (surveyor.measure(assemble(BOX, mode, seed=seed, policy=policy)) for seed in seeds)
    return [[values[name] for name in MEASURES] for values in measured]


def shares(values: Sequence[float]) -> tuple[float, ...]:
    """The values below which 5, 25, 50, 75 and 95 % lie."""
    ordered = sorted(value for value in values if value != NONE)
    return tuple(
        ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (5, 25, 50, 75, 95)
    )


def drawn(style: Style, spread: dict[tuple[str, str, str], tuple[float, ...]]) -> Scene:
    """A row of plots for each mode, one for each measure: from 5 to 95 % a line, from 25 to 75 % a
    box, the median white."""
    small, strong, ink, soft = (
        style.type("sheet"),
        style.type("sheet.strong"),
        style.ink("text"),
        style.ink("text.soft"),
    )
    modes = [mode.id for mode in BOX.modes]
    tall = len(POLICIES) * _LINE + 9.0
    width, height = _LEFT + len(MEASURES) * (_CELL + _GAP), _TOP + len(modes) * tall
    items: list[Item] = [
        Shape(commands=rectangle_path(0, 0, width, height), fill=style.ink("white"))
    ]
    for column, name in enumerate(MEASURES):
        x = _LEFT + column * (_CELL + _GAP)
        items += set_line(name, strong, ink, x, 8.0)
        for row, mode in enumerate(modes):
            y = _TOP + row * tall
            items += set_line(mode, strong, ink, 4.0, y - 1.0) if not column else ()
            of_mode = {policy: spread[mode, policy, name] for policy in POLICIES}
            low, high = (
                min(one[0] for one in of_mode.values()),
                max(one[-1] for one in of_mode.values()),
            )
            room = (high - low) or 1.0

            def at(value: float, x: float = x, low: float = low, room: float = room) -> float:
                return x + (value - low) / room * _CELL

            for line, (policy, values) in enumerate(of_mode.items()):
                middle = y + (line + 0.5) * _LINE
                items += (
                    set_line(policy, small, soft, _LEFT - 3.0, middle + 0.8, anchor=Anchor.END)
                    if not column
                    else ()
                )
                first, lower, median, upper, last = map(at, values)
                for left, right, thick, fill in (
                    (first, last, 0.4, "text.soft"),
                    (lower, upper, 3.2, "map.title"),
                    (median - 0.3, median + 0.3, 3.2, "white"),
                ):
                    bar = rectangle_path(left, middle - thick / 2, max(right - left, 0.4), thick)
                    items.append(Shape(commands=bar, fill=style.ink(fill)))
            below = y + len(POLICIES) * _LINE + 2.6
            items += set_line(f"{low:.4g}", small, soft, x, below)
            items += set_line(f"{high:.4g}", small, soft, x + _CELL, below, anchor=Anchor.END)
    return Scene(
        key="atlas-spread",
        width_mm=width,
        height_mm=height,
        items=tuple(items),
        label="atlas-spread",
    )


def spread_of_maps() -> dict[tuple[str, str, str], tuple[float, ...]]:
    """Shares of the values by mode, policy and measure."""
    jobs = [
        (mode.id, policy, first, min(first + _AT_ONCE, MAPS[policy]))
        for mode in BOX.modes
        for policy in POLICIES
        for first in range(0, MAPS[policy], _AT_ONCE)
    ]
    found: dict[tuple[str, str], list[list[float]]] = {}
    for (mode, policy, *_), part in zip(
        jobs, share_out(rows, jobs, processes=available_processes()), strict=True
    ):
        found.setdefault((mode, policy), []).extend(part)
    return {
        (mode, policy, name): shares([row[index] for row in values])
        for (mode, policy), values in found.items()
        for index, name in enumerate(MEASURES)
    }


def main(folder: Path = FOLDER) -> None:
    """Draw the picture."""
    style = Style(theme=load_theme("classic"))
    (folder / "atlas-spread.png").write_bytes(render_png(drawn(style, spread_of_maps()), dpi=110))


if __name__ == "__main__":
    main()
