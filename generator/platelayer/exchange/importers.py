"""Importers: one record for each program whose games can be imported, with functions that recognise
its files by their content."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from platelayer.definitions.titles import schema_files, title_id
from platelayer.exchange.imported import Imported, reference
from platelayer.foundation.door import read_start, real
from platelayer.foundation.problems import CannotRun, Problem
from platelayer.foundation.resources import to_install
from platelayer.foundation.text import listed
from platelayer.foundation.values import Frozen
from platelayer.pipeline.registry import function
from platelayer.pipeline.write import write_new

_SNIFFED = 64 * 1024


def _start(path: Path) -> str:
    """Return the first 64 KB of a file as text; "" if the path is not a file."""
    return read_start(path, _SNIFFED).decode("utf-8", "replace") if path.is_file() else ""


def _has(text: str, *keys: str) -> bool:
    """Return True if a text looks like an object in JSON or YAML that has all of these keys."""
    return re.match(r"\ufeff?\s*[{#\w]", text) is not None and all(
        re.search(rf"""(?m)(["'{{,]\s*|^\s*){key}["']?\s*:""", text) for key in keys
    )


def is_map18xx(source: Path) -> bool:
    """Return True for the folder of a game of map18xx, or its map."""
    paths = [source / "map.json", source / "map.yaml"] if source.is_dir() else [source]
    return any(
        path.stem == "map" and _has(_start(path), "orientation", "tiles", "location")
        for path in paths
    )


def is_rusty_train(source: Path) -> bool:
    """Return True for a tile catalogue, a map or a game of n18 or rusty_train."""
    text = _start(source)
    return (
        text.lstrip().startswith("{")
        and _has(text, "tiles")
        and (
            (_has(text, "row", "col") and '"orientation"' in text)
            or (
                _has(text, "name", "colour")
                and bool(re.search('"(Mid|Straight|Gentle[LR]|Hard[LR]|City|Single)"', text))
            )
        )
    )


def is_18xxtools(source: Path) -> bool:
    """Return True for a saved game of 18xxtools, its exported map, or its packs of tiles."""
    text = _start(source)
    if source.suffix == ".js":
        return bool(re.search(r"dsl: *'[^']*', *color: *'", text))
    return (_has(text, "meta", "hexes") and _has(text, "staggerParity|baseGame")) or (
        _has(text, "rows", "cols", "orientation", "hexes", "coordinate")
    )


def is_xxpaper(source: Path) -> bool:
    """Return True for a file of xxpaper in YAML."""
    return source.suffix == ".xxp" and not _is_old_xxpaper(_start(source))


def is_ps18xx(source: Path) -> bool:
    """Return True for the map or the tiles of a game of ps18xx."""
    text = _start(source)
    return bool(
        re.search(
            r"(?m)^\s*tileCodes\s+\w+\s*\[|^\s*\([^)/]+/\w+\)\s*-?\w+\s*\[.*\]\s*LayTile", text
        )
    )


def _is_old_xxpaper(text: str) -> bool:
    return "{% set" in text or bool(
        re.search(r"(?m)^\[(DEFAULT|charter|share|private|token)\]", text)
    )


def recognised(source: Path) -> str | None:
    """Return a description of a known kind of file that no importer reads, with advice on what to
    do with it; None for any other file."""
    if source.is_dir():
        return _of_folder(source)
    if not source.is_file():
        return None
    start = read_start(source, _SNIFFED)
    if start.startswith(b"PK"):
        return _of_archive(source)
    for signature, words in _SIGNATURES:
        if start.startswith(signature):
            return words
    if source.suffix.lower() == ".studio3" or b"Silhouette" in start[:200]:
        return (
            "a file of Silhouette Studio: it holds shapes to cut, no game; build prints cut lines as "
            "SVG and DXF, which Silhouette Studio opens (docs/printing-cutter.md)"
        )
    text = start.decode("utf-8", "replace")
    if _has(text, "info", "title"):  # a game of 18xx-maker
        return None
    if _is_old_xxpaper(text):
        return (
            "a file of xxpaper before its form in YAML: write it anew as such, or enter its companies in a "
            "spreadsheet (docs/spreadsheet.md)"
        )
    for keys, words in _OBJECTS:
        if _has(text, *keys):
            return words
    return None


_SIGNATURES = (
    (b"\x89PNG", "a picture: an import reads files with data of a game"),
    (b"\xff\xd8", "a picture: an import reads files with data of a game"),
    (b"%PDF", "a PDF: preflight checks it, and an import reads files with data of a game"),
    (b"<svg", "a picture: the definition of a title names it under pictures (docs/definitions.md)"),
    (b"\xac\xed", "a saved game of Rails: its tiles and maps are XML files of that program, which are not read"),
    (b"!VCSK", "a saved game of VASSAL: only its module draws it"),
)  # fmt: skip
_OF_OURS = "a title of Platelayer: check, draw and build read it as it is"
_OBJECTS = (
    (("format", "id"), _OF_OURS),
    (("format", "title"), "a position of Platelayer: check reads it, and draw TITLE map --position draws it"),
    (("actions", "players"), "a game played on 18xx.games: platelayer position import reads it"),
    (("ObjectStates", "SaveName"), "a save of Tabletop Simulator: it holds pictures, no data of a game"),
    (("bname", "tray"), "a game box of Board18: it holds pictures, no data of a game"),
    (("train_routes|train_assignments|bonuses", "paths|revenue"), "routes of rusty_train: import its map or its game"),
    (("amounts", "tiles"), "the tiles of a game of map18xx: import its folder, games/NAME"),
    (("paths", "cities|stops|is_lawson"), "a tile definition of map18xx: import the folder of a game, games/NAME"),
    (("game", "log"), "a game played with map18xx: import the folder of the game itself, games/NAME"),
)  # fmt: skip


def _of_folder(folder: Path) -> str | None:
    if (folder / "title.json").exists():
        return _OF_OURS
    games = [
        file
        for around in ("", "games", "src/data/games")
        for file in sorted((folder / around).glob("*.json"))
        if _has(_start(file), "info", "title")
    ]
    names = listed([file.relative_to(folder).as_posix() for file in games])
    return f"a folder of 18xx-maker; name the file of a game: {names}" if games else None


def _of_archive(path: Path) -> str:
    from zipfile import BadZipFile, ZipFile  # imported here, as every command loads this module

    try:
        with ZipFile(path) as archive:
            names = set(archive.namelist()[:1000])
    except (BadZipFile, OSError):
        return "a damaged archive"
    if names & {"buildFile", "buildFile.xml"}:
        return (
            "a module of VASSAL: it holds pictures and rules of movement, no data of a game; enter its map in a "
            "spreadsheet (docs/spreadsheet.md)"
        )
    if "savedata" in names:
        return "a saved game of VASSAL: only its module draws it"
    if any(name.endswith("companies.json") for name in names):
        return "an export of 18xxtools: unpack it, and import the map.json in it, or import a saved game (.18xx.json)"
    return "an archive: unpack it, and import the file of the game in it"


# Options of imports, by their names in ImportRequest.
_OPTIONS = ("rules",)


class ImportRequest(Frozen, kw_only=True):
    """Options of an import: the name of the new folder, and optional rules of the game to apply.
    Contexts entered into `during` stay open until the title is settled."""

    folder: str | None
    rules: tuple[str, ...] = ()
    during: ExitStack

    def title_id(self, usual: str) -> str:
        """Return the id of the title, made from the name of its folder, or from `usual` if there is
        none."""
        return title_id(self.folder or usual)


class Importer(Frozen):
    """Program whose games can be imported. `source` describes its files, `takes` says whether a
    path is one of them, `read` makes a title from it, and `heeds` are the options of
    ImportRequest that it supports. If it `takes_any` file, files recognised as another program's
    are refused first. `modules` are the modules that it needs beyond Platelayer's own, `install`
    is the package to install for them. `within` finds the game in a folder around it.

    `read` and `within` raise CannotRun for a source that cannot be read, and ProblemsFound for one
    with errors.
    """

    name: str
    source: str
    takes: Callable[[Path], bool]
    read: Callable[[Path, ImportRequest], Imported]
    heeds: tuple[str, ...] = ()
    takes_any: bool = False
    modules: tuple[str, ...] = ()
    install: str = ""
    within: Callable[[Path], Path] = lambda source: source


def _is_table(source: Path) -> bool:
    """Return True for a workbook, a delimited file, a folder of these, or the standard input. A
    folder with Ruby files is a game of 18xx.games instead."""
    from platelayer.exchange.tables.sheets import TEXTS, WORKBOOKS

    if source.is_dir():
        endings = {file.suffix.lower() for file in source.iterdir()}
        return ".rb" not in endings and not endings.isdisjoint(TEXTS)
    return source.name == "-" or source.suffix.lower() in (*WORKBOOKS, *TEXTS)


def _from_table(source: Path, request: ImportRequest) -> Imported:
    from platelayer.exchange.tables.read import title_from_tables

    return title_from_tables(source, request.folder)


def _reader(module: str) -> Any:
    """Return a module of readers. It is loaded only when it is needed, because loading all of them
    takes 70 ms."""
    return import_module(f"platelayer.exchange.{module}")


def _named(module: str) -> Callable[[Path, ImportRequest], Imported]:
    """Return a function that reads a source with a module of `others`. Unless a folder is given,
    the title's id is made from the source's name before its first dot."""

    def read(source: Path, request: ImportRequest) -> Imported:
        title_id = request.title_id(real(source).name.partition(".")[0])
        imported: Imported = _reader(f"others.{module}").title_from_file(source, title_id)
        return imported

    return read


def _from_game(source: Path, request: ImportRequest) -> Imported:
    from platelayer.exchange.eighteen_games.title import default_id, title_from_folder

    title_id = request.title_id(default_id(real(source).name))
    return title_from_folder(source, title_id, rules=request.rules, during=request.during)


# All importers. The first that accepts a source reads it; the last one accepts any file.
IMPORTERS: list[Importer] = [
    Importer(
        "tables",
        "a spreadsheet (.xlsx, .ods), a folder of CSV files, or - for cells that are pasted",
        takes=_is_table,
        read=_from_table,
    ),
    Importer(
        "map18xx",
        "the folder of a game of map18xx, or its map",
        takes=is_map18xx,
        read=_named("map18xx"),
    ),
    Importer(
        "rusty_train",
        "a tile catalogue, a map or a game of n18 or rusty_train",
        takes=is_rusty_train,
        read=_named("rusty_train"),
    ),
    Importer(
        "18xxtools",
        "a saved game of 18xxtools, its exported map or its packs of tiles",
        takes=is_18xxtools,
        read=_named("tools18xx"),
    ),
    Importer(
        "xxpaper",
        "a file of xxpaper (.xxp)",
        takes=is_xxpaper,
        read=_named("xxpaper"),
        modules=("yaml",),
        install="platelayer[import]",
    ),
    Importer(
        "ps18xx",
        "the map or the tiles of a game of ps18xx (30-map.ps)",
        takes=is_ps18xx,
        read=_named("ps18xx"),
    ),
    Importer(
        "18xx.games",
        "the folder of a game of 18xx.games, whose Ruby files are read and never run",
        takes=lambda source: source.is_dir() or source.suffix == ".rb",
        read=_from_game,
        heeds=("rules",),
        takes_any=True,
        modules=("tree_sitter", "tree_sitter_ruby"),
        within=lambda source: _reader("eighteen_games.title").game_folder(source),
        install="platelayer[import]",
    ),
    Importer(
        "18xx-maker",
        "a game file of 18xx-maker",
        takes=lambda source: source.suffix == ".json",
        takes_any=True,
        read=lambda source, request: _reader("maker").title_from_file(
            source, request.title_id(source.stem)
        ),
    ),
    Importer(
        "tile strings",
        "a text file of tile strings",
        takes=lambda _: True,
        takes_any=True,
        read=lambda source, request: _reader("tile_strings").title_from_list(
            source, request.title_id(source.stem)
        ),
    ),
]


def add_importer(importer: Importer) -> None:
    """Add an importer of your own, which is tried before all others. Raises ValueError if its name
    is taken."""
    if any(other.name == importer.name for other in IMPORTERS):
        raise ValueError(f"there is an importer called {importer.name!r}")
    IMPORTERS.insert(0, importer)


def importer_of(source: Path, request: ImportRequest) -> Importer:
    """Return the importer of a source. Raises CannotRun if there is no such source, if its importer
    does not support an option, or if a module is missing."""
    if not source.exists() and source.name != "-":
        raise CannotRun(f"there is no {source}; docs/importing.md lists what can be imported")
    chosen = next(importer for importer in IMPORTERS if importer.takes(source))
    foreign = recognised(source) if chosen.takes_any else None
    if foreign is not None:
        raise CannotRun(f"{source} looks like {foreign}")
    for name in _OPTIONS:
        if getattr(request, name) and name not in chosen.heeds:
            users = " and ".join(importer.name for importer in IMPORTERS if name in importer.heeds)
            values = ", ".join(getattr(request, name))
            raise CannotRun(f"{name}: {values} does nothing for {chosen.source}; it is for {users}")
    missing = [module for module in chosen.modules if find_spec(module) is None]
    if missing and sys.platform == "emscripten":
        raise CannotRun(
            f"{chosen.name} cannot be read in a browser: install Platelayer, and use platelayer import"
        )
    if missing:
        raise CannotRun(
            f"{chosen.name} is read with {' and '.join(missing)}, not installed here; "
            f"type: {to_install(chosen.install)}"
        )
    return chosen


# Titles from other programs' files.


_COASTS = (
    "Coasts and lakes are those of the earth round the cities of the map. Natural Earth (public domain); "
    "cities of GeoNames (CC BY 4.0)."
)


class Import(Frozen, kw_only=True):
    """Result of an import: the folder, its files, the numbers of losses, unread values and waived
    findings, and the findings of `check`."""

    folder: Path
    files: tuple[str, ...]
    lost: int
    unread: int
    waived: int
    problems: tuple[Problem, ...]


def _put_coasts(imported: Imported) -> None:
    """Add real coasts to maps that define no seas, if their cities can be located on the earth."""
    if find_spec("_lzma") is None:  # as in a browser
        return
    patches = [variant["patch"] for variant in imported.head.get("variants", {}).values()]
    for map_id, board in imported.maps.items():
        # Coasts are measured from the hexes that all variants have.
        patched = [(patch.get("maps") or {}).get(map_id) or {} for patch in patches]
        gone = {
            name
            for patch in patched
            for name in patch.get("hexes") or ()
            if patch["hexes"][name] is None
        }
        kept = {name: hexagon for name, hexagon in board["hexes"].items() if name not in gone}
        if board.keys().isdisjoint(("sea", "seas")):
            coasts = function("coasts_of")(board | {"hexes": kept})
            if coasts:
                board["seas"] = {"water": {"coasts": coasts}}
                imported.losses.assume(f"Map {map_id}: {_COASTS}")
                lines = imported.head.setdefault("provenance", [])
                lines.append(reference(f"maps/{map_id}/seas", _COASTS))


def import_title(source: Path, folder: Path | None = None, *, rules: Sequence[str] = ()) -> Import:
    """Read another program's game with the first suitable importer, and write it as a title into an
    empty or new folder (by default named by the title's id, in the current folder). `rules` are
    optional rules of the game to apply.

    Raises CannotRun if no importer reads the source, ProblemsFound for a source with errors.
    """
    # Imported here for 80 ms, as programs that only load a title import this module as well.
    from platelayer.exchange.settling import problems_in, settle

    with ExitStack() as during:
        request = ImportRequest(
            folder=folder.name if folder is not None else None, rules=tuple(rules), during=during
        )
        importer = importer_of(source, request)
        source = importer.within(source)
        imported = importer.read(source, request)
        into = folder if folder is not None else Path(str(imported.head["id"]))
        if not imported.exact:
            settle(imported, source.name)
            _put_coasts(imported)
    files = imported.files(source.name)
    write_new(into, files | schema_files())
    return Import(
        folder=into,
        files=tuple(files),
        lost=imported.losses.count,
        unread=len(imported.losses.unread),
        waived=len(imported.accepted),
        problems=problems_in(into),
    )
