"""Saves of Tabletop Simulator.

Sources: kb.tabletopsimulator.com, "Save File Format", "Asset Creation" and "Custom Token"; api.tabletopsimulator.com,
"Custom Game Objects" (shapes of cards and tiles by number); the type declaration @typed-tabletop-simulator/declaration
2.2.1, which the tests hold a save against.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

Json = dict[str, Any]

MOST_CARDS = (10, 7)
"""Columns and rows of a sheet of cards."""
MOST_PX = 4096
"""A side of an image ("Asset Creation": keep images under 4096 x 4096)."""

_MM_PER_UNIT = 25.4
"""A unit of the table is about an inch ("Custom Token", on thickness)."""
_CARD_MM = 88.9
"""Height of a card at scale 1: that of a poker card, which the program takes all sheets for."""
_TILE_MM = 2 * _MM_PER_UNIT
"""Height of a tile or token at scale 1."""
_THICK = 0.1
_BOX, _CIRCLE = 0, 2
_SQUARE_CORNERS = 1
_TABLE_UNITS, _GAP_UNITS, _HEIGHT_UNITS = 84.0, 0.8, 1.2

Url = Callable[[str], str]
"""The address of an image from the name of its file."""


class Image(Struct, frozen=True, kw_only=True):
    """A picture of a face: its file, and its width and height on the table in mm."""

    file: str
    size_mm: tuple[float, float]


class CardSheet(Struct, frozen=True, kw_only=True):
    """A picture of many cards: files of its fronts and of their backs, which are a sheet too if `own_backs`."""

    front: str
    back: str
    columns: int
    rows: int
    own_backs: bool = False


class Card(Struct, frozen=True, kw_only=True):
    """A card: its name, its sheet (from 1) and its place on it (from 0), and how many copies there are."""

    name: str
    sheet: int
    place: int
    count: int = 1


class Item(Struct, frozen=True, kw_only=True):
    """An object of the table without its place: its data, and its width and height in mm."""

    data: Json
    size_mm: tuple[float, float]


def deck(
    name: str, cards: Sequence[Card], sheets: Mapping[int, CardSheet], size_mm: tuple[float, float], url: Url
) -> Item:
    """A deck of cards, the first on top; one card is no deck."""
    scale = size_mm[1] / _CARD_MM
    each = [_card(card, sheets, scale, url) for card in cards for _ in range(card.count)]
    if len(each) == 1:
        return Item(data=each[0], size_mm=size_mm)
    used = {card.sheet for card in cards}
    data = _object("DeckCustom", name, scale) | {
        "SidewaysCard": False,
        "DeckIDs": [card["CardID"] for card in each],
        "CustomDeck": {str(number): _sheet(sheets[number], url) for number in sorted(used)},
        "ContainedObjects": each,
    }
    return Item(data=data, size_mm=size_mm)


def _card(card: Card, sheets: Mapping[int, CardSheet], scale: float, url: Url) -> Json:
    return _object("CardCustom", card.name, scale) | {
        "SidewaysCard": False,
        "CardID": 100 * card.sheet + card.place,
        "CustomDeck": {str(card.sheet): _sheet(sheets[card.sheet], url)},
    }


def _sheet(sheet: CardSheet, url: Url) -> Json:
    return {
        "FaceURL": url(sheet.front),
        "BackURL": url(sheet.back),
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        "BackIsHidden": True,
        "UniqueBack": sheet.own_backs,
        "Type": _SQUARE_CORNERS,
    }


def disc(name: str, front: Image, back: str | None, count: int, url: Url) -> Item:
    """A round token with both its faces; several are in a bag."""
    return _several(_tile(name, front, back, _CIRCLE, url), name, front, count)


def board(name: str, front: Image, back: str | None, count: int, url: Url, *, locked: bool) -> Item:
    """A rectangle that is no card: a board, which stays where it lies, or a charter."""
    data = _tile(name, front, back, _BOX, url) | {"Locked": locked}
    return _several(data, name, front, count)


def cut_out(name: str, front: Image, count: int, url: Url) -> Item:
    """A piece of any shape, such as a hex: the program cuts it out where its picture is clear. Its back is its front,
    as it can have no other."""
    data = _object("Custom_Token", name, front.size_mm[1] / _TILE_MM) | {
        "CustomImage": {
            "ImageURL": url(front.file),
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomToken": {"Thickness": _THICK, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": True},
        }
    }
    if count > 1:
        data |= {"Name": "Custom_Token_Stack", "Number": count}
    return Item(data=data, size_mm=front.size_mm)


def _tile(name: str, front: Image, back: str | None, shape: int, url: Url) -> Json:
    return _object("Custom_Tile", name, front.size_mm[1] / _TILE_MM) | {
        "CustomImage": {
            "ImageURL": url(front.file),
            "ImageSecondaryURL": url(back or front.file),
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": shape, "Thickness": _THICK, "Stackable": False, "Stretch": True},
        }
    }


def _several(data: Json, name: str, front: Image, count: int) -> Item:
    """One object as it is, more of them in a bag."""
    if count > 1:
        data = _object("Bag", name, 1.0) | {"ContainedObjects": [dict(data) for _ in range(count)], "Bag": {"Order": 0}}
    return Item(data=data, size_mm=front.size_mm)


def bag(name: str, items: Sequence[Item]) -> Item:
    """A bag with things of several kinds, such as all tokens of a company."""
    inside = [
        each
        for item in items
        for each in (item.data["ContainedObjects"] if item.data["Name"] == "Bag" else [item.data])
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
    """A save with all objects laid out in rows, the first in the middle. It says no date, so that it is always the
    same."""
    used: set[str] = set()
    placed = [_named(each, used) for each in _laid_out(items)]
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


def _laid_out(items: Sequence[Item]) -> list[Json]:
    """Objects beside each other in rows, each row below the one before."""
    found: list[Json] = []
    x, z, deepest = 0.0, 0.0, 0.0
    for item in items:
        width, height = (side / _MM_PER_UNIT for side in item.size_mm)
        if x and x + width > _TABLE_UNITS:
            x, z, deepest = 0.0, z - deepest - _GAP_UNITS, 0.0
        place = {
            "posX": round(x + width / 2 - _TABLE_UNITS / 2, 3),
            "posZ": round(z - height / 2 + _TABLE_UNITS / 4, 3),
        }
        found.append(item.data | {"Transform": item.data["Transform"] | place})
        x, deepest = x + width + _GAP_UNITS, max(deepest, height)
    return found


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
    more = {"ContainedObjects": [_named(each, used) for each in inside]} if inside else {}
    return {"GUID": guid, **data, **more}
