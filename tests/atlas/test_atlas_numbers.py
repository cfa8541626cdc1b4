"""Numbers of any size and shape, in options and in logs: a line that says what is allowed, short,
and no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.lines import load_log, log_text
from platelayer.atlas.make import check_maps
from platelayer.atlas.measures import measure
from platelayer.cli.app import cli
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import Problem

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
            refused(old, number, sound, tmp_path)


def refused(old: str, number: str, sound: str, tmp_path: Path) -> None:
    assert old in sound
    where = old[: -len(old.rsplit(" ", maxsplit=1)[-1].lstrip("["))]
    text = sound.replace(old, f"{where}{number}", 1)
    problems = problems_of(text, tmp_path)
    assert problems
    assert {problem.code for problem in problems} <= {"SC01", "SC04", "JS01", "JS03"}
    assert all(len(str(problem)) < 300 for problem in problems)
