"""A kind of piece, a rule and a painter from outside, added without touching the package's tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from packs import build
from platelayer.drawing.kinds import LOOKS, Look, add_piece_kind
from platelayer.drawing.kit.parts import card_scene, ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.problems import CannotRun, Problem, Severity
from platelayer.foundation.text import Text
from platelayer.model.kinds import KINDS, Kind
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.pipeline.check import check
from platelayer.pipeline.draw import draw, draw_to_file
from platelayer.pipeline.explain import explain
from platelayer.pipeline.lists import read_manifest
from platelayer.pipeline.options import BuildOptions
from platelayer.render.painters import PAINTERS
from platelayer.rules.rule import RULES, rule
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import set_centred

NAME = Text((("en", "Station bells"), ("ja", "駅の鐘")))


def bells(title: Title) -> Iterator[Piece]:
    for player in title.players[:3]:
        yield Piece(kind="bell", id=f"bell-{player.players}", name=NAME, count=player.players)


def draw_bell(title: Title, piece_id: str, style: Style) -> Scene:
    size = title.pieces.size("bell", piece_id)
    width, height = size.width_mm, size.height_mm
    words = set_centred(piece_id, style.type("card.title"), style.ink("text"), width / 2, height / 2)
    items = (ground(width, height, BLEED_MM, style.ink("card.ground")), *words)
    return card_scene(f"bell:{piece_id}", piece_id, width, height, items)


@pytest.fixture
def bell() -> Iterator[None]:
    add_piece_kind(
        Kind(id="bell", name=NAME, pieces=bells, documents=("tokens",), size_mm=(40.0, 30.0), has_back=False),
        Look(front=f"{__name__}:draw_bell"),
    )
    yield
    del KINDS["bell"], LOOKS["bell"]


@pytest.mark.usefixtures("bell")
def test_a_kind_from_outside_is_listed_drawn_laid_out_and_printed(tmp_path: Path) -> None:
    totals = read_manifest("18eu").totals
    assert totals["bell"] == 2 + 3 + 4
    picture = draw("18eu", "bell:bell-3")
    assert not picture.problems
    assert picture.scene.width_mm == 40.0
    result = build("18eu", tmp_path, BuildOptions(only=("bell", "marker", "checklist")))
    placements = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))["placements"]
    assert sum(each["kind"] == "bell" for each in placements) == totals["bell"]
    assert {each["file"] for each in placements if each["kind"] == "bell"} == {"tokens.pdf"}
    larger = build("18eu", tmp_path, BuildOptions(only=("bell",), sizes=(("bell", "50x35mm"),)))
    placements = json.loads((larger.folder / "manifest.json").read_text(encoding="utf-8"))["placements"]
    assert {tuple(sorted(each["trim_mm"][2:])) for each in placements} == {(35.0, 50.0)}


@pytest.mark.usefixtures("bell")
def test_processes_that_are_started_afresh_know_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = build("18eu", tmp_path / "alone", BuildOptions(only=("bell", "train", "token")))
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr("platelayer.foundation.pool.start_method", lambda: "spawn")
    shared = build("18eu", tmp_path / "shared", BuildOptions(only=("bell", "train", "token")))
    assert [path.read_bytes() for path in alone.files] == [path.read_bytes() for path in shared.files]


def test_a_kind_needs_an_id_of_its_own_and_something_that_draws_it() -> None:
    own = {"name": NAME, "pieces": bells, "documents": ("cards",)}
    with pytest.raises(ValueError, match="there is already a kind of piece 'tile'"):
        add_piece_kind(Kind(id="tile", **own, has_back=False), Look(front=f"{__name__}:draw_bell"))
    with pytest.raises(ValueError, match="either a front or pages"):
        add_piece_kind(Kind(id="gong", **own, has_back=False), Look())
    with pytest.raises(ValueError, match="nothing draws it"):
        add_piece_kind(Kind(id="gong", **own), Look(front=f"{__name__}:draw_bell"))
    assert "gong" not in KINDS
    assert "gong" not in LOOKS


def test_every_kind_has_its_record_in_both_rooms() -> None:
    assert KINDS.keys() == LOOKS.keys()
    for kind in KINDS.values():
        assert LOOKS[kind.id].draw("pages" if LOOKS[kind.id].pages else "front")
        assert not kind.has_back or LOOKS[kind.id].draw("back")


def test_a_rule_from_outside_is_asked_and_explained() -> None:
    @rule("XX01", "a title without bells", Severity.WARNING)
    def rings(title: Title) -> Iterator[Problem]:
        """A title has a bell. Wrong: none. Right: one."""
        yield Problem(pointer="/name", about=title.id, message="there is no bell")

    try:
        found = [problem for problem in check("18eu", quick=True) if problem.code == "XX01"]
        assert [(each.severity, each.message) for each in found] == [(Severity.WARNING, "there is no bell")]
        assert explain("XX01").startswith("XX01 a title without bells")
    finally:
        del RULES["XX01"]


def test_a_painter_from_outside_paints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def paint_words(scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:
        return f"{label}: {scene.width_mm:.1f} x {scene.height_mm:.1f} mm, {dpi}, {bleed}\n".encode()

    with pytest.raises(CannotRun, match=r"\.txt"):
        draw_to_file("18eu", "tile:57", tmp_path / "57.txt", BuildOptions())
    monkeypatch.setitem(PAINTERS, ".txt", paint_words)
    draw_to_file("18eu", "tile:57", tmp_path / "57.txt", BuildOptions(), dpi=72)
    assert (tmp_path / "57.txt").read_text(encoding="utf-8") == "18EU: 57: 44.0 x 38.1 mm, 72, False\n"
