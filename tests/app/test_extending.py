"""A kind of piece, a rule and a painter from outside, added without touching the package's
tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from packs import build
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import card_scene
from platelayer.foundation.cache import Cache
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, Severity
from platelayer.foundation.text import Text
from platelayer.model.kinds import CARD_BACK, CARDS, KINDS, Kind, Piece, add_piece_kind, piece_size
from platelayer.model.title import Title
from platelayer.pipeline.build import read_options
from platelayer.pipeline.draw import draw, draw_to_file
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check, explain, read_manifest
from platelayer.render.scenes import PAINTERS
from platelayer.rules.rule import RULES, rule
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.inks import ink_from_hex
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import set_centred

NAME = Text((("en", "Station bells"), ("ja", "駅の鐘")))


def bells(title: Title) -> Iterator[Piece]:
    for player in title.players[:3]:
        yield Piece(kind="bell", id=f"bell-{player.players}", name=NAME, count=player.players)


def draw_bell(title: Title, piece_id: str, style: Style) -> Scene:
    size = piece_size(title, "bell", piece_id)
    width, height = size.width_mm, size.height_mm
    words = set_centred(
        piece_id, style.type("card.title"), style.ink("text"), width / 2, height / 2
    )
    return card_scene(f"bell:{piece_id}", piece_id, size, words, style)


BELL = Kind(
    id="bell",
    name=NAME,
    sort=CARDS,
    pieces=bells,
    documents=("tokens",),
    size_mm=(40.0, 30.0),
    front=f"{__name__}:draw_bell",
    back=CARD_BACK,
    back_words=Text((("en", "Rings twice"), ("ja", "二度鳴る"))),
)


@pytest.fixture
def bell() -> Iterator[None]:
    add_piece_kind(BELL)
    yield
    del KINDS["bell"]


@pytest.mark.usefixtures("bell")
def test_a_kind_from_outside_is_listed_drawn_laid_out_and_printed(tmp_path: Path) -> None:
    totals = read_manifest("18eu").totals
    assert totals["bell"] == 2 + 3 + 4
    picture = draw("18eu", "bell:bell-3")
    assert not picture.problems
    assert picture.scene.width_mm == 40.0
    result = build("18eu", tmp_path, BuildOptions(only=("bell", "marker", "checklist")))
    placements = result.manifest["placements"]
    assert sum(each["kind"] == "bell" for each in placements) == totals["bell"]
    assert {each["file"] for each in placements if each["kind"] == "bell"} == {"tokens.pdf"}
    larger = build("18eu", tmp_path, BuildOptions(only=("bell",), sizes=(("bell", "50x35mm"),)))
    placements = larger.manifest["placements"]
    assert {tuple(sorted(each["trim_mm"][2:])) for each in placements} == {(35.0, 50.0)}


@pytest.mark.usefixtures("bell")
def test_processes_that_are_started_afresh_know_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = build("18eu", tmp_path / "alone", BuildOptions(only=("bell", "train", "token")))
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr("platelayer.foundation.workers.start_method", lambda: "spawn")
    shared = build("18eu", tmp_path / "shared", BuildOptions(only=("bell", "train", "token")))
    assert [path.read_bytes() for path in alone.files] == [
        path.read_bytes() for path in shared.files
    ]


def test_a_kind_needs_an_id_of_its_own_and_something_that_draws_it() -> None:
    with pytest.raises(ValueError, match="there is already a kind of piece 'tile'"):
        add_piece_kind(replace(BELL, id="tile"))
    with pytest.raises(ValueError, match="no sort of piece 'bells'"):
        add_piece_kind(replace(BELL, id="gong", sort="bells"))
    with pytest.raises(ValueError, match="either a front or pages"):
        add_piece_kind(replace(BELL, id="gong", front=""))
    assert "gong" not in KINDS


def words_on(scene: Scene) -> str:
    return " ".join(each.run.text for each in flatten_scene(scene)[1])


@pytest.mark.usefixtures("bell")
def test_a_kind_from_outside_has_a_back_in_the_ink_of_a_theme(tmp_path: Path) -> None:
    back = draw("18eu", "bell:bell-3:back").scene
    assert "RINGS TWICE" in words_on(back).upper()
    theme = tmp_path / "bright.json"
    ink = {"rgb": "#b03060", "cmyk": [10, 85, 30, 20]}
    theme.write_text(
        json.dumps(
            {"id": "bright", "name": "Bright", "extends": "classic", "inks": {"back.bell": ink}}
        )
    )
    bright = draw("18eu", "bell:bell-3:back", BuildOptions(theme=str(theme), language="ja")).scene
    assert "二度鳴る" in words_on(bright)
    fills = [
        {shape.fill.rgb for shape in flatten_scene(each)[0] if shape.fill}
        for each in (back, bright)
    ]
    assert [ink_from_hex("#b03060", "").rgb in each for each in fills] == [False, True]


@pytest.mark.usefixtures("bell")
def test_a_kind_from_outside_goes_into_sheets_of_ones_own(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    document = {
        "name": "Bells",
        "kinds": ["bell"],
        "layouts": {"grid": {"arrange": "grid", "marks": "edges"}},
    }
    tokens = {"kinds": ["token", "marker"]}
    plan.write_text(
        json.dumps({"documents": {"bells": document, "tokens": tokens}}), encoding="utf-8"
    )
    made = build(
        "18eu",
        tmp_path / "out",
        BuildOptions(only=("bell", "token"), sheets=str(plan), duplex="long"),
    )
    placements = made.manifest["placements"]
    found = {(each["file"], each["face"]) for each in placements if each["kind"] == "bell"}
    assert found == {("bells.pdf", "front"), ("bells.pdf", "back")}
    document["kinds"] = ["bel"]
    plan.write_text(json.dumps({"documents": {"bells": document}}), encoding="utf-8")
    with pytest.raises(ProblemsFound, match=r'SH04 .*no kind of piece "bel".*did you mean "bell"'):
        build("18eu", tmp_path / "out", BuildOptions(sheets=str(plan)))


@pytest.mark.usefixtures("bell")
def test_profiles_take_a_kind_from_outside_by_its_sort_and_by_its_name(tmp_path: Path) -> None:
    for profile, trims in (("makeplayingcards", {(63.5, 88.9)}), ("silhouette", {(30.0, 40.0)})):
        made = build("18eu", tmp_path / profile, read_options(profile, {"pieces": ("bell",)}))
        placements = made.manifest["placements"]
        assert {tuple(sorted(each["trim_mm"][2:])) for each in placements} == trims
    path = tmp_path / "own.json"
    own = {
        "id": "own",
        "name": "Own",
        "about": "Own",
        "source": "Own",
        "limits": {"colours": ["gray", "rgb"], "allows": []},
    }
    path.write_text(
        json.dumps(own | {"options": {"only": ["bell"], "sizes": {"bell": "50x35mm"}}}),
        encoding="utf-8",
    )
    made = build("18eu", tmp_path / "own", read_options(str(path), {}))
    placements = made.manifest["placements"]
    assert {(each["kind"], *sorted(each["trim_mm"][2:])) for each in placements} == {
        ("bell", 35.0, 50.0)
    }


def test_a_rule_from_outside_is_asked_and_explained(tmp_path: Path) -> None:
    store = Cache(tmp_path)
    check("18eu", quick=True, cache=store)

    @rule("XX01", "a title without bells", Severity.WARNING)
    def rings(title: Title) -> Iterator[Problem]:
        """A title has a bell. Wrong: none. Right: one."""
        yield Problem(pointer="/name", about=title.id, message="there is no bell")

    try:
        found = [
            problem for problem in check("18eu", quick=True, cache=store) if problem.code == "XX01"
        ]
        assert [(each.severity, each.message) for each in found] == [
            (Severity.WARNING, "there is no bell")
        ]
        assert explain("XX01").startswith("XX01 a title without bells")
    finally:
        del RULES["XX01"]


def test_a_painter_from_outside_paints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def paint_words(scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:
        return (
            f"{label}: {scene.width_mm:.1f} x {scene.height_mm:.1f} mm, {dpi}, {bleed}\n".encode()
        )

    with pytest.raises(CannotRun, match=r"\.txt"):
        draw_to_file("18eu", "tile:57", tmp_path / "57.txt", BuildOptions())
    monkeypatch.setitem(PAINTERS, ".txt", paint_words)
    draw_to_file("18eu", "tile:57", tmp_path / "57.txt", BuildOptions(), dpi=72)
    assert (tmp_path / "57.txt").read_text(
        encoding="utf-8"
    ) == "18EU: 57: 44.0 x 38.1 mm, 72, False\n"
