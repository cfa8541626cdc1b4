"""Abilities of companies, as they are set on charters and cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from platelayer.drawing.kit.style import Style
from platelayer.model.company import Company
from platelayer.model.title import Title
from platelayer.scene.flatten import FlatShape, FlatText, flatten_scene
from platelayer.scene.shapes import Role, Scene

_LEAST_AIR_MM = 0.3
"""Between the ink of words and the rim of a panel."""


def settings(
    title: Title, style: Style, fronts: Mapping[str, Sequence[Scene]], kind: str
) -> dict[tuple[float, float], set[tuple[str, float]]]:
    """By size of the cards of a kind: the faces and sizes of their abilities, as far as lines are
    no other words' too."""
    found: dict[tuple[float, float], set[tuple[str, float]]] = defaultdict(set)
    for key, pages in fronts.items():
        if not key.startswith(f"{kind}:"):
            continue
        piece_id = key.partition(":")[2]
        company = title.private(piece_id) if kind == "private" else title.company_by_id[piece_id]
        abilities = " ".join(style.words(text) for text in company.abilities).replace(" ", "")
        found[pages[0].width_mm, pages[0].height_mm] |= {
            (run.face, round(run.size_pt, 6))
            for run in (text.run for text in flatten_scene(pages[0])[1])
            if len(run.text) > 9 and run.text.replace(" ", "") in abilities
        }
    return found


def beyond_panels(company: Company, charter: Scene, language: str) -> list[str]:
    """Words of abilities that reach beyond their panels or are too near their rims."""
    shapes, texts = flatten_scene(charter)
    panels = [shape for shape in shapes if shape.role is not Role.ORNAMENT]
    abilities = "".join(text.get(language) for text in company.abilities).replace(" ", "")
    found = []
    for text in texts:
        words = text.run.text.replace(" ", "")
        if len(words) < 4 or words == company.id or words not in abilities:
            continue
        left, top, right, bottom = _box_of(text, panels).bounds
        air = min(
            text.bounds[0] - left,
            text.bounds[1] - top,
            right - text.bounds[2],
            bottom - text.bounds[3],
        )
        if air < _LEAST_AIR_MM:
            found.append(f"{charter.key}: {text.run.text!r} has {air:.2f} mm to its panel's rim")
    return found


def _box_of(text: FlatText, shapes: list[FlatShape]) -> FlatShape:
    """The smallest filled shape below the middle of a text: the ground or a panel on it."""
    x, y = (text.bounds[0] + text.bounds[2]) / 2, (text.bounds[1] + text.bounds[3]) / 2
    below = [
        shape
        for shape in shapes
        if shape.fill is not None and shape.order < text.order and any(shape.covered([(x, y)]))
    ]
    return min(
        below,
        key=lambda each: (each.bounds[2] - each.bounds[0]) * (each.bounds[3] - each.bounds[1]),
    )
