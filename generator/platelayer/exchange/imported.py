"""Imported titles as files of a folder."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from platelayer.definitions.assemble import escaped, patch_between, says_all
from platelayer.definitions.build import catalogue_definitions
from platelayer.definitions.pictures import MAX_BYTES, read_svg, write_svg
from platelayer.definitions.svg_tree import SvgError, Work
from platelayer.exchange.losses import (
    Comments,
    Losses,
    in_words,
    mark,
    one_line,
    report_lines,
    safe_id,
    unused,
)
from platelayer.foundation.door import NotRead, distinct, is_there, read_bytes
from platelayer.foundation.languages import wordings
from platelayer.foundation.values import Json
from platelayer.model.gamemap import CoordinateScheme, beside

# Names of pictures stored beside another program's game.
_NAME = re.compile(r"(?!.*\.\.)[^/\\\0][^\\\0]{0,119}")
_MOST = 200


class Pictures(Struct, kw_only=True):
    """SVG files by name, in a folder for each kind (logos, icons). `files` are those that were
    found and can be drawn, by their ids in the title. In those listed in `set_anew`, text was
    converted to outlines of our own typefaces. `names` are the names in legends."""

    folders: dict[str, Path] = {}
    files: dict[str, bytes] = {}
    ids: dict[tuple[str, str], str | None] = {}
    work: Work = field(default_factory=Work)
    set_anew: list[str] = []
    names: dict[str, str] = {}

    def find(self, kind: str, name: str) -> str | None:
        """Return the id of a picture from its name, such as "1846/B&O"; None if there is no picture
        that can be drawn."""
        if (kind, name) not in self.ids:
            self.ids[kind, name] = self._read(kind, name)
        return self.ids[kind, name]

    def _read(self, kind: str, name: str) -> str | None:
        folder = self.folders.get(kind)
        if folder is None or not _NAME.fullmatch(name) or len(self.files) >= _MOST:
            return None
        path = folder / f"{name.removesuffix('.svg')}.svg"
        if not is_there(path):
            return None
        picture_id = unused(safe_id(name.rsplit("/", 1)[-1]), self.files)
        try:
            data = read_bytes(path, MAX_BYTES, within=folder)
            self.files[picture_id] = self._flat(data, picture_id)
        except (NotRead, SvgError):
            return None
        return picture_id

    def _flat(self, data: bytes, picture_id: str) -> bytes:
        """Return a file unchanged if a title can show it, or with its text as outlines if nothing
        else needs to change. Raises SvgError."""
        try:
            read_svg(data, picture_id, self.work)
        except SvgError:
            picture = read_svg(data, picture_id, self.work, set_text=True)
            self.set_anew.append(picture_id)
            return write_svg(picture)
        return data

    def name_icons(self, companies: Mapping[str, str]) -> None:
        """Name icons for legends: after the company whose mark they are, with or without a number,
        otherwise with the words of their file name. `companies` are names by mark (see
        losses.mark)."""
        for (kind, path), picture_id in self.ids.items():
            if kind == "icons" and picture_id is not None:
                word = mark(path.rsplit("/", 1)[-1].removesuffix(".svg"))
                name = (
                    companies.get(word)
                    or companies.get(word.rstrip("0123456789"))
                    or in_words(path)
                )
                if name:
                    self.names[picture_id] = name[:60]

    @property
    def paths(self) -> dict[str, str]:
        """Paths in the title's folder, by id."""
        taken: set[str] = set()
        return {name: f"pictures/{distinct(name, taken)}.svg" for name in self.files}

    def block(self) -> dict[str, str | dict[str, str]]:
        """Return the block `pictures` of a title."""
        return {
            picture_id: {"file": path, "name": self.names[picture_id]}
            if picture_id in self.names
            else path
            for picture_id, path in self.paths.items()
        }


REPORT = "import-report.md"
_HEAD = ("$schema", "$comment", "format", "id", "name", "subtitle", "wording", "credits", "currency", "bank", "players",
         "colours", "maps", "tiles", "companies", "privates", "trains", "phases", "market", "pieces", "upgrades",
         "pictures", "variants", "provenance", "waivers")  # fmt: skip
_SCHEMAS = {"tiles": "title-tiles"}
_FOLDER = "./.platelayer/schemas"
_WIDTH = 120
# Keys whose entries each get a line of their own, however short they are.
_OPEN = ("hexes",)
# Function that asks a game's own rules whether a tile on a hex may be replaced by another,
# regardless of the track that must be kept; or whether the ability of a company permits it.
Allows = Callable[[Sequence[tuple[Json, Json, Json]], Json | None], list[bool]]
COLOURS = ("yellow", "green", "brown", "gray")
# Colours of tiles including purple, which counts as one if a phase introduces it.
_BY_AGE = ("yellow", "green", "brown", "purple", "gray")


class Imported(Struct, kw_only=True):
    """Title from another program. `head` is the title itself; `maps` and `blocks` go into files of
    their own. `decides` are places in the source that decide upgrades in code, `laying` gives
    for tile numbers the owner of the ability that lays the tile, `places` the hexes that the
    source names for it; `lays` pairs companies whose abilities lay tiles on any hex with these
    tiles. `accepted` are findings that were waived, `allows` asks the source's own rules of
    upgrading. If `exact`, the title was already a definition in another form: nothing is derived
    from it, and its texts may refer to facts. `beside` are further files of the folder."""

    head: Json
    maps: dict[str, Json] = {}
    blocks: Json
    losses: Losses
    decides: tuple[str, ...] = ()
    laying: dict[str, str] = {}
    places: dict[str, set[str]] = {}
    lays: list[tuple[Json, list[str]]] = []
    accepted: list[str] = []
    pictures: Pictures = field(default_factory=Pictures)
    allows: Allows | None = None
    exact: bool = False
    beside: dict[str, bytes] = {}

    def add_variant(self, name: str, other: Imported, note: str) -> None:
        """Add another title with a map of its own as a variant of this one: its differences become
        a patch, and its losses are added to those of this title. Both titles must be complete
        but not yet settled."""
        before, after = _varied(self), _varied(other)
        patch = patch_between(before, after)
        if "maps" not in patch:  # the maps differ only in form
            return
        for key in [key for key, value in patch.items() if not says_all(value)]:
            del patch[key]
            self.losses.lose("block of a variant that no patch can say", f"{name}: {key}")
        if "maps" not in patch:
            return
        for key in _IN_ORDER:
            changed = patch.get(key) or {}
            keys = {**(before.get(key) or {}), **changed}
            patched = [entry for entry in keys if changed.get(entry, keys[entry]) is not None]
            if patched != [*(after.get(key) or ())]:
                self.losses.lose("order of a block of a variant", f"{name}: {key}")
        variants = self.head.setdefault("variants", {})
        variants[unused(safe_id(name).lower(), variants)] = {
            "name": name,
            "note": note,
            "patch": patch,
        }
        for feature, places in other.losses.lost.items():
            for place, count in places.items():
                if place not in self.losses.lost.get(feature, {}):
                    self.losses.lost.setdefault(feature, {})[f"{place} ({name})"] = count

    def files(self, source: str) -> dict[str, bytes]:
        """Return files by name: title.json, a file for each block and map, pictures, and the
        report."""
        written = escaped if not self.exact else lambda part: part
        head = dict(written(self.head))
        files = {}
        taken: set[str] = set()
        names = ["map", *(distinct(f"map-{map_id}", taken) for map_id in [*self.maps][1:])]
        for name, (map_id, board) in zip(names, self.maps.items(), strict=False):
            head.setdefault("maps", {})[map_id] = f"{name}.json"
            files[f"{name}.json"] = _block("map", "map", written(board), 2)
        for name, block in self.blocks.items():
            if block:
                head[name] = f"{name}.json"
                files[f"{name}.json"] = _block(name, _SCHEMAS.get(name, name), written(block), 2)
        if self.pictures.files:
            head["pictures"] = self.pictures.block()
            paths = self.pictures.paths.values()
            files |= zip(paths, self.pictures.files.values(), strict=True)
        head["$schema"] = f"{_FOLDER}/title.schema.json"
        ordered = {key: head[key] for key in (*_HEAD, *head) if key in head}
        report = report_lines(
            self.losses, name=str(self.head["name"]), source=source, accepted=self.accepted
        )
        return {
            "title.json": _tidy_json(ordered),
            **files,
            **self.beside,
            REPORT: report.encode("utf-8", "replace"),
        }


# Keys of a title that another map of its game may change.
_VARIED = ("bank", "players", "colours", "maps", "tiles", "companies", "privates", "trains", "phases", "market",
           "pieces")  # fmt: skip
# Blocks whose order matters.
_IN_ORDER = ("trains", "phases")


def _varied(title: Imported) -> Json:
    """Return all parts of a title that a variant may change, with its maps and blocks included."""
    whole = {**title.head, "maps": title.maps, **title.blocks}
    return {key: whole[key] for key in _VARIED if key in whole}


def _tidy_json(value: Any, *, open_levels: int = 1) -> bytes:
    """Return a value as JSON with a final line break. Entries of the outer `open_levels` and of
    hexes are on lines of their own. Characters that UTF-8 cannot encode (in file names of other
    encodings) become "?"."""
    return (_lines(value, 0, open_levels, 0) + "\n").encode("utf-8", "replace")


def _lines(value: Any, indent: int, open_levels: int, used: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    fits = indent + used + len(flat) <= _WIDTH
    if not isinstance(value, (dict, list)) or not value or (open_levels <= 0 and fits):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = []
        for key, entry in value.items():
            label = f"{json.dumps(key, ensure_ascii=False)}: "
            levels = max(open_levels - 1, key in _OPEN)
            parts.append(label + _lines(entry, indent + 2, levels, len(label) + 1))
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    parts = [_lines(entry, indent + 2, open_levels - 1, 1) for entry in value]
    return "[\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "]"


def _block(key: str, schema: str, block: Json, open_levels: int) -> bytes:
    return _tidy_json(
        {"$schema": f"{_FOLDER}/{schema}.schema.json", key: block}, open_levels=open_levels
    )


def complete(title: Imported) -> Imported:
    """Add to a title what can be derived from its blocks: the order of colours, pieces, and the
    counts of the report. Return the title."""
    head, maps, blocks, losses = title.head, title.maps, title.blocks, title.losses
    for where, part in (("title", head), *maps.items(), *blocks.items()):
        _without_pictures(part, where, losses)
    used = set()
    for number, entry in (blocks.get("tiles") or {}).items():
        own = entry.get("tile") if isinstance(entry, dict) else None
        used.add(str((own or catalogue_definitions()[number])["colour"]))
    begun: dict[str, int] = {}
    for place, phase in enumerate((blocks.get("phases") or {}).values()):
        for colour in phase["tiles"]:
            begun.setdefault(colour, place)
    order = [
        colour for colour in _BY_AGE if colour in begun or (colour in used and colour in COLOURS)
    ]
    if all(colour in begun for colour in order):
        order.sort(key=lambda colour: begun[colour])
    if order and order != list(COLOURS):
        head["colours"] = order
    people = [int(count) for count in head.get("players", {})]
    pieces = dict(blocks.get("pieces") or {})
    if people:
        pieces["priority_cards"] = 1
    if pieces:
        blocks["pieces"] = pieces
    if title.pictures.set_anew:
        names = ", ".join(title.pictures.set_anew)
        losses.assume(
            f"Words in pictures are drawn as outlines of our own faces, not in those that they name: {names}."
        )
    losses.read |= {
        "hexes": sum(len(board["hexes"]) for board in maps.values()),
        "tiles": len(blocks.get("tiles") or {}),
        "companies with shares or charters": len(blocks.get("companies") or {}),
        "private companies": len(blocks.get("privates") or {}),
        "pictures": len(title.pictures.files),
        "trains": len(blocks.get("trains") or {}),
        "phases": len(blocks.get("phases") or {}),
        "spaces of the market": sum(
            1
            for row in (blocks.get("market") or {}).get("rows", ())
            for cell in row
            if cell is not None
        ),
    }
    return title


def wording(texts: str, *, usual: str) -> list[str]:
    """Return the wording of a title by the word that its texts use most for the holder of the
    largest share: director, president or chairman; `usual` if they use none."""
    counts = Counter(
        word.lower() for word in re.findall(r"(?i)\b(director|president|chairman)", texts)
    )
    word = max((usual, "director", "president", "chairman"), key=lambda spoken: counts[spoken])
    return [word] if word in wordings() else []


def _without_pictures(value: Any, where: str, losses: Losses) -> None:
    """Remove pictographs from texts, because no typeface has all of them."""
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, entry in list(entries):
        if key == "$comment":
            continue
        if not isinstance(entry, str):
            _without_pictures(entry, where, losses)
        elif any(map(_is_picture, entry)):
            losses.lose("picture among words", where)
            value[key] = (
                " ".join("".join(char for char in entry if not _is_picture(char)).split()) or "?"
            )


def _is_picture(char: str) -> bool:
    return (unicodedata.category(char) == "So" and char not in "°©®") or char in "\ufe0e\ufe0f"


def reference(subject: str, note: str) -> Json:
    """Return a provenance entry for the source of a block."""
    return {"subject": subject, "source": "reference", "note": note}


# Maximum number of older trains that the format lets trade in for one.
_MOST_TRADES = 20


def trade_ins(discounts: Any, ids: Mapping[str, str], price: int, comments: Comments) -> list[Json]:
    """Return the prices of a train in exchange for older trains with a discount. `ids` gives the
    ids of trains by name."""
    trades: list[Json] = []
    for train, off in discounts.items() if isinstance(discounts, dict) else ():
        fits = str(train) in ids and isinstance(off, int) and off <= price
        if fits and len(trades) < _MOST_TRADES:
            trade = {"train": ids[str(train)], "price": price - off}
            trades += [trade] if trade not in trades else []
        else:
            comments.lose("discount of a train", one_line(f"{train} {off}"))
    return trades


def token_text(label: str, company_id: str) -> Json:
    """Return the letters of a company's tokens as a field, empty if they equal its id or cannot be
    used."""
    return {"token_text": label} if label != company_id and 0 < len(label) <= 12 else {}


def market_rows(rows: list[list[Any]], comments: Comments) -> list[list[Any]]:
    """Return the rows of a market without empty spaces and rows at their ends, limited to the
    number that the format accepts."""
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    return [
        comments.fit("spaces in a row of the market", row or [None], 120)
        for row in comments.fit("rows of the market", rows, 40)
    ]


def by_rows(hexes: Json, letters_on: str) -> Json:
    """Return hexes sorted by row."""
    scheme = CoordinateScheme(letters_on=letters_on)

    def place(printed: str) -> tuple[int, int]:
        at = scheme.parse(printed)
        return (0, 0) if at is None else (at.y, at.x)

    return {printed: hexes[printed] for printed in sorted(hexes, key=place)}


def off_the_grid(
    printed: Iterable[str], letters_on: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return hexes that are not on the grid of the majority, in two groups: hexes half a step off
    the grid that overlap no other hex, and hexes that cannot be on the map, because their
    coordinates are invalid, are written differently from the way the board prints them, or lie
    between those of other hexes."""
    scheme = CoordinateScheme(letters_on=letters_on)
    places = {name: scheme.parse(name) for name in printed}
    taken = {at for at in places.values() if at is not None}
    parities = Counter((at.x + at.y) % 2 for at in places.values() if at is not None)
    usual = 1 if parities[1] > parities[0] else 0
    apart: list[str] = []
    between = []
    for name, at in places.items():
        if at is None or scheme.name(at) != name:
            between.append(name)
        elif (at.x + at.y) % 2 != usual:
            (apart if taken.isdisjoint(beside(at)) else between).append(name)
    return tuple(apart), tuple(between)
