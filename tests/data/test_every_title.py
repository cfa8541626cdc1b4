"""Every shipped title with each of its variants: facts that hold of all."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from looks.digests import TITLES
from looks.every_face import amounts
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.rules.text_rules import located_texts
from platelayer.scene.inks import contrast, ink_from_hex
from shipped import loaded, shipped

of_every_title = pytest.mark.parametrize("title_id", TITLES)


def variants(title_id: str) -> Iterator[tuple[str | None, Title]]:
    """The title as it is, and with each of its variants."""
    for variant in (None, *(each.id for each in shipped(title_id).variants)):
        yield variant, shipped(title_id, variant)


@of_every_title
def test_no_problem_is_found(title_id: str) -> None:
    for variant, _ in variants(title_id):
        assert loaded(title_id, variant).problems == (), variant


@of_every_title
def test_the_box_declares_what_the_definition_yields(title_id: str) -> None:
    for variant, title in variants(title_id):
        assert dict(title.pieces.box).items() <= build_manifest(title).totals.items(), variant


@pytest.mark.parametrize(("title_id", "least"), [("18eu", 3), ("1824", 3), ("lost-atlas", 2)])
def test_second_colours_stand_out(title_id: str, least: float) -> None:
    for company in shipped(title_id).companies:
        if company.has_charter and company.second:
            found = contrast(ink_from_hex(company.colour), ink_from_hex(company.second))
            assert found >= least, company.id


@of_every_title
def test_texts_write_money_as_the_currency_does_and_leave_no_brace(title_id: str) -> None:
    """1841 Lite once had L.10,900 and L2520 in one sentence. Braces stand for facts, which are
    filled in, but in templates."""
    for variant, title in variants(title_id):
        for at, text in located_texts(title):
            for _, words in text.forms:
                assert "{" not in words or "/terms/" in at, (variant, at)
                for written, right in amounts(title, words):
                    assert written == right, (variant, at)


@of_every_title
def test_english_has_no_signs_of_japanese_width(title_id: str) -> None:
    for variant, title in variants(title_id):
        english = [text.get("en") for _, text in located_texts(title) if text.has("en")]
        wide = [words for words in english if re.search("[\u3000-\u303f\uff00-\uffef]", words)]
        assert wide == [], variant
