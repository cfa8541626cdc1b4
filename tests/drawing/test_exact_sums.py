"""Sums of lengths are exact: `sum` of floats has other last bits on other releases of Python,
`math.fsum` never."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable
from typing import Any

import pytest

from often import often
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.options import BuildOptions
from platelayer.rules.graph import upgrade_graph

SUM = builtins.sum


def _sum_of_whole_numbers(values: Iterable[Any], /, start: Any = 0) -> Any:
    values = [*values]
    ours = sys._getframe(1).f_globals.get("__name__", "").startswith("platelayer.")
    assert not (ours and any(isinstance(value, float) for value in values)), "use math.fsum"
    return SUM(values, start)


@pytest.mark.parametrize(
    "title", often(["18cz", "1841", "18eu", "1824", "lost-atlas"], "18eu", "lost-atlas")
)
def test_no_piece_is_drawn_by_a_sum_of_floats(monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    monkeypatch.setattr(builtins, "sum", _sum_of_whole_numbers)
    read, _, style = read_to_print(title, BuildOptions(language="ja"))
    loaded = read.title
    manifest, graph = build_manifest(loaded), upgrade_graph(loaded)
    for piece in manifest.pieces:
        assert draw_piece(loaded, manifest, piece, style, graph)
        draw_back(loaded, piece, style)
