"""The routes of the studio: requests of a page and their answers, shared by the local server and
the worker in a browser."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import os
import re
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import MsgspecError, Struct

from platelayer.definitions.themes import load_profile, profile_ids, theme_ids
from platelayer.foundation.door import real, unpack
from platelayer.foundation.languages import names, studio_words
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import (
    MOST_ROWS,
    STARTS,
    asset_path,
    schema_paths,
    shipped_json,
    title_ids,
)
from platelayer.foundation.values import Json
from platelayer.imposition.paper import standard_papers
from platelayer.model.options import OPTIONS
from platelayer.pipeline import registry
from platelayer.pipeline.draw import draw
from platelayer.pipeline.load import explain
from platelayer.pipeline.registry import function
from platelayer.pipeline.scaffold import (
    NewTitle,
    company_colours,
    copy_title,
    new_title,
    tile_boxes,
)
from platelayer.studio.desk import Desk, Looks, Page, read_action
from platelayer.studio.folder import Folder, Missing, Refused
from platelayer.studio.pictures import archive, as_told, options_of, painted, pdf
from platelayer.studio.view import (
    Colour,
    OfMap,
    View,
    box,
    catalogue,
    empty_places,
    references,
    things,
    verdict,
)

maps, playing = registry.view("maps"), registry.view("play")

SVG = "image/svg+xml"
JSON = "application/json"
MOST_BYTES = 24 * 1024 * 1024
MOST_BODY = 2 * MOST_BYTES

Given = TypeVar("Given")
Result = TypeVar("Result")


class Request(Struct, kw_only=True):
    """Request of a page: a path without its leading slash, a query and a body."""

    method: str = "GET"
    path: str
    query: dict[str, str] = {}
    body: bytes = b""


class Answer(Struct):
    """Answer to a page. `kind` is a media type; `lasting` is True if the data never changes; `name`
    is the file name for a download."""

    data: bytes
    kind: str = JSON
    status: int = 200
    lasting: bool = False
    name: str = ""


def as_json(value: object, status: int = 200) -> Answer:
    """Return an answer that contains a value as JSON."""
    return Answer(
        json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), status=status
    )


@cache
def _choices(language: str) -> Json:
    """Return the themes, papers, profiles, print options and options of random maps."""
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
    """Return all schemas by file name."""
    return {path.name: shipped_json(path) for path in schema_paths()}


class Then(Looks, frozen=True):
    """View of a page, optionally at an earlier moment."""

    then: str = ""


class Line(Struct):
    """Number by which a page recognises news about its current view."""

    number: int = 0


class Sheet(Struct):
    """Document of a print."""

    stem: str


class SheetPage(Sheet):
    """Page of a document, counted from 1. `options` are the print options as JSON."""

    page: int
    options: str


# New titles: imported from another program's files, begun from a start, or copied from a shipped
# title.


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_NAME_WORDS = "name the new title with letters, digits, - and _"


class Dropped(Struct):
    """Dropped file: its path relative to what was dropped, and its bytes in base64."""

    path: str
    data: str


class Named(Struct):
    """New title and its folder's name: a copy of the shipped title `of`, or else a title that
    begins with `start`."""

    name: str
    of: str = ""
    start: str = ""
    title: NewTitle = NewTitle()


class Brought(Struct):
    """Files of another program, and the name of the title to make from them."""

    name: str
    files: tuple[Dropped, ...]


def bring(folder: Folder, brought: Brought) -> Json:
    """Import files into a new folder of the given name, or into the studio's own folder if that is
    empty. Raises CannotRun, ProblemsFound."""
    into = _place(folder, brought.name)
    with tempfile.TemporaryDirectory(prefix="platelayer-") as place:
        source = _unpack(Path(place) / into.name, brought.files)
        try:
            made = function("import_title")(source, into)
        except CannotRun as error:  # without the temporary folder in file names
            words = str(error).replace(f"{Path(place) / into.name}{os.sep}", "")
            raise CannotRun(words) from error
    return {
        "at": into.name if into != folder.root else "",
        "files": list(made.files),
        "lost": made.lost,
        "unread": made.unread,
        "waived": made.waived,
        "problems": len(made.problems),
    }


def begin(folder: Folder, new: Named) -> Json:
    """Create a title from one of `STARTS`, or copy a shipped one. Raises CannotRun."""
    into = _place(folder, new.name)
    files = copy_title(new.of, into) if new.of else new_title(into, new.start, new.title)
    return {
        "at": into.name if into != folder.root else "",
        "files": files,
    }


def preview(new: Named) -> Json:
    """Return the map that a new title would have, as SVG. Raises CannotRun, ProblemsFound."""
    with tempfile.TemporaryDirectory(prefix="platelayer-") as place:
        folder = Path(place) / "title"
        new_title(folder, new=new.title)
        return {"svg": draw(folder, "map").svg().decode()}


def make_mine(folder: Folder, new: Named) -> Json:
    """Copy the shipped title that the studio shows into a new folder in `own_place`. Raises
    CannotRun."""
    if folder.writable:
        raise CannotRun("this title is yours already")
    if not _NAME.fullmatch(new.name):
        raise CannotRun(_NAME_WORDS)
    into = own_place() / new.name
    return {"files": copy_title(folder.root.name, into), "path": str(into)}


def own_place() -> Path:
    """Return the folder for a copy of a shipped title: the current directory, or the user's home if
    the current directory is not writable or belongs to Platelayer."""
    here = Path.cwd()
    is_ours = real(here).is_relative_to(real(asset_path()))
    return Path.home() if is_ours or not os.access(here, os.W_OK) else here


def _place(folder: Folder, name: str) -> Path:
    if not folder.writable:
        raise CannotRun(
            "this title comes with Platelayer: open a folder of your own to bring another into it"
        )
    if not folder.root.is_dir():
        raise CannotRun(f"{folder.root} is no longer on disk")
    if folder.is_bare:
        return folder.root
    if not _NAME.fullmatch(name):
        raise CannotRun(_NAME_WORDS)
    return folder.inside(name)


def _unpack(place: Path, files: Sequence[Dropped]) -> Path:
    """Write dropped files into a temporary folder. Return the only file or folder at its top level,
    or the temporary folder itself if there are several."""
    if not files:
        raise CannotRun("nothing was dropped")
    for file in files:
        try:
            unpack(place, {file.path: base64.b64decode(file.data, validate=True)})
        except binascii.Error as error:
            raise CannotRun(f"{file.path} cannot be read: {error}") from error
    (first, *others) = sorted(place.iterdir())
    return place if others else first


# Functions whose result is the answer. Their arguments are the parts of the path, then those
# listed: the title (View), a struct from the body or the query, the language (str), or the folder.
_PLAIN: tuple[tuple[str, str, Callable[..., object], tuple[type, ...]], ...] = (
    ("GET", r"schemas\.json", _schemas, ()),
    ("GET", r"explain/([^/]+)", explain, ()),
    ("GET", r"catalogue\.json", catalogue, ()),
    ("GET", r"box\.json", box, (View,)),
    ("GET", r"things\.json", things, (View,)),
    ("GET", r"names\.json", references, (View,)),
    ("GET", r"colour\.json", verdict, (View, Colour)),
    ("GET", r"empty\.json", empty_places, (View, OfMap)),
    ("GET", r"upgrades\.json", playing.explorer, (View,)),
    ("GET", r"supply\.json", playing.supplied, (View, playing.Board, str)),
    ("POST", r"routes", playing.routed, (View, playing.Running, str)),
    ("POST", r"position", playing.saved, (View, playing.Laid)),
    ("POST", r"position/open", playing.opened, (View, playing.Opened)),
    ("POST", r"import", bring, (Folder, Brought)),
    ("POST", r"new", begin, (Folder, Named)),
    ("POST", r"new/map", preview, (Named,)),
    ("POST", r"mine", make_mine, (Folder, Named)),
    ("POST", r"atlas", maps.new_map, (maps.MapRequest,)),
    ("POST", r"atlas/gallery", maps.gallery, (maps.MapRequest,)),
    ("POST", r"atlas/table", maps.table, (maps.TableRequest, str)),
)

Route: TypeAlias = tuple[str, str, Callable[..., Awaitable[object]]]


class Answers:
    """All routes of the studio, answered by `desk`. `more` are the routes of an edition: method,
    path, and a function that returns an `Answer` or a value for JSON."""

    def __init__(self, desk: Desk, more: Iterable[Route] = ()) -> None:
        self.desk = desk
        routes: tuple[Route, ...] = (
            ("GET", r"about\.json", self.about),
            ("GET", r"faces/(.+)", self.faces),
            ("GET", r"picture/(\d{1,6})/(.+)", self.picture),
            ("GET", r"layer/([0-9a-f]{24})", self.layer),
            ("GET", r"icon/(.+)", self.icon),
            ("GET", r"pdf/(\d{1,6})/(.+)", self.pdf),
            ("POST", r"do", self.do),
            ("GET", r"position\.(svg|pdf)", self.draw_position),
            ("POST", r"sheets\.json", self.sheets),
            ("POST", r"sheet\.json", self.sheet_pages),
            ("GET", r"sheet\.svg", self.sheet),
            ("POST", r"print", self.print),
            ("POST", r"print/write", self.write),
            ("GET", r"print/(.+)", self.printed),
            ("POST", r"atlas/find", self.find),
            ("POST", r"atlas/stop", self.stop),
            ("POST", r"atlas/files", self.map_files),
            ("GET", r"atlas/files/([^/]+)", self.map_file),
            ("GET", r"atlas\.svg", self.poster),
            *more,
        )
        self._routes = [(method, re.compile(path), answer) for method, path, answer in routes]
        self._routes += (
            (method, re.compile(path), partial(self._plain, work, takes))
            for method, path, work, takes in _PLAIN
        )

    async def answer(self, request: Request) -> Answer:
        """Answer any request; errors are answered as JSON with a message."""
        try:
            for method, path, answer in self._routes:
                if method == request.method and (found := path.fullmatch(request.path)):
                    given = await answer(request, *found.groups())
                    return given if isinstance(given, Answer) else as_json(given)
            raise Missing("there is nothing at this address")
        except (CannotRun, ProblemsFound, OSError) as error:
            return as_json(as_told(error), getattr(error, "status", 422))
        except (MsgspecError, RecursionError) as error:
            return as_json({"message": f"invalid request: {error}"}, 400)

    async def _plain(
        self, work: Callable[..., Result], takes: tuple[type, ...], request: Request, *parts: str
    ) -> Result:
        given: list[object] = [*parts]
        for kind in takes:
            if kind is View:
                given.append((await self._view(request))[0])
            elif kind is Folder:
                given.append(self.desk.folder)
            elif kind is str:
                given.append(from_query(request, Looks).language)
            else:
                post = request.method == "POST"
                given.append(from_json(request.body, kind) if post else from_query(request, kind))
        result = await self.desk.do(work, *given)
        if Folder in takes:  # it may contain a new title now
            await self.desk.changed()
        return result

    async def hear(self, page: Page, text: str) -> None:
        """Set the view of a page and send it the news of that view. Raises CannotRun, MsgspecError,
        RecursionError."""
        page.look(from_json(text, Looks), from_json(text, Line).number)
        # Add the page before files are read: views that no page shows are dropped, and a view that
        # is created again while a file is half written has no earlier picture to fall back on.
        self.desk.pages.add(page)
        await self.desk.changed()
        await self.desk.tell(page)
        self.desk.look_for_problems()

    async def about(self, request: Request) -> Json:
        """Return the words of the page and the choices that it offers."""
        language = request.query.get("ui", "")
        if language not in names():
            language = "en"
        folder = self.desk.folder
        return {
            "ui": language,
            "languages": names(),
            "words": studio_words(language),
            "folder": str(folder.root),
            "shipped": title_ids(),
            "starts": STARTS,
            "most_rows": MOST_ROWS,
            "boxes": {name: [*box["tiles"].values()] for name, box in tile_boxes().items()},
            "colours": company_colours(),
            "own_place": None if folder.writable else str(own_place()),
            **await self.desk.do(_choices, language),
        }

    async def _view(self, request: Request) -> tuple[View, Looks]:
        looks = from_query(request, Then)
        if looks.then:
            moments = self.desk.workspace.moments
            view, _ = await self.desk.do(moments.view, looks.at, looks.variant, looks.then)
            return view, looks
        return await self.desk.do(self.desk.view, looks.at, looks.variant), looks

    async def faces(self, request: Request, key: str) -> list[Json]:
        """Return the faces of a piece (its pages and its back) with their sizes."""
        view, looks = await self._view(request)
        faces = self.desk.pictures.faces if "then" in request.query else self.desk.faces
        found = await self.desk.do(faces, view, key, looks.language, looks.theme)
        return [face.about for face in found]

    async def picture(self, request: Request, number: str, key: str) -> Answer:
        """Return one face of a piece as SVG."""
        view, looks = await self._view(request)
        piece = (key, looks.language, looks.theme, int(number))
        face = await self.desk.do(self.desk.pictures.face, view, *piece)
        return Answer(face.svg, SVG, lasting="v" in request.query)

    async def icon(self, request: Request, name: str) -> Answer:
        """Return an icon, or a picture of the title, as SVG."""
        view, looks = await self._view(request)
        scene = await self.desk.do(view.icon, name, looks.language, looks.theme)
        face = await self.desk.do(painted, scene, "front")
        return Answer(face.svg, SVG, lasting="v" in request.query)

    async def layer(self, _request: Request, name: str) -> Answer:
        """Return one layer of a picture as SVG."""
        data = await self.desk.do(self.desk.pictures.layer, name)
        if data is None:
            raise Missing("there is no such picture any more")
        return Answer(data, SVG, lasting=True)

    async def pdf(self, request: Request, number: str, key: str) -> Answer:
        """Return one face of a piece as PDF, as `platelayer draw` makes it."""
        view, looks = await self._view(request)
        data = await self.desk.do(pdf, view, key, looks.language, looks.theme, int(number))
        return Answer(data, "application/pdf")

    async def do(self, request: Request) -> Json:
        """Perform an action on the files."""
        return await self.desk.act(read_action(request.body))

    async def draw_position(self, request: Request, suffix: str) -> Answer:
        """Return the map of a position as SVG or PDF."""
        view, looks = await self._view(request)
        position = from_query(request, playing.InText)
        scene = await self.desk.do(playing.drawn, view, position, looks.language, looks.theme)
        if suffix == "svg":
            face = await self.desk.do(painted, scene, "front")
            return Answer(face.svg, SVG)
        return Answer(await self.desk.do(playing.pdf, scene), "application/pdf")

    async def _options(self, request: Request, text: str | bytes) -> tuple[View, Json]:
        """Return the title, and the print options with the variant, language and theme of the
        page."""
        view, looks = await self._view(request)
        options = from_json(text, Json)
        looked = {"variant": looks.variant, "language": looks.language, "theme": looks.theme}
        return view, options | looked

    async def sheets(self, request: Request) -> list[Json]:
        """List the documents of a print."""
        view, options = await self._options(request, request.body)
        return await self.desk.do(self.desk.sheets.documents, view, options)

    async def sheet_pages(self, request: Request) -> list[dict[str, float]]:
        """List the sizes of the pages of a document."""
        view, options = await self._options(request, request.body)
        stem = from_query(request, Sheet).stem
        return await self.desk.do(self.desk.sheets.pages, view, options, stem)

    async def sheet(self, request: Request) -> Answer:
        """Return one page of a document as SVG."""
        page = from_query(request, SheetPage)
        view, options = await self._options(request, page.options)
        face = await self.desk.do(self.desk.sheets.page, view, options, page.stem, page.page)
        return Answer(face.svg, SVG, lasting=True)

    async def print(self, request: Request) -> Json:
        """Start a print."""
        view, options = await self._options(request, request.body)
        return {"print": await self.desk.do(self.desk.print, view, options_of(options))}

    async def printed(self, _request: Request, name: str) -> Answer:
        """Return a file of the last print, or all its files as an archive (`all.zip`)."""
        if name == "all.zip":
            data = await asyncio.to_thread(self.desk.printer.archive)
        else:
            data = self.desk.printer.file(name)
        leaf = name.rpartition("/")[2].encode("ascii", "replace").decode().replace('"', "")
        return Answer(data, "application/octet-stream", name=leaf)

    async def write(self, request: Request) -> Json:
        """Write the last print into the output folder."""
        folder = self.desk.folder
        if not folder.writable:
            raise Refused("this title comes with Platelayer: download the files instead")
        output = self.desk.output(from_query(request, Looks).at)
        written = await asyncio.to_thread(self.desk.printer.write, output)
        return {"files": [path.relative_to(folder.root).as_posix() for path in written]}

    async def find(self, request: Request) -> Json:
        """Start a search for maps."""
        return {"find": await self.desk.finder.start(from_json(request.body, maps.SearchRequest))}

    async def stop(self, _request: Request) -> Json:
        """Stop the search for maps."""
        await self.desk.finder.stop()
        return {}

    async def map_files(self, request: Request) -> list[Json]:
        """List the files of a random map with their sizes."""
        files = await self._map_files(request, from_json(request.body, maps.FilesRequest))
        return [{"name": name, "bytes": len(data)} for name, data in files.items()]

    async def map_file(self, request: Request, name: str) -> Answer:
        """Return a file of a random map, or all its files as an archive (`all.zip`)."""
        wanted = from_query(request, maps.FilesRequest)
        files = await self._map_files(request, wanted)
        if name == "all.zip":
            name, data = "map.zip", archive("map", files)
        elif name in files:
            data = files[name]
        else:
            raise Missing(f"a map has no file {name}")
        return Answer(data, "application/octet-stream", name=name)

    async def _map_files(self, request: Request, wanted: Any) -> dict[str, bytes]:
        looks = from_query(request, Looks)
        return await asyncio.to_thread(maps.files_of, wanted, looks.language, looks.theme)

    async def poster(self, request: Request) -> Answer | Json:
        """Return the poster of a random map as SVG; if the query has `places`, return the places of
        its hexes instead."""
        view, looks = await self._view(request)
        board = from_query(request, maps.MapRequest)
        poster = await self.desk.do(maps.poster, view, board, looks.language, looks.theme)
        face = await self.desk.do(painted, poster, "atlas")
        return face.about if "places" in request.query else Answer(face.svg, SVG, lasting=True)


def from_query(request: Request, kind: type[Given]) -> Given:
    """Decode the query of a request. Raises MsgspecError if a field is missing or has the wrong
    type."""
    return msgspec.convert(request.query, kind, strict=False)


def from_json(text: str | bytes, kind: type[Given]) -> Given:
    """Decode JSON. Raises MsgspecError if a field is missing or has the wrong type;
    RecursionError."""
    return msgspec.json.decode(text, type=kind, strict=False)
