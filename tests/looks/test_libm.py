"""Nothing that is drawn is chosen by the last bits of the C library's functions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from looks.digests import TITLES

HERE = Path(__file__).parent
SEEDS = (1, 2, 3, 4, 5)
CHILD = """
import sys
sys.path[:0] = sys.argv[3:]
import libm
libm.disturb(int(sys.argv[1]))
import json, math
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.job import BuildOptions
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.paths import Digester, numbers

class Told(Digester):
    def scene(self, scene):
        return repr((scene.key, numbers((scene.width_mm, scene.height_mm)), self._items(scene.items)))

loaded, _, style = read_to_print(sys.argv[2], BuildOptions())
title, told, faces = loaded.title, Told(), {}
manifest, graph = build_manifest(title), upgrade_graph(title)
for piece in manifest.pieces:
    faces[piece.key] = [told.scene(each) for each in draw_piece(title, manifest, piece, style, graph)]
    back = draw_back(title, piece, style)
    faces[piece.key] += [] if back is None else [told.scene(back)]
print(json.dumps({"faces": faces, "bits": [math.sin(k / 7) for k in range(1, 60)]}))
"""


@cache
def made(title: str, seed: int) -> dict[str, dict[str, list[str]]]:
    """All faces of a title in words, drawn in a process whose mathematical functions are
    disturbed."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            CHILD,
            str(seed),
            title,
            str(HERE),
            str(HERE.parent),
            str(HERE.parents[1] / "generator"),
        ],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def differing(title: str, seed: int) -> list[str]:
    """Pieces that the last bits change."""
    plain, moved = made(title, 0), made(title, seed)
    assert plain["bits"] != moved["bits"], "the test would not see a difference"
    assert len(plain["faces"]) > 100
    return [key for key, face in plain["faces"].items() if face != moved["faces"][key]]


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("seed", SEEDS)
def test_other_c_libraries_draw_the_same(title: str, seed: int) -> None:
    assert differing(title, seed) == []
