"""Saves of Tabletop Simulator.

Sources: kb.tabletopsimulator.com, "Save File Format", "Asset Creation" and "Custom Token";
api.tabletopsimulator.com, "Custom Game Objects" (shapes of cards and tiles by number); the type
declaration @typed-tabletop-simulator/declaration 2.2.1, which the tests hold a save against.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.exchange.writers.pictures import (
    BACK,
    Choice,
    Face,
    File,
    faces,
    on_paper,
    picture,
)
from platelayer.foundation.door import distinct
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.tiling import grids, pixels_of, sheet_of
from platelayer.model.kinds import KINDS, Form, Piece
from platelayer.scene.digest import Digester
from platelayer.scene.shapes import Scene

Json = dict[str, Any]

# Columns and rows of a sheet of cards.
MOST_CARDS = (10, 7)
# A side of an image ("Asset Creation": keep images under 4096 x 4096).
MOST_PX = 4096

# A unit of the table is about an inch ("Custom Token", on thickness).
_MM_PER_UNIT = 25.4
# Height of a card at scale 1: that of a poker card, which the program takes all sheets for.
_CARD_MM = 88.9
# Height of a tile or token at scale 1.
_TILE_MM = 2 * _MM_PER_UNIT
_THICK = 0.1
_BOX, _CIRCLE = 0, 2
_SQUARE_CORNERS = 1
_GAP_UNITS, _BETWEEN_UNITS, _HEIGHT_UNITS = 0.8, 3.0, 1.2
# Areas of the table.
_BOARDS, _COMPANIES, _CARDS, _HEXES = "boards", "companies", "cards", "hexes"
# The greatest width of a row of an area.
_WIDEST_UNITS = {_BOARDS: 60.0, _COMPANIES: 60.0, _CARDS: 28.0, _HEXES: 84.0}
# The greatest length of a column of companies.
_LONGEST_UNITS = 48.0


class Image(Struct, frozen=True, kw_only=True):
    """A picture of a face: its address, and its width and height on the table in mm."""

    address: str
    size_mm: tuple[float, float]


class CardSheet(Struct, frozen=True, kw_only=True):
    """A picture of many cards: addresses of its fronts and of their backs, which are a sheet too if
    `own_backs`."""

    front: str
    back: str
    columns: int
    rows: int
    own_backs: bool = False


class Card(Struct, frozen=True, kw_only=True):
    """A card: its name, its sheet (from 1) and its place on it (from 0), and how many copies there
    are."""

    name: str
    sheet: int
    place: int
    count: int = 1


class Item(Struct, frozen=True, kw_only=True):
    """An object of the table without its place: its data, its width and height in mm, and with what
    it lies: its area, and within that a row."""

    data: Json
    size_mm: tuple[float, float]
    area: str = _CARDS
    row: str = ""

    @property
    def size_units(self) -> tuple[float, float]:
        """Its width and height on the table."""
        width, height = self.size_mm
        return width / _MM_PER_UNIT, height / _MM_PER_UNIT


def deck(
    name: str, cards: Sequence[Card], sheets: Mapping[int, CardSheet], size_mm: tuple[float, float]
) -> Item:
    """A deck of cards, the first on top; one card is no deck."""
    scale = size_mm[1] / _CARD_MM
    copies: list[Json] = []
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
    """A round token with both its faces; several are in a bag."""
    return _several(_tile(name, front, back, _CIRCLE), name, front, count)


def board(name: str, front: Image, back: str | None, count: int, *, locked: bool) -> Item:
    """A rectangle that is no card: a board, which stays where it lies, or a charter."""
    data = _tile(name, front, back, _BOX) | {"Locked": locked}
    return _several(data, name, front, count)


def cut_out(name: str, front: Image, count: int) -> Item:
    """A piece of any shape, such as a hex: the program cuts it out where its picture is clear. Its
    back is its front, as it can have no other."""
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
    """One object as it is, more of them in a bag."""
    if count > 1:
        data = _object("Bag", name, 1.0) | {
            "ContainedObjects": [dict(data) for _ in range(count)],
            "Bag": {"Order": 0},
        }
    return Item(data=data, size_mm=front.size_mm)


def bag(name: str, items: Sequence[Item]) -> Item:
    """A bag with things of several kinds, such as all tokens of a company."""
    inside = [
        entry
        for item in items
        for entry in (item.data["ContainedObjects"] if item.data["Name"] == "Bag" else [item.data])
    ]
    data = _object("Bag", name, 1.0) | {"ContainedObjects": inside, "Bag": {"Order": 0}}
    return Item(data=data, size_mm=(2 * _MM_PER_UNIT, 2 * _MM_PER_UNIT))


def _object(kind: str, name: str, scale: float) -> Json:
    return {
        "Name": kind,
        "Transform": {
            "posX": 0.0, "posY": _HEIGHT_UNITS, "posZ": 0.0,
            "rotX": 0.0, "rotY": 180.0, "rotZ": 0.0,
            "scaleX": round(scale, 4), "scaleY": 1.0, "scaleZ": round(scale, 4),
        },
        "Nickname": name,
        "Description": "",
        "GMNotes": "",
        "ColorDiffuse": _colour(1.0),
        "Locked": False,
        "Grid": False,
        "Snap": True,
        "IgnoreFoW": False,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": kind in ("CardCustom", "DeckCustom"),
        "Hands": kind == "CardCustom",
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }  # fmt: skip


def _colour(shade: float) -> Json:
    return {"r": shade, "g": shade, "b": shade}


def save(name: str, note: str, players: tuple[int, int], items: Sequence[Item]) -> bytes:
    """A save with all objects laid out. It says no date, so that it is always the same."""
    used: set[str] = set()
    placed = [_named(item, used) for item in _laid_out(items)]
    value = {
        "SaveName": name,
        "EpochTime": 0,
        "Date": "",
        "VersionNumber": "",
        "GameMode": name,
        "GameType": "",
        "GameComplexity": "",
        "PlayingTime": [0, 0],
        "PlayerCounts": list(players),
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "Table_None",
        "Sky": "Sky_Museum",
        "SkyURL": "",
        "Note": note,
        "TabStates": {},
        "MusicPlayer": {
            "RepeatSong": False, "PlaylistEntry": -1, "CurrentAudioTitle": "", "CurrentAudioURL": "",
            "AudioLibrary": [],
        },
        "Grid": {
            "Type": 0, "Lines": False, "Color": _colour(0.0), "Opacity": 0.75, "ThickLines": False, "Snapping": False,
            "Offset": False, "BothSnapping": False, "xSize": 2.0, "ySize": 2.0,
            "PosOffset": {"x": 0.0, "y": 1.0, "z": 0.0},
        },
        "Lighting": {
            "LightIntensity": 0.54, "LightColor": _colour(1.0), "AmbientIntensity": 1.3, "AmbientType": 0,
            "AmbientSkyColor": _colour(0.5), "AmbientEquatorColor": _colour(0.5), "AmbientGroundColor": _colour(0.5),
            "ReflectionIntensity": 1.0, "LutIndex": 0, "LutContribution": 1.0, "LutURL": "",
        },
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ComponentTags": {"labels": []},
        "Turns": {
            "Enable": False, "Type": 0, "TurnOrder": [], "Reverse": False, "SkipEmpty": False,
            "DisableInteractions": False, "PassTurns": True, "TurnColor": "",
        },
        "DecalPallet": [],
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "CustomUIAssets": [],
        "SnapPoints": [],
        "ObjectStates": placed,
    }  # fmt: skip
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


class _Area(Struct, frozen=True, kw_only=True):
    """Items with the places of their middles, right and down from the upper left corner of the
    area."""

    places: tuple[tuple[Item, float, float], ...]
    width: float
    height: float


def _laid_out(items: Sequence[Item]) -> list[Json]:
    """Everything as for a first game: boards in the middle, the largest first; at their left the
    companies, each with its charter, certificates and tokens in a row; at their right cards and
    markers; below them hexes by colour."""
    areas = {
        area: _area(area, [item for item in items if item.area == area]) for area in _WIDEST_UNITS
    }
    boards, companies, cards, hexes = (
        areas[area] for area in (_BOARDS, _COMPANIES, _CARDS, _HEXES)
    )
    middle, top = boards.width / 2, boards.height / 2
    corners = {
        _BOARDS: (-middle, top),
        _COMPANIES: (-middle - _BETWEEN_UNITS - companies.width, top),
        _CARDS: (middle + _BETWEEN_UNITS, top),
        _HEXES: (
            -hexes.width / 2,
            top - max(boards.height, companies.height, cards.height) - _BETWEEN_UNITS,
        ),
    }
    placed: list[Json] = []
    for area, (left, upper) in corners.items():
        for item, x, y in areas[area].places:
            place = {"posX": round(left + x, 3), "posZ": round(upper - y, 3)}
            placed.append(item.data | {"Transform": item.data["Transform"] | place})
    return placed


def _area(area: str, items: Sequence[Item]) -> _Area:
    """Rows below each other, each broken where it gets too wide; companies go on in a new
    column."""
    rows: dict[str, list[Item]] = {}
    for item in items:
        rows.setdefault(item.row, []).append(item)
    places: list[tuple[Item, float, float]] = []
    left, y, width, height = 0.0, 0.0, 0.0, 0.0
    for row in rows.values():
        deepest = max(item.size_units[1] for item in row)
        if area == _COMPANIES and y and y + deepest > _LONGEST_UNITS:
            left, y = width + _BETWEEN_UNITS, 0.0
        x, deepest = left, 0.0
        for item in row:
            across, along = item.size_units
            if x > left and x + across - left > _WIDEST_UNITS[area]:
                x, y, deepest = left, y + deepest + _GAP_UNITS, 0.0
            places.append((item, x + across / 2, y + along / 2))
            width, deepest = max(width, x + across), max(deepest, along)
            x += across + _GAP_UNITS
        height = max(height, y + deepest)
        y += deepest + _GAP_UNITS
    return _Area(places=tuple(places), width=width, height=height)


def _named(data: Json, used: set[str]) -> Json:
    """The object and all within it with a GUID each: six digits, the same in every export."""
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


# Folders of Tabletop Simulator, where it looks for saves, and for pictures that are named without
# an address.
SAVES, IMAGES = "Saves", "Mods/Images"

Faces = tuple[Face, ...]


class _Pictures(Struct, kw_only=True):
    """Pictures to paint, by file name; those that show the same are one. Names begin with the id of
    the title, as all games share one folder."""

    title: str
    dpi: int
    address: Callable[[str], str]
    files: dict[str, Callable[[], bytes]] = field(default_factory=dict)
    known: dict[tuple[str, tuple[int, int]], str] = field(default_factory=dict)
    digester: Digester = field(default_factory=Digester)
    taken: set[str] = field(default_factory=set)

    def _name(self, stem: str) -> str:
        """A file name that is not taken."""
        plain = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{self.title}-{stem}")
        return f"{distinct(plain, self.taken)}.png"

    def keep(self, stem: str, scene: Scene, pixels: tuple[int, int]) -> str:
        """The address of the picture of a scene, of this size."""
        shown = self.digester.scene(scene), pixels
        if shown not in self.known:
            name = self._name(stem)
            self.known[shown] = self.address(name)
            self.files[name] = partial(picture, scene, pixels)
        return self.known[shown]

    def face(self, face: Face) -> Image:
        """The picture of one face."""
        pixels = pixels_of(face.size_mm, self.dpi, MOST_PX)
        stem = f"{face.piece.kind}-{face.piece.id}-{face.label}"
        address = self.keep(stem, on_paper(face.scene), pixels)
        return Image(address=address, size_mm=face.size_mm)


def address(base: str | None) -> Callable[[str], str]:
    """Addresses of pictures below a base, or their names alone. Raises CannotRun for a base that is
    none."""
    if base is None:
        return str
    if not re.match(r"(https?|file)://", base):
        raise CannotRun(
            f"base_url: {base!r} is not an address; write e.g. https://example.org/18eu"
        )
    return lambda name: f"{base.rstrip('/')}/{quote(name)}"


def simulator_files(choice: Choice, base_url: str | None, dpi: int) -> dict[str, File]:
    """The save and its pictures, in folders as Tabletop Simulator has them."""
    pictures = _Pictures(title=choice.title.id, dpi=dpi, address=address(base_url))
    by_piece = list(faces(choice))
    cards = [sides for sides in by_piece if KINDS[sides[0].piece.kind].is_card]
    others = [sides for sides in by_piece if not KINDS[sides[0].piece.kind].is_card]
    items = [*_laid(choice, others, pictures), *_decks(choice, cards, pictures)]
    counts = [count.players for count in choice.title.players] or [0]
    name = choice.style.words(choice.title.name)
    note = "\n".join(choice.style.words(credit) for credit in choice.title.credits)
    data = save(name, note, (min(counts), max(counts)), items)
    images = {f"{IMAGES}/{file}": image for file, image in pictures.files.items()}
    return images | {f"{SAVES}/{choice.title.id}.json": data}


def _laid(choice: Choice, pieces: Iterable[Faces], pictures: _Pictures) -> list[Item]:
    """Boards first, then charters, hexes, and the tokens of each company or other thing in a
    bag."""
    boards: list[Item] = []
    flat: list[Item] = []
    hexes: list[Item] = []
    discs: dict[str, list[tuple[str, Item]]] = {}
    for sides in pieces:
        piece, name = sides[0].piece, choice.name(sides[0].piece)
        kind = KINDS[piece.kind]
        back = next((face for face in sides if face.label == BACK), None)
        fronts = [face for face in sides if face.label != BACK]
        area, row = _place(choice, piece)
        if not kind.has_back:
            boards += [
                replace(
                    board(name, pictures.face(face), None, piece.count, locked=True), area=_BOARDS
                )
                for face in fronts
            ]
        elif kind.form is Form.HEXAGON:
            item = cut_out(name, pictures.face(fronts[0]), piece.count)
            hexes.append(replace(item, area=_HEXES, row=f"{piece.kind}/{piece.group}"))
        elif kind.form is Form.DISC:
            item = disc(name, pictures.face(fronts[0]), _file(pictures, back), piece.count)
            discs.setdefault("/".join(piece.origin[:2]), []).append(
                (name, replace(item, area=area, row=row))
            )
        else:
            front = pictures.face(fronts[0])
            item = board(name, front, _file(pictures, back), piece.count, locked=False)
            flat.append(replace(item, area=area, row=row))
    bags = [
        group[0][1]
        if len(group) == 1
        else replace(
            bag(group[0][0], [item for _, item in group]),
            area=group[0][1].area,
            row=group[0][1].row,
        )
        for group in discs.values()
    ]
    boards.sort(key=lambda item: -item.size_mm[0] * item.size_mm[1])
    return [*boards, *flat, *bags, *hexes]


def _place(choice: Choice, piece: Piece) -> tuple[str, str]:
    """The area and the row of a piece that is neither a board nor a hex."""
    company = choice.title.company_by_id.get(piece.origin[1]) if len(piece.origin) > 1 else None
    return (
        (_COMPANIES, company.id)
        if company is not None and company.has_charter
        else (_CARDS, piece.kind)
    )


def _file(pictures: _Pictures, face: Face | None) -> str | None:
    return pictures.face(face).address if face is not None else None


def _decks(choice: Choice, cards: Sequence[Faces], pictures: _Pictures) -> list[Item]:
    """Decks by kind and size; cards that belong to companies, as certificates do, in a deck for
    each."""
    sheets: dict[int, CardSheet] = {}
    items: list[Item] = []
    by_size: dict[tuple[str, tuple[float, float]], list[Faces]] = {}
    for sides in cards:
        size = (round(sides[0].size_mm[0], 3), round(sides[0].size_mm[1], 3))
        by_size.setdefault((sides[0].piece.kind, size), []).append(sides)
    for (kind, size), group in by_size.items():
        start = 0
        decks: dict[str, list[Card]] = {}
        for grid in grids(len(group), pixels_of(size, pictures.dpi, MOST_PX), MOST_CARDS, MOST_PX):
            here = group[start : start + grid.columns * grid.rows]
            start += len(here)
            number = len(sheets) + 1
            front = sheet_of(f"sheet:{number}", [sides[0].scene for sides in here], grid, size)
            file = pictures.keep(f"{kind}-cards-{number}", front, grid.size_px)
            backs = [sides[-1] for sides in here]
            own = len({face.scene.key for face in backs}) > 1
            if own:
                behind = sheet_of(f"backs:{number}", [face.scene for face in backs], grid, size)
                back = pictures.keep(f"{kind}-cards-{number}-backs", behind, grid.size_px)
            else:
                back = pictures.face(backs[0]).address
            sheets[number] = CardSheet(
                front=file, back=back, columns=grid.columns, rows=grid.rows, own_backs=own
            )
            for place, sides in enumerate(here):
                piece = sides[0].piece
                card = Card(name=choice.name(piece), sheet=number, place=place, count=piece.count)
                # Certificates of a company lie together, and so do all other cards.
                own = len(piece.origin) > 2 and piece.origin[1] in choice.title.company_by_id
                decks.setdefault(piece.origin[1] if own else "", []).append(card)
        for pile, deck_cards in decks.items():
            company = choice.title.company_by_id.get(pile)
            name = choice.style.words(KINDS[kind].name if company is None else company.name)
            area, row = (
                (_CARDS, kind) if company is None or not company.has_charter else (_COMPANIES, pile)
            )
            items.append(replace(deck(name, deck_cards, sheets, size), area=area, row=row))
    return items
