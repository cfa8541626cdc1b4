"""One word for one thing, on the pieces of each title and in its texts."""

from __future__ import annotations

import pytest

from looks.digests import TITLES
from often import often
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.options import BuildOptions
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.piece_rules import words_used
from platelayer.scene.flatten import flatten_scene


@pytest.mark.parametrize("title_id", often(TITLES, "1824", "18eu", "lost-atlas"))
def test_pieces_in_japanese_say_one_word_for_each_thing(title_id: str) -> None:
    loaded, _, style = read_to_print(title_id, BuildOptions(language="ja"))
    title = loaded.title
    manifest, graph = build_manifest(title), upgrade_graph(title)
    pieces = [piece for piece in manifest.pieces if piece.kind != "checklist"]  # which quotes its sources
    drawn = [(piece.key, scene) for piece in pieces for scene in draw_piece(title, manifest, piece, style, graph)]
    drawn += [(piece.key, back) for piece in pieces if (back := draw_back(title, piece, style)) is not None]
    said = [(key, Text.plain(" ".join(text.run.text for text in flatten_scene(scene)[1]))) for key, scene in drawn]
    waived = {waiver.at for waiver in title.waivers if waiver.code == "PC03"}
    several = {thing: uses for thing, uses in words_used(said, "ja").items() if len(uses) > 1}
    assert {thing: uses for thing, uses in several.items() if f"ja/{thing}" not in waived} == {}
