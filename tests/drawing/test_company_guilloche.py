"""Guilloche: smooth closed curves, one pattern for each name, always the same, within the bounds
they state."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from company_samples import EU, STYLE, company, title_of

from platelayer.drawing.company.certificate import draw_certificate
from platelayer.drawing.company.charter import draw_charter
from platelayer.drawing.kit.ornament import pattern_of, ring_path, smooth_path
from platelayer.model.company import CompanyKind
from platelayer.render.scenes import used_scenes
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Command, Group, Item, Path, Scene

NAMES = [c.id for c in EU.companies] + [f"Railway {number}" for number in range(300)]


def test_every_name_has_its_own_pattern() -> None:
    assert len({pattern_of(name) for name in NAMES}) == len(NAMES)
    assert pattern_of("BNR") == pattern_of("BNR")


@pytest.mark.parametrize("name", ["BNR", "SNCF", "GSR", "Südbahn"])
def test_rings_are_smooth_and_closed(name: str) -> None:
    pattern = pattern_of(name)
    for ring in (pattern.rim, pattern.petals, pattern.heart, pattern.small):
        assert math.gcd(ring.lobes, ring.turns) == 1
        commands = ring_path(ring, 10.0)
        curves = commands[1:-1]
        assert commands[-1] == ("Z",)
        assert math.dist(commands[0][1:], curves[-1][5:]) < 1e-6  # type: ignore[arg-type]
        for before, after in pairwise((*curves, curves[0])):
            assert _direction(before, 3) == pytest.approx(_direction(after, None, before), abs=1e-6)


def _direction(
    curve: Command, at: int | None, before: Command | None = None
) -> tuple[float, float]:
    """From the last control point to the end, or from the start (the end of `before`) to the first
    control point."""
    numbers = [float(number) for number in curve[1:]]
    if at is not None:
        return numbers[4] - numbers[2], numbers[5] - numbers[3]
    assert before is not None
    return numbers[0] - float(before[5]), numbers[1] - float(before[6])


def test_rings_keep_between_their_rims() -> None:
    ring = pattern_of("BNR").petals
    radii = [math.dist((c[5], c[6]), (10, 10)) for c in ring_path(ring, 10.0)[1:-1]]  # type: ignore[arg-type]
    assert max(radii) == pytest.approx(10 * ring.outer, abs=0.01)
    assert min(radii) == pytest.approx(10 * ring.inner, abs=0.01)


def test_a_circle_from_curves_is_a_circle() -> None:
    quarter = smooth_path(
        lambda a: (math.sin(a), -math.cos(a), math.cos(a), math.sin(a)), 0, 2 * math.pi, 8
    )
    assert all(math.hypot(c[5], c[6]) == pytest.approx(1) for c in quarter[1:])  # type: ignore[arg-type]
    assert len(quarter) == 9


@pytest.mark.parametrize("piece", ["BNR-director", "BNR-10", "SNCF-director"])
def test_a_certificate_is_light_to_print(piece: str) -> None:
    scene = draw_certificate(EU, piece, STYLE)
    placed = used_scenes([scene]).values()
    assert sum(_curves(part.items) for part in (scene, *placed)) < 3000


def test_director_and_ordinary_share_their_curves() -> None:
    one = set(used_scenes([draw_certificate(EU, "FS-director", STYLE)]))
    other = set(used_scenes([draw_certificate(EU, "FS-10", STYLE)]))
    assert len(one & other) >= 5
    # Together in one file: raises ClashingKeys if two drawings had one key.
    used_scenes(
        draw_certificate(EU, f"{c.id}-{grade}", STYLE)
        for c in _majors()
        for grade in ("director", "10")
    )


def test_placed_scenes_keep_within_their_bounds() -> None:
    pieces = [
        draw_certificate(EU, "BNR-director", STYLE),
        draw_charter(EU, "BNR", STYLE),
        draw_charter(EU, "1", STYLE),
    ]
    for scene in used_scenes(pieces).values():
        _within(scene)


def _within(scene: Scene) -> None:
    shapes, _ = flatten_scene(scene)
    reach = scene.bleed_mm + 0.5
    for shape in shapes:
        if not shape.clips:
            left, top, right, bottom = shape.bounds
            assert min(left, top) >= -reach, scene.key
            assert right <= scene.width_mm + reach, scene.key
            assert bottom <= scene.height_mm + reach, scene.key


def test_certificates_of_two_sizes_share_nothing_by_mistake() -> None:
    from platelayer.model.title import Size

    small = Size(kind="certificate:A-10", width_mm=67, height_mm=44)
    title = title_of([company("A")], (small,))
    used_scenes(draw_certificate(title, piece, STYLE) for piece in ("A-director", "A-10"))


def _majors() -> list[object]:
    return [c for c in EU.companies if c.kind is CompanyKind.MAJOR]


def _curves(items: tuple[Item, ...]) -> int:
    total = 0
    for item in items:
        if isinstance(item, Path):
            total += sum(command[0] == "C" for command in item.commands)
        elif isinstance(item, Group):
            total += _curves(item.items)
    return total
