"""Liveries: every title has paper, accents and ornaments of its own, legible in every theme, chosen
or unasked."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from platelayer.definitions.build import build_livery, liveries, motifs
from platelayer.definitions.themes import complete_theme, load_theme, theme_ids
from platelayer.definitions.titles import load_title
from platelayer.drawing.company.cards import draw_certificate
from platelayer.drawing.kit.style import Style, livery_inks, style_of
from platelayer.drawing.map.panels import plate_items
from platelayer.foundation.resources import title_ids
from platelayer.model.company import Motif
from platelayer.scene.inks import BLACK, BLACK_ON_PAPER, MAX_TOTAL_INK, contrast, luminance
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Scene, translation
from shipped import shipped

TITLES = {name: shipped(name) for name in title_ids()}
LOOKS = ("paper", "line", "accent", "metal", "motif")


def look(livery) -> tuple[str, ...]:
    return tuple(getattr(livery, name) for name in LOOKS)


def sheet(items) -> Scene:
    return Scene(key="sheet", width_mm=120, height_mm=80, items=tuple(items))


def test_a_livery_by_default_follows_from_the_id_alone(tmp_path: Path):
    def livery_of(**more):
        raw = {"format": "platelayer.title/1", "id": "mine", "name": "Mine"} | more
        path = tmp_path / "title.json"
        path.write_text(json.dumps(raw), encoding="utf-8")
        return load_title(path).title.livery

    assert livery_of() == livery_of(
        name="Another name", companies={"A": {"name": "A", "kind": "major", "colour": "#ffcb05"}}
    )
    assert len({look(build_livery(f"title-{number}")) for number in range(60)}) > 45


def test_what_a_title_says_of_its_livery_goes_before_what_it_is_like():
    livery = build_livery("mine", {"like": "albion", "motif": "star", "accent": "#123456"})
    albion = liveries()["albion"]
    assert (livery.paper, livery.line, livery.metal) == (albion.paper, albion.line, albion.metal)
    assert (livery.motif, livery.ornament.id, livery.accent) == ("star", "star", "#123456")
    assert look(build_livery("mine", "albion")) == tuple(getattr(albion, name) for name in LOOKS)


@pytest.mark.parametrize(
    "colours", [("#000000", "#ffffff"), ("#808080", "#808080"), ("#ffff00", "#00ff00")]
)
def test_any_colours_make_a_map_that_can_be_read(colours):
    paper, accent = colours
    inks = livery_inks(build_livery("mine", {"paper": paper, "accent": accent, "line": accent}))
    assert contrast(BLACK, inks["paper"]) >= 15
    assert contrast(inks["accent"], inks["paper"]) >= 4.5
    assert contrast(inks["line"], inks["paper"]) >= 4.5


@pytest.mark.parametrize("theme", theme_ids())
@pytest.mark.parametrize("name", sorted(liveries()))
def test_inks_of_every_livery_dry_and_differ_from_each_other(theme, name):
    whole = complete_theme(theme)
    dressed = whole.dressed(livery_inks(build_livery("mine", name)))
    assert max(math.fsum(ink.cmyk) for ink in dressed.inks.values()) <= MAX_TOTAL_INK + 1e-9
    for words, ground in (
        ("map.title", "map.plate"),
        ("text", "map.ground"),
        ("card.accent", "card.ground"),
    ):
        assert contrast(dressed.ink(words), dressed.ink(ground)) >= 4.5
    assert contrast(dressed.ink("card.band"), dressed.ink("card.band.text")) >= 4.5
    for colour in ("yellow", "green", "brown", "gray", "red", "blue"):
        assert dressed.ink(f"tile.{colour}") == whole.ink(f"tile.{colour}")


def test_low_ink_keeps_its_paper_white_and_takes_the_accents():
    whole = complete_theme("low-ink")
    dressed = whole.dressed(livery_inks(build_livery("mine", "risorgimento")))
    for ground in ("paper", "map.margin", "map.ground", "map.plate", "card.ground"):
        assert dressed.ink(ground) == whole.ink(ground)
        assert luminance(dressed.ink(ground)) == 1.0
    assert dressed.ink("map.title") != whole.ink("map.title")
    assert dressed.stroke("map.frame.heavy").ink == dressed.ink("map.frame.line")


def test_an_ink_that_a_theme_states_is_its_own_unless_it_says_otherwise(tmp_path: Path):
    mine = {
        "$schema": "x",
        "id": "mine",
        "name": "Mine",
        "extends": "classic",
        "inks": {"map.title": {"rgb": "#102030"}},
    }
    path = tmp_path / "mine.json"
    colours = livery_inks(build_livery("mine", "albion"))
    path.write_text(json.dumps(mine), encoding="utf-8")
    assert complete_theme(path).dressed(colours).ink("map.title").hex == "#102030"
    path.write_text(json.dumps(mine | {"livery": {"accent": {"map.title": 1}}}), encoding="utf-8")
    assert complete_theme(path).dressed(colours).ink("map.title").hex == colours["accent"].hex


@pytest.mark.parametrize("motif", motifs().values(), ids=list(motifs()))
def test_certificates_and_plates_are_legible_in_every_motif(motif: Motif):
    title = TITLES["18eu"]
    style = style_of(title, load_theme("classic"), "en")
    style = Style(theme=style.theme, language="en", motif=motif)
    for piece in ("SNCF-director", "SNCF-10"):
        assert check_legibility(draw_certificate(title, piece, style)) == ()
    small = shipped("18cz")
    assert check_legibility(draw_certificate(small, "EKJ-director", style)) == ()
    plate = Group(items=plate_items(100, 60, style, grand=True), matrix=translation(10, 10))
    assert check_legibility(sheet((plate,))) == ()


def test_black_on_every_paper_is_black():
    assert all(
        luminance(livery_inks(build_livery("x", name))["paper"]) > BLACK_ON_PAPER * 5
        for name in liveries()
    )
