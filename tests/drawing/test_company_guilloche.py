"""Guilloche: smooth closed curves, one pattern for each name, always the same, within the bounds
they state."""

from __future__ import annotations

import pytest
from company_samples import EU, STYLE

from platelayer.drawing.company.cards import draw_certificate
from platelayer.render.scenes import used_scenes
from platelayer.scene.shapes import Group, Item, Path


@pytest.mark.parametrize("piece", ["BNR-director", "BNR-10", "SNCF-director"])
def test_a_certificate_is_light_to_print(piece: str) -> None:
    scene = draw_certificate(EU, piece, STYLE)
    placed = used_scenes([scene]).values()
    assert sum(_curves(part.items) for part in (scene, *placed)) < 3000


def _curves(items: tuple[Item, ...]) -> int:
    total = 0
    for item in items:
        if isinstance(item, Path):
            total += sum(command[0] == "C" for command in item.commands)
        elif isinstance(item, Group):
            total += _curves(item.items)
    return total
