"""Scripts that use Platelayer as people write them: unguarded, beside threads, where processes are
spawned."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from platelayer.pipeline.scaffold import new_title

GENERATOR = Path(__file__).resolve().parents[2] / "generator"
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
        env=os.environ | {"PYTHONPATH": str(GENERATOR), "PLATELAYER_PROCESSES": processes},
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
