"""New titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from platelayer.definitions.assemble import assemble_title
from platelayer.definitions.edits import Renumbered, laid_out, renumber, with_value
from platelayer.definitions.schemas import quick_check
from platelayer.definitions.titles import (
    SCHEMA_FOLDER,
    copied_files,
    read_title,
    schema_files,
    starter_files,
)
from platelayer.foundation.door import parse_value, read_start, real
from platelayer.foundation.languages import names, studio_words
from platelayer.foundation.problems import (
    CannotRun,
    ProblemsFound,
    Severity,
    has_errors,
    join_pointer,
)
from platelayer.foundation.resources import MOST_ROWS, STARTS, asset_json, title_ids
from platelayer.foundation.text import listed
from platelayer.foundation.values import Frozen, Json
from platelayer.model.gamemap import EDGES, Coord, CoordinateScheme, Layout, neighbour
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.registry import function
from platelayer.pipeline.write import write_all, write_new

if TYPE_CHECKING:
    from platelayer.definitions.source import Document
    from platelayer.definitions.titles import Loaded

# Another way to start, besides STARTS.
SPREADSHEET = "spreadsheet"
# Golden ratio: its multiples are spread evenly over any number of rows.
_GOLDEN = 0.6180339887498949
# Width of a hex on a map of a real place, in km.
_KM = 25.0
_GEOGRAPHY = "Map data: Natural Earth; GeoNames, CC BY 4.0"
_Side = Annotated[int, Meta(ge=1, le=MOST_ROWS)]


class NewTitle(Frozen, kw_only=True, forbid_unknown_fields=True):
    """Choices for a new title in place of what its start has. A size, a layout, `companies` with their
    home cities, a box of `tiles` or a place on the earth (`land`) give it a map of its own: of a
    place with hexes of so many `km`, turned clockwise by some degrees."""

    name: Annotated[str, Meta(max_length=80)] = ""
    rows: _Side | None = None
    columns: _Side | None = None
    layout: Literal["flat", "pointy"] | None = None
    companies: Annotated[int, Meta(ge=0, le=12)] | None = None
    tiles: str = ""
    land: str = ""
    km: float | None = None
    turn: float = 0.0
    language: str = "en"
    currency: str = ""

    @property
    def is_laid_out(self) -> bool:
        """True if the title gets a map of its own."""
        size = (self.rows, self.columns, self.layout, self.companies)
        return bool(self.tiles or self.land) or any(given is not None for given in size)


def tile_boxes() -> Json:
    """Return boxes of tiles for a new title, by name: their source, the hexes that they need on a
    map, and the counts of their tiles."""
    boxes: Json = asset_json("starters", "boxes.json")["boxes"]
    return boxes


def company_colours() -> list[list[str]]:
    """Return colours for new companies, in order, each with a second colour if it needs one."""
    colours: list[list[str]] = asset_json("starters", "boxes.json")["colours"]
    return colours


def new_title(
    folder: Path,
    start: str = "",
    new: NewTitle = NewTitle(),  # noqa: B008 - frozen
) -> tuple[str, ...]:
    """Write a printable title into an empty or new folder, with schemas and settings for editors,
    and return the names of its files.

    `start` is one of `STARTS`: by default small, or bare if the title gets a map of its own. A
    "spreadsheet" is the same title in one workbook.

    Raises CannotRun for any other folder, for an unknown start or box, and for a map of its own
    with another start than bare; nothing is written then.
    """
    is_workbook = start == SPREADSHEET
    start = "" if is_workbook else start
    start = start or ("bare" if new.is_laid_out else "small")
    if start not in STARTS:
        raise CannotRun(f"there is no start {start!r}, only {listed(STARTS)}")
    if (new.km is not None or new.turn) and not new.land:
        raise CannotRun(
            "the width of hexes in km and a turn are for a map of a place: name it (--land)"
        )
    if new.is_laid_out and start != "bare":
        raise CannotRun(
            f'the start "{start}" has its own map, companies and tiles; "bare" has none'
        )
    if new.language not in names():
        raise CannotRun(f"there is no language {new.language!r}, only {listed(names())}")
    if new.tiles not in ("", *tile_boxes()):
        raise CannotRun(f"there is no box of tiles {new.tiles!r}, only {listed(tile_boxes())}")
    place = real(folder).name
    files = starter_files(place, start)
    title = files["title.json"].decode()
    words = " ".join(place.replace("_", " ").replace("-", " ").split())
    named = words[:1].upper() + words[1:] or "1830"
    name = new.name or (named if start == "bare" else "")
    if name:
        title = with_value(title, "/name", name)
        files["map.json"] = with_value(files["map.json"].decode(), "/map/name", name).encode()
    pattern = new.currency if "{}" in new.currency or not new.currency else f"{new.currency}{{}}"
    if pattern:
        title = with_value(title, "/currency", pattern)
    for key, given in (("name", name), ("currency", pattern)):
        if given and not quick_check("title", f"/$defs/title/properties/{key}")(given):
            raise CannotRun(f"{given!r} cannot be the {key} of a title")
    if new.is_laid_out:
        title = _lay_out(new, title, files)
    files["title.json"] = title.encode()
    if is_workbook:
        files = function("workbook_files")(files)
    write_new(folder, files)
    return tuple(files)


def _lay_out(new: NewTitle, title: str, files: dict[str, bytes]) -> str:
    """Add a map of the requested size, companies at home on it and a box of tiles to files. Return
    the text of the title with them."""
    box, companies = tile_boxes().get(new.tiles), new.companies or 0
    needed = box["hexes"] if box else []
    if new.land:
        board, places, note = _real_board(new, needed)
        sources = [{"subject": "/maps/main", "source": "reference", "note": note}]
        credited = [*parse_value(title, name="title.json")["credits"], _GEOGRAPHY]
        title = with_value(title, "/credits", credited)
    else:
        board, places = _invented_board(new, needed)
        sources = []
    board = {"name": parse_value(title, name="title.json")["name"], **board}
    words, colours = studio_words(new.language), company_colours()
    blocks = {"map": ("map", board)}
    if companies:
        blocks["companies"] = (
            "companies",
            {
                str(number + 1): {
                    "name": f"{words['is_company']} {number + 1}",
                    "kind": "major",
                    **dict(zip(("colour", "second"), colours[number], strict=False)),
                    "certificates": [
                        {"percent": 20, "director": True},
                        {"percent": 10, "count": 8},
                    ],
                    "stations": [0, 40, 100],
                    "homes": [{"hex": places[number]}],
                    "float_percent": 60,
                }
                for number in range(companies)
            },
        )
    if box:
        blocks["tiles"] = ("title-tiles", box["tiles"])
        title = with_value(title, "/tiles", "tiles.json")
    if companies:
        title = with_value(title, "/companies", "companies.json")
    if box:
        sources.append({"subject": "tiles", "source": box["source"], "note": box["note"]})
    if sources:
        title = with_value(title, "/provenance", sources)
    for block, (schema, value) in blocks.items():
        made = {"$schema": f"./{SCHEMA_FOLDER}/{schema}.schema.json", block: value}
        files[f"{block}.json"] = (laid_out(made, open_first=True) + "\n").encode()
    return title


def _real_board(new: NewTitle, needed: list[Json]) -> tuple[Json, list[str], str]:
    """Return the map of a place, the hexes of its cities, and its sources. The smallest cities
    become the hexes that a box of tiles needs and the place lacks."""
    layout = Layout(new.layout or "flat")
    made = function("real_board")(
        new.land,
        new.rows or 9,
        new.columns or 12,
        _KM if new.km is None else new.km,
        layout,
        turn=new.turn,
    )
    board, cities = made.board, list(made.cities)
    if new.tiles:
        _fit_tiles(board, cities, needed, layout)
    if len(cities) < (new.companies or 0):
        raise CannotRun(
            f"there are {len(cities)} cities for {new.companies} companies around {new.land}; "
            "take more or wider hexes, or fewer companies"
        )
    return board, cities, made.note


def _fit_tiles(board: Json, cities: list[str], needed: list[Json], layout: Layout) -> None:
    """Remove from a map the stops for which no tile has suitable exits, and give it the hexes that
    a box of tiles needs. These replace the smallest cities, which are removed from the list."""
    hexes, scheme = board["hexes"], CoordinateScheme(letters_on=board["coordinates"]["letters_on"])
    coords = {scheme.parse(name) for name in hexes}
    while True:
        exits = {
            name: [edge for edge in EDGES if neighbour(at, edge, layout) in coords]
            for name in hexes
            if (at := scheme.parse(name))
        }
        # Track cannot pass through a gray hex, nor end at it.
        lonely = [
            name
            for name in hexes
            if len(exits[name]) < 2 and hexes[name].get("colour") not in ("red", "gray")
        ]
        if not lonely:
            break
        for name in lonely:
            hexes[name] = {"colour": "gray"}
            coords.discard(scheme.parse(name))
    # Keep only towns that the box has tiles for: those like the towns of the needed hexes.
    known = {len(hexagon["stops"]) for hexagon in needed if hexagon["stops"][0]["kind"] == "town"}
    for name, hexagon in hexes.items():
        stops = hexagon.get("stops", [])
        if any(stop["kind"] == "offboard" for stop in stops):
            continue
        if len(stops) == 2 and 2 not in known:
            hexes[name] = {"name": stops[0]["name"], "stops": [{"kind": "town"}]}
        for stop in stops:
            # The box has tiles only for cities with one slot.
            stop.pop("slots", None)
        is_town = any(stop["kind"] == "town" for stop in stops)
        # Some boxes have only straight track for a city.
        is_open = any((edge + 3) % 6 in exits[name] for edge in exits[name])
        if not is_open or (is_town and not known):
            hexes[name] = {}
    cities[:] = [name for name in cities if "stops" in hexes[name]]
    for hexagon in needed:
        stops = [stop["kind"] for stop in hexagon["stops"]]
        has_it = "labels" not in hexagon and any(
            [stop["kind"] for stop in other.get("stops", ())] == stops for other in hexes.values()
        )
        if not has_it and cities:
            # Take the last of the cities farthest inside.
            least = max(range(len(cities)), key=lambda n: (len(exits[cities[n]]), n))
            city = cities.pop(least)
            hexes[city] = {**hexagon, "name": hexes[city]["name"]}


def _invented_board(new: NewTitle, needed: list[Json]) -> tuple[Json, list[str]]:
    """Return a map of plain ground with cities for the companies and the hexes that a box of tiles
    needs; and the names of those hexes, cities first."""
    layout = Layout(new.layout or "flat")
    rows, columns, companies = new.rows or 6, new.columns or 8, new.companies or 0
    scheme = CoordinateScheme(letters_on="x" if layout is Layout.FLAT else "y")
    grid = [
        Coord(column, 2 * row + column % 2)
        if layout is Layout.FLAT
        else Coord(2 * column + row % 2, row)
        for row in range(rows)
        for column in range(columns)
    ]
    words = studio_words(new.language)
    stops = [
        {"name": f"{words['value_city']} {number + 1}", "stops": [{"kind": "city"}]}
        for number in range(max(companies, 1 if new.tiles else 0))
    ]
    stops += [*needed, *needed[:1] * (companies // 2)]
    if len(grid) < len(stops):
        size = f"{rows} x {columns}"
        raise CannotRun(f"a map of {size} hexes has no room for {len(stops)} cities and towns")
    # At the edge of the map a city has too few exits for some tiles: place all cities as far inside
    # as they fit.
    known = set(grid)
    near = {at: sum(neighbour(at, edge, layout) in known for edge in EDGES) for at in grid}
    fewest = sorted(near.values(), reverse=True)[max(len(stops) - 1, 0)]
    free = [at for at in grid if near[at] >= fewest]
    hexes: dict[Coord, Any] = {at: {} for at in grid}
    places = []
    for number, hexagon in enumerate(stops):
        # Space evenly along the map, and by the golden ratio across it.
        spot = (number + 0.5) / len(stops), (number + 1) * _GOLDEN % 1
        at = min(free, key=lambda at: _far(at, spot, grid))
        free.remove(at)
        hexes[at] = hexagon
        places.append(scheme.name(at))
    board = {
        "layout": layout.value,
        "coordinates": {"letters_on": scheme.letters_on},
        "hexes": {scheme.name(at): hexagon for at, hexagon in hexes.items()},
    }
    return board, places


def _far(at: Coord, spot: tuple[float, float], grid: list[Coord]) -> tuple[float, Coord]:
    """Return the distance of a hex from a spot of the map, given as shares of the map's size, and
    the hex."""
    last = grid[-1]
    across, down = at.x - spot[0] * max(last.x, 1), at.y - spot[1] * max(last.y, 1)
    return across * across + down * down, at


def copy_title(shipped: str, folder: Path) -> tuple[str, ...]:
    """Write a copy of a shipped title into an empty or new folder, with schemas and settings for
    editors, and return the names of its files.

    Raises CannotRun for an unknown title or any other folder; nothing is written then.
    """
    if shipped not in title_ids():
        raise CannotRun(f"there is no title {shipped!r} that comes with Platelayer")
    files = copied_files(shipped, real(folder).name)
    write_new(folder, files)
    return tuple(files)


def renew_schemas(folder: Path) -> tuple[str, ...]:
    """Write the schemas for editors into the folder of a title, replacing those of an earlier
    version, and return their names.

    Raises CannotRun if there is no title.
    """
    if not (folder / "title.json").is_file():
        raise CannotRun(f"{folder} is not the folder of a title: there is no title.json in it")
    files = schema_files()
    write_all(folder, files)
    return tuple(files)


# Updates of the declared contents of the box in the user's own file.


_BOX = ("pieces", "box")
_MARK = b"\xef\xbb\xbf"


class Count(Frozen, kw_only=True):
    """An accepted count: the file as the user would type it, the key, and the count before (None if
    there was none) and now. `variant` is the variant that declares it, None for the title
    itself."""

    file: str
    key: str
    before: int | None
    now: int
    variant: str | None = None


class Box(NamedTuple):
    """Accepted counts and where they are declared: a document and the pointer of its box."""

    document: Document
    pointer: str
    counts: tuple[Count, ...]

    @property
    def values(self) -> Iterator[tuple[str, int]]:
        """Yield pointers in the document with the counts to put there."""
        return ((self.pointer + join_pointer(count.key), count.now) for count in self.counts)


def accept_box(reference: str) -> tuple[Count, ...]:
    """Write the actual contents of a title's box, and of its variants' boxes, as the declared
    counts: those that are declared, or one for each kind if none are. A count that differs only
    in a variant is written into the variant. Nothing else in the files changes.

    Raises ProblemsFound if the title has errors other than these counts, CannotRun for a shipped
    title and for one without a block `pieces`.
    """
    if reference in title_ids():
        raise CannotRun(f"{reference} comes with Platelayer; give the folder of your own title")
    loaded = _read(reference)
    counts = list(_write(box_of(loaded)))
    for variant in loaded.title.variants:
        counts += _write(box_of(_read(reference, variant.id), variant.id))
    return tuple(counts)


def renumber_title(reference: str, first: str = "A1", *, write: bool = True) -> Renumbered:
    """Write new coordinates for all hexes of a title into its files, starting at `first`.

    Raises ProblemsFound if the title has errors that could hide a hex, CannotRun for a shipped
    title and as `renumber` does; nothing is written then.
    """
    if reference in title_ids():
        raise CannotRun(f"{reference} comes with Platelayer; give the folder of your own title")
    assembled = assemble_title(reference)
    if has_errors(assembled.problems):
        raise ProblemsFound(assembled.problems)
    made = renumber(assembled, first)
    if write and made.files:
        _rewrite(assembled.root.path.parent, made.files)
    return made


def box_of(loaded: Loaded, variant: str | None = None) -> Box:
    """Return the changes that make the declared counts right: updated or added counts of the title
    itself, or those of a variant in its own patch, which gets only the counts that the title has
    otherwise. Raises CannotRun for a title without a block `pieces`."""
    assembled = loaded.assembled
    totals, pieces = build_manifest(loaded.title).totals, assembled.value.get("pieces", {})
    if variant is None:
        document, pointer = assembled.source(join_pointer(*_BOX))
    else:
        document = assembled.root
        pointer = join_pointer("variants", variant, "patch", *_BOX)
    declared = pieces.get("box")
    counts: list[tuple[str, int | None, int]] = []
    if declared is not None:
        counts += ((key, before, totals.get(key, 0)) for key, before in declared.items())
    elif variant is None and "pieces" in assembled.value:
        counts += ((key, None, now) for key, now in totals.items() if "/" not in key)
    elif variant is None:
        raise CannotRun(
            f'{document.file}: there is no block "pieces" for the box; add "pieces": {{}} first'
        )
    return Box(
        document,
        pointer,
        tuple(
            Count(file=document.file, key=key, before=before, now=now, variant=variant)
            for key, before, now in counts
            if before != now
        ),
    )


def _read(reference: str, variant: str | None = None) -> Loaded:
    loaded = read_title(reference, variant=variant)
    others = [
        problem
        for problem in loaded.problems
        if problem.severity is Severity.ERROR and problem.code != "BX01"
    ]
    if others:
        raise ProblemsFound(others)
    return loaded


def _write(box: Box) -> tuple[Count, ...]:
    document = box.document
    text = document.text
    for pointer, now in box.values:
        text = with_value(text, pointer, now)
    if text != document.text:
        _rewrite(document.path.parent, {document.path: text})
    return box.counts


def _rewrite(folder: Path, texts: Mapping[Path, str]) -> None:
    """Rewrite files of a folder, keeping their byte order marks."""
    files = {}
    for path, text in texts.items():
        mark = _MARK if read_start(path, len(_MARK)).startswith(_MARK) else b""
        files[path.relative_to(folder).as_posix()] = mark + text.encode()
    write_all(folder, files)
