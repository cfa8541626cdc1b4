"""The interface for programs: names, options that are checked when made, titles that are loaded
once."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import platelayer
from platelayer import BuildOptions, CannotRun, PlatelayerError, ProblemsFound
from platelayer.model.options import PrintOptions
from platelayer.pipeline.scaffold import new_title

GENERATOR = Path(platelayer.__file__).parent


def test_the_package_lists_its_public_names_and_has_them_all() -> None:
    assert dir(platelayer) == sorted([*platelayer.__all__, "__version__"])
    assert all(getattr(platelayer, name) is not None for name in platelayer.__all__)


def test_what_is_listed_is_there_whatever_was_imported_before() -> None:
    """A function with the name of a package would give way to it."""
    packages = {path.stem for path in GENERATOR.iterdir()}
    assert not packages & {*platelayer.__all__}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"only": ("tiel",)}, "only: there is no kind of piece 'tiel'; did you mean \"tile\"?"),
        ({"only": "tile"}, "only: 'tile' does not fit: expected `tuple`, got `str`"),
        ({"copies": 0}, "copies: 0 does not fit: expected `int` >= 1"),
        ({"language": None}, "language: None does not fit: expected `str`, got `None`"),
        ({"scale": (1.0,)}, "scale: (1.0,) does not fit: expected `tuple` of length 2, got 1"),
        ({"paper": "a44"}, 'there is no paper "a44"'),
        ({"poster": "a44"}, 'there is no paper "a44"'),
        ({"margin_mm": -1}, "a margin of -1 mm is not possible"),
        ({"offset_mm": (90, 0)}, "the offset 90,0 mm is out of range"),
        ({"spot_name": ""}, '"" cannot name a spot colour'),
    ],
)
def test_options_are_checked_when_they_are_made(given: dict[str, object], told: str) -> None:
    with pytest.raises(PlatelayerError) as raised:
        BuildOptions(**given)
    assert told in str(raised.value)
    with pytest.raises(PlatelayerError):
        replace(BuildOptions(), **given)


def test_numbers_and_sequences_become_what_they_are_for() -> None:
    options = BuildOptions(margin_mm=5, only=["tile"], sizes=[("tile", "40")])
    assert (options.margin_mm, options.only, options.sizes) == (5.0, ("tile",), (("tile", "40"),))
    assert options == BuildOptions(margin_mm=5.0, only=("tile",), sizes=(("tile", "40"),))


def test_what_decides_files_is_apart_from_what_chooses_pieces() -> None:
    """The first is a part of the key of cached files, the second is not; a process that does not
    know the user's own kinds of piece reads it, too."""
    options = BuildOptions(only=("tile",), sizes=(("tile", "40"),), color="cmyk", margin_mm=5.0)
    assert type(options.of_files) is PrintOptions
    assert options.of_files == PrintOptions(color="cmyk", margin_mm=5.0)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    new_title(tmp_path / "own", "small")
    return tmp_path / "own"


def test_a_loaded_title_gives_what_its_name_gives(own: Path) -> None:
    title, options = platelayer.load(own), BuildOptions(only=("token",))
    assert platelayer.build(title, options) == platelayer.build(str(own), options)
    assert platelayer.draw(title, "token:ET").svg() == platelayer.draw(str(own), "token:ET").svg()
    assert platelayer.manifest(title) == platelayer.manifest(str(own))
    assert platelayer.upgrades(title) == platelayer.upgrades(str(own))
    assert platelayer.check(title) == platelayer.check(str(own), quick=False)


def test_a_loaded_title_is_checked_with_its_places() -> None:
    found = platelayer.check(platelayer.load("18eu"), quick=True)
    assert found == platelayer.check("18eu", quick=True)
    assert all(each.line > 1 and each.file.endswith("companies.json") for each in found)
    assert found


def test_a_loaded_variant_is_checked_and_drawn_as_it_is() -> None:
    lite = platelayer.load("1841", variant="lite")
    assert platelayer.check(lite, quick=True) == platelayer.check(
        "1841", variant="lite", quick=True
    )
    assert platelayer.manifest(lite) == platelayer.manifest("1841", variant="lite")
    assert platelayer.manifest(lite, variant="lite") == platelayer.manifest(lite)
    with pytest.raises(CannotRun, match="1841 is loaded already; load it with variant='version-1'"):
        platelayer.manifest(lite, variant="version-1")


def test_a_title_of_unknown_files_is_one_clear_line() -> None:
    title = replace(platelayer.load("18eu"), id="mine")
    with pytest.raises(CannotRun, match="mine: this Title is not one that load"):
        platelayer.check(title)


def test_one_class_for_all_that_stops_the_work() -> None:
    for act in (
        lambda: platelayer.load("no/such"),
        lambda: platelayer.draw("18eu", "tile:nonesuch"),
    ):
        with pytest.raises(PlatelayerError):
            act()
    assert issubclass(CannotRun, PlatelayerError)
    assert issubclass(ProblemsFound, PlatelayerError)


def _texts(node: ast.AST) -> str:
    return " ".join(
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )


def test_reasons_to_stop_name_arguments_and_no_switches() -> None:
    rooms = (
        "pipeline",
        "exchange",
        "imposition",
        "render",
        "definitions",
        "drawing",
        "atlas",
        "scene",
    )
    told = [
        f"{path.name}: {text}"
        for room in rooms
        for path in (GENERATOR / room).rglob("*.py")
        if path.name != "command.py"
        if " --" in (source := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Raise)
        and node.exc is not None
        and " --" in f" {(text := _texts(node.exc))}"
    ]
    assert told == []


def test_the_command_takes_both_spellings(platelayer) -> None:
    for switch, value in (("--color", "gray"), ("--colour", "grey")):
        done = platelayer("draw", "18eu", "tile:57", switch, value, "-o", "57.pdf")
        assert done.returncode == 0, done.stderr
    assert "--colour" not in platelayer("draw", "--help").stdout


# Scripts that use Platelayer as people write them: unguarded, beside threads, where processes are
# spawned


SOURCES = Path(__file__).resolve().parents[2] / "generator"
BESIDE = {
    "numpy": "import numpy",
    "a thread": "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
    "spawn": "import multiprocessing; multiprocessing.set_start_method('spawn')",
}
EVERYTHING = """
import platelayer, sys
from pathlib import Path

print("begun")
title = sys.argv[1]
assert platelayer.check(title) == ()
assert platelayer.check(platelayer.load(title), variant=None) == ()
assert platelayer.build(title, platelayer.BuildOptions(only=("token", "train"))).files
assert platelayer.draw(title, "map").svg()
assert platelayer.compare(title, title).about("game").changes == ()
assert platelayer.new_map(Path("map"), platelayer.AtlasOptions(mode="micro2", seed=7, png=False)).files
assert platelayer.check_maps([Path("map/atlas.json")]) == ()
assert platelayer.supply("18eu").text
assert platelayer.export_title(title, "tile-strings", Path("strings"))
assert platelayer.import_title(next(Path("strings").iterdir()), Path("imported")).files
print("done")
"""


@pytest.fixture(scope="module")
def title(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts") / "title"
    new_title(folder, "small")
    return folder


def run(
    script: str, title: Path, folder: Path, processes: str = "2"
) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(script, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "script.py", title],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(SOURCES), "PLATELAYER_PROCESSES": processes},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_an_unguarded_script_begins_once_and_ends(title: Path, tmp_path: Path) -> None:
    done = run("\n".join(BESIDE.values()) + EVERYTHING, title, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "begun\ndone\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_each_of_these_alone_does_no_harm(beside: str, title: Path, tmp_path: Path) -> None:
    done = run(beside + EVERYTHING, title, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "begun\ndone\n", "")


ASKED = """
import multiprocessing, platelayer, sys
multiprocessing.set_start_method("spawn", force=True)
"""


def test_a_guarded_script_may_ask_for_processes(title: Path, tmp_path: Path) -> None:
    both = "print(platelayer.check(sys.argv[1], processes=2) == platelayer.check(sys.argv[1]))"
    done = run(f"{ASKED}if __name__ == '__main__':\n    {both}\n", title, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_an_unguarded_script_that_asks_for_processes_is_told_and_ends(
    title: Path, tmp_path: Path
) -> None:
    done = run(f"{ASKED}print(platelayer.check(sys.argv[1], processes=2))\n", title, tmp_path)
    assert (done.returncode, done.stdout) == (0, "()\n")
    assert "if __name__ == '__main__':" in done.stderr
