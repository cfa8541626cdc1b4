"""Every title that ships: free of errors and warnings, printed in both languages on both papers,
complete."""

import json
from collections import Counter
from itertools import product

import pytest

from often import often
from packs import build
from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import title_ids
from platelayer.model.kinds import AIDS, KINDS, PLAIN
from platelayer.pipeline.build import read_options
from platelayer.pipeline.load import check, read_manifest
from shipped import shipped

VARIANTS = [
    (title, variant)
    for title in title_ids()
    for variant in (None, *(each.id for each in shipped(title).variants))
]


def counted(folder, shown):
    """What lies on the sheets, by kind and id: faces that are there once a piece."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    placed = Counter(
        (entry["kind"], entry["id"])
        for entry in manifest["placements"]
        if entry["face"] == shown and entry["file"] != "map-tiled.pdf"
    )
    return manifest, placed


@pytest.mark.parametrize(
    ("title", "quick"), often(product(title_ids(), [True, False]), *product(title_ids(), [True]))
)
def test_check_finds_nothing_but_notes(title, quick):
    assert [
        str(problem)
        for problem in check(title, quick=quick)
        if problem.severity is not Severity.NOTE
    ] == []


def texts(value):
    """Everything in a definition that is written in languages."""
    if isinstance(value, dict):
        return (
            [value] if "en" in value else [text for each in value.values() for text in texts(each)]
        )
    return [text for each in value for text in texts(each)] if isinstance(value, list) else []


@pytest.mark.parametrize(("title", "variant"), VARIANTS)
def test_every_text_is_in_english_and_japanese(title, variant):
    value = load_title(title, variant=variant).assembled.value
    found = texts(
        {block: each for block, each in value.items() if block != "terms"}
    )  # of which one language may do
    assert len(found) > 60
    for text in found:
        assert set(text) == {"en", "ja"}, text
        for words in text.values():  # no-break spaces keep figures with what they count
            assert words.replace("\N{NO-BREAK SPACE}", " ").isprintable()


@pytest.mark.parametrize(
    ("title", "language", "paper"),
    often(
        ((title, *way) for title in title_ids() for way in (("en", "a4"), ("ja", "letter"))),
        ("18cz", "en", "a4"),
    ),
)
def test_every_piece_of_the_box_is_printed(title, language, paper, tmp_path):
    result = build(title, tmp_path, read_options(None, {"language": language, "paper": paper}))
    wanted = read_manifest(title)
    manifest, placed = counted(result.folder, "front")
    assert manifest["totals"] == wanted.totals
    assert placed == {(piece.kind, piece.id): piece.count for piece in wanted.pieces}
    _, backs = counted(result.folder, "back")
    assert backs == {
        (piece.kind, piece.id): piece.count for piece in wanted.pieces if piece.back == "play"
    }


@pytest.mark.slow
@pytest.mark.parametrize(("title", "variant"), VARIANTS)
@pytest.mark.parametrize(("language", "paper"), [("en", "letter"), ("ja", "a4")])
def test_every_variant_prints_all_its_pieces_with_backs(title, variant, language, paper, tmp_path):
    given = {
        "variant": variant,
        "language": language,
        "paper": paper,
        "duplex": "long",
        "color": "cmyk",
        "cut": "spot",
    }
    result = build(title, tmp_path, read_options(None, given))
    wanted = read_manifest(title, variant=variant)
    _, placed = counted(result.folder, "front")
    assert placed == {(piece.kind, piece.id): piece.count for piece in wanted.pieces}
    _, backs = counted(result.folder, "back")
    behind = {(piece.kind, piece.id): piece.count for piece in wanted.pieces if piece.back}
    # Aids whose backs tell nothing may lie back to back, two to a card of two faces.
    aids = {
        (each.kind, each.id)
        for each in wanted.pieces
        if KINDS[each.kind].sort == AIDS and each.back == PLAIN
    }
    assert {key: backs[key] for key in backs.keys() - aids} == {
        key: behind[key] for key in behind.keys() - aids
    }
    assert all(backs[key] <= behind[key] for key in aids)
    assert sum(placed[key] + backs[key] for key in aids) % 2 == 0
