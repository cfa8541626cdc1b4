"""Case files, found by themselves: cases/accept read without a problem, cases/reject with exactly
those beside them.

A case is a title file, or a folder with a title.json. Beside a rejected one lies `<name>.expect`
(in a folder: `expect`) with one line a problem: CODE [FILE:]LINE:COLUMN POINTER | words of the
report ("-" is no pointer, 0:0 no line); a first line `variant ID` reads the title with that
variant.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from platelayer.definitions.build import load_box
from platelayer.definitions.themes import load_theme, unprintable
from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import Problem, Severity, codes
from platelayer.foundation.resources import title_path
from refusals import refused

CASES = Path(__file__).parent / "cases"
LINE = re.compile(
    r"(?P<code>\S+) (?:(?P<file>\S+?):)?(?P<line>\d+):(?P<column>\d+) (?P<pointer>.*?) \| (?P<words>.+)"
)


def found_cases(folder: str) -> list[Path]:
    return sorted(
        path for path in (CASES / folder).iterdir() if path.is_dir() or path.suffix == ".json"
    )


class Expectation(NamedTuple):
    code: str
    file: str
    line: int
    column: int
    pointer: str
    words: str

    def fits(self, problem: Problem) -> bool:
        printed = (problem.code, problem.file, problem.line, problem.column, problem.pointer)
        return printed == self[:5] and self.words in str(problem)


def read_expectations(case: Path) -> tuple[str | None, list[Expectation]]:
    lines = (
        (case / "expect" if case.is_dir() else case.with_suffix(".expect"))
        .read_text(encoding="utf-8")
        .splitlines()
    )
    variant = lines.pop(0).removeprefix("variant ") if lines[0].startswith("variant ") else None
    expected = []
    for line in lines:
        match = LINE.fullmatch(line)
        assert match is not None, line
        file = str(case / match["file"]) if match["file"] else str(case)
        pointer = "" if match["pointer"] == "-" else match["pointer"]
        place = int(match["line"]), int(match["column"])
        expected.append(Expectation(match["code"], file, *place, pointer, match["words"]))
    return variant, expected


@pytest.mark.parametrize("case", found_cases("accept"), ids=lambda path: path.stem)
def test_accepted(case: Path) -> None:
    loaded = load_title(case)
    assert loaded.problems == ()
    for variant in loaded.title.variants:
        assert load_title(case, variant=variant.id).title.variant == variant.id


@pytest.mark.parametrize("case", found_cases("reject"), ids=lambda path: path.stem)
def test_rejected(case: Path) -> None:
    variant, expected = read_expectations(case)
    problems = refused(load_title, case, variant=variant)
    problems = list(problems)
    stated = "\n".join(f"{problem} {problem.pointer}" for problem in problems)
    for expectation in expected:
        fitting = [problem for problem in problems if expectation.fits(problem)]
        assert len(fitting) == 1, f"expected {expectation}, found\n{stated}"
        problems.remove(fitting[0])
    assert not problems, f"not expected:\n{stated}"
    for problem in problems:
        assert str(problem).isprintable()
        assert len(str(problem)) < 600
        assert problem.severity is Severity.ERROR
        assert problem.code in codes()


def test_every_code_of_a_title_has_a_case() -> None:
    cases = {
        expectation.code
        for case in found_cases("reject")
        for expectation in read_expectations(case)[1]
    }
    # Tested elsewhere: files that are not there, too many problems, what a theme or a language
    # lacks, drafts, themes, profiles, what only warns.
    families = ("FI", "JS", "SC", "RF", "PI", "DF", "BX", "GL", "DR", "TH", "PR")
    known = {"TX01", *(code for code in codes() if code[:2] in families)}
    elsewhere = (
        "FI01 FI02 SC05 GL01 GL02 RF22 RF23 DR01 PR01 PI02 TH01 TH02 TH03 TH04 TH05 TH06 TH07"
    )
    assert known - cases == {*elsewhere.split()}


def test_remarks_are_not_printed_and_need_no_glyphs() -> None:
    assert unprintable(load_title(CASES / "accept/comments.json"), load_theme("classic")) == ()


# Map tiles: track and stops on their hexes are held to the same as those of tiles and maps


def map_tiles_with(folder: Path, change: Callable[[dict[str, Any]], object]) -> tuple[Path, Path]:
    """The Lost Atlas with other map tiles: its folder, and their file."""
    shutil.copytree(title_path("lost-atlas"), folder / "atlas")
    file = folder / "atlas/map-tiles.json"
    value = json.loads(file.read_bytes())
    change(value["atlas"])
    file.write_text(json.dumps(value), encoding="utf-8")
    return file.parent, file


def first_hex(atlas: dict[str, Any]) -> tuple[str, int]:
    """Number and index of the first hex that has a tile of its own."""
    return next(
        (number, index)
        for number, tile in atlas["map_tiles"].items()
        for index, each in enumerate(tile["hexes"])
        if isinstance(each, dict)
    )


@pytest.mark.parametrize(
    ("change", "code", "at"),
    [
        ({"stops": [], "track": [[0, "stop:0"]]}, "RF07", "/track/0/1"),
        (
            {"stops": [{"kind": "city"}], "track": [[0, "stop:0"], ["stop:1", 3]]},
            "RF07",
            "/track/1/0",
        ),
        ({"stops": [], "track": [[3, 3]]}, "DF02", "/track/0"),
        ({"stops": [{"kind": "town", "slots": 2}]}, "DF02", "/stops/0/slots"),
        ({"stops": [{"kind": "city", "revenue": {"chartreuse": 20}}]}, "RF04", "/chartreuse"),
    ],
)
def test_what_a_hex_of_a_map_tile_cannot_have(
    change: Any, code: str, at: str, tmp_path: Path
) -> None:
    where: list[str] = []

    def changed(atlas: dict[str, Any]) -> None:
        number, index = first_hex(atlas)
        atlas["map_tiles"][number]["hexes"][index]["tile"] |= {"track": [[0, "stop:0"]]} | change
        where.append(f"/map_tiles/{number}/hexes/{index}/tile/")

    folder, file = map_tiles_with(tmp_path, changed)
    # Which colours and phases there are, a box by itself does not know.
    for load in (lambda: load_title(folder), lambda: load_box(file))[: 1 if code == "RF04" else 2]:
        (problem,) = refused(load)
        assert problem.code == code
        assert where[0] in problem.pointer
        assert problem.pointer.endswith(at)


def test_a_company_that_lays_bridges_is_at_home_somewhere(tmp_path: Path) -> None:
    folder, file = map_tiles_with(tmp_path, lambda atlas: atlas.update(bridging=["BR", "AD", "XX"]))
    for load in (lambda: load_title(folder), lambda: load_box(file)):
        (problem,) = refused(load)
        assert problem.code == "RF03"
        assert problem.pointer.endswith("/atlas/bridging/2")
