"""Every text of a title that people read, with a pointer to its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.text import Text
from platelayer.model.tile import Tile
from platelayer.model.title import Aid, Title

Located = tuple[str, Text]


def located_texts(title: Title) -> Iterator[Located]:
    """(JSON pointer, text) of all texts of a title, block by block."""
    yield from _given("/name", title.name)
    yield from _given("/subtitle", title.subtitle)
    for name, own in title.terms:
        yield join_pointer("terms", name), own
    yield from _listed("/credits", title.credits)
    yield from _board_texts(title)
    yield from _company_texts(title)
    yield from _train_texts(title)
    yield from _piece_texts(title)
    for number, chain in enumerate(title.chains):
        yield join_pointer("upgrades", "chains", number, "name"), chain.name
    for bonus in title.bonuses:
        at = join_pointer("bonuses", bonus.id)
        yield f"{at}/name", bonus.name
        yield from _given(f"{at}/note", bonus.note)
    for aid in title.aids:
        yield from _aid_texts(aid)
    for number, source in enumerate(title.provenance):
        yield join_pointer("provenance", number, "note"), source.note
    for number, waiver in enumerate(title.waivers):
        yield join_pointer("waivers", number, "reason"), waiver.reason
    for variant in title.variants:
        yield join_pointer("variants", variant.id, "name"), variant.name
        yield from _given(join_pointer("variants", variant.id, "note"), variant.note)


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
    told = [codes for text in own if (codes := [code for code, _ in text.forms if code])]
    return Counter(code for codes in told for code in codes), len(told)


def _given(at: str, text: Text | None) -> Iterator[Located]:
    if text is not None:
        yield at, text


def _listed(at: str, texts: Iterable[Text]) -> Iterator[Located]:
    for number, text in enumerate(texts):
        yield f"{at}/{number}", text


def _board_texts(title: Title) -> Iterator[Located]:
    for gamemap in title.maps:
        at = join_pointer("maps", gamemap.id)
        yield f"{at}/name", gamemap.name
        yield from _listed(f"{at}/legend", gamemap.legend)
        for block, named in (("rivers", gamemap.rivers), ("regions", gamemap.regions), ("seas", gamemap.seas)):
            yield from ((f"{at}/{block}/{each.id}/name", each.name) for each in named if each.name is not None)
        for places in gamemap.places:
            own = f"{at}{join_pointer('places', places.id)}"
            yield f"{own}/name", places.name
            yield from _given(f"{own}/note", places.note)
            yield from _listed(f"{own}/spaces", places.spaces)
        for hexagon in gamemap.hexes:
            yield from _tile_texts(f"{at}{join_pointer('hexes', hexagon.id)}", hexagon.tile)
    for entry in title.tiles:
        yield from _tile_texts(join_pointer("tiles", entry.tile.id, "tile"), entry.tile)
        yield from _given(join_pointer("tiles", entry.tile.id, "via"), entry.via)
    if title.market is not None:
        for zone in title.market.zones:
            yield join_pointer("market", "zones", zone.id, "name"), zone.name
        yield from _listed("/market/movement", title.market.movement)


def _tile_texts(at: str, tile: Tile) -> Iterator[Located]:
    yield from _given(f"{at}/name", tile.name)
    for number, stop in enumerate(tile.stops):
        yield from _given(f"{at}/stops/{number}/name", stop.name)


def _company_texts(title: Title) -> Iterator[Located]:
    for company in title.companies:
        yield join_pointer(company.block, company.id, "name"), company.name
        yield from _given(join_pointer(company.block, company.id, "class"), company.class_name)
        yield from _given(join_pointer(company.block, company.id, "second_name"), company.second_name)
        yield from _listed(join_pointer(company.block, company.id, "abilities"), company.abilities)
        yield from _given(join_pointer(company.block, company.id, "used"), company.used)
        for number, home in enumerate(company.homes):
            yield from _given(join_pointer(company.block, company.id, "homes", number, "name"), home.name)


def _train_texts(title: Title) -> Iterator[Located]:
    for train in title.trains:
        yield from _given(join_pointer("trains", train.id, "option"), train.option)
        for number, face in enumerate(train.faces):
            faces = ("faces", number) if len(train.faces) > 1 else ()
            yield from _given(join_pointer("trains", train.id, *faces, "note"), face.note)
    for phase in title.phases:
        yield from _listed(join_pointer("phases", phase.id, "events"), phase.events)


def _piece_texts(title: Title) -> Iterator[Located]:
    for marker in title.pieces.markers:
        yield join_pointer("pieces", "markers", marker.id, "name"), marker.name
        yield from _given(join_pointer("pieces", "markers", marker.id, "note"), marker.note)
    for number, space in enumerate(title.pieces.rounds):
        yield join_pointer("pieces", "rounds", number, "name"), space.name
    yield from _given("/pieces/rounds_note", title.pieces.rounds_note)
    board = title.pieces.bank_board
    if board is not None:
        yield "/pieces/bank_board/name", board.name
        yield from _given("/pieces/bank_board/note", board.note)
        for row, areas in enumerate(board.rows):
            for column, area in enumerate(areas):
                at = f"/pieces/bank_board/rows/{row}/{column}"
                yield f"{at}/name", area.name
                yield from _given(f"{at}/note", area.note)
                yield from _listed(f"{at}/places", area.places)
    if title.pieces.offer is not None:
        yield from _given("/pieces/offer/note", title.pieces.offer.note)


def _aid_texts(aid: Aid) -> Iterator[Located]:
    yield join_pointer("aids", aid.id, "name"), aid.name
    sides = (("sections", aid.sections), ("back", aid.back))
    for side, number, section in ((side, *each) for side, sections in sides for each in enumerate(sections)):
        at = join_pointer("aids", aid.id, side, number)
        yield f"{at}/heading", section.heading
        yield from _listed(f"{at}/lines", section.lines)
        if section.table is not None:
            yield from _listed(f"{at}/table/head", section.table.head)
            for row, cells in enumerate(section.table.rows):
                yield from _listed(f"{at}/table/rows/{row}", cells)
