"""A title as the studio shows it: the last version that could be read, its problems, and what a
page may choose from, go to, or refer to in it."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath
from time import monotonic
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.build import (
    catalogue_definitions,
    catalogue_tile,
    catalogue_tiles,
    liveries,
    motifs,
)
from platelayer.definitions.references import Names, empty_block, map_words, nouns_by_path
from platelayer.definitions.source import read_as, read_document
from platelayer.definitions.themes import complete_theme, unprintable
from platelayer.definitions.titles import Loaded, read_title
from platelayer.drawing.company.roundel import DIVISION_CONTRAST
from platelayer.drawing.hex.tile import tile_scene
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.style import Style, style_of
from platelayer.foundation.cache import digest_of
from platelayer.foundation.languages import languages, wordings
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    Severity,
    has_errors,
    join_pointer,
    sort_problems,
)
from platelayer.foundation.text import suggested
from platelayer.foundation.values import Json
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import Coord, GameMap, Layout, centre_mm, neighbour
from platelayer.model.kinds import KINDS, Piece, piece_size
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.tile import Tile, UpgradeGraph
from platelayer.model.title import Title
from platelayer.pipeline.faces import Sources, drawing_faults, drawn_faces, ours_left_out
from platelayer.pipeline.load import at_pieces, coarsest, judge, with_hints
from platelayer.rules.company_rules import alike
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.text_rules import spoken
from platelayer.scene.inks import Ink, contrast, ink_from_hex, readable_on
from platelayer.scene.legibility import MIN_CONTRAST, legibility_steps
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import Theme
from platelayer.studio.folder import Recent

_DIGITS = 16
# Duration of a search for problems before something else gets its turn.
_SLICE_S = 0.008
_MOST_DRAWN = 4
_counter = itertools.count(1)
# The parts of a game that a new title may begin without.
_PARTS = ("companies", "tiles", "trains", "phases", "market")
_WORD = re.compile(r'"([^"]+)"')

# Themes come with Platelayer, and stay as they are while it runs.
_shipped = cache(complete_theme)


class Drawn(NamedTuple):
    """The faces of a piece as they were drawn, with notes."""

    fronts: tuple[Scene, ...]
    back: Scene | None
    notes: tuple[Problem, ...]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Fronts and back."""
        return self.fronts if self.back is None else (*self.fronts, self.back)


class View:
    """One title with one of its variants (or none). What has errors stands as it was; files that
    cannot be read at all are `kept` as they were. `broken` is whether there is nothing to show."""

    def __init__(self, root: Path, at: str, variant: str | None) -> None:
        self.root, self.at, self.folder, self.variant = root, at, root / at, variant
        self.loaded: Loaded | None = None
        self.manifest: Manifest | None = None
        self.broken = False
        self.kept: tuple[str, ...] = ()
        self.revision = 0
        self.read_problems: tuple[Problem, ...] = ()
        self._sound: dict[Path, str] = {}
        self._unsaved: Mapping[Path, str] = {}
        self.problems: tuple[Problem, ...] = ()
        self._styles: dict[tuple[str, str], tuple[object, Style]] = {}
        self._sources: dict[tuple[str, str], Sources] = {}
        self._former: dict[tuple[str, str], Sources] = {}
        self._illegible: dict[str, tuple[Problem, ...]] = {}
        self._last_illegible: dict[tuple[str, str, str], tuple[Problem, ...]] = {}
        self._drawn = Recent[str, Drawn](_MOST_DRAWN)

    @property
    def title(self) -> Title:
        """The title. Raises CannotRun before it could be read for the first time."""
        if self.loaded is None:
            raise CannotRun("this title could not be read yet")
        return self.loaded.title

    def reload(self, unsaved: Mapping[Path, str] = MappingProxyType({})) -> None:
        """Read the files again, some of them as they are edited."""
        self._unsaved = unsaved
        try:
            with read_as(unsaved):
                loaded = read_title(self.folder, variant=self.variant)
        except ProblemsFound as found:
            self._read_draft("classic", found.problems)
        else:
            self._take(loaded)

    def _take(self, loaded: Loaded) -> None:
        self.revision = next(_counter)
        self.loaded, self.broken, self.kept = loaded, False, ()
        self._former |= self._sources
        self._sources = {}
        self._sound = {
            document.path: document.text for document, _ in loaded.assembled.origins.values()
        }
        self.manifest = build_manifest(loaded.title)
        self.read_problems = self.problems = loaded.problems

    def _read_draft(self, theme: str, problems: tuple[Problem, ...]) -> None:
        """Read what is sound of the files, the rest as it was."""
        from platelayer.definitions.salvage import salvage  # which a browser fetches later

        before = self.loaded.assembled.value if self.loaded else None
        kept: dict[Path, str] = {}
        with read_as(self._unsaved):
            for path, text in self._sound.items():
                try:
                    if read_document(path).doubts:
                        kept[path] = text
                except ProblemsFound:
                    kept[path] = text
        try:
            with read_as({**self._unsaved, **kept}):
                loaded = salvage(self.folder, _shipped(theme), variant=self.variant, before=before)
        except ProblemsFound:
            self.revision = next(_counter)
            self.broken = True
            self.read_problems = self.problems = problems
        else:
            # Of a kept file, its present problems are reported, not those of its former text.
            drafted = (
                problem
                for problem in loaded.problems
                if problem not in problems and Path(problem.file) not in kept
            )
            problems = sort_problems((*problems, *drafted, *loaded.left_out))
            origins = loaded.assembled.origins.items()
            old = (pointer for pointer, (document, _) in origins if document.path in kept)
            self._take(replace(loaded, problems=problems, lost=(*loaded.lost, *old)))
        self.kept = tuple(self._name(path) for path in kept)

    def sources(self, language: str, theme: str) -> Sources:
        """Everything that the pieces are drawn from; the same key means the same look."""
        if (language, theme) not in self._sources:
            style = self.style(language, theme)
            manifest = self.manifest or build_manifest(self.title)
            sources = Sources(title=self.title, manifest=manifest, style=style)
            if before := self._former.pop((language, theme), None):
                sources.follow(before)
            self._sources[language, theme] = sources
        return self._sources[language, theme]

    def version(self, piece: Piece, language: str, theme: str) -> str:
        """Version of the picture of a piece: another one for another look."""
        return self.sources(language, theme).key(piece)[:_DIGITS]

    def style(self, language: str, theme: str) -> Style:
        """The style to draw in."""
        title = self.title
        made_of = (title.terms, title.pictures, title.livery, title.last_year)
        before, style = self._styles.get((language, theme), (None, None))
        if style is None or before != made_of:
            style = style_of(title, _shipped(theme), language)
        # One object as long as nothing changes: drawers keep by it what they have drawn.
        self._styles[language, theme] = made_of, style
        return style

    def icon(self, name: str, language: str, theme: str) -> Scene:
        """An icon or a picture of the title, 10 mm wide."""
        style = self.style(language, theme)
        block = icon_block(name, "", 10.0, style, style.type("tile.cost"))
        return Scene(
            "icon",
            block.width,
            block.height,
            block.at(block.width / 2, block.height / 2),
        )

    @property
    def graph(self) -> UpgradeGraph:
        """Upgrades of the tiles."""
        return upgrade_graph(self.title)

    def piece(self, key: str) -> Piece:
        """A piece by its key. Raises CannotRun."""
        piece = self.manifest.by_key.get(key) if self.manifest else None
        if piece is None:
            raise CannotRun(f"there is no piece {key!r}")
        return piece

    def origins(self) -> dict[str, list[str]]:
        """Places of the blocks of the title, and of the changes of a variant in them: [file,
        pointer in it] by pointer of the assembled title. Their contents have the same place within
        them."""
        origins = self.loaded.assembled.origins if self.loaded else {}
        return {
            pointer: [self._name(document.path), inside]
            for pointer, (document, inside) in origins.items()
        }

    def _name(self, path: Path) -> str:
        """A file by its name in the studio's folder; one from elsewhere by its path."""
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )

    def as_json(self, problem: Problem) -> Json:
        """A problem for a page, its file by its name in the studio's folder, with its fixes."""
        file = self.name_of(problem.file)
        todo = empty_block(problem)
        return {**problem.as_json, "file": file, "fixes": fixes(problem, file), "todo": todo}

    def name_of(self, file: str) -> str:
        """A file as a problem names it by its name in the studio's folder."""
        return self._name(Path(os.path.abspath(file))) if file else ""  # noqa: PTH100 - links stay

    def drawn(self, piece: Piece, sources: Sources) -> Drawn:
        """A piece as it looks. The last ones are kept: what a page has shown is then searched for
        problems. Raises what drawing raises."""
        key = sources.key(piece)
        if (known := self._drawn.used(key)) is not None:
            return known
        (fronts, back), notes = drawn_faces(sources, piece, sources.style)
        return self._drawn.keep(key, Drawn(fronts, back, notes))

    def judge(self, theme: str) -> Iterator[None]:
        """Find glyphs that the fonts lack, then apply the rules; kept until the next reading."""
        if self.loaded is None or self.broken:
            return
        glyphs = unprintable(self.loaded, _shipped(theme), language=None)
        yield
        if has_errors(glyphs):  # a picture with them could not be drawn
            self._read_draft(theme, (*self.read_problems, *glyphs))
            glyphs = ()
        self.problems = sort_problems((*self.read_problems, *glyphs, *judge(self.loaded)))

    def proofs(self, language: str, theme: str) -> Iterator[None]:
        """Look for what is illegible, in slices; pieces whose looks have not changed are not drawn
        again."""
        if self.manifest is None:
            return
        pieces, sources = self.manifest.pieces, self.sources(language, theme)
        for piece in pieces:
            key = sources.key(piece)
            if key in self._illegible:
                continue
            problems: list[Problem] = []
            with drawing_faults(piece, problems):
                drawn = self.drawn(piece, sources)
                yield
                problems += drawn.notes
                for scene in drawn.scenes:
                    yield from _illegible(scene, piece, problems)
            self._illegible[key] = ours_left_out(piece, problems)
            self._last_illegible[piece.key, language, theme] = self._illegible[key]
            yield
        now = {sources.key(piece) for piece in pieces}
        self._illegible = {key: problems for key, problems in self._illegible.items() if key in now}

    def found(self, language: str, theme: str) -> tuple[Problem, ...]:
        """Everything found so far: in the definition, by the rules, on the pieces. What was
        illegible on a piece stays until the piece has been looked at again."""
        if self.broken or self.loaded is None or self.manifest is None:
            return self.read_problems
        sources = self.sources(language, theme)
        seen = [
            problem
            for piece in self.manifest.pieces
            for problem in self._illegible.get(
                sources.key(piece), self._last_illegible.get((piece.key, language, theme), ())
            )
        ]
        return sort_problems(
            with_hints(
                (*self.problems, *at_pieces(coarsest(seen), self.manifest, self.loaded.place))
            )
        )

    def state(self, language: str, theme: str) -> Mapping[str, Any]:
        """State of the title for a page, after each change."""
        if self.loaded is None or self.manifest is None:
            return {
                "revision": self.revision,
                "broken": True,
                "pieces": [],
                "maps": [],
                "kinds": {},
            }
        title, manifest = self.title, self.manifest
        return {
            "revision": self.revision,
            "broken": self.broken,
            "kept": self.kept,
            "id": title.id,
            "name": title.name.get(language),
            "layout": title.maps[0].layout.value if title.maps else "flat",
            "languages": list(dict.fromkeys((*languages(), *spoken(title)))),
            "variants": [
                {"id": variant.id, "name": variant.name.get(language)} for variant in title.variants
            ],
            "atlas": title.atlas is not None,
            "currency": title.currency,
            "kinds": {
                kind: {"name": KINDS[kind].name.get(language)}
                for kind in dict.fromkeys(piece.kind for piece in manifest.pieces)
            },
            "pieces": [
                {
                    "key": piece.key,
                    "kind": piece.kind,
                    "id": piece.id,
                    "name": piece.name.get(language),
                    "count": piece.count,
                    "group": piece.group,
                    "origin": piece.origin,
                    "version": self.version(piece, language, theme),
                }
                for piece in manifest.pieces
            ],
            "maps": [
                {
                    "id": board.id,
                    "name": board.name.get(language),
                    "layout": board.layout.value,
                    "hexes": [*board.by_id],
                }
                for board in title.maps
            ],
            "todo": [] if title.atlas else [part for part in _PARTS if not getattr(title, part)],
            "origins": self.origins(),
        }


def _illegible(scene: Scene, piece: Piece, problems: list[Problem]) -> Iterator[None]:
    """Adds what is illegible on a face of a piece to its problems, in slices."""
    end = monotonic() + _SLICE_S
    for step in legibility_steps(scene):
        problems += (replace(problem, about=piece.key) for problem in step)
        if monotonic() > end:
            yield
            end = monotonic() + _SLICE_S


def fixes(problem: Problem, file: str) -> list[Json]:
    """Remedies for a problem in a file of the studio's folder: a kind that the page has words for,
    the word that they are about, and the operations. A waiver lacks its reason, which a person has
    to give."""
    if not file or PurePath(file).is_absolute():
        return []
    offered: list[Json] = []

    def offer(kind: str, word: str, **op: Any) -> None:
        offered.append({"kind": kind, "word": word, "ops": [op]})

    # Behind the semicolon stand the words that are allowed.
    words = _WORD.findall(problem.message.partition("; ")[0])
    pointer = problem.pointer
    for word in suggested(problem.hint) if words else ():
        offer("meant", word, op="respell", file=file, pointer=pointer, words=words, instead=word)
    if problem.code == "BX01":
        offer("box", "", op="accept_box")
    if problem.waivable and problem.severity is not Severity.NOTE:
        at = problem.about
        offer("waive", at, op="waive", code=problem.code, at=at, reason="")
    return offered


# Tiles to choose from: those of the catalogue, and those in the box.


# What the pictures of tiles of the catalogue are called by, before the number.
PREFIX = "catalogue:"


@cache
def catalogue() -> list[Json]:
    """Facts about each tile of the catalogue for a search."""
    return [_about(tile) for tile in catalogue_tiles()]


def box(view: View) -> Json:
    """The same of each tile in the box, with its count: `own` is whether the title defines it,
    `back_of` the number of the tile whose other side it is; and the version of the pictures of
    tiles that are not in it."""
    title = view.title
    layout = title.layout
    version = digest_of(layout.value, piece_size(title, "tile"), view.style("en", "classic"))
    tiles = [
        {
            **_about(entry.tile),
            "count": "unlimited" if entry.unlimited else entry.count,
            "own": not entry.is_standard,
            "back_of": entry.back_of,
        }
        for entry in title.tiles
    ]
    return {"tiles": tiles, "version": version[:_DIGITS]}


def _about(tile: Tile) -> Json:
    return {
        "id": tile.id,
        "colour": tile.colour,
        "exits": list(tile.exits),
        "stops": Counter(stop.kind.value for stop in tile.stops),
        "slots": sum(stop.slots for stop in tile.stops),
        "labels": [label.text for label in tile.labels],
    }


def catalogue_scene(view: View, key: str, language: str, theme: str) -> Scene:
    """A tile of the catalogue, lying and as large as those of a title. Raises CannotRun."""
    number = key.removeprefix(PREFIX)
    if number not in catalogue_definitions():
        raise CannotRun(f"there is no tile {number} in the catalogue")
    title = view.title
    layout = title.layout
    return tile_scene(
        catalogue_tile(number),
        layout,
        piece_size(title, "tile").width_mm,
        view.style(language, theme),
    )


# What there is in a title to go to by its id or its names, and what of it may have another id.


# What the entries of a block are called.
_KINDS = {
    "companies": "company",
    "privates": "private",
    "trains": "train",
    "phases": "phase",
    "tiles": "tile",
}


def things(view: View) -> list[Json]:
    """Hexes, tiles, companies, trains and phases: kind, id, names in all languages, the pointer in
    the assembled title, the target that shows it (none: ""), and whether its id is the title's own to
    change."""
    if view.loaded is None or view.manifest is None:
        return []
    shown: dict[str, str] = {}
    for piece in view.manifest.pieces:
        if len(piece.origin) > 1:
            shown.setdefault(join_pointer(*piece.origin[:2]), piece.key)
    listed = []
    for kind, path, value in _entries(view.loaded.assembled.value):
        pointer, entry = join_pointer(*path), value if isinstance(value, dict) else {}
        listed.append({
            "kind": kind,
            "id": path[-1],
            "names": _words(entry.get("name")),
            "pointer": pointer,
            "target": f"hex:{path[1]}/{path[-1]}" if kind == "hex" else shown.get(pointer, ""),
            "own": kind != "tile" or "tile" in entry,
        })  # fmt: skip
    return listed


def _entries(title: Json) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Everything with an id: its noun, its path and its value."""
    for map_id, board in title.get("maps", {}).items():
        for name, value in board.get("hexes", {}).items():
            yield "hex", ("maps", map_id, "hexes", name), value
    for block, kind in _KINDS.items():
        for name, value in title.get(block, {}).items():
            private = isinstance(value, dict) and value.get("kind") == "private"
            yield "private" if private else kind, (block, name), value


def _words(text: Any) -> list[str]:
    """A text in all its languages."""
    forms = text.values() if isinstance(text, dict) else [text]
    return list(dict.fromkeys(form for form in forms if isinstance(form, str)))


# What there is in a title to refer to: ids by kind of thing, and where each kind is named.


# The kinds of names that stand for what messages call so; any other is a kind by itself.
_NAMES_KINDS = {
    "train or phase": ("train", "phase"),
    "tile colour or phase": ("revenue",),
    "kind or size of company": ("size",),
    "icon or picture": ("icon",),
}
# Names that are judged by rules of their own, or by none.
_ALSO = {
    "maps/*/hexes/*/icons/*": ("icon",),
    "maps/*/hexes/*/icons/*/name": ("icon",),
    "tiles/*/tile/icons/*": ("icon",),
    "tiles/*/tile/icons/*/name": ("icon",),
    "tiles/*/back_of": ("tile",),
    "maps/*/hexes/*/zone": ("zone",),
    "maps/*/zones/~": ("zone",),
    "maps/*/regions/*/zone": ("zone",),
    "maps/*/regions/*/hexes/*": ("hex",),
    "maps/*/rivers/*/course/*": ("hex",),
    "maps/*/rivers/*/course/*/hex": ("hex",),
    "maps/*/seas/*/from|to/hex": ("hex",),
    "maps/*/beyond/*/near": ("hex",),
    "maps/*/beyond/*/near/hex": ("hex",),
    "maps/*/seas/*/coasts/*/*/hex": ("hex",),
    "companies|privates/*/size": ("size",),
    "phases/*/revenue": ("revenue",),
    "upgrades/kept_icons|edge_only_icons/*": ("icon",),
    "upgrades/fixed_rotation/*": ("tile",),
    "upgrades/added/*/tiles/*": ("tile",),
    "variants/*/includes/*": ("variant",),
}

# The kinds of names that may stand at a place of a title: `*` is any key or index, `a|b` either
# key; at the end, `~` is for the keys themselves.
KINDS_NAMED = {
    path: _NAMES_KINDS.get(what, (what,)) for path, what in nouns_by_path().items()
} | _ALSO


_PAPERS = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


def names_of(loaded: Loaded | None) -> dict[str, list[str]]:
    """Ids by kind; none of a title before it could be read."""
    title: Mapping[str, Any] = loaded.assembled.value if loaded else {}
    names = Names(title)
    zones = (zone for _, zone in names.at("maps/*/hexes/*/zone"))
    icons = names.at("maps/*/hexes/*/icons/*", "tiles/*/tile/icons/*")
    drawn = (icon if isinstance(icon, str) else icon["name"] for _, icon in icons)
    named = {
        **{kind: names.block(block) for block, kind in _KINDS.items()},
        "hex": names.hexes,
        "map": names.block("maps"),
        "private": [
            pointer.split("/")[-1]
            for pointer, company in names.at("companies|privates/*")
            if company["kind"] in _PAPERS
        ],
        "picture": names.block("pictures"),
        "variant": names.block("variants"),
        "icon": (*map_words.table("icons"), *names.block("pictures"), *drawn),
        "ink": inks(),
        "size": sorted(names.company_classes),
        "revenue": sorted(names.revenue_keys),
        "zone": zones,
        "language": languages(),
        "livery": liveries(),
        "motif": motifs(),
        "wording": wordings(),
    }
    return {kind: list(dict.fromkeys(ids)) for kind, ids in named.items()}


def references(view: View) -> Json:
    """The names that can be referred to: ids by kind of thing, each in the order of the title; the
    kinds that may be named, by where; and the colours of inks as #rrggbb."""
    return {"names": names_of(view.loaded), "where": KINDS_NAMED, "inks": inks()}


def inks() -> dict[str, str]:
    """The inks that a title may name, with their colours in the classic theme as #rrggbb."""
    return {name: ink.hex for name, ink in _shipped("classic").inks.items()}


# A verdict on a colour at the field where it is chosen, by the measures of the rules.


_RGB = re.compile("#[0-9a-fA-F]{6}")


class Colour(Struct):
    """A colour to judge, #rrggbb or the name of an ink of a theme. `on` is the colour to tell it
    from, or its ground; `company` the one whose `field` it is."""

    colour: str
    theme: str = "classic"
    on: str = ""
    company: str = ""
    field: Literal["colour", "second", "text_colour", ""] = ""


def verdict(view: View, asked: Colour) -> Json:
    """Look of a colour; its contrast to another or to the better of black and white, and the least
    that is legible; and the companies that it makes hard to tell from its own. Raises CannotRun for
    a text that is not a colour."""
    whole = _shipped(asked.theme)
    ink = _ink(asked.colour, whole)
    other = _ink(asked.on, whole) if asked.on else readable_on(ink)
    return {
        "rgb": ink.hex,
        "beside": other.hex,
        "contrast": round(contrast(ink, other), 1),
        "least": DIVISION_CONTRAST if asked.field == "second" else MIN_CONTRAST,
        "alike": _look_alikes(view.loaded, asked.company, asked.field, ink) if view.loaded else [],
    }


def _ink(colour: str, theme: Theme) -> Ink:
    if _RGB.fullmatch(colour):
        return ink_from_hex(colour)
    if colour not in theme.inks:
        raise CannotRun(f"there is no ink {colour!r} in the theme {theme.id}")
    return theme.inks[colour]


def _look_alikes(loaded: Loaded, company_id: str, field: str, ink: Ink) -> list[Json]:
    """The companies that one with another colour looks like: to whom, and how different they
    are."""
    companies = {company.id: company for company in loaded.title.companies}
    company = companies.pop(company_id, None)
    if company is None or field not in ("colour", "second"):
        return []
    if field == "second":
        company = replace(company, second=ink.hex)
    else:
        company = replace(company, colour=ink.hex)
        written = loaded.assembled.value.get("companies", {}).get(company_id, {})
        if "second" not in written:
            company = replace(company, second=readable_on(ink).hex)
    return [
        {
            "company": likeness.company.id,
            "vision": likeness.vision.word,
            "difference": round(likeness.difference, 1),
        }
        for likeness in alike(company, list(companies.values()))
    ]


# Places where a map may get hexes.


# By so many rows a map grows at most in one step.
_MOST_ROWS = 6
# Coordinates before A or below 1.
_BEFORE = re.compile("[a-z]|[A-Z]+(-|0$)")


class OfMap(Struct):
    """A map of the title."""

    map: str


def empty_places(view: View, asked: OfMap) -> Json:
    """Places on and around a map where there is no hex: their printed coordinates, and their
    centres from that of the first hex, in widths of a hex; and on each side the hexes of the rows by
    which the map may grow, the nearest row first."""
    board = next((board for board in view.title.maps if board.id == asked.map), None)
    if board is None:
        raise CannotRun(f"there is no map {asked.map!r}")
    return {"places": _empty_places(board), "sides": _sides(board)}


def _empty_places(board: GameMap) -> list[tuple[str, float, float]]:
    """Places within the bounds of a map and one step around them."""
    taken = {hexagon.at for hexagon in board.hexes}
    grown = {neighbour(at, edge, board.layout) for at in taken for edge in range(6)} | taken
    xs, ys = [at.x for at in grown], [at.y for at in grown]
    first = board.hexes[0].at
    is_before = any(_BEFORE.match(hexagon.id) for hexagon in board.hexes)
    x_0, y_0 = centre_mm(first, board.layout, 1)
    found = []
    for x, y in itertools.product(range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)):
        at = Coord(x, y)
        # Doubled coordinates: on the grid of the other hexes, x + y is even or odd as theirs is.
        if at in taken or (x + y - first.x - first.y) % 2:
            continue
        name = board.scheme.name(at)
        # Before A and 1 a map grows by whole rows, and is renumbered then.
        if board.scheme.parse(name) == at and (is_before or not _BEFORE.match(name)):
            across, down = centre_mm(at, board.layout, 1)
            found.append((name, round(across - x_0, 4), round(down - y_0, 4)))
    return found


def _sides(board: GameMap) -> dict[str, list[list[str]]]:
    """Rows of hexes beside the bounds of a map, by side. A row ends where the scheme has no
    coordinates."""
    taken = [hexagon.at for hexagon in board.hexes if not hexagon.apart] or [board.hexes[0].at]
    odd = (taken[0].x + taken[0].y) % 2
    found: dict[str, list[list[str]]] = {}
    for side, axis, way in (("left", 0, -1), ("right", 0, 1), ("top", 1, -1), ("bottom", 1, 1)):
        # Doubled coordinates: across the columns of a flat layout one step is a column, along them
        # two are a hex.
        step = 2 if (axis == 0) is (board.layout is Layout.POINTY) else 1
        edge = max(way * at[axis] for at in taken)
        across = [at[1 - axis] for at in taken]
        rows = found[side] = []
        for first in range(edge + 1, edge + 1 + _MOST_ROWS * step, step):
            lines = [way * line for line in range(first, first + step)]
            pairs = itertools.product(lines, range(min(across), max(across) + 1))
            places = sorted(Coord(*pair[:: 1 - 2 * axis]) for pair in pairs if sum(pair) % 2 == odd)
            names = [board.scheme.name(at) for at in places]
            if [*map(board.scheme.parse, names)] != places:
                break
            rows.append(names)
    return found
