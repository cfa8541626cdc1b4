"""Aids that Platelayer makes of its own accord: none of them stops the print of what people have
written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import Problem, ProblemsFound, has_errors
from platelayer.model.kinds import KINDS, Kind
from platelayer.model.manifest import Manifest
from platelayer.model.tile import UpgradeGraph
from platelayer.model.title import Title
from platelayer.pipeline.build import Print, build
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check
from platelayer.pipeline.scaffold import new_title
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import set_centred

OURS = [kind.id for kind in KINDS.values() if kind.is_ours]


def draw_tiny(_title: Title, piece_id: str, style: Style) -> Scene:
    """A card whose words are too small."""
    words = set_centred("tiny", style.type("card.title").at(2.0), style.ink("text"), 30.0, 20.0)
    return Scene(key=f"tiny:{piece_id}", width_mm=60.0, height_mm=40.0, items=tuple(words))


def tiny_pages(
    title: Title, _manifest: Manifest, _graph: UpgradeGraph, style: Style
) -> tuple[Scene, ...]:
    return (draw_tiny(title, "page", style),)


def drawn_by(kind: Kind, module: str, front: str, pages: str) -> Kind:
    """The kind drawn by other functions."""
    return (
        replace(kind, pages=f"{module}:{pages}")
        if kind.pages
        else replace(kind, front=f"{module}:{front}")
    )


def illegible(kind: Kind) -> Kind:
    """A kind whose words are all too small."""
    return drawn_by(kind, __name__, "draw_tiny", "tiny_pages")


def broken(kind: Kind) -> Kind:
    """A kind that cannot be drawn."""
    return drawn_by(kind, "nowhere", "nothing", "nothing")


@pytest.fixture
def title(tmp_path: Path) -> Path:
    new_title(tmp_path / "mine")
    return tmp_path / "mine"


def left_out(problems: tuple[Problem, ...]) -> set[str]:
    assert not has_errors(problems), problems
    return {
        each.message.partition(" is left out of prints: ")[0]
        for each in problems
        if each.code == "LG13"
    }


def placed(made: Print) -> list[str]:
    """The pieces of a print, sorted, each as often as it is there."""
    return sorted(
        f"{each['kind']}:{each['id']}"
        for each in json.loads(made.files["manifest.json"])["placements"]
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The pieces of a print in which nothing fails."""
    folder = tmp_path_factory.mktemp("whole") / "mine"
    new_title(folder)
    return placed(build(str(folder), BuildOptions()))


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        pytest.param(fault, kind, marks=() if (number + turn) % 2 else pytest.mark.slow)
        for turn, fault in enumerate((illegible, broken))
        for number, kind in enumerate(OURS)
    ],
)
def test_one_that_fails_is_left_out_by_name(
    title: Path, whole: list[str], monkeypatch: pytest.MonkeyPatch, kind: str, fault
) -> None:
    monkeypatch.setitem(KINDS, kind, fault(KINDS[kind]))
    made = build(str(title), BuildOptions())
    gone = left_out(made.problems)
    assert gone
    assert {each.partition(":")[0] for each in gone} == {kind}
    assert left_out(check(str(title))) == gone
    record = json.loads(made.files["manifest.json"])
    assert placed(made) == [each for each in whole if not each.startswith(f"{kind}:")]
    assert kind not in {each["kind"] for each in record["pieces"]}


def test_a_picture_of_one_says_so(title: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "checklist", illegible(KINDS["checklist"]))
    assert left_out(draw(str(title), "checklist").problems) == {"checklist:checklist"}


def test_nothing_is_printed_of_that_alone(title: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "checklist", illegible(KINDS["checklist"]))
    with pytest.raises(ProblemsFound, match="checklist:checklist is left out"):
        build(str(title), BuildOptions(only=("checklist",)))


def test_what_people_wrote_still_stops_a_print(
    title: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "charter", illegible(KINDS["charter"]))
    with pytest.raises(ProblemsFound, match="LG01 tiny:"):
        build(str(title), BuildOptions())
    assert has_errors(check(str(title)))


def test_a_later_print_knows_what_was_left_out(
    title: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(str(title), BuildOptions())
    first.write(tmp_path / "out")
    monkeypatch.setitem(KINDS, "checklist", illegible(KINDS["checklist"]))
    since = str(tmp_path / "out" / first.title / "manifest.json")
    assert left_out(build(str(title), BuildOptions(since=since)).problems) == {
        "checklist:checklist"
    }
