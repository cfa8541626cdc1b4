"""Titles as Ruby files, tile strings and tables."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from msgspec.structs import replace

from platelayer.definitions.pictures import write_svg
from platelayer.exchange.losses import Comments, Losses
from platelayer.exchange.tiles.writing import hex_string, tile_string
from platelayer.exchange.writers.pictures import Choice, faces, on_paper
from platelayer.exchange.writers.ruby import logo_name, operating
from platelayer.exchange.writers.ruby_game import LOGOS, game_files
from platelayer.exchange.writers.tables import pieces_csv
from platelayer.foundation.installing import to_install
from platelayer.foundation.problems import CannotRun
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.picture import CURRENT

_BOM = "\ufeff"
"""By which spreadsheets know that a table is UTF-8."""


def ruby_files(choice: Choice) -> dict[str, bytes]:
    """The data files of 18xx.games, a logo of each company as `public/logos` has them, and what a
    programmer is to know of them. A logo is the title's own picture, else the station."""
    from platelayer.render.painters import PAINTERS

    title = choice.title
    logos = {
        company.id: picture
        for company in operating(title)
        for picture in title.pictures
        if picture.id == company.logo
        and all(CURRENT not in (layer.fill, layer.stroke) for layer in picture.layers)
    }
    files = {
        f"{LOGOS}/{logo_name(title, title.company_by_id[key])}.svg": write_svg(logos[key])
        for key in logos
    }
    keys = {
        f"token:{company.id}": company for company in operating(title) if company.id not in logos
    }
    tokens = replace(
        choice, pieces=tuple(piece for piece in choice.manifest.pieces if piece.key in keys)
    )
    for face, *_ in faces(tokens):
        name = f"{LOGOS}/{logo_name(title, keys[face.piece.key])}.svg"
        files[name] = PAINTERS[".svg"](
            on_paper(face.scene), label=choice.name(face.piece), dpi=0, bleed=False
        )
    return game_files(title, choice.language) | dict(sorted(files.items()))


def books_file(choice: Choice) -> dict[str, bytes]:
    """The books of a game as a spreadsheet. Raises CannotRun if what writes it is not installed."""
    if find_spec("openpyxl") is None:
        command = to_install("platelayer[spreadsheet]")
        raise CannotRun(
            f"a spreadsheet is written with openpyxl, which is not installed; type: {command}"
        )
    from platelayer.exchange.writers.bookkeeping import books

    return {f"{choice.title.id}-bookkeeping.xlsx": books(choice.title, choice.language)}


def table_file(choice: Choice) -> dict[str, bytes]:
    """Pieces and counts as CSV."""
    return {f"{choice.title.id}-pieces.csv": (_BOM + table_text(choice)).encode()}


def table_text(choice: Choice) -> str:
    """Pieces and counts as CSV, for another program to read on."""
    return pieces_csv(choice.title, [(piece, choice.name(piece)) for piece in choice.pieces])


def string_files(choice: Choice) -> dict[str, bytes]:
    """Tile strings of tiles, of the hexes of each map, and of map tiles, as `platelayer import`
    reads them."""
    return {
        f"{choice.title.id}-{name}.txt": ("\n".join(lines) + "\n").encode()
        for name, lines in _strings(choice).items()
    }


def string_text(choice: Choice) -> str:
    """The same lines, one list after another; of a single tile its string alone."""
    lists = list(_strings(choice).values())
    lines = [line for part in lists for line in part]
    if len(lines) == 1 and len(choice.pieces) == 1 and choice.pieces[0].kind == "tile":
        entry = choice.title.tile_by_id[choice.pieces[0].id]
        return tile_string(entry.tile, Comments(Losses(), entry.tile.id))
    return "\n".join(lines)


def _strings(choice: Choice) -> dict[str, list[str]]:
    """Lines of number, colour, string and count, by what they are of. Raises CannotRun where
    nothing that was asked for has a string."""
    lists = {name: lines for name, lines in _lists(choice) if lines}
    if not lists:
        raise CannotRun("only pieces of the kinds tile, map and map-tile have tile strings")
    return lists


def _lists(choice: Choice) -> Iterator[tuple[str, list[str]]]:
    title, comments = choice.title, Comments(Losses(), "tile")
    wanted = {piece.key for piece in choice.pieces}
    tiles = [entry for entry in title.tiles if f"tile:{entry.tile.id}" in wanted]
    yield (
        "tiles",
        [
            _line(tile.tile.id, tile.tile.colour, tile_string(tile.tile, comments), tile.count)
            for tile in tiles
        ],
    )
    for gamemap in title.maps:
        if f"map:{gamemap.id}" in wanted:
            hexes = (
                _line(hexagon.id, hexagon.tile.colour, hex_string(hexagon, comments), 1)
                for hexagon in gamemap.hexes
            )
            yield f"map-{gamemap.id}", [line for line in hexes if line]
    if title.atlas is not None:
        counts = {str(tile.number): tile.copies for tile in title.atlas.map_tiles}
        lines = []
        for tile in printed_hexes(title.atlas):
            number = tile.id.partition("/")[0].removeprefix("tile-")
            if f"map-tile:{number}" in wanted:
                lines.append(
                    _line(tile.id, tile.colour, tile_string(tile, comments), counts[number])
                )
        yield "map-tiles", [line for line in lines if line]


def _line(number: str, colour: str, string: str, count: int) -> str:
    """A line of a list of tiles; a hex with nothing on it is a remark."""
    return f"{number} {colour} {string} ({count})" if string else f"# {number} {colour}"
