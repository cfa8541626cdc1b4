"""Saves of Tabletop Simulator.

Sources: kb.tabletopsimulator.com, "Save File Format", "Asset Creation" and "Custom Token";
api.tabletopsimulator.com, "Custom Game Objects" (shapes of cards and tiles by number); the type
declaration @typed-tabletop-simulator/declaration 2.2.1, against which the tests check a save.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from urllib.parse import quote

from msgspec.structs import replace

from platelayer.exchange.writers.pictures import (
    COMPANIES,
    Choice,
    File,
    Gallery,
    Item,
    Pile,
    areas,
    back_of,
    piles,
    sheets,
)
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Frozen, Json
from platelayer.model.kinds import BOARDS, CARDS, HEXES, KINDS, Form

# Maximum columns and rows of a sheet of cards.
MOST_CARDS = (10, 7)
# A unit of the table is about an inch ("Custom Token", on thickness).
_MM_PER_UNIT = 25.4
# Height of a card at scale 1: the program assumes poker cards for all sheets.
_CARD_MM = 88.9
# Height of a tile or token at scale 1.
_TILE_MM = 2 * _MM_PER_UNIT
_THICK = 0.1
_BOX, _CIRCLE = 0, 2
_SQUARE_CORNERS = 1
# Gap between two areas of the table.
_BETWEEN_MM = 76.2


class Image(Frozen, kw_only=True):
    """Picture of a face: its address, and its width and height on the table in mm."""

    address: str
    size_mm: tuple[float, float]


class CardSheet(Frozen, kw_only=True):
    """Picture of many cards: the addresses of the fronts and of the backs. The backs are a sheet as
    well if `own_backs`."""

    front: str
    back: str
    columns: int
    rows: int
    own_backs: bool = False


class Card(Frozen, kw_only=True):
    """Card: its name, its sheet (counted from 1), its position on the sheet (from 0), and the
    number of copies."""

    name: str
    sheet: int
    place: int
    count: int = 1


def deck(
    name: str, cards: Sequence[Card], sheets: Mapping[int, CardSheet], size_mm: tuple[float, float]
) -> Item:
    """Return a deck of cards, the first on top; a single card is returned as a card."""
    scale = size_mm[1] / _CARD_MM
    copies = []
    for card in cards:
        for _ in range(card.count):
            own = {
                "SidewaysCard": False,
                "CardID": 100 * card.sheet + card.place,
                "CustomDeck": {str(card.sheet): _sheet(sheets[card.sheet])},
            }
            copies.append(_object("CardCustom", card.name, scale) | own)
    if len(copies) == 1:
        return Item(data=copies[0], size_mm=size_mm)
    used = {card.sheet for card in cards}
    data = _object("DeckCustom", name, scale) | {
        "SidewaysCard": False,
        "DeckIDs": [card["CardID"] for card in copies],
        "CustomDeck": {str(number): _sheet(sheets[number]) for number in sorted(used)},
        "ContainedObjects": copies,
    }
    return Item(data=data, size_mm=size_mm)


def _sheet(sheet: CardSheet) -> Json:
    return {
        "FaceURL": sheet.front,
        "BackURL": sheet.back,
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        "BackIsHidden": True,
        "UniqueBack": sheet.own_backs,
        "Type": _SQUARE_CORNERS,
    }


def disc(name: str, front: Image, back: str | None, count: int) -> Item:
    """Return a round token with both its faces; several copies are in a bag."""
    return _several(_tile(name, front, back, _CIRCLE), name, front, count)


def board(name: str, front: Image, back: str | None, count: int, *, locked: bool) -> Item:
    """Return a rectangle other than a card: a board, which is locked in place, or a charter.
    Several copies are in a bag."""
    data = _tile(name, front, back, _BOX) | {"Locked": locked}
    return _several(data, name, front, count)


def cut_out(name: str, front: Image, count: int) -> Item:
    """Return a piece of any shape, such as a hex: the program cuts it out along the transparent
    parts of its picture. Its back shows the front, because the program does not support another
    back."""
    data = _object("Custom_Token", name, front.size_mm[1] / _TILE_MM) | {
        "CustomImage": {
            "ImageURL": front.address,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomToken": {
                "Thickness": _THICK,
                "MergeDistancePixels": 5.0,
                "StandUp": False,
                "Stackable": True,
            },
        }
    }
    if count > 1:
        data |= {"Name": "Custom_Token_Stack", "Number": count}
    return Item(data=data, size_mm=front.size_mm)


def _tile(name: str, front: Image, back: str | None, shape: int) -> Json:
    return _object("Custom_Tile", name, front.size_mm[1] / _TILE_MM) | {
        "CustomImage": {
            "ImageURL": front.address,
            "ImageSecondaryURL": back or front.address,
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": shape, "Thickness": _THICK, "Stackable": False, "Stretch": True},
        }
    }


def _several(data: Json, name: str, front: Image, count: int) -> Item:
    """Return a single object unchanged, several copies in a bag."""
    if count > 1:
        data = _object("Bag", name, 1.0) | {
            "ContainedObjects": [dict(data) for _ in range(count)],
            "Bag": {"Order": 0},
        }
    return Item(data=data, size_mm=front.size_mm)


def bag(name: str, items: Sequence[Item]) -> Item:
    """Return a bag with items of several kinds, such as all tokens of a company."""
    inside = [
        entry
        for item in items
        for entry in (item.data["ContainedObjects"] if item.data["Name"] == "Bag" else [item.data])
    ]
    data = _object("Bag", name, 1.0) | {"ContainedObjects": inside, "Bag": {"Order": 0}}
    return Item(data=data, size_mm=(2 * _MM_PER_UNIT, 2 * _MM_PER_UNIT))


def _object(kind: str, name: str, scale: float) -> Json:
    blank: Json = _blanks()["object"]
    scales = {"scaleX": round(scale, 4), "scaleZ": round(scale, 4)}
    return blank | {
        "Name": kind,
        "Transform": blank["Transform"] | scales,
        "Nickname": name,
        "HideWhenFaceDown": kind in ("CardCustom", "DeckCustom"),
        "Hands": kind == "CardCustom",
    }


@cache
def _blanks() -> Json:
    """Return a blank save and a blank object, with all keys that the program reads."""
    blanks: Json = asset_json("simulator.json")
    return blanks


def save(name: str, note: str, players: tuple[int, int], items: Sequence[Item]) -> bytes:
    """Return a save with all objects laid out. It has no date, so that the same objects give the
    same bytes."""
    used: set[str] = set()
    value = _blanks()["save"] | {
        "SaveName": name,
        "GameMode": name,
        "PlayerCounts": list(players),
        "Note": note,
        "ObjectStates": [_named(item, used) for item in _laid_out(items)],
    }
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _laid_out(items: Sequence[Item]) -> list[Json]:
    """Return all objects laid out for a first game: boards in the middle, the largest first; on
    their left the companies, each with its charter, certificates and tokens in a row; on their
    right cards and markers; below them hexes by colour."""
    laid = areas(items)
    boards, companies, cards, hexes = (laid[area] for area in (BOARDS, COMPANIES, CARDS, HEXES))
    middle, top = boards.width / 2, boards.height / 2
    lowest = max(boards.height, companies.height, cards.height)
    corners = {
        BOARDS: (-middle, top),
        COMPANIES: (-middle - _BETWEEN_MM - companies.width, top),
        CARDS: (middle + _BETWEEN_MM, top),
        HEXES: (-hexes.width / 2, top - lowest - _BETWEEN_MM),
    }
    placed = []
    for area, (left, upper) in corners.items():
        for item, x, y in laid[area].places:
            across, along = (left + x) / _MM_PER_UNIT, (upper - y) / _MM_PER_UNIT
            # Adding zero turns -0.0 into 0.0.
            place = {"posX": round(across, 3) + 0.0, "posZ": round(along, 3) + 0.0}
            placed.append(item.data | {"Transform": item.data["Transform"] | place})
    return placed


def _named(data: Json, used: set[str]) -> Json:
    """Return an object with a GUID added to it and to every object inside: six hexadecimal digits,
    the same in every export."""
    number = 0
    while True:
        seed = f"{data['Name']}|{data['Nickname']}|{number}"
        guid = hashlib.sha256(seed.encode()).hexdigest()[:6]
        if guid not in used:
            break
        number += 1
    used.add(guid)
    inside = data.get("ContainedObjects")
    more = {"ContainedObjects": [_named(entry, used) for entry in inside]} if inside else {}
    return {"GUID": guid, **data, **more}


# Folders in which Tabletop Simulator looks for saves, and for pictures without an address.
SAVES, IMAGES = "Saves", "Mods/Images"


def address(base: str | None) -> Callable[[str], str]:
    """Return a function that gives the address of a picture below a base, or the picture's name
    alone if there is no base. Raises CannotRun for a base that is not an address."""
    if base is None:
        return str
    if not re.match(r"(https?|file)://", base):
        raise CannotRun(
            f"base_url: {base!r} is not an address; write e.g. https://example.org/18eu"
        )
    return lambda name: f"{base.rstrip('/')}/{quote(name)}"


def simulator_files(choice: Choice, base_url: str | None, dpi: int) -> dict[str, File]:
    """Return the save and its pictures, in the folders that Tabletop Simulator uses."""
    # Names begin with the id of the title, because all games share one folder.
    pictures = Gallery(prefix=f"{choice.title.id}-", dpi=dpi, address=address(base_url))
    laid = piles(choice)
    flat = [_item(choice, pile, pictures) for pile in laid if not pile.is_deck]
    items = [*flat, *_decks(choice, [pile for pile in laid if pile.is_deck], pictures)]
    counts = [count.players for count in choice.title.players] or [0]
    name = choice.style.words(choice.title.name)
    note = "\n".join(choice.style.words(credit) for credit in choice.title.credits)
    data = save(name, note, (min(counts), max(counts)), items)
    images = {f"{IMAGES}/{file}": image for file, image in pictures.files.items()}
    return images | {f"{SAVES}/{choice.title.id}.json": data}


def _item(choice: Choice, pile: Pile, pictures: Gallery) -> Item:
    """Return a pile that is not a deck; several kinds of disc are in a bag."""
    inside = []
    for sides in pile.pieces:
        piece, name = sides[0].piece, choice.name(sides[0].piece)
        kind = KINDS[piece.kind]
        front = Image(address=pictures.face(sides[0]), size_mm=sides[0].size_mm)
        if kind.form is Form.HEXAGON and kind.has_back:
            inside.append(cut_out(name, front, piece.count))
            continue
        other = back_of(sides)
        back = pictures.face(other) if other is not None else None
        if kind.form is Form.DISC:
            inside.append(disc(name, front, back, piece.count))
        else:
            inside.append(board(name, front, back, piece.count, locked=not kind.has_back))
    item = inside[0] if len(inside) == 1 else bag(pile.name, inside)
    return replace(item, area=pile.area, row=pile.row)


def _decks(choice: Choice, decks: Sequence[Pile], pictures: Gallery) -> list[Item]:
    """Return the decks, with shared sheets for all cards of a kind and size."""
    by_size: dict[tuple[str, tuple[float, float]], list[Pile]] = {}
    for pile in decks:
        size = (round(pile.first.size_mm[0], 3), round(pile.first.size_mm[1], 3))
        by_size.setdefault((pile.first.piece.kind, size), []).append(pile)
    card_sheets: dict[int, CardSheet] = {}
    items = []
    for (kind, size), group in by_size.items():
        cards = {}
        every = [sides for pile in group for sides in pile.pieces]
        first = len(card_sheets) + 1
        for number, sheet in enumerate(sheets(every, pictures.dpi, MOST_CARDS, first), first):
            stem = f"{kind}-cards-{number}"
            card_sheets[number] = CardSheet(
                front=pictures.keep(stem, sheet.fronts, sheet.grid.size_px),
                back=pictures.face(sheet.back or sheet.pieces[0][-1])
                if sheet.backs is None
                else pictures.keep(f"{stem}-backs", sheet.backs, sheet.grid.size_px),
                columns=sheet.grid.columns,
                rows=sheet.grid.rows,
                own_backs=sheet.backs is not None,
            )
            for place, (front, *_) in enumerate(sheet.pieces):
                piece = front.piece
                cards[piece.key] = Card(
                    name=choice.name(piece), sheet=number, place=place, count=piece.count
                )
        for pile in group:
            copies = [cards[sides[0].piece.key] for sides in pile.pieces]
            items.append(
                replace(deck(pile.name, copies, card_sheets, size), area=pile.area, row=pile.row)
            )
    return items
