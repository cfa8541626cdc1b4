"""The panel of a charter that says what the company may do."""

from __future__ import annotations

from platelayer.drawing.company.charter_parts import CORNER_MM, Charter
from platelayer.drawing.kit.card import Card
from platelayer.drawing.kit.rich_text import set_lines, wrap_rich
from platelayer.scene.shapes import Item, Path, Role, polygon_path, rectangle_path
from platelayer.scene.typeset import TypeStyle

_LEADING = 1.24
_PARAGRAPH = 0.5


def abilities_panel(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    """What a company may do beyond the common rules, on a tinted panel from (x, y), in the largest type that fits;
    nothing for a company without abilities. Lengths are in design units."""
    card, inks, style = charter.card, charter.inks, charter.style
    texts = [style.words(text) for text in charter.company.abilities]
    if not texts:
        return ()
    room, inner = height - 4.4, width - 9.4
    body = _body(card, texts, inner, room)
    step, gap, d = _LEADING * body.size_mm, _PARAGRAPH * body.size_mm, 0.17 * body.size_mm
    blocks = [wrap_rich(text, body, inner) for text in texts]
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
        items += set_lines(lines, body, style.ink("text"), x + 6.2, at, leading=_LEADING)
        at += len(lines) * step + gap
    return tuple(items)


def _body(card: Card, texts: list[str], width: float, height: float) -> TypeStyle:
    """The largest type in which all texts fit; the smallest type where they do not."""
    for style in (card.type("charter.body"), card.type("private.body.tight")):
        size = style.size_pt
        while size >= style.min_pt:
            kind = style.at(size)
            lines = sum(len(wrap_rich(text, kind, width)) for text in texts)
            between = _LEADING * (lines - 1) + _PARAGRAPH * (len(texts) - 1)
            if between * kind.size_mm + kind.cap_height_mm <= height:
                return kind
            size -= 0.25
    return style.at(style.min_pt)
