"""The file atlas.json: written and read back, typed in by hand, and with mistakes in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.lines import load_log, log_text
from platelayer.atlas.make import check_maps
from platelayer.atlas.measures import measure
from platelayer.cli.app import cli
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import Problem
from platelayer.model.map_tiles import AtlasLog, Axial, ProjectDraw, TileDraw
from refusals import refused

LOG = AtlasLog(
    mode="micro2",
    seed=3,
    policy="compact",
    algorithm="some/1",
    draws=(
        ProjectDraw(draw=1, capital_project=2, overlay_at=None),
        TileDraw(draw=2, tile=16, copy=2, at=Axial(0, 0), rotation=0, alternatives=1),
        ProjectDraw(draw=3, capital_project=2, overlay_at=Axial(0, 0)),
    ),
    blanks=(Axial(-1, 2), Axial(0, -3)),
    restarts=4,
    stack=2,
    blank_limit=2,
    metrics=(("perimeter", 12), ("mean", 1.5)),
)
TEXT = """{
 "format": "platelayer.atlas/1",
 "mode": "micro2",
 "seed": 3,
 "policy": "compact",
 "algorithm": "some/1",
 "stack": 2,
 "blank_limit": 2,
 "draws": [
  {"draw": 1, "capital_project": 2, "deferred": true},
  {"draw": 2, "tile": 16, "copy": 2, "at": [0, 0], "rotation": 0, "alternatives": 1},
  {"draw": 3, "capital_project": 2, "overlay_at": [0, 0]}
 ],
 "blanks": [[-1, 2], [0, -3]],
 "restarts": 4,
 "metrics": {"perimeter": 12, "mean": 1.5}
}
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "atlas.json"
    path.write_text(text, "utf-8")
    return path


def test_the_text_is_that_of_the_contract(tmp_path: Path) -> None:
    assert log_text(LOG) == TEXT
    assert load_log(write(tmp_path, TEXT)).log == LOG


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 2**53 - 1),
    mode=st.sampled_from(["long", "short", "micro3", "micro2"]),
    blanks=st.sampled_from([None, 0, 12]),
)
def test_maps_survive_writing_and_reading(
    tmp_path_factory: pytest.TempPathFactory, seed: int, mode: str, blanks: int | None
) -> None:
    log = assemble(shipped_box(), mode, seed=seed, blanks=blanks)
    assert load_log(write(tmp_path_factory.mktemp("log"), log_text(log))).log == log


def test_a_map_typed_in_needs_little(tmp_path: Path) -> None:
    draws = '[{"draw": 1, "tile": 5, "at": [0, 0], "rotation": 2}]'
    text = f'{{"format": "platelayer.atlas/1", "mode": "long", "draws": {draws}}}'
    log = load_log(write(tmp_path, text)).log
    assert (log.seed, log.policy, log.algorithm, log.restarts, log.blanks) == (
        None,
        "hand",
        "hand",
        0,
        (),
    )
    assert log.placed == (
        TileDraw(draw=1, tile=5, copy=1, at=Axial(0, 0), rotation=2, alternatives=0),
    )


def test_places_in_the_file_are_known(tmp_path: Path) -> None:
    place = load_log(write(tmp_path, TEXT)).place
    assert place("/draws/1").line == 11
    assert place("/blanks/1").line == 14


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"tile": 16', '"tile": "16"', ("SC01", "/draws/1/tile", 11)),
        ('"rotation": 0', '"rotation": 6', ("SC04", "/draws/1/rotation", 11)),
        ('"at": [0, 0], "rotation"', '"at": [0], "rotation"', ("SC04", "/draws/1/at", 11)),
        ('"at": [0, 0], "rotation"', '"at": [0.5, 0], "rotation"', ("SC01", "/draws/1/at/0", 11)),
        ('"copy": 2', '"cpy": 2', ("SC02", "/draws/1/cpy", 11)),
        ('"tile": 16, ', "", ("SC03", "/draws/1", 11)),
        (', "deferred": true', "", ("SC03", "/draws/0", 10)),
        ('"deferred": true', '"deferred": false', ("SC04", "/draws/0/deferred", 10)),
        (
            '"overlay_at": [0, 0]',
            '"overlay_at": [0, 0], "deferred": true',
            ("SC04", "/draws/2", 12),
        ),
        ("atlas/1", "atlas/2", ("SC04", "/format", 2)),
        ('"seed": 3', '"seed": -3', ("SC04", "/seed", 4)),
        ('"micro2",', '"micro2"', ("JS01", "", 4)),
        ('"restarts": 4', '"restarts": 4, "restarts": 5', ("JS02", "/restarts", 15)),
    ],
)
def test_mistakes_are_told_with_their_place(
    tmp_path: Path, old: str, new: str, told: tuple[str, str, int]
) -> None:
    assert old in TEXT
    path = write(tmp_path, TEXT.replace(old, new, 1))
    problems = refused(load_log, path)
    assert [(each.code, each.pointer, each.line) for each in problems] == [told]
    assert all(each.file == str(path) for each in problems)


# Numbers of any size and shape, in options and in logs: a line that says what is allowed, short,
# and no traceback


ODD = {
    "word": "many",
    "nothing": "",
    "fraction": "2.5",
    "NaN": "NaN",
    "less than nothing": "-1",
    "too large": str(2**53),
    "more digits than Python converts": "1" * 5000,
    "control characters": "\x1b[2J",
}
OPTIONS = {
    "new": ("--seed", "--players", "--blanks"),
    "gallery": ("--seed", "--count", "--blanks"),
    "find": ("--seed", "--count", "--maps", "--seconds", "--players", "--blanks"),
    "survey --count 1": ("--seed", "--workers", "--blanks", "--count"),
}


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
@pytest.mark.parametrize("words", OPTIONS)
def test_an_option_that_is_no_number_is_refused_in_few_words(
    words: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.svg"
    for option in OPTIONS[words]:
        with pytest.raises(SystemExit) as raised:
            cli(["atlas", *words.split(), f"{option}={value}", "--mode", "micro2", "-o", str(out)])
        assert raised.value.code == 2, option
        line = capsys.readouterr().err.splitlines()[-1]
        assert option in line
        assert "is not a whole number from " in line
        assert line.isprintable()
        assert len(line) < 200
        assert not out.exists()


def test_every_number_of_blanks_that_may_be_asked_for_gives_a_log_that_can_be_read(
    platelayer, tmp_path: Path
) -> None:
    done = platelayer(
        "atlas", "new", "--mode", "micro2", "--seed", 1, "--blanks", 200, "--no-draw", "-o", "out"
    )
    assert done.returncode == 0, done.stderr
    assert load_log(tmp_path / "out" / "atlas.json").log.blank_limit == 200


@pytest.fixture(scope="module")
def sound() -> str:
    """The log of a map with a measure, as text."""
    log = assemble(shipped_box(), "micro2", seed=5)
    assert check_log(shipped_box(), log) == ()
    value = json.loads(log_text(log))
    value["metrics"] = {"hexes": measure(shipped_box(), log)["hexes"]}
    return json.dumps(value)


def problems_of(text: str, folder: Path) -> tuple[Problem, ...]:
    (folder / "atlas.json").write_text(text, "utf-8")
    return check_maps([folder / "atlas.json"])


@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("33", ""),
        ("33.0", ""),
        ("34", "AT20"),
        ("33.5", "AT20"),
        ("-0", "AT20"),
        ("1000001", "SC04"),
        ("-1e300", "SC04"),
        ("1" * 4000, "SC04"),
        ("NaN", "JS01"),
        ("true", "SC01"),
        ('"33"', "SC01"),
    ],
    ids=lambda each: each[:20],
)
def test_measures_of_a_log_may_be_any_numbers(
    number: str, code: str, sound: str, tmp_path: Path
) -> None:
    problems = problems_of(sound.replace('"hexes": 33', f'"hexes": {number}'), tmp_path)
    assert [problem.code for problem in problems] == ([code] if code else [])
    assert all(len(str(problem)) < 300 for problem in problems)


@pytest.mark.parametrize(
    "number",
    ["1e400", "NaN", "0.5", "true", "null", '"5"', "1" * 4000, "1" * 5000],
    ids=lambda each: each[:20],
)
def test_numbers_of_a_log_that_make_no_sense_are_refused(
    number: str, sound: str, tmp_path: Path
) -> None:
    for old in ('"rotation": 0', '"seed": 5', '"draw": 1', '"restarts": 0', '"at": [0'):
        if (old, number) != ('"seed": 5', "null"):  # a map typed in has no seed
            refuses(old, number, sound, tmp_path)


def refuses(old: str, number: str, sound: str, tmp_path: Path) -> None:
    assert old in sound
    where = old[: -len(old.rsplit(" ", maxsplit=1)[-1].lstrip("["))]
    text = sound.replace(old, f"{where}{number}", 1)
    problems = problems_of(text, tmp_path)
    assert problems
    assert {problem.code for problem in problems} <= {"SC01", "SC04", "JS01", "JS03"}
    assert all(len(str(problem)) < 300 for problem in problems)
