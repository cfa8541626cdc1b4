"""What drawing takes in memory: nothing is left behind while the collector is paused, and large
maps stay small."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hardness.dense import write_dense_title
from platelayer.definitions.themes import load_theme
from platelayer.pipeline.faces import Sources, drawn_faces, proof_of
from platelayer.scene.legibility import check_legibility
from shipped import shipped

ROOT = Path(__file__).resolve().parents[2]
MOST_MB = 400


def _draw_all(sources: Sources) -> None:
    for piece in sources.manifest.pieces:
        (fronts, back), _ = drawn_faces(sources, piece, sources.style)
        for scene in (*fronts, back):
            if scene is not None:
                check_legibility(scene)


@pytest.mark.parametrize("title", [pytest.param("18eu", marks=pytest.mark.slow), "1824"])
def test_no_circles_are_left_behind(title: str) -> None:
    """Prints and checks pause the collector, so what is in a circle lives until they are done."""
    proof = proof_of(shipped(title), load_theme("classic"), ["en"])
    gc.collect()
    gc.disable()
    try:
        _draw_all(proof.sources)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = Counter(
            type(each).__qualname__
            for each in gc.garbage
            if type(each).__module__.startswith("platelayer")
        )
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left


def _peak_mb(folder: Path) -> float:
    """The most memory that a check takes at once, in the process that takes most."""
    program = (
        "import resource, runpy, sys\n"
        "try: runpy.run_module('platelayer', run_name='__main__', alter_sys=True)\n"
        "except SystemExit as error: status = error.code\n"
        "who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)\n"
        "print(status, max(resource.getrusage(each).ru_maxrss for each in who), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, "check", str(folder), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    status, kilobytes = map(int, done.stderr.split())
    assert "1 title checked" in done.stdout
    assert status in (0, 1)
    return kilobytes / 1024 if sys.platform != "darwin" else kilobytes / 2**20


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="resource is of POSIX")
def test_a_map_takes_little_more_with_every_hex(tmp_path: Path) -> None:
    few, many = (_peak_mb(write_dense_title(tmp_path / str(rows), 14, rows)) for rows in (8, 16))
    assert many - few < 112 * 0.25  # a quarter of a megabyte a hex


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="resource is of POSIX")
def test_a_check_of_1534_dense_hexes_takes_little_memory(tmp_path: Path) -> None:
    assert _peak_mb(write_dense_title(tmp_path / "title")) < MOST_MB
