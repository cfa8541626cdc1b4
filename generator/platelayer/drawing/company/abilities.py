"""The panel of a charter that says what the company may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from platelayer.drawing.company.charter_parts import CORNER_MM, Charter
from platelayer.drawing.kit.card import Card
from platelayer.drawing.kit.rich_text import set_lines, wrap_rich
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.scene.shapes import Item, Path, Role, polygon_path, rectangle_path
from platelayer.scene.typeset import TypeStyle


class _Setting(NamedTuple):
    """How texts are set: from line to line and between texts in ems of the type, air above and below them in design
    units, whether in the smallest narrow type alone, and whether they run on in one paragraph."""

    leading: float
    paragraph: float
    air: float
    smallest: bool = False
    run_on: bool = False


_SETTINGS = (
    _Setting(1.24, 0.5, 4.4),
    _Setting(1.24, 0.5, 2.0, smallest=True),
    _Setting(1.12, 0.3, 2.4),
    _Setting(1.12, 0.3, 2.4, run_on=True),
)
"""What is tried in turn: much text gets less air, then takes the fewest lines."""
_RUN_ON = "  ·  "


def abilities_panel(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    """What a company may do beyond the common rules, on a tinted panel from (x, y), in the largest type that fits;
    nothing for a company without abilities. Lengths are in design units. Raises DoesNotFit where no type fits."""
    card, inks, style = charter.card, charter.inks, charter.style
    texts = [style.words(text) for text in charter.company.abilities]
    if not texts:
        return ()
    setting, body, blocks = _set(card, texts, width - 9.4, height)
    step, gap, d = setting.leading * body.size_mm, setting.paragraph * body.size_mm, 0.17 * body.size_mm
    block = step * (sum(map(len, blocks)) - 1) + gap * (len(blocks) - 1) + body.cap_height_mm
    at = y + height / 2 - block / 2 + body.cap_height_mm
    items: list[Item] = [
        Path(
            commands=rectangle_path(x, y, width, height, CORNER_MM),
            fill=inks.tint,
            stroke=card.stroke(inks.line, 0.25),
        ),
        Path(commands=rectangle_path(x, y + CORNER_MM, 1.1, height - 2 * CORNER_MM), fill=inks.line),
    ]
    for lines in blocks:
        level, left = at - body.cap_height_mm / 2, x + 4.0
        diamond = polygon_path(((left - d, level), (left, level - d), (left + d, level), (left, level + d)))
        items.append(Path(commands=diamond, fill=inks.line, role=Role.ORNAMENT))
        items += set_lines(lines, body, style.ink("text"), x + 6.2, at, leading=setting.leading)
        at += len(lines) * step + gap
    return tuple(items)


def _set(
    card: Card, texts: Sequence[str], width: float, height: float
) -> tuple[_Setting, TypeStyle, list[tuple[str, ...]]]:
    """The first setting in which all texts fit, in the largest type in which they do, and their lines."""
    plain, tight = card.type("charter.body"), card.type("private.body.tight")
    for setting in _SETTINGS:
        told = [_RUN_ON.join(texts)] if setting.run_on else texts
        for kind in [tight.at(tight.min_pt)] if setting.smallest else (*_sizes(plain), *_sizes(tight)):
            blocks = [wrap_rich(text, kind, width) for text in told]
            between = setting.leading * (sum(map(len, blocks)) - 1) + setting.paragraph * (len(told) - 1)
            if between * kind.size_mm + kind.cap_height_mm <= height - setting.air:
                return setting, kind, blocks
    message = f"charter: what it may do does not fit a panel {height * card.unit_mm:.0f} mm high"
    raise DoesNotFit(message, "shorten it, or give charter a larger size")


def _sizes(style: TypeStyle) -> Iterator[TypeStyle]:
    """A type and smaller ones, down to its least size."""
    size = style.size_pt
    while size >= style.min_pt:
        yield style.at(size)
        size -= 0.25
