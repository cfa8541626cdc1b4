"""Texts as long as a schema allows: pieces are drawn in a moment, and what cannot be read is
told."""

from __future__ import annotations

import json
import shutil
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from damage import ASSETS, Limit

from often import often
from platelayer.foundation.problems import ProblemsFound
from platelayer.pipeline.draw import draw_to_file
from platelayer.pipeline.job import BuildOptions

SECONDS = 25.0
"""The slowest takes 3 of processor time, and 11 where ten other processes keep the machine busy;
where every break was tried, minutes were not enough."""
LONG = 4000
WORDS = {"letters": "W" * LONG, "words": "a b " * (LONG // 4 - 1) + "c", "kanji": "駅" * LONG}  # fmt: skip
TEXTS = {
    "title.json": (("name",), "train:2", "number-card:1", "checklist", "tile:57:back"),
    "companies.json": (
        ("companies", "NVR", "name"),
        "certificate:NVR-10",
        "charter:NVR",
        "token:NVR",
    ),
    "trains.json": (("trains", "2", "note"), "train:2"),
    "map.json": (("map", "hexes", "", "name"), "map"),
}


def write(folder: Path, file: str, keys: tuple[str, ...], words: str) -> None:
    """The starter with one text made long; "" among the keys is the first entry that has the
    next."""
    shutil.copytree(ASSETS / "starters" / "small", folder)
    value: Any = json.loads((folder / file).read_text("utf-8"))
    at = value
    for key, after in pairwise(keys):
        at = at[key] if key else next(entry for entry in at.values() if after in entry)
    at[keys[-1]] = words
    (folder / file).write_text(json.dumps(value), encoding="utf-8")


@pytest.mark.parametrize("words", often(WORDS, next(iter(WORDS))))
@pytest.mark.parametrize("file", TEXTS)
def test_pieces_with_a_text_as_long_as_can_be(
    file: str, words: str, tmp_path: Path, within: Limit
) -> None:
    keys, *pieces = TEXTS[file]
    write(tmp_path / "title", file, keys, words)  # type: ignore[arg-type]
    for piece in pieces:
        began = time.process_time()
        with within(600):
            try:
                told = draw_to_file(
                    str(tmp_path / "title"), piece, tmp_path / "piece.svg", BuildOptions()
                )
            except ProblemsFound as error:
                told = error.problems
        assert time.process_time() - began < SECONDS, piece
        assert all(len(str(problem)) < 1000 for problem in told)
