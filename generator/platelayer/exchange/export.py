"""Exports, one record per format, and the formats that consist of a few lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from platelayer.definitions.pictures import MAX_BYTES, write_svg
from platelayer.definitions.titles import position_text
from platelayer.exchange.losses import Comments, Losses
from platelayer.exchange.tile_strings import hex_string, tile_string
from platelayer.exchange.writers.board18 import box_files
from platelayer.exchange.writers.pictures import (
    BYTE_ORDER_MARK,
    Choice,
    File,
    PictureOptions,
    chosen,
    faces,
    on_paper,
    page_files,
    painted,
    piece_files,
    pieces_csv,
    sprite_files,
    upload_files,
)
from platelayer.exchange.writers.ruby import LOGOS, game_files, logo_names, operating
from platelayer.exchange.writers.simulator import simulator_files
from platelayer.exchange.writers.vassal import packed, vassal_files
from platelayer.foundation.door import joined, read_bytes
from platelayer.foundation.problems import CannotRun, Problem
from platelayer.foundation.resources import to_install
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.company import CURRENT
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.position import Position
from platelayer.pipeline.job import BuildOptions, Progress
from platelayer.pipeline.load import Reference
from platelayer.pipeline.write import write_all


class ExportOptions(Frozen, kw_only=True):
    """Options of exports; None and empty values stand for the format's default. `name` is a pattern
    of file names, `kinds` are picture formats (png, svg, pdf), `base_url` is the address of the
    pictures of a save."""

    name: str | None = None
    kinds: tuple[str, ...] = ()
    dpi: int | None = None
    base_url: str | None = None


class Format(Frozen):
    """Export format: its description, a function that makes its files, the ExportOptions that it
    supports, and a function that makes text for standard output. A `whole` format does not
    support a choice of pieces; `pack` packs all files, once they are painted, into others."""

    says: str
    files: Callable[[Choice, ExportOptions], Mapping[str, File]]
    heeds: tuple[str, ...] = ()
    text: Callable[[Choice], str] | None = None
    whole: bool = False
    pack: Callable[[Choice, Mapping[str, bytes]], dict[str, bytes]] | None = None


class Export(Frozen, kw_only=True):
    """Folder and files of an export, and problems of the definition that did not stop it."""

    folder: Path
    files: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def export_title(
    reference: Reference,
    form: str,
    folder: Path,
    build: BuildOptions | None = None,
    options: ExportOptions | None = None,
    *,
    processes: int = 1,
    progress: Progress = lambda _stage, _done, _of: None,
) -> Export:
    """Write a title in a format into a folder, either completely or not at all. Files of the same
    names are replaced, others are left alone. Pictures are painted in `processes` processes;
    `progress` is called with (stage, done, of), counted in pictures.

    Raises CannotRun for an unknown format, an option that the format does not support, and a title
    that cannot be written in the format, ProblemsFound for a definition with errors.
    """
    build, options = build or BuildOptions(), options or ExportOptions()
    writer = _format(form, build, options)
    choice = chosen(reference, build)
    progress("drawing", 0, 1)
    files = painted(writer.files(choice, options), processes, progress)
    if writer.pack is not None:
        files = writer.pack(choice, files)
    write_all(folder, files)
    return Export(folder=folder, files=tuple(files), problems=choice.problems)


def export_text(reference: Reference, form: str, build: BuildOptions) -> str:
    """Return a title as one text. Raises the exceptions of `export_title`, and CannotRun for a
    format that is more than a text."""
    writer = _format(form, build, ExportOptions())
    if writer.text is None:
        raise CannotRun(f"{form} makes files: name a folder for them")
    return writer.text(chosen(reference, build))


def _format(form: str, build: BuildOptions, options: ExportOptions) -> Format:
    if form not in FORMATS:
        hint = suggestion(form, FORMATS) or f"formats are {', '.join(FORMATS)}"
        raise CannotRun(f"there is no format {form!r}; {hint}")
    writer = FORMATS[form]
    if writer.whole and (build.pieces or build.players or build.sizes or build.money):
        raise CannotRun(
            f"{form} always holds the whole title: pieces, players, sizes and money have no effect"
        )
    for field in ExportOptions.__struct_fields__:
        if getattr(options, field) not in (None, ()) and field not in writer.heeds:
            users = [name for name, other in FORMATS.items() if field in other.heeds]
            raise CannotRun(f"{field} does nothing for {form}; it is for {', '.join(users)}")
    return writer


# Ruby files


def _ruby_files(choice: Choice) -> dict[str, bytes]:
    """Return the data files of 18xx.games, and logos as in its `public/logos`: the title's own
    picture of each company, otherwise the company's station."""
    from platelayer.render.scenes import PAINTERS

    title = choice.title
    pictures = {picture.id: picture for picture in title.pictures}
    logos = {}
    stations = {}
    names = logo_names(title)
    for company in operating(title):
        name = f"{LOGOS}/{names[company.ref]}.svg"
        logo = pictures.get(company.logo or "")
        if logo is None or any(CURRENT in (layer.fill, layer.stroke) for layer in logo.layers):
            stations[f"token:{company.id}"] = name
        else:
            logos[name] = write_svg(logo)
    pieces = tuple(piece for piece in choice.manifest.pieces if piece.key in stations)
    for face, *_ in faces(replace(choice, pieces=pieces)):
        label = choice.name(face.piece)
        scene = on_paper(face.scene)
        logos[stations[face.piece.key]] = PAINTERS[".svg"](scene, label=label, dpi=0, bleed=False)
    return game_files(title, choice.language) | dict(sorted(logos.items()))


# Tile strings


def _tile_strings(choice: Choice) -> dict[str, list[str]]:
    """Return the lines of a list of tiles, of one list for each map, and of a list of map tiles,
    for the chosen pieces only. Raises CannotRun if no chosen piece has a tile string."""
    title, comments = choice.title, Comments(Losses(), "tile")
    keys = {piece.key for piece in choice.pieces}
    lists: dict[str, list[str]] = {"tiles": []}
    for entry in title.tiles:
        tile = entry.tile
        if f"tile:{tile.id}" in keys:
            string = tile_string(tile, comments)
            lists["tiles"].append(_line(tile.id, tile.colour, string, entry.count))
    for gamemap in title.maps:
        if f"map:{gamemap.id}" in keys:
            lists[f"map-{gamemap.id}"] = [
                _line(hexagon.id, hexagon.tile.colour, hex_string(hexagon, comments), 1)
                for hexagon in gamemap.hexes
            ]
    if title.atlas is not None:
        counts = {str(tile.number): tile.copies for tile in title.atlas.map_tiles}
        lists["map-tiles"] = []
        for tile in printed_hexes(title.atlas):
            number = tile.id.partition("/")[0].removeprefix("tile-")
            if f"map-tile:{number}" in keys:
                string = tile_string(tile, comments)
                lists["map-tiles"].append(_line(tile.id, tile.colour, string, counts[number]))
    if not any(lists.values()):
        raise CannotRun("only pieces of the kinds tile, map and map-tile have tile strings")
    return {name: lines for name, lines in lists.items() if lines}


def _line(number: str, colour: str, string: str, count: int) -> str:
    """Return a line of a list of tiles; an empty hex becomes a comment."""
    return f"{number} {colour} {string} ({count})" if string else f"# {number} {colour}"


def _string_files(choice: Choice) -> dict[str, bytes]:
    return {
        f"{choice.title.id}-{name}.txt": ("\n".join(lines) + "\n").encode()
        for name, lines in _tile_strings(choice).items()
    }


def _string_text(choice: Choice) -> str:
    """Return all lists as text, or only the tile string if a single tile is chosen."""
    lines = [line for part in _tile_strings(choice).values() for line in part]
    only = choice.pieces[0]
    if len(lines) == 1 and len(choice.pieces) == 1 and only.kind == "tile":
        tile = choice.title.tile_by_id[only.id].tile
        return tile_string(tile, Comments(Losses(), tile.id))
    return "\n".join(lines)


# Spreadsheets


def _csv_text(choice: Choice) -> str:
    return pieces_csv(choice.title, [(piece, choice.name(piece)) for piece in choice.pieces])


def books_file(choice: Choice) -> dict[str, bytes]:
    """Return the books of a game as a spreadsheet. Raises CannotRun if openpyxl is missing."""
    needs_openpyxl()
    from platelayer.exchange.writers.bookkeeping import books

    return {f"{choice.title.id}-bookkeeping.xlsx": books(choice.title, choice.language)}


def table_files(choice: Choice) -> dict[str, bytes]:
    """Return the whole definition as a workbook, and the pictures that it names. Raises CannotRun
    if openpyxl is missing."""
    needs_openpyxl()
    from platelayer.exchange.tables.write import workbook_of

    assembled = choice.loaded.assembled
    value = dict(assembled.value)
    if choice.title.variant is not None:
        value.pop("variants", None)
    folder = assembled.root.path.parent
    names = [
        picture["file"] if isinstance(picture, dict) else picture
        for picture in value.get("pictures", {}).values()
    ]
    beside = {name: read_bytes(joined(folder, name), MAX_BYTES, within=folder) for name in names}
    return {f"{choice.title.id}.xlsx": workbook_of(value, choice.language), **beside}


def needs_openpyxl() -> None:
    """Raise CannotRun if openpyxl is missing."""
    if find_spec("openpyxl") is None:
        command = to_install("platelayer[spreadsheet]")
        raise CannotRun(
            f"a spreadsheet is written with openpyxl, which is not installed; type: {command}"
        )


def _start(choice: Choice) -> str:
    """Return a position with an empty map in its first phase. Raises CannotRun for a title without
    a map."""
    title = choice.title
    if not title.maps:
        more = "; lay one of its map tiles with --atlas" if title.atlas else ""
        raise CannotRun(f"position: {title.id} has no map to lay tiles on{more}")
    phase = title.phases[0].id if title.phases else None
    return position_text(Position(title=title.id, variant=title.variant, phase=phase))


def _pictures(options: ExportOptions) -> PictureOptions:
    given = {"name": options.name, "kinds": options.kinds, "dpi": options.dpi}
    return replace(PictureOptions(), **{key: value for key, value in given.items() if value})


# Formats by their names on the command line.
FORMATS: dict[str, Format] = {
    "18xx-games": Format(
        "Ruby data files for 18xx.games",
        lambda choice, _: _ruby_files(choice),
        whole=True,
    ),
    "tile-strings": Format(
        "tiles in the notation of 18xx.games",
        lambda choice, _: _string_files(choice),
        text=_string_text,
    ),
    "tabletop-simulator": Format(
        "a save with its pictures",
        lambda choice, options: simulator_files(choice, options.base_url, options.dpi or 300),
        heeds=("base_url", "dpi"),
    ),
    "vassal": Format(
        "a module",
        lambda choice, options: vassal_files(choice, options.dpi or 150),
        heeds=("dpi",),
        pack=packed,
    ),
    "screentop": Format(
        "sheets of pictures for its editor, with a table",
        lambda choice, options: upload_files(choice, options.dpi or 150, sheeted=True),
        heeds=("dpi",),
    ),
    "tabletopia": Format(
        "a picture for each face, with a table",
        lambda choice, options: upload_files(choice, options.dpi or 150, sheeted=False),
        heeds=("dpi",),
    ),
    "board18": Format("a game box", lambda choice, _: box_files(choice)),
    "csv": Format(
        "pieces and counts",
        lambda choice, _: {
            f"{choice.title.id}-pieces.csv": (BYTE_ORDER_MARK + _csv_text(choice)).encode()
        },
        text=_csv_text,
    ),
    "spreadsheet": Format(
        "the whole title as tables, which can be edited, printed and imported",
        lambda choice, _: table_files(choice),
        whole=True,
    ),
    "bookkeeping": Format(
        "a spreadsheet that keeps the books of a game",
        lambda choice, _: books_file(choice),
        whole=True,
    ),
    "files": Format(
        "a picture for each face of each piece",
        lambda choice, options: piece_files(choice, _pictures(options)),
        heeds=("name", "kinds", "dpi"),
    ),
    "sprites": Format(
        "sheets of pictures, with their positions as JSON",
        lambda choice, options: sprite_files(choice, _pictures(options)),
        heeds=("name", "dpi"),
    ),
    "svg": Format(
        "a picture for each face of each piece, as SVG",
        lambda choice, options: piece_files(choice, replace(_pictures(options), kinds=("svg",))),
        heeds=("name",),
    ),
    "position": Format(
        "the start of a game, for the commands that take a position",
        lambda choice, _: {f"{choice.title.id}-position.json": _start(choice).encode()},
        text=_start,
        whole=True,
    ),
    "page": Format(
        "a web page that shows the title and its pieces",
        lambda choice, _: page_files(choice),
    ),
}
