"""Profiles: what comes with Platelayer, and profiles of one's own."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from often import crossed
from platelayer.definitions.schemas import raw_schema
from platelayer.definitions.themes import load_profile, load_theme, profile_ids
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece, draw_with_room
from platelayer.foundation.resources import title_ids
from platelayer.imposition.paper import with_sizes
from platelayer.imposition.plan import standard_plan
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.model.options import COLOURS, Limits
from platelayer.pipeline.job import options_for, product_for
from platelayer.rules.graph import upgrade_graph
from refusals import refused
from shipped import shipped

LIMITS = raw_schema("profile")["$defs"]["limits"]["properties"]


def test_profiles_that_come_with_platelayer() -> None:
    assert set(profile_ids()) >= {"home", "drivethrucards", "thegamecrafter", "offset"}
    for profile_id in profile_ids():
        profile = load_profile(profile_id)
        assert profile.id == profile_id
        assert profile.name.has("ja")
        assert profile.about.has("ja")
        assert profile.source.get("en")


@pytest.mark.parametrize(
    ("title", "shop"),
    crossed(title_ids(), ["drivethrucards", "thegamecrafter", "makeplayingcards"]),
)
def test_shops_take_every_card(shop: str, title: str) -> None:
    """Also 18CZ's certificates of small and medium companies, whose sizes no shop has."""
    profile, loaded = load_profile(shop), shipped(title)
    loaded = with_sizes(loaded, build_manifest(loaded), options_for(profile, {}).sizes)
    style, graph = Style(theme=load_theme("classic")), upgrade_graph(loaded)
    cards = [piece for piece in build_manifest(loaded).pieces if KINDS[piece.kind].is_card]
    assert {"certificate", "train"} <= {piece.kind for piece in cards} or title == "lost-atlas"
    sizes = {(piece.kind, piece.group): piece for piece in cards}
    for piece in sizes.values():
        (scene, *_), _ = draw_with_room(
            lambda title, style, piece=piece: draw_piece(
                title, build_manifest(title), piece, style, graph
            ),
            loaded,
            piece,
            style,
        )
        assert product_for(profile, scene) is not None, (piece.key, scene.width_mm, scene.height_mm)


@pytest.mark.parametrize("profile", profile_ids())
def test_the_sources_of_every_profile_are_dated(profile: str) -> None:
    date.fromisoformat(load_profile(profile).read)


def test_every_picture_has_room_for_its_bleed() -> None:
    png = load_profile("thegamecrafter").limits.png
    assert png is not None
    for size in png.sizes:
        for pixels, trim in zip((size.width_px, size.height_px), size.trim_mm, strict=True):
            assert pixels / png.dpi * 25.4 >= trim + 2 * png.bleed_mm - 0.01, size.id


def test_schema_and_model_name_the_same_limits() -> None:
    assert set(LIMITS) - {"$comment"} == {*Limits.__struct_fields__}
    assert tuple(LIMITS["colours"]["items"]["enum"]) == COLOURS


def test_a_profile_by_its_path(tmp_path: Path) -> None:
    raw = {
        "id": "mine",
        "name": "Mine",
        "about": "A press.",
        "source": "The printer's letter.",
        "limits": {},
    }
    raw["limits"] = {"colours": ["cmyk"], "allows": [], "page_sizes_mm": [[63, 88]], "spots": []}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    limits = load_profile(path).limits
    assert limits == Limits(colours=("cmyk",), allows=(), page_sizes_mm=((63.0, 88.0),), spots=())


def test_an_unknown_profile_has_a_hint() -> None:
    (problem,) = refused(load_profile, "drivethrucard")
    assert problem.code == "PR01"
    assert 'did you mean "drivethrucards"?' in problem.hint


def test_a_slip_in_a_profile_is_located(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(
        '{"id": "mine",\n"name": "Mine", "about": "x", "source": "x",\n"limits": {"colors": []}}',
        "utf-8",
    )
    assert {(problem.code, problem.line) for problem in refused(load_profile, path)} >= {
        ("SC02", 3)
    }


def test_the_offset_profile_lays_every_grid_out_with_its_whole_bleed():
    layouts = dict(load_profile("offset").options["layouts"])
    for document in standard_plan():
        first = next(iter(document.layouts.values()))
        if first.arrange in ("grid", "gang", "rows", "nest"):
            layout = document.layouts[layouts[document.stem]]
            assert layout.bleed_mm >= load_profile("offset").limits.bleed_mm, document.stem
            assert layout.gaps_mm[0] >= 2 * layout.bleed_mm, document.stem
