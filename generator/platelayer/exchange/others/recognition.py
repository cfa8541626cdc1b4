"""Files of other programs, recognised by their content."""

from __future__ import annotations

import re
from pathlib import Path

from platelayer.foundation.door import read_start

_SNIFFED = 64 * 1024


def _start(path: Path) -> str:
    """The first 64 KB of a file as text; "" for what is no file."""
    return read_start(path, _SNIFFED).decode("utf-8", "replace") if path.is_file() else ""


def _has(text: str, *keys: str) -> bool:
    """True for an object in JSON or YAML that has all of these keys."""
    return re.match(r"\ufeff?\s*[{#\w]", text) is not None and all(
        re.search(rf"""(?m)(["'{{,]\s*|^\s*){key}["']?\s*:""", text) for key in keys
    )


def is_map18xx(source: Path) -> bool:
    """True for the folder of a game of map18xx, or its map."""
    paths = [source / "map.json", source / "map.yaml"] if source.is_dir() else [source]
    return any(
        path.stem == "map" and _has(_start(path), "orientation", "tiles", "location")
        for path in paths
    )


def is_rusty_train(source: Path) -> bool:
    """True for a tile catalogue, a map or a game of n18 or rusty_train."""
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
    """True for a saved game of 18xxtools, its exported map, or its packs of tiles."""
    text = _start(source)
    if source.suffix == ".js":
        return bool(re.search(r"dsl: *'[^']*', *color: *'", text))
    return (_has(text, "meta", "hexes") and _has(text, "staggerParity|baseGame")) or (
        _has(text, "rows", "cols", "orientation", "hexes", "coordinate")
    )


def is_xxpaper(source: Path) -> bool:
    """True for a file of xxpaper in YAML."""
    return source.suffix == ".xxp" and not _is_old_xxpaper(_start(source))


def is_ps18xx(source: Path) -> bool:
    """True for the map or the tiles of a game of ps18xx."""
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
    """Name of the program that a file is of, and what to do with it, where no importer reads it."""
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
    if _has(text, "info", "title"):  # of 18xx-maker
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
_OBJECTS = (
    (("format", "id"), "a title of Platelayer: check, draw and build read it as it is"),
    (("format", "title"), "a position of Platelayer: check reads it, and draw TITLE map --position draws it"),
    (("actions", "players"), "a game played on 18xx.games: platelayer position import reads it"),
    (("ObjectStates", "SaveName"), "a save of Tabletop Simulator: it holds pictures, no data of a game"),
    (("bname", "tray"), "a game box of Board18: it holds pictures, no data of a game"),
    (("train_routes|train_assignments|bonuses", "paths|revenue"), "routes of rusty_train: import its map or its game"),
    (("amounts", "tiles"), "the tiles of a game of map18xx: import its folder, games/NAME"),
    (("paths", "cities|stops|is_lawson"), "a tile definition of map18xx: import the folder of a game, games/NAME"),
    (("game", "log"), "a game played with map18xx: import the folder of the game itself, games/NAME"),
)  # fmt: skip


def _of_archive(path: Path) -> str:
    from zipfile import BadZipFile, ZipFile  # here, as this module is loaded by every command

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
