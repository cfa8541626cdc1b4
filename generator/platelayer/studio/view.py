"""The studio's view of a title: the last version that could be read, its problems, and what a page
can choose from, go to, or refer to."""

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
# Time slice of a search for problems, before other work gets its turn.
_SLICE_S = 0.008
_MOST_DRAWN = 4
_counter = itertools.count(1)
# Parts that a new title may lack.
_PARTS = ("companies", "tiles", "trains", "phases", "market")
_WORD = re.compile(r'"([^"]+)"')

# Shipped themes do not change while Platelayer runs, so they are cached.
_shipped = cache(complete_theme)


class Drawn(NamedTuple):
    """Drawn faces of a piece, with notes."""

    fronts: tuple[Scene, ...]
    back: Scene | None
    notes: tuple[Problem, ...]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Fronts and back."""
        return self.fronts if self.back is None else (*self.fronts, self.back)


class View:
    """A title with one of its variants, or none. Parts with errors stay as they last were; files
    that cannot be read at all also do, and are listed in `kept`. `broken` is True if there is
    nothing to show."""

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
        """The title. Raises CannotRun if it has never been read successfully."""
        if self.loaded is None:
            raise CannotRun("this title could not be read yet")
        return self.loaded.title

    def reload(self, unsaved: Mapping[Path, str] = MappingProxyType({})) -> None:
        """Read the files again; `unsaved` are texts that replace those on disk."""
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
        """Read the sound parts of the files; the rest stays as it was."""
        from platelayer.definitions.salvage import salvage  # browsers load it only now

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
            # For a kept file, report the problems of its current text, not those of its former one.
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
        """Return everything that pieces are drawn from. If the key of a piece is the same, so is
        its look."""
        if (language, theme) not in self._sources:
            style = self.style(language, theme)
            manifest = self.manifest or build_manifest(self.title)
            sources = Sources(title=self.title, manifest=manifest, style=style)
            if before := self._former.pop((language, theme), None):
                sources.follow(before)
            self._sources[language, theme] = sources
        return self._sources[language, theme]

    def version(self, piece: Piece, language: str, theme: str) -> str:
        """Return the version of the picture of a piece; it differs if the look does."""
        return self.sources(language, theme).key(piece)[:_DIGITS]

    def style(self, language: str, theme: str) -> Style:
        """Return the style in which pieces are drawn."""
        title = self.title
        made_of = (title.terms, title.pictures, title.livery, title.last_year)
        before, style = self._styles.get((language, theme), (None, None))
        if style is None or before != made_of:
            style = style_of(title, _shipped(theme), language)
        # Return the same object until something changes: drawing functions use it as a cache key.
        self._styles[language, theme] = made_of, style
        return style

    def icon(self, name: str, language: str, theme: str) -> Scene:
        """Draw an icon, or a picture of the title, 10 mm wide."""
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
        """Graph of the tile upgrades."""
        return upgrade_graph(self.title)

    def piece(self, key: str) -> Piece:
        """Return a piece by its key. Raises CannotRun."""
        piece = self.manifest.by_key.get(key) if self.manifest else None
        if piece is None:
            raise CannotRun(f"there is no piece {key!r}")
        return piece

    def origins(self) -> dict[str, list[str]]:
        """Return [file, pointer in the file] by pointer of the assembled title, for its blocks and
        for the blocks that a variant changes. Contents of a block have the same path within
        both."""
        origins = self.loaded.assembled.origins if self.loaded else {}
        return {
            pointer: [self._name(document.path), inside]
            for pointer, (document, inside) in origins.items()
        }

    def _name(self, path: Path) -> str:
        """Return the name of a file relative to the studio's folder; the path of a file
        elsewhere."""
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )

    def as_json(self, problem: Problem) -> Json:
        """Return a problem for a page, with its file relative to the studio's folder and its
        fixes."""
        file = self.name_of(problem.file)
        todo = empty_block(problem)
        return {**problem.as_json, "file": file, "fixes": fixes(problem, file), "todo": todo}

    def name_of(self, file: str) -> str:
        """Return the name, relative to the studio's folder, of a file named in a problem."""
        return self._name(Path(os.path.abspath(file))) if file else ""  # noqa: PTH100 - links stay

    def drawn(self, piece: Piece, sources: Sources) -> Drawn:
        """Draw a piece. The last few are cached, because a piece that a page has shown is then
        searched for problems. Raises what drawing raises."""
        key = sources.key(piece)
        if (known := self._drawn.used(key)) is not None:
            return known
        (fronts, back), notes = drawn_faces(sources, piece, sources.style)
        return self._drawn.keep(key, Drawn(fronts, back, notes))

    def judge(self, theme: str) -> Iterator[None]:
        """Find glyphs that the fonts lack, then apply the rules, in steps. The result lasts until
        the files are read again."""
        if self.loaded is None or self.broken:
            return
        glyphs = unprintable(self.loaded, _shipped(theme), language=None)
        yield
        if has_errors(glyphs):  # a picture with them could not be drawn
            self._read_draft(theme, (*self.read_problems, *glyphs))
            glyphs = ()
        self.problems = sort_problems((*self.read_problems, *glyphs, *judge(self.loaded)))

    def proofs(self, language: str, theme: str) -> Iterator[None]:
        """Search for illegible items in short steps; pieces that look as before are skipped."""
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
        """Return all problems found so far: in the definition, by the rules, and on the pieces.
        Illegible items on a piece are reported until that piece has been checked again."""
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
        """Return the state of the title, which pages receive after each change."""
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
    """Add illegible items on a face of a piece to `problems`, in short steps."""
    end = monotonic() + _SLICE_S
    for step in legibility_steps(scene):
        problems += (replace(problem, about=piece.key) for problem in step)
        if monotonic() > end:
            yield
            end = monotonic() + _SLICE_S


def fixes(problem: Problem, file: str) -> list[Json]:
    """Return possible fixes of a problem in a file of the studio's folder, each with its kind (for
    which the page has words), the word that it is about, and its operations. A waiver lacks its
    reason, which the user must give. Return nothing for a file outside the folder."""
    if not file or PurePath(file).is_absolute():
        return []
    offered: list[Json] = []

    def offer(kind: str, word: str, **op: Any) -> None:
        offered.append({"kind": kind, "word": word, "ops": [op]})

    # The allowed words follow the semicolon.
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


# Prefix of the keys of catalogue tiles, before the number.
PREFIX = "catalogue:"


@cache
def catalogue() -> list[Json]:
    """List searchable facts about each tile of the catalogue."""
    return [_about(tile) for tile in catalogue_tiles()]


def box(view: View) -> Json:
    """Return the facts that `catalogue` gives for each tile in the box, with its count: `own` is
    True if the title defines the tile, and `back_of` is the number of its other side. `version`
    is that of the pictures of tiles outside the box."""
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
    """Draw a tile of the catalogue in the layout and size of the title's tiles. Raises
    CannotRun."""
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


# Entries of a title that a page can go to by id or name, and some of which can be renamed.


# Kind of the entries of each block.
_KINDS = {
    "companies": "company",
    "privates": "private",
    "trains": "train",
    "phases": "phase",
    "tiles": "tile",
}


def things(view: View) -> list[Json]:
    """List hexes, tiles, companies, trains and phases: kind, id, names in all languages, pointer in
    the assembled title, target that shows it ("" for none), and whether the title may change its
    id."""
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
    """Yield kind, path and value of everything with an id."""
    for map_id, board in title.get("maps", {}).items():
        for name, value in board.get("hexes", {}).items():
            yield "hex", ("maps", map_id, "hexes", name), value
    for block, kind in _KINDS.items():
        for name, value in title.get(block, {}).items():
            private = isinstance(value, dict) and value.get("kind") == "private"
            yield "private" if private else kind, (block, name), value


def _words(text: Any) -> list[str]:
    """Return the unique wordings of a text in all its languages."""
    forms = text.values() if isinstance(text, dict) else [text]
    return list(dict.fromkeys(form for form in forms if isinstance(form, str)))


# Ids that can be referred to, by kind, and the places where each kind is allowed.


# Kinds of names behind a noun that messages use; any other noun is itself a kind.
_NAMES_KINDS = {
    "train or phase": ("train", "phase"),
    "tile colour or phase": ("revenue",),
    "kind or size of company": ("size",),
    "icon or picture": ("icon",),
}
# Places whose names are checked by other rules, or not at all.
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

# Kinds of names allowed at each path of a title: `*` is any key or index, `a|b` is either key, and
# a final `~` means the keys themselves.
KINDS_NAMED = {
    path: _NAMES_KINDS.get(what, (what,)) for path, what in nouns_by_path().items()
} | _ALSO


_PAPERS = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


def names_of(loaded: Loaded | None) -> dict[str, list[str]]:
    """Return ids by kind; those of a title are missing if it has never been read."""
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
    """Return the ids that can be referred to by kind, in the order of the title; the kinds allowed
    at each path; and the colours of inks as #rrggbb."""
    return {"names": names_of(view.loaded), "where": KINDS_NAMED, "inks": inks()}


def inks() -> dict[str, str]:
    """Return the inks that a title may name, with their colours in the classic theme as #rrggbb."""
    return {name: ink.hex for name, ink in _shipped("classic").inks.items()}


# Check of a colour for the field in which it is chosen, by the same measures as the rules.


_RGB = re.compile("#[0-9a-fA-F]{6}")


class Colour(Struct):
    """Colour to check: #rrggbb, or the name of an ink of a theme. `on` is the ground, or the colour
    that it must be distinguishable from; `company` and `field` say where it is used."""

    colour: str
    theme: str = "classic"
    on: str = ""
    company: str = ""
    field: Literal["colour", "second", "text_colour", ""] = ""


def verdict(view: View, asked: Colour) -> Json:
    """Check a colour. Return its RGB value; its contrast to the other colour (or to the better of
    black and white) and the minimum for legibility; and the companies whose colours would be
    hard to distinguish. Raises CannotRun for a text that is not a colour."""
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
    """List the companies that a company would resemble with another colour, each with the type of
    vision concerned and the colour difference."""
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


# Places where hexes can be added to a map.


# Maximum number of rows by which a map grows in one step.
_MOST_ROWS = 6
# Coordinates before A or below 1.
_BEFORE = re.compile("[a-z]|[A-Z]+(-|0$)")


class OfMap(Struct):
    """Id of a map of the title."""

    map: str


def empty_places(view: View, asked: OfMap) -> Json:
    """Return empty places on and around a map, with their printed coordinates and their centres
    relative to the first hex, in hex widths. Also return, for each side, the rows by which the
    map may grow, nearest first. Raises CannotRun."""
    board = next((board for board in view.title.maps if board.id == asked.map), None)
    if board is None:
        raise CannotRun(f"there is no map {asked.map!r}")
    return {"places": _empty_places(board), "sides": _sides(board)}


def _empty_places(board: GameMap) -> list[tuple[str, float, float]]:
    """Return the empty places within the bounds of a map and one step around them: printed
    coordinates, x and y."""
    taken = {hexagon.at for hexagon in board.hexes}
    grown = {neighbour(at, edge, board.layout) for at in taken for edge in range(6)} | taken
    xs, ys = [at.x for at in grown], [at.y for at in grown]
    first = board.hexes[0].at
    is_before = any(_BEFORE.match(hexagon.id) for hexagon in board.hexes)
    x_0, y_0 = centre_mm(first, board.layout, 1)
    found = []
    for x, y in itertools.product(range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)):
        at = Coord(x, y)
        # Doubled coordinates: x + y has the same parity for all hexes of a grid.
        if at in taken or (x + y - first.x - first.y) % 2:
            continue
        name = board.scheme.name(at)
        # Before A or 1 a map grows by whole rows only, and is then renumbered.
        if board.scheme.parse(name) == at and (is_before or not _BEFORE.match(name)):
            across, down = centre_mm(at, board.layout, 1)
            found.append((name, round(across - x_0, 4), round(down - y_0, 4)))
    return found


def _sides(board: GameMap) -> dict[str, list[list[str]]]:
    """Return rows of hexes outside the bounds of a map, by side. The rows end where the scheme has
    no coordinates."""
    taken = [hexagon.at for hexagon in board.hexes if not hexagon.apart] or [board.hexes[0].at]
    odd = (taken[0].x + taken[0].y) % 2
    found: dict[str, list[list[str]]] = {}
    for side, axis, way in (("left", 0, -1), ("right", 0, 1), ("top", 1, -1), ("bottom", 1, 1)):
        # Doubled coordinates of a flat layout: a column is one step wide, a hex is two steps high.
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
