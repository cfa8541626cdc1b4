"""Models of tiles, maps and markets from checked JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from platelayer.definitions.build_landscape import build_regions, build_rivers, build_seas
from platelayer.foundation.text import Text
from platelayer.model.gamemap import Border, CardPlaces, GameMap, Half, MapHex
from platelayer.model.hexes import Coord, CoordinateScheme, Layout
from platelayer.model.market import Cell, Market, MarketShape, Zone
from platelayer.model.tile import (
    CENTRE,
    JUNCTION,
    End,
    Gauge,
    Icon,
    Label,
    Lane,
    Partition,
    Position,
    RevenueStep,
    Segment,
    Stop,
    StopKind,
    Terminal,
    Terrain,
    Tile,
    edge_end,
    stop_end,
)

Json = Mapping[str, Any]

_CELL = re.compile(r"([0-9]+)([A-Za-z]*)")
_WITH_SLOTS = ("city", "pass")
_TERMINALS = {False: None, True: Terminal.LONG, "short": Terminal.SHORT}


def build_text(raw: Any) -> Text:
    """A string, or an object from language to words."""
    return Text.plain(raw) if isinstance(raw, str) else Text(tuple(raw.items()))


def build_text_or_none(raw: Any) -> Text | None:
    """A text, or None where there is none."""
    return None if raw is None else build_text(raw)


def build_texts(raw: Any) -> tuple[Text, ...]:
    """A list of texts; None is an empty list."""
    return tuple(map(build_text, raw or ()))


def build_tile(tile_id: str, raw: Json, *, colour: str = "white") -> Tile:
    """A tile from its definition; `colour` is its colour if the definition gives none."""
    return Tile(
        id=tile_id,
        colour=raw.get("colour", colour),
        stops=tuple(map(_stop, raw.get("stops", ()))),
        track=tuple(map(_segment, raw.get("track", ()))),
        labels=tuple(map(_label, raw.get("labels", ()))),
        icons=tuple(map(_icon, raw.get("icons", ()))),
        terrain=tuple(Terrain(kinds=tuple(t.get("kinds", ())), cost=t.get("cost", 0)) for t in raw.get("terrain", ())),
        partitions=tuple(
            Partition(a=_position(p["a"]), b=_position(p["b"]), kind=p["kind"], colour=p.get("colour"))
            for p in raw.get("partitions", ())
        ),
        ground=raw.get("ground"),
        frame=raw.get("frame"),
        second_frame=raw.get("second_frame"),
        stripes=raw.get("stripes"),
        slot_mm=raw.get("slot_mm", 0.0),
        name=build_text_or_none(raw.get("name")),
    )


def _position(raw: Any) -> Position:
    if raw == "centre":
        return CENTRE
    if isinstance(raw, Mapping):
        return Position(edge=raw["edge"], distance=raw.get("distance"))
    return Position(edge=raw)


def _position_or_none(raw: Any) -> Position | None:
    return None if raw is None else _position(raw)


def build_revenue(raw: int | Json | None) -> tuple[RevenueStep, ...]:
    """One fixed value, or values by colour or phase; nothing for None."""
    if isinstance(raw, int):
        return (RevenueStep(raw, None),)
    return tuple(RevenueStep(value, since) for since, value in (raw or {}).items())


def _stop(raw: Json) -> Stop:
    return Stop(
        kind=StopKind(raw["kind"]),
        revenue=build_revenue(raw.get("revenue")),
        slots=raw.get("slots", 1 if raw["kind"] in _WITH_SLOTS else 0),
        at=_position_or_none(raw.get("at")),
        groups=tuple(raw.get("groups", ())),
        optional=raw.get("optional", raw["kind"] == "halt"),
        hidden=raw.get("hidden", False),
        size=raw.get("size"),
        boom=raw.get("boom", False),
        symbol=raw.get("symbol", ""),
        name=build_text_or_none(raw.get("name")),
    )


def _end(raw: int | str) -> End:
    if isinstance(raw, int):
        return edge_end(raw)
    return JUNCTION if raw == "junction" else stop_end(int(raw.removeprefix("stop:")))


def _segment(raw: Any) -> Segment:
    a, b, more = (*raw, {})[:3]
    lanes = more.get("lanes")
    return Segment(
        a=_end(a),
        b=_end(b),
        gauge=Gauge(more.get("gauge", "standard")),
        terminal=_TERMINALS[more.get("terminal", False)],
        lanes=(Lane(*lanes[0]), Lane(*lanes[1])) if lanes else None,
    )


def _label(raw: Any) -> Label:
    return Label(text=raw) if isinstance(raw, str) else Label(text=raw["text"], since=raw.get("since"))


def _icon(raw: Any) -> Icon:
    if isinstance(raw, str):
        return Icon(name=raw)
    return Icon(name=raw["name"], at=_position_or_none(raw.get("at")), text=raw.get("text", ""))


def build_scheme(raw: Json) -> CoordinateScheme:
    """How a map prints its coordinates."""
    return CoordinateScheme(
        letters_on=raw["letters_on"], first_letter=raw.get("first_letter", "A"), first_number=raw.get("first_number", 1)
    )


def build_map(map_id: str, raw: Json) -> GameMap:
    """A map, with its hexes ordered from the top and from the left in each row, whatever their order in the file."""
    scheme = build_scheme(raw["coordinates"])
    hexes = (_map_hex(scheme, printed, each) for printed, each in raw["hexes"].items())
    return GameMap(
        id=map_id,
        name=build_text(raw["name"]),
        layout=Layout(raw["layout"]),
        scheme=scheme,
        hexes=tuple(sorted(hexes, key=lambda each: (each.at.y, each.at.x))),
        legend=build_texts(raw.get("legend")),
        zone_names=tuple((zone, build_text(name)) for zone, name in raw.get("zones", {}).items()),
        places=tuple(
            CardPlaces(
                id=each_id,
                name=build_text(each["name"]),
                spaces=build_texts(each["spaces"]),
                note=build_text_or_none(each.get("note")),
            )
            for each_id, each in raw.get("places", {}).items()
        ),
        rivers=tuple(build_rivers(scheme, raw)),
        regions=tuple(build_regions(raw)),
        seas=tuple(build_seas(scheme, raw)),
        boards=tuple(raw.get("boards", ())),
        inside=raw["coordinates"].get("inside", False),
    )


def _map_hex(scheme: CoordinateScheme, printed: str, raw: Json) -> MapHex:
    at = scheme.parse(printed)
    return MapHex(
        at=at if at is not None else Coord(0, 0),
        tile=build_tile(printed, raw),
        borders=tuple(
            Border(
                edge=border["edge"],
                kind=border["kind"],
                cost=border.get("cost", 0),
                since=border.get("since"),
                until=border.get("until"),
                colour=border.get("colour"),
                name=build_text_or_none(border.get("name")),
            )
            for border in raw.get("borders", ())
        ),
        stubs=tuple(raw.get("stubs", ())),
        reserved=tuple(raw.get("reserved", ())),
        zone=raw.get("zone"),
        half=Half(raw["half"]) if "half" in raw else None,
        apart=raw.get("apart", False),
    )


def cell_zones(raw: Any) -> tuple[str, ...]:
    """Zone letters of a space of the market, as written in the file."""
    if raw is None:
        return ()
    if isinstance(raw, Mapping):
        return tuple(raw.get("zones", ()))
    match = _CELL.fullmatch(raw)
    return tuple(match[2]) if match else ()


def build_market(raw: Json) -> Market:
    """The stock market."""
    return Market(
        shape=MarketShape(raw["shape"]),
        rows=tuple(tuple(map(_cell, row)) for row in raw["rows"]),
        zones=tuple(
            Zone(
                id=letter,
                name=build_text(zone["name"]),
                colour=zone["colour"],
                par=zone.get("par", False),
                who=zone.get("who"),
            )
            for letter, zone in raw.get("zones", {}).items()
        ),
        movement=build_texts(raw.get("movement")),
        column_letters=raw.get("column_letters", False),
        ends=tuple(raw.get("ends", {}).items()),
    )


def _cell(raw: Any) -> Cell | None:
    if raw is None:
        return None
    if isinstance(raw, Mapping):
        return Cell(
            price=raw["price"],
            zones=cell_zones(raw),
            ledge=tuple(raw.get("ledge", ())),
            text=raw.get("text", ""),
            arrows=(raw["arrow"],) if isinstance(raw.get("arrow"), str) else tuple(raw.get("arrow", ())),
        )
    digits = re.match(r"[0-9]+", raw)
    return Cell(price=int(digits[0]) if digits else 0, zones=cell_zones(raw))
