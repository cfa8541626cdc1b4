"""What a number of players needs, in manifests and prints, and the aid that each of them has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.build import build
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_manifest


@pytest.mark.parametrize(
    ("title", "variant", "players"),
    [("18cz", "bohemia", 2), ("18cz", "moravia", 3), ("1841", "lite", 6)],
)
def test_variants_have_as_many_aids_as_their_players(
    title: str, variant: str, players: int
) -> None:
    assert read_manifest(title, variant=variant).by_key["summary:play"].count == players


def test_a_print_places_as_many_as_the_manifest_lists() -> None:
    made = build("1824", BuildOptions(only=("summary",), players=4))
    placed = [
        each
        for each in json.loads(made.files["manifest.json"])["placements"]
        if each["id"] == "play"
    ]
    assert [each["face"] for each in placed].count("front") == 4
    assert read_manifest("1824", players=4).by_key["summary:play"].count == 4


@pytest.mark.parametrize(
    ("title", "players", "told"),
    [
        ("18eu", 7, "players 7: 18eu is for 2 to 6 players"),
        ("lost-atlas", 2, "players 2: lost-atlas is for 3 to 5 players"),
    ],
)
def test_other_numbers_of_players_are_one_clear_line(title: str, players: int, told: str) -> None:
    with pytest.raises(CannotRun) as raised:
        read_manifest(title, players=players)
    assert str(raised.value) == told


def test_a_title_that_names_no_players_says_so(tmp_path: Path) -> None:
    title = {"format": "platelayer.title/1", "id": "x", "name": "X"}
    (tmp_path / "title.json").write_text(json.dumps(title), encoding="utf-8")
    with pytest.raises(CannotRun, match="x does not say for how many players it is"):
        read_manifest(str(tmp_path), players=3)


@pytest.mark.parametrize("title", ["18cz", "1841", "18eu", "1824"])
def test_the_aid_tells_the_course_of_play_in_both_languages(title: str) -> None:
    (aid,) = (each for each in load_title(title).title.aids if each.id == "play")
    assert aid.phases
    assert aid.sections == ()
    for language in ("en", "ja"):
        assert all(line.get(language) for part in aid.back for line in (part.heading, *part.lines))
