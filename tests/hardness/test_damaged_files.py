"""Damaged themes, profiles and sheet plans of a user's, as the options name them: a print, or
problems and no file."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from damage import ASSETS, SOURCES, Damage, Limit, damaged

from often import often
from packs import build
from platelayer.definitions.source import read_checked
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline.build import read_options
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import preflight

SECONDS = 600
SHORT, LONG = 3, 500
PARTS = 10
STARTER = str(ASSETS / "starters" / "small")
FEW = ("tile:57", "tile:14", "train:2", "token:*", "number-card:1", "certificate:NVR-*")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Sound files to hold to damaged profiles: a sheet in RGB, one in CMYK with a spot colour,
    cards, a picture."""
    folder = tmp_path_factory.mktemp("finished")
    build(STARTER, folder / "sheets", BuildOptions(pieces=FEW[:2]))
    build(STARTER, folder / "press", read_options("offset", {"pieces": FEW[:2], "cut": "spot"}))
    build(STARTER, folder / "cards", read_options("drivethrucards", {"pieces": ("number-card:1",)}))
    build(STARTER, folder / "pictures", read_options("pictures", {"pieces": ("number-card:1",)}))
    return tuple(sorted(path for path in folder.rglob("*") if path.suffix in (".pdf", ".png")))


def with_theme(path: Path, out: Path, pieces: tuple[str, ...]) -> None:
    build(STARTER, out, BuildOptions(theme=str(path), pieces=pieces))


def with_profile(path: Path, out: Path, pieces: tuple[str, ...]) -> None:
    build(STARTER, out, read_options(str(path), {"pieces": pieces or FEW, "copies": 1}))


def with_sheets(path: Path, out: Path, pieces: tuple[str, ...]) -> None:
    build(STARTER, out, BuildOptions(sheets=str(path), pieces=pieces))


USES: dict[str, Callable[[Path, Path, tuple[str, ...]], None]] = {
    "theme": with_theme,
    "profile": with_profile,
    "sheet": with_sheets,
}


def end_of(work: Callable[[], object], damage: Damage, within: Limit) -> int:
    """The exit status of some work with a damaged file, as the command has it."""
    try:
        with within(SECONDS):
            work()
    except ProblemsFound as error:
        for problem in error.problems:
            assert str(problem).isprintable(), str(damage)
            assert len(str(problem)) < 1000, f"{damage}: {problem}"
        return 1
    except CannotRun:
        return 2
    except BaseException as error:
        raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
    return 0


def print_with(damage: Damage, folder: Path, within: Limit) -> int:
    """The exit status of a print with a damaged file; every fifth is of all that the title has."""
    path, out = damage.write(folder / "file"), folder / "out"
    pieces = FEW if damage.seed % 5 else ()
    status = end_of(lambda: USES[damage.kind](path, out, pieces), damage, within)
    if status:
        assert not out.exists(), str(damage)
    else:
        (manifest,) = out.glob("*/manifest.json")
        for file in json.loads(manifest.read_text("utf-8"))["files"]:
            assert (manifest.parent / file["file"]).stat().st_size == file["bytes"] > 0, str(damage)
    shutil.rmtree(folder)
    return status


def damages(kind: str, first: int, count: int) -> list[Damage]:
    """Copies of a kind, every second with damage that may pass. Of the files for sheets, a user's
    is the plan alone."""
    every = (damaged(seed, kind, mildly=seed % 2 == 0) for seed in range(first, first + 10 * count))
    return [damage for damage in every if damage.main != "sizes.json"][:count]


def try_out(kind: str, first: int, count: int, folder: Path, within: Limit) -> Counter[int]:
    found = Counter(
        print_with(each, folder / str(each.seed), within) for each in damages(kind, first, count)
    )
    assert found.total() == count
    return found


@pytest.mark.parametrize("kind", USES)
def test_a_few_damaged_files(kind, tmp_path, within) -> None:
    assert try_out(kind, 1, SHORT, tmp_path, within)[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", USES)
def test_hundreds_of_damaged_files(kind, part, tmp_path, within) -> None:
    found = try_out(kind, 10_000 * (part + 1), LONG // PARTS, tmp_path, within)
    assert found[0] >= 3, found
    assert found[1] >= 3, found


def of_all(block: str, **given: object) -> Callable[[Any], None]:
    """Every entry of a theme's block is given something."""

    def change(theme: Any) -> None:
        for entry in theme[block].values():
            entry.update(given)

    return change


def all_layouts(**given: object) -> Callable[[Any], None]:
    """Every layout of a sheet plan is given something."""

    def change(plan: Any) -> None:
        for document in plan["documents"].values():
            for layout in document["layouts"].values():
                layout.update(given)

    return change


class Odd(NamedTuple):
    """A file that is sound but for one thing: its kind, what is changed, where it is printed, the
    status then."""

    kind: str
    change: Callable[[Any], None]
    profile: str | None
    status: int


ODD = {
    "no dash and no gap": Odd("theme", of_all("strokes", dash=[0, 0]), "pictures", 1),
    "dashes without number": Odd("theme", of_all("strokes", dash=[1e-9]), "pictures", 1),
    "shortest dashes": Odd("theme", of_all("strokes", dash=[0.05]), "pictures", 0),
    "strokes of no width": Odd("theme", of_all("strokes", width_mm=1e-9), None, 1),
    "huge type": Odd("theme", of_all("types", size_pt=500), None, 1),
    "faces without a dash": Odd("theme", of_all("types", faces=["NotoSansJP-Bold"]), None, 1),
    "cells around single pieces": Odd("sheet", all_layouts(square_cells=True), None, 0),
    "parts that overlap as far as they reach": Odd(
        "sheet", all_layouts(overlap_mm=50, arrange="tiled"), None, 0
    ),
}


@pytest.mark.parametrize("odd", often(ODD, "dashes without number", "cells around single pieces"))
def test_odd_files(odd: Odd, tmp_path, within) -> None:
    value = json.loads(
        (
            SOURCES[odd.kind] / {"theme": "classic.json", "sheet": "standard.json"}[odd.kind]
        ).read_bytes()
    )
    odd.change(value)
    mine, out = tmp_path / "mine.json", tmp_path / "out"
    mine.write_text(json.dumps(value), encoding="utf-8")
    option = {"theme": "theme", "sheet": "sheets"}[odd.kind]
    options = read_options(
        odd.profile, {option: str(mine), "pieces": FEW if odd.profile else (*FEW, "map")}
    )
    damage = Damage(seed=0, kind=odd.kind, files={}, main="")
    assert end_of(lambda: build(STARTER, out, options), damage, within) == odd.status
    assert out.exists() is (odd.status == 0)


def judge(
    first: int, count: int, finished: tuple[Path, ...], folder: Path, within: Limit
) -> Counter[int]:
    """How preflight ends with damaged profiles."""
    found: Counter[int] = Counter()
    for damage in damages("profile", first, count):
        path = damage.write(folder / str(damage.seed))
        found[end_of(lambda path=path: preflight(finished, str(path)), damage, within)] += 1  # type: ignore[misc]
    return found


def test_preflight_by_a_few_damaged_profiles(finished, tmp_path, within) -> None:
    assert judge(0, SHORT, finished, tmp_path, within)[1] > 0


@pytest.mark.slow
def test_preflight_by_hundreds_of_damaged_profiles(finished, tmp_path, within) -> None:
    found = judge(200_000, LONG, finished, tmp_path, within)
    assert min(found[0], found[1]) >= 50, found


@pytest.mark.parametrize("kind", ["tiles", "sheet"])
def test_damaged_files_that_come_with_platelayer(kind, tmp_path, within) -> None:
    """The catalogue of tiles and sizes are read as users' files are, should somebody edit them."""
    refused = 0
    for seed in range(15):
        damage = damaged(seed, kind)
        schema = {"sizes.json": "sizes", "standard.json": "sheet"}.get(damage.main, "tiles")
        path = damage.write(tmp_path / str(seed))
        refused += end_of(
            lambda path=path, schema=schema: read_checked(path, schema), damage, within
        )  # type: ignore[misc]
    assert refused >= 5


@pytest.mark.parametrize(
    ("option", "kind"), [("--theme", "theme"), ("--profile", "profile"), ("--sheets", "sheet")]
)
def test_the_command_ends_as_the_work_does(option, kind, tmp_path, platelayer) -> None:
    (damage,) = damages(kind, 77, 1)
    path = damage.write(tmp_path / "file")
    done = platelayer("build", STARTER, option, path, "--only", "train", "-o", "out")
    assert done.returncode in (0, 1, 2)
    assert (tmp_path / "out").exists() is (done.returncode == 0)
    assert bool(done.stderr) is (done.returncode != 0)
