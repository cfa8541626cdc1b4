"""Every text of a title that people read, with a pointer to its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.text import Text
from platelayer.model.title import TileCount, Title

Located = tuple[str, Text]


_TEXTS = (
    "name",
    "subtitle",
    "credits/#",
    "maps/*/name",
    "maps/*/legend/#",
    "maps/*/rivers/*/name",
    "maps/*/regions/*/name",
    "maps/*/seas/*/name",
    "maps/*/places/*/name",
    "maps/*/places/*/note",
    "maps/*/places/*/spaces/#",
    "maps/*/hexes/*/(tile)/name",
    "maps/*/hexes/*/(tile)/stops/#/name",
    "tiles/*/tile/name",
    "tiles/*/tile/stops/#/name",
    "tiles/*/via",
    "market/zones/*/name",
    "market/movement/#",
    "trains/*/option",
    "phases/*/events/#",
    "pieces/markers/*/name",
    "pieces/markers/*/note",
    "pieces/rounds/#/name",
    "pieces/rounds_note",
    "pieces/bank_board/name",
    "pieces/bank_board/note",
    "pieces/bank_board/rows/#/#/name",
    "pieces/bank_board/rows/#/#/note",
    "pieces/bank_board/rows/#/#/places/#",
    "pieces/offer/note",
    "upgrades/chains/#/name",
    "bonuses/*/name",
    "bonuses/*/note",
    "aids/*/name",
    "aids/*/sections/#/heading",
    "aids/*/sections/#/lines/#",
    "aids/*/sections/#/table/head/#",
    "aids/*/sections/#/table/rows/#/#",
    "aids/*/back/#/heading",
    "aids/*/back/#/lines/#",
    "aids/*/back/#/table/head/#",
    "aids/*/back/#/table/rows/#/#",
    "provenance/#/note",
    "waivers/#/reason",
    "variants/*/name",
    "variants/*/note",
)
"""Where the texts of a title are in the model: `*` stands for every part by its id, `#` by its number; a step in
brackets is none of the definition."""
_TEXTS_OF_COMPANY = ("name", "class_name", "second_name", "abilities/#", "used", "homes/#/name")
_WRITTEN = {"class_name": "class"}
"""Names of fields that are others in the definition."""


def located_texts(title: Title) -> tuple[Located, ...]:
    """(JSON pointer, text) of all texts of a title, place by place."""
    texts = [(join_pointer("terms", name), own) for name, own in title.terms]
    for path in _TEXTS:
        _add(texts, title, path.split("/"), ())
    for company in title.companies:
        for path in _TEXTS_OF_COMPANY:
            _add(texts, company, path.split("/"), (company.block, company.id))
    for train in title.trains:
        for number, face in enumerate(train.faces):
            faces = ("faces", number) if len(train.faces) > 1 else ()
            _add(texts, face, ["note"], ("trains", train.id, *faces))
    return tuple(texts)


def _add(texts: list[Located], part: Any, steps: Sequence[str], at: tuple[str | int, ...]) -> None:
    """Adds the texts of a part of the model, if it is there."""
    if part is None:
        return
    if not steps:
        texts.append((join_pointer(*at), part))
        return
    step, *rest = steps
    if step in ("*", "#"):
        for number, entry in enumerate(part):
            key = entry.tile.id if isinstance(entry, TileCount) else number if step == "#" else entry.id
            _add(texts, entry, rest, (*at, key))
    elif step.startswith("("):
        _add(texts, getattr(part, step.strip("()")), rest, at)
    else:
        _add(texts, getattr(part, step), rest, (*at, _WRITTEN.get(step, step)))


def languages_of(title: Title) -> tuple[str, ...]:
    """The languages that a title is written in: English, and those that at least half of its texts by language have."""
    counts, told = _by_language(title)
    return ("en", *sorted(code for code, count in counts.items() if code != "en" and 2 * count >= told))


def spoken(title: Title) -> tuple[str, ...]:
    """The languages that any text of a title is in, in the order of their codes."""
    return tuple(sorted(_by_language(title)[0]))


def _by_language(title: Title) -> tuple[Counter[str], int]:
    """How many of the title's own texts there are in each language, and how many by language there are at all."""
    own = (text for _, text in located_texts(title) if not text.term)
    codes_of = [codes for text in own if (codes := [code for code, _ in text.forms if code])]
    return Counter(code for codes in codes_of for code in codes), len(codes_of)
