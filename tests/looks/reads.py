"""What the drawers of each kind of piece read of titles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from typing import Any
from unittest.mock import patch

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company import cards, charter
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.gamemap import GameMap
from platelayer.model.kinds import (
    OWN,
    OWN_HEXES,
    OWN_ROUNDEL,
    OWN_SETTING,
    OWN_TABLES,
    OWN_TILE,
    OWN_TRAINS,
    SIZES,
    TABLES,
    Piece,
)
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Pieces, Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.rules.graph import upgrade_graph

FIELDS = frozenset(Title.__struct_fields__)
ROUNDELS = frozenset(
    f"{field}.{part}"
    for field in ("companies", "line_up")
    for part in ("block", "id", "kind", "roundel", "token_text")
)
"""What decides how roundels are divided."""
_WHOLE = {OWN_TILE: "tiles", OWN_TRAINS: "trains"}
IN_PARTS = ("companies", "line_up", "maps", "phases", "pieces", "trains")
"""Fields of a title of which single parts are watched."""


_read: set[str] = set()
"""What has been read of watched structs, by the names that `Kind.reads` has for it."""
_own_hexes: set[str] = set()
_setting_cards: list[Any] = []
"""Cards whose common setting is being found: all that it takes of companies is one read."""


class _Hexes(dict[str, Any]):
    """The hexes of a map, which tell whether others are looked up than those that a piece's own
    company names."""

    def get(self, key: str, default: Any = None) -> Any:
        """The hex with these coordinates."""
        _read.add(OWN_HEXES if key in _own_hexes else "maps.hexes")
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        if self.get(key) is None:
            raise KeyError(key)
        return self.get(key)

    def __contains__(self, key: object) -> bool:
        return self.get(str(key)) is not None

    def __iter__(self) -> Iterator[str]:
        _read.add("maps.hexes")
        return super().__iter__()

    def values(self) -> Any:
        """All hexes."""
        _read.add("maps.hexes")
        return super().values()

    def items(self) -> Any:
        """All hexes with their coordinates."""
        _read.add("maps.hexes")
        return super().items()


@cache
def _watched_class(plain: type[Struct], pattern: str) -> type[Struct]:
    """A class whose instances, and what is made of them by `replace`, tell which of their fields
    are read. They equal nothing but themselves, so that no cache keyed by them answers for them."""
    fields = frozenset(plain.__struct_fields__)

    def read(self: Any, name: str) -> Any:
        if plain is GameMap and name == "by_id":
            return _Hexes({each.id: each for each in object.__getattribute__(self, "hexes")})
        if plain is Pieces and name == "sizes_of":
            return partial(_sizes_of, self)
        if name in fields:
            of_companies = pattern == OWN or pattern.startswith("companies.")
            _read.add(OWN_SETTING if _setting_cards and of_companies else pattern.format(name))
        return object.__getattribute__(self, name)

    return type(plain)(plain.__name__, (plain,), {"__getattribute__": read}, frozen=True, eq=False)


def _sizes_of(pieces: Pieces, kind: str) -> Any:
    """The sizes that a title gives to a kind, which tell that they are looked up."""
    _read.add(SIZES + kind)
    return Pieces(sizes=object.__getattribute__(pieces, "sizes")).sizes_of(kind)


def _watched(plain: Any, pattern: str) -> Any:
    return _watched_class(type(plain), pattern)(
        **{name: getattr(plain, name) for name in plain.__struct_fields__}
    )


def watched(title: Title, piece: Piece) -> Any:
    """A title under watch, new to all that is kept with it."""

    _own_hexes.clear()

    def part(field: str, value: Any) -> Any:
        is_own = field == "companies" and (value.block, value.id) == piece.origin[:2]
        if is_own:
            _own_hexes.update(value.hexes)
        if field == "trains":
            faces = (_watched(face, "trains.faces.{}") for face in value.faces)
            value = replace(value, faces=tuple(faces))
        return _watched(value, OWN if is_own else f"{field}.{{}}")

    parts: dict[str, Any] = {}
    for field in IN_PARTS:
        value = getattr(title, field)
        parts[field] = (
            tuple(part(field, each) for each in value)
            if isinstance(value, tuple)
            else part(field, value)
        )
    return _watched(Title(**{name: parts.get(name, getattr(title, name)) for name in FIELDS}), "{}")


@contextmanager
def _settings_watched() -> Iterator[None]:
    def under_watch(set_cards: Callable[..., Any]) -> Callable[..., Any]:
        def watching(*args: Any, **options: Any) -> Any:
            _setting_cards.append(args)
            try:
                return set_cards(*args, **options)
            finally:
                _setting_cards.pop()

        return watching

    with ExitStack() as stack:
        for module in (charter, cards):
            watched = under_watch(module._common_setting)
            stack.enter_context(patch.object(module, "_common_setting", watched))
        yield


def reads_of(
    reference: str, variant: str | None = None, *, ends: bool = False
) -> dict[str, set[str]]:
    """By kind: what its fronts, pages and backs read. With `ends`, of the first and last piece of a
    kind alone."""
    loaded, _, style = read_to_print(reference, BuildOptions(variant=variant))
    title = loaded.title
    manifest, graph = build_manifest(title), upgrade_graph(title)
    pieces: dict[str, list[Piece]] = defaultdict(list)
    for piece in manifest.pieces:
        pieces[piece.kind].append(piece)
    found: dict[str, set[str]] = {}
    for kind, alike in pieces.items():
        found[kind] = set()
        for piece in [alike[0], alike[-1]] if ends else alike:
            _read.clear()
            under = watched(title, piece)
            with _settings_watched():
                draw_piece(
                    under, _watched(manifest, "manifest"), piece, style, _watched(graph, "graph")
                )
                draw_back(under, piece, style)
            # An aid without tables may read nothing of what they show.
            shown = (
                TABLES
                if any(piece.key == f"summary:{aid.id}" and aid.phases for aid in title.aids)
                else ()
            )
            of_tables = {name for name in _read if shown and is_covered(name, shown)}
            found[kind] |= _read - of_tables | ({OWN_TABLES} if of_tables else set())
    return found


def is_covered(name: str, reads: tuple[str, ...]) -> bool:
    """Whether what was read is declared: by its name, as a part of a whole field, or (of a field of
    which only parts are declared) as the number of them."""
    field = "companies" if name == OWN else name.partition(".")[0]
    if OWN_ROUNDEL in reads and name in (*ROUNDELS, "companies", "line_up"):
        return True
    if (OWN_TILE in reads and name == "tiles") or (
        OWN_TRAINS in reads and name.partition(".")[0] == "trains"
    ):
        return True
    parts = {
        each.partition(".")[0] if each != OWN_HEXES else "maps" for each in reads if "." in each
    }
    if name.partition(":")[0] in reads:
        return True
    if any(each.startswith(f"{name}.") for each in reads if name not in IN_PARTS):
        return True
    return name in reads or field in reads or (name in IN_PARTS and name in parts)


def is_needed(declared: str, read: set[str]) -> bool:
    """Whether something of what is declared was read."""
    if declared == OWN_ROUNDEL:
        return read >= ROUNDELS
    return any(
        each in (declared, _WHOLE.get(declared))
        or each.startswith((f"{declared}.", f"{declared}:"))
        for each in read
    )


def variants_of(reference: str) -> tuple[str, ...]:
    """The ids of a title's variants."""
    loaded, _, _ = read_to_print(reference, BuildOptions())
    return tuple(each.id for each in loaded.title.variants)
