"""Requests of a page and their answers: the same for a local server and for a worker in a
browser."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import MsgspecError, Struct

from platelayer.foundation.languages import names, studio_words
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import MOST_ROWS, STARTS, schema_paths, shipped_json, title_ids
from platelayer.foundation.values import Json
from platelayer.model.options import OPTIONS
from platelayer.pipeline import registry
from platelayer.pipeline.check import explain
from platelayer.pipeline.scaffold import NewTitle, company_colours, tile_boxes
from platelayer.studio import bring
from platelayer.studio.desk import Desk, Looks, Page, read_action
from platelayer.studio.folder import Changed, Missing, Refused
from platelayer.studio.pictures import archive, options_of, painted, pdf
from platelayer.studio.view import View

maps, playing = registry.view("maps"), registry.view("play")

SVG = "image/svg+xml"
JSON = "application/json"
MOST_BODY = 2 * bring.MOST_BYTES
_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z0-9]{2,8})?")
_STATUS: dict[type[Refused], int] = {Missing: 404, Changed: 409}

Given = TypeVar("Given")


class Request(Struct, kw_only=True):
    """Request of a page: a path without its first slash, its query, and its body."""

    method: str = "GET"
    path: str
    query: dict[str, str] = {}
    body: bytes = b""


class Answer(Struct):
    """Answer to a page: bytes of a kind, true if they never change, and the name of a file to keep
    them in."""

    data: bytes
    kind: str = JSON
    status: int = 200
    lasting: bool = False
    name: str = ""


def as_json(value: object, status: int = 200) -> Answer:
    """A value in JSON."""
    return Answer(
        json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), status=status
    )


@cache
def _choices(language: str) -> Json:
    """Themes, papers, profiles, options of a print, and what a random map may be."""
    from platelayer.definitions.profiles import load_profile, profile_ids
    from platelayer.definitions.themes import theme_ids
    from platelayer.imposition.paper import standard_papers

    words = studio_words(language)
    papers = {name: paper.name for name, paper in standard_papers().items()}
    return {
        "themes": theme_ids(),
        "papers": papers,
        "options": [
            {
                "name": name,
                "default": option.default,
                "view": option.mark.view,
                "values": papers
                if name == "paper"
                else {choice: words[f"{name}_{choice}"] for choice in option.choices},
            }
            for name, option in OPTIONS.items()
            if option.mark.dialog
        ],
        "profiles": {
            profile: load_profile(profile).name.get(language) for profile in profile_ids()
        },
        "atlas": maps.choices(),
    }


@cache
def _schemas() -> Json:
    """All schemas by their file names."""
    return {path.name: shipped_json(path) for path in schema_paths()}


class Shown(Struct):
    """View of a page, as the page states it."""

    at: str = ""
    variant: str = ""
    lang: str = "en"
    theme: str = "classic"


class Then(Shown):
    """View of a page, at an earlier moment if one is named."""

    then: str = ""


class Line(Shown):
    """Message on a page's connection: its view, and the number by which the page recognises it."""

    number: int = 0


class Named(Struct):
    """A title to be, in a folder of that name: the shipped one that it is a copy of, or what it
    begins with."""

    name: str
    of: str = ""
    start: str = ""
    title: NewTitle = NewTitle()


class Brought(Struct):
    """Files of another program, and the name of the title to make of them."""

    name: str
    files: tuple[bring.Dropped, ...]


class Sheet(Struct):
    """A document of a print."""

    stem: str


class SheetPage(Sheet):
    """A page of a document, counted from 1, with the options of the print in JSON."""

    page: int
    options: str


class Answers:
    """Everything that a page may ask for by its path; `desk` does the work."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        routes: tuple[tuple[str, str, Callable[..., Awaitable[Answer]]], ...] = (
            ("GET", r"about\.json", self.about),
            ("GET", r"schemas\.json", self.schemas),
            ("GET", r"explain/([^/]+)", self.explain),
            ("GET", r"faces/(.+)", self.faces),
            ("GET", r"picture/(\d{1,6})/(.+)", self.picture),
            ("GET", r"layer/([0-9a-f]{24})", self.layer),
            ("GET", r"icon/(.+)", self.icon),
            ("GET", r"pdf/(\d{1,6})/(.+)", self.pdf),
            ("POST", r"do", self.do),
            ("GET", r"upgrades\.json", self.upgrades),
            ("GET", r"supply\.json", self.supply),
            ("POST", r"routes", self.best_routes),
            ("POST", r"position", self.position),
            ("POST", r"position/open", self.open_position),
            ("GET", r"position\.(svg|pdf)", self.draw_position),
            ("POST", r"sheets\.json", self.sheets),
            ("POST", r"sheet\.json", self.sheet_pages),
            ("GET", r"sheet\.svg", self.sheet),
            ("POST", r"print", self.print),
            ("POST", r"print/write", self.write),
            ("GET", r"print/(.+)", self.printed),
            ("POST", r"atlas", self.atlas),
            ("POST", r"atlas/gallery", self.gallery),
            ("POST", r"atlas/table", self.table),
            ("POST", r"atlas/find", self.find),
            ("POST", r"atlas/stop", self.stop),
            ("POST", r"atlas/files", self.map_files),
            ("GET", r"atlas/files/([^/]+)", self.map_file),
            ("GET", r"atlas\.svg", self.poster),
            ("POST", r"import", self.bring),
            ("POST", r"new", self.begin),
            ("POST", r"new/map", self.preview),
            ("POST", r"mine", self.make_mine),
        )
        self._routes = [(method, re.compile(path), answer) for method, path, answer in routes]

    async def answer(self, request: Request) -> Answer:
        """The answer to anything; one that cannot be given says why in JSON."""
        try:
            for method, path, answer in self._routes:
                if method == request.method and (found := path.fullmatch(request.path)):
                    return await answer(request, *found.groups())
            raise Missing("there is nothing at this address")
        except ProblemsFound as error:
            return as_json({"problems": [problem.as_json for problem in error.problems]}, 422)
        except Refused as error:
            return as_json({"message": str(error)}, _STATUS.get(type(error), 403))
        except (CannotRun, OSError) as error:
            return as_json({"message": str(error)}, 422)
        except (MsgspecError, RecursionError) as error:
            return as_json({"message": f"invalid request: {error}"}, 400)

    async def hear(self, page: Page, text: str) -> None:
        """Take in the view of a page: news of it follow. Raises CannotRun, MsgspecError,
        RecursionError."""
        line = _read(text, Line)
        page.look(_looks(line), line.number)
        # Before files are read: a view that nobody looks at is dropped, and one read anew while a
        # file is half written has no picture to keep.
        self.desk.pages.add(page)
        await self.desk.changed()
        await self.desk.tell(page)
        self.desk.look_for_problems()

    async def about(self, request: Request) -> Answer:
        """The words of the page, and the choices that it offers."""
        language = request.query.get("ui", "")
        if language not in names():
            language = "en"
        folder = self.desk.folder
        choices = await self.desk.do(_choices, language)
        return as_json({
            "ui": language,
            "languages": names(),
            "words": studio_words(language),
            "folder": str(folder.root),
            "shipped": title_ids(),
            "starts": STARTS,
            "most_rows": MOST_ROWS,
            "boxes": {name: [*box["tiles"].values()] for name, box in tile_boxes().items()},
            "colours": company_colours(),
            "own_place": None if folder.writable else str(bring.own_place()),
            **choices,
        })  # fmt: skip

    async def schemas(self, _request: Request) -> Answer:
        """All schemas, for completion."""
        return as_json(await self.desk.do(_schemas))

    async def explain(self, _request: Request, code: str) -> Answer:
        """Explain a problem code."""
        return as_json({"text": await self.desk.do(explain, code)})

    async def _view(self, request: Request) -> tuple[View, Looks]:
        shown = _query(request, Then)
        looks = _looks(shown)
        if shown.then:
            moment = (looks.at, looks.variant, shown.then)
            return await self.desk.do(self.desk.view_then, *moment), looks
        return await self.desk.do(self.desk.view, looks.at, looks.variant), looks

    async def faces(self, request: Request, key: str) -> Answer:
        """Faces of a piece, its pages and its back, with their sizes."""
        view, looks = await self._view(request)
        faces = self.desk.pictures.faces if "then" in request.query else self.desk.faces
        found = await self.desk.do(faces, view, key, looks.language, looks.theme)
        return as_json([face.about for face in found])

    async def picture(self, request: Request, number: str, key: str) -> Answer:
        """One face of a piece."""
        view, looks = await self._view(request)
        piece = (key, looks.language, looks.theme, int(number))
        face = await self.desk.do(self.desk.pictures.face, view, *piece)
        return Answer(face.svg, SVG, lasting="v" in request.query)

    async def icon(self, request: Request, name: str) -> Answer:
        """An icon, or a picture of the title."""
        view, looks = await self._view(request)
        scene = await self.desk.do(view.icon, name, looks.language, looks.theme)
        face = await self.desk.do(painted, scene, "front")
        return Answer(face.svg, SVG, lasting="v" in request.query)

    async def layer(self, _request: Request, name: str) -> Answer:
        """A layer of a picture."""
        data = await self.desk.do(self.desk.pictures.layer, name)
        if data is None:
            raise Missing("there is no such picture any more")
        return Answer(data, SVG, lasting=True)

    async def pdf(self, request: Request, number: str, key: str) -> Answer:
        """One face of a piece as `platelayer draw` makes it."""
        view, looks = await self._view(request)
        data = await self.desk.do(pdf, view, key, looks.language, looks.theme, int(number))
        return Answer(data, "application/pdf")

    async def do(self, request: Request) -> Answer:
        """An action on the files."""
        return as_json(await self.desk.act(read_action(request.body)))

    async def upgrades(self, request: Request) -> Answer:
        """Tiles that may replace each other."""
        view, _ = await self._view(request)
        return as_json(await self.desk.do(playing.explorer, view))

    async def supply(self, request: Request) -> Answer:
        """Supply of the box for a map."""
        view, looks = await self._view(request)
        board = _query(request, playing.Board)
        return as_json(await self.desk.do(playing.supplied, view, board, looks.language))

    async def best_routes(self, request: Request) -> Answer:
        """The best routes of companies in a position."""
        view, looks = await self._view(request)
        running = _read(request.body, playing.Running)
        return as_json(await self.desk.do(playing.routed, view, running, looks.language))

    async def position(self, request: Request) -> Answer:
        """The tiles laid on the page, as a position."""
        view, _ = await self._view(request)
        laid = _read(request.body, playing.Laid)
        return as_json(await self.desk.do(playing.saved, view, laid))

    async def open_position(self, request: Request) -> Answer:
        """The tiles laid in a position or a recorded game."""
        view, _ = await self._view(request)
        file = _read(request.body, playing.Opened)
        return as_json(await self.desk.do(playing.opened, view, file))

    async def draw_position(self, request: Request, suffix: str) -> Answer:
        """The map of a position."""
        view, looks = await self._view(request)
        position = _query(request, playing.InText)
        scene = await self.desk.do(playing.drawn, view, position, looks.language, looks.theme)
        if suffix == "svg":
            face = await self.desk.do(painted, scene, "front")
            return Answer(face.svg, SVG)
        return Answer(await self.desk.do(playing.pdf, scene), "application/pdf")

    async def _options(self, request: Request, text: str | bytes) -> tuple[View, Json]:
        """The title, and the options of a print in the looks of the page."""
        view, looks = await self._view(request)
        options = _read(text, Json)
        looked = {"variant": looks.variant, "language": looks.language, "theme": looks.theme}
        return view, options | looked

    async def sheets(self, request: Request) -> Answer:
        """The documents of a print."""
        view, options = await self._options(request, request.body)
        return as_json(await self.desk.do(self.desk.sheets.documents, view, options))

    async def sheet_pages(self, request: Request) -> Answer:
        """The pages of a document."""
        view, options = await self._options(request, request.body)
        stem = _query(request, Sheet).stem
        return as_json(await self.desk.do(self.desk.sheets.pages, view, options, stem))

    async def sheet(self, request: Request) -> Answer:
        """One page of a document."""
        page = _query(request, SheetPage)
        view, options = await self._options(request, page.options)
        face = await self.desk.do(self.desk.sheets.page, view, options, page.stem, page.page)
        return Answer(face.svg, SVG, lasting=True)

    async def print(self, request: Request) -> Answer:
        """Begin a print."""
        view, options = await self._options(request, request.body)
        return as_json({"print": await self.desk.do(self.desk.print, view, options_of(options))})

    async def printed(self, _request: Request, name: str) -> Answer:
        """A file of the last print, or all of them in one archive."""
        if name == "all.zip":
            data = await asyncio.to_thread(self.desk.printer.archive)
        else:
            data = self.desk.printer.file(name)
        leaf = name.rpartition("/")[2].encode("ascii", "replace").decode().replace('"', "")
        return Answer(data, "application/octet-stream", name=leaf)

    async def write(self, request: Request) -> Answer:
        """Write the last print into the output folder."""
        folder = self.desk.folder
        if not folder.writable:
            raise Refused("this title comes with Platelayer: download the files instead")
        output = self.desk.output(_query(request, Shown).at)
        written = await asyncio.to_thread(self.desk.printer.write, output)
        return as_json({"files": [path.relative_to(folder.root).as_posix() for path in written]})

    async def atlas(self, request: Request) -> Answer:
        """A random map."""
        return as_json(await self.desk.do(maps.new_map, _read(request.body, maps.MapRequest)))

    async def gallery(self, request: Request) -> Answer:
        """Some random maps to choose from."""
        return as_json(await self.desk.do(maps.gallery, _read(request.body, maps.MapRequest)))

    async def table(self, request: Request) -> Answer:
        """A map on a table, for a phone."""
        wanted = _read(request.body, maps.TableRequest)
        language = _looks(_query(request, Shown)).language
        return as_json(await self.desk.do(maps.table, wanted, language))

    async def find(self, request: Request) -> Answer:
        """Begin a search for maps."""
        return as_json(
            {"find": await self.desk.finder.start(_read(request.body, maps.SearchRequest))}
        )

    async def stop(self, _request: Request) -> Answer:
        """End it."""
        await self.desk.finder.stop()
        return as_json({})

    async def map_files(self, request: Request) -> Answer:
        """The files of a random map, with their sizes."""
        files = await self._map_files(request, _read(request.body, maps.FilesRequest))
        return as_json([{"name": name, "bytes": len(data)} for name, data in files.items()])

    async def map_file(self, request: Request, name: str) -> Answer:
        """One of them, or all in one archive."""
        wanted = _query(request, maps.FilesRequest)
        files = await self._map_files(request, wanted)
        if name == "all.zip":
            name, data = "map.zip", archive("map", files)
        elif name in files:
            data = files[name]
        else:
            raise Missing(f"a map has no file {name}")
        return Answer(data, "application/octet-stream", name=name)

    async def _map_files(self, request: Request, wanted: Any) -> dict[str, bytes]:
        looks = _looks(_query(request, Shown))
        return await asyncio.to_thread(maps.files_of, wanted, looks.language, looks.theme)

    async def poster(self, request: Request) -> Answer:
        """The poster of a random map; the places of its hexes, with `places`."""
        view, looks = await self._view(request)
        board = _query(request, maps.MapRequest)
        poster = await self.desk.do(maps.poster, view, board, looks.language, looks.theme)
        face = await self.desk.do(painted, poster, "atlas")
        if "places" in request.query:
            return as_json(face.about)
        return Answer(face.svg, SVG, lasting=True)

    async def bring(self, request: Request) -> Answer:
        """Import files that were dropped on the page."""
        brought = _read(request.body, Brought)
        made = await self.desk.do(bring.bring, self.desk.folder, brought.name, brought.files)
        await self.desk.changed()
        return as_json(made)

    async def begin(self, request: Request) -> Answer:
        """A new title."""
        new = _read(request.body, Named)
        made = await self.desk.do(
            bring.begin, self.desk.folder, new.name, new.of, new.start, new.title
        )
        await self.desk.changed()
        return as_json(made)

    async def preview(self, request: Request) -> Answer:
        """The map of a new title, before it is made."""
        new = _read(request.body, Named)
        return as_json({"svg": await self.desk.do(bring.preview, new.title)})

    async def make_mine(self, request: Request) -> Answer:
        """A copy of the shipped title that is looked at."""
        name = _read(request.body, Named).name
        return as_json(await self.desk.do(bring.make_mine, self.desk.folder, name))


def _looks(shown: Shown) -> Looks:
    """The view of a page. Raises CannotRun."""
    from platelayer.definitions.themes import theme_ids

    if not _LANGUAGE.fullmatch(shown.lang) or shown.theme not in theme_ids():
        raise CannotRun(f"there is no language {shown.lang!r} or no theme {shown.theme!r}")
    return Looks(shown.at, shown.variant or None, shown.lang, shown.theme)


def _query(request: Request, kind: type[Given]) -> Given:
    """Decode the query of an address. Raises MsgspecError for anything that is missing, or of
    another type."""
    return msgspec.convert(request.query, kind, strict=False)


def _read(text: str | bytes, kind: type[Given]) -> Given:
    """Decode JSON. Raises MsgspecError for anything that is missing, or of another type;
    RecursionError."""
    return msgspec.json.decode(text, type=kind, strict=False)
