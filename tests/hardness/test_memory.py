"""What drawing leaves in memory while the collector is paused."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.pipeline.faces import Sources, drawn_faces, proof_of
from platelayer.scene.legibility import check_legibility
from shipped import shipped


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
