"""One word for a thing, one way to write money and one size of a name, on the pieces of each title
and in its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from looks.digests import LANGUAGES, TITLES
from often import often
from platelayer.definitions.titles import load_title
from platelayer.drawing.company.private import draw_private
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.options import BuildOptions
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.piece_rules import words_used
from platelayer.rules.text_rules import located_texts
from platelayer.scene.flatten import flatten_scene
from shipped import shipped

VARIANTS = [
    (title, variant)
    for title in TITLES
    for variant in (None, *(v.id for v in load_title(title).title.variants))
]


@pytest.mark.parametrize(
    ("title_id", "language"),
    often(
        product(TITLES, LANGUAGES),
        *[("1824", "ja"), ("18cz", "en"), ("18eu", "ja"), ("lost-atlas", "en")],
    ),
)
def test_pieces_say_one_word_for_each_thing_and_write_money_one_way(
    title_id: str, language: str
) -> None:
    loaded, _, style = read_to_print(title_id, BuildOptions(language=language))
    title = loaded.title
    manifest, graph = build_manifest(title), upgrade_graph(title)
    pieces = [
        piece for piece in manifest.pieces if piece.kind != "checklist"
    ]  # which quotes its sources
    drawn = [
        (piece.key, scene)
        for piece in pieces
        for scene in draw_piece(title, manifest, piece, style, graph)
    ]
    drawn += [
        (f"{piece.key}:back", back)
        for piece in pieces
        if (back := draw_back(title, piece, style)) is not None
    ]
    said = [
        (key, " ".join(text.run.text for text in flatten_scene(scene)[1])) for key, scene in drawn
    ]
    waived = {waiver.at for waiver in title.waivers if waiver.code == "PC03"}
    used = words_used([(key, Text.plain(words)) for key, words in said], language)
    several = {thing: uses for thing, uses in used.items() if len(uses) > 1}
    assert {
        thing: uses for thing, uses in several.items() if f"{language}/{thing}" not in waived
    } == {}
    money = [(key, *pair) for key, words in said for pair in amounts(title, words)]
    assert len(money) > 20
    assert [each for each in money if each[1] != each[2]] == []


def amounts(title: Title, text: str) -> Iterator[tuple[str, str]]:
    """Amounts that bear the sign of the title's currency, as they are written and as the currency
    writes them. What is the name of a hex is no amount."""
    before, after = (sign.strip(" .,") for sign in title.currency.split("{}"))
    number = r"(\d{1,3}(?:,\d{3})+|\d+)"
    pattern = rf"{number}[., \u00a0]*{after}(?![A-Za-z])"
    if before:
        pattern = rf"(?<![A-Za-z]){re.escape(before)}[., \u00a0]*{number}"
    hexes = {hexagon.id for board in title.maps for hexagon in board.hexes}
    for found in re.finditer(pattern, text):
        if found.group() not in hexes:
            yield (
                found.group().replace("\u00a0", " "),
                title.money(int(found.group(1).replace(",", ""))),
            )


@pytest.mark.parametrize(("title_id", "variant"), VARIANTS)
def test_texts_write_money_as_the_currency_does(title_id: str, variant: str | None) -> None:
    """1841 Lite once said L.10,900 and L2520 in one sentence."""
    title = shipped(title_id, variant=variant)
    forms = [(at, words) for at, text in located_texts(title) for _, words in text.forms]
    found = [(at, *pair) for at, words in forms for pair in amounts(title, words)]
    assert [each for each in found if each[1] != each[2]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_of_one_size_on_both_sides(language: str) -> None:
    """The name of 18CZ's L6 was once larger on its back, which says less."""
    loaded, _, style = read_to_print("18cz", BuildOptions(language=language))
    turned = [company for company in loaded.title.companies if company.used is not None]
    assert len(turned) == 18
    for company in turned:
        sides = [draw_private(loaded.title, company.id, style, back=back) for back in (False, True)]
        name = style.words(company.name)
        sizes = [
            {t.size_pt for t in flatten_scene(side)[1] if t.run.text == name} for side in sides
        ]
        assert sizes[0] == sizes[1] != set()
