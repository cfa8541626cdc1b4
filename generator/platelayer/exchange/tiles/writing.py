"""Tile strings of 18xx.games from tiles and map hexes.

What the language has no word for is counted as lost. The tables are those by which tile strings are
read, turned round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from platelayer.exchange.losses import Comments
from platelayer.exchange.tiles.definitions import BORDERS, GAUGES, ICONS, PARTITIONS, TERRAIN
from platelayer.exchange.tiles.strings import FIELDS, Part, write_tile
from platelayer.model.gamemap import Border, MapHex
from platelayer.model.tile import (
    End,
    EndKind,
    Icon,
    Label,
    Partition,
    Position,
    RevenueStep,
    Segment,
    Stop,
    StopKind,
    Terminal,
    Terrain,
    Tile,
)

_TERMINALS = {Terminal.LONG: "1", Terminal.SHORT: "2"}
_TERRAIN = {ours: theirs for theirs, ours in TERRAIN.items()} | {
    "marsh": "swamp",
    "mountain": "mountain",
}
_BORDERS = {ours: theirs for theirs, ours in BORDERS.items()}
_PARTITIONS = {ours: theirs for theirs, ours in PARTITIONS.items()}
_GAUGES = {ours: theirs for theirs, ours in GAUGES.items()}
_ICONS = {ours: theirs for theirs, ours in reversed(ICONS.items())}
_UNSEEN = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]
_SEPARATORS = dict.fromkeys([*map(ord, ",;|:=_"), *_UNSEEN], " ")
_BETWEEN_PARTS = dict.fromkeys([ord(";"), *_UNSEEN], " ")


def tile_string(tile: Tile, comments: Comments, keys: Mapping[str, str] | None = None) -> str:
    """The string of a tile. Its colour, number and name are no part of it. `keys` are other names
    for those of revenues."""
    return write_tile(_parts(tile, comments, keys or {}))


def hex_string(hexagon: MapHex, comments: Comments, keys: Mapping[str, str] | None = None) -> str:
    """The string of a map hex, with its borders and stubs."""
    borders = (_border(border, comments) for border in hexagon.borders)
    stubs = (Part(kind="stub", fields={"edge": str(edge)}) for edge in hexagon.stubs)
    if hexagon.half is not None:
        comments.lose("half of a hex", hexagon.half.value)
    if hexagon.zone:
        comments.lose("zone of a hex", hexagon.zone)
    return write_tile([*_parts(hexagon.tile, comments, keys or {}), *borders, *stubs])


def _parts(tile: Tile, comments: Comments, keys: Mapping[str, str]) -> Iterator[Part]:
    for stop in tile.stops:
        yield _stop(stop, comments, keys)
    if any(end.kind is EndKind.JUNCTION for segment in tile.track for end in segment.ends):
        yield Part(kind="junction", fields={})
    for segment in tile.track:
        yield _path(segment, len(tile.stops))
    for label in tile.labels:
        yield from _label(label, comments)
    for terrain in tile.terrain:
        yield _upgrade(terrain, comments)
    for icon in tile.icons:
        yield _icon(icon, comments)
    yield from _lines(tile.partitions, comments)
    if tile.frame is not None:
        if tile.frame.startswith("#"):
            fields = {"color": tile.frame}
            if tile.second_frame is not None and tile.second_frame.startswith("#"):
                fields["color2"] = tile.second_frame
            yield Part(kind="frame", fields=fields)
        else:
            comments.lose("frame in an ink of the theme", tile.frame)
    if tile.ground is not None:
        comments.lose("ground of another colour", tile.ground)
    if tile.stripes is not None:
        yield Part(kind="stripes", fields={"color": tile.stripes})


def _stop(stop: Stop, comments: Comments, keys: Mapping[str, str]) -> Part:
    fields = {"revenue": _revenue(stop.revenue, keys)}
    if stop.kind in (StopKind.CITY, StopKind.PASS) and stop.slots != 1:
        fields["slots"] = str(stop.slots)
    groups = "|".join(filter(None, (_words(group, comments) for group in stop.groups)))
    if groups:
        fields["groups"] = groups
    if stop.optional:
        fields["route"] = "optional"
    if stop.hidden:
        fields |= {"style": "hidden"} if stop.kind is StopKind.TOWN else {"hide": "1"}
    if stop.boom and "boom" in FIELDS[stop.kind.value]:
        fields["boom"] = "1"
    if stop.kind is StopKind.HALT and (symbol := _words(stop.symbol, comments)):
        fields["symbol"] = symbol
    if stop.kind is StopKind.PASS and stop.size is not None:
        fields["size"] = str(stop.size)
    if stop.at is not None:
        fields["loc"] = _place(stop.at, comments)
    if stop.name is not None:
        comments.lose("name of a single stop", stop.name.get("en"))
    return Part(kind=stop.kind.value, fields=fields)


def _revenue(steps: Sequence[RevenueStep], keys: Mapping[str, str]) -> str:
    if all(step.since is None for step in steps):
        return str(steps[0].value if steps else 0)
    named = ((keys.get(step.since or "", step.since or "yellow"), step.value) for step in steps)
    return "|".join(f"{key}_{value}" for key, value in named)


def _place(at: Position, comments: Comments) -> str:
    if at.distance == 0:
        return "center"
    if at.distance is not None:
        comments.lose("distance of a stop from the centre", f"{at.distance:g}")
    return f"{at.edge % 6:g}"


def _path(segment: Segment, stops: int) -> Part:
    fields = {"a": _end(segment.a, stops), "b": _end(segment.b, stops)}
    gauge = _GAUGES[None if segment.gauge.value == "standard" else segment.gauge.value]
    if gauge != "broad":
        fields["track"] = str(gauge)
    if segment.terminal is not None:
        fields["terminal"] = _TERMINALS[segment.terminal]
    if segment.lanes is not None:
        for name, lane in zip(("a_lane", "b_lane"), segment.lanes, strict=True):
            fields[name] = f"{lane.width}.{lane.index}"
    return Part(kind="path", fields=fields)


def _end(end: End, stops: int) -> str:
    """An edge, or the number of a stop or junction; the junction comes after all stops."""
    return {
        EndKind.EDGE: f"{end.index}",
        EndKind.STOP: f"_{end.index}",
        EndKind.JUNCTION: f"_{stops}",
    }[end.kind]


def _words(text: str, comments: Comments, separators: Mapping[int, str] = _SEPARATORS) -> str:
    """Words as a value of the language, which has no way to quote: without what separates its parts
    and fields."""
    words = " ".join(text.translate(separators).split())
    if words != text:
        comments.lose("sign that separates parts of a tile string", text)
    return words


def _label(label: Label, comments: Comments) -> Iterator[Part]:
    if label.since is None:
        text = _words(label.text, comments, _BETWEEN_PARTS)
        yield from [Part(kind="label", fields={}, text=text)] if text else []
    else:
        text = _words(label.text, comments)
        yield from (
            [Part(kind="future_label", fields={"label": text, "color": label.since})]
            if text
            else []
        )


def _upgrade(terrain: Terrain, comments: Comments) -> Part:
    known = [_TERRAIN[kind] for kind in terrain.kinds if kind in _TERRAIN]
    for kind in terrain.kinds:
        if kind not in _TERRAIN:
            comments.lose("terrain", kind)
    fields = {"cost": str(terrain.cost)}
    return Part(kind="upgrade", fields=fields | ({"terrain": "|".join(known)} if known else {}))


def _icon(icon: Icon, comments: Comments) -> Part:
    if icon.text:
        comments.lose("words of an icon", icon.text)
    return Part(kind="icon", fields={"image": _ICONS.get(icon.name, icon.name)})


def _lines(partitions: Sequence[Partition], comments: Comments) -> Iterator[Part]:
    for partition in partitions:
        ends = [(position.edge + 0.5) % 6 for position in (partition.a, partition.b)]
        kind = _PARTITIONS.get(partition.kind)
        if (
            kind is None
            or any(not end.is_integer() for end in ends)
            or partition.a.distance
            or partition.b.distance
        ):
            comments.lose("line across a hex", partition.kind)
        else:
            yield Part(
                kind="partition", fields={"a": f"{ends[0]:g}", "b": f"{ends[1]:g}", "type": kind}
            )


def _border(border: Border, comments: Comments) -> Part:
    fields = {"edge": str(border.edge)}
    if border.kind not in _BORDERS:
        comments.lose("kind of border", border.kind)
    kind = _BORDERS.get(border.kind, "province")
    if kind is not None:
        fields["type"] = kind
    if border.cost:
        fields["cost"] = str(border.cost)
    if border.colour is not None and border.colour.startswith("#"):
        fields["color"] = border.colour
    if border.since is not None or border.until is not None:
        comments.lose("phases of a border", f"{border.since or ''} to {border.until or ''}")
    return Part(kind="border", fields=fields)
