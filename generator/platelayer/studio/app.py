"""The studio's answers: what a page may ask for."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import MsgspecError, Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from platelayer.foundation.languages import names, studio_words
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import STARTS, title_ids
from platelayer.studio import bring, laying, maps
from platelayer.studio.desk import Desk, Looks, Page
from platelayer.studio.folder import Changed, Missing, Refused
from platelayer.studio.host import asked
from platelayer.studio.pictures import pdf
from platelayer.studio.sheets import options_of
from platelayer.studio.view import View
from platelayer.studio.words import choices, explained, schemas

STATIC = Path(__file__).parent / "static"
_SVG = "image/svg+xml"
_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z0-9]{2,8})?")
_MOST_BODY = 2 * bring.MOST_BYTES
_LASTING = {"cache-control": "private, max-age=86400, immutable"}
"""For what has its version in its address."""

_STATUS: dict[type[Refused], int] = {Missing: 404, Changed: 409}

Answer = Callable[[Request], Awaitable[Response]]
Given = TypeVar("Given")


class Shown(Struct):
    """What a page shows, as it says so."""

    at: str = ""
    variant: str = ""
    lang: str = "en"
    theme: str = "classic"


class Then(Shown):
    """What a page shows, as it was at a moment if that is named."""

    then: str = ""


class Line(Shown):
    """What a page says on its line: what it shows, and the number by which it knows that again."""

    number: int = 0


class Named(Struct):
    """A title to be: the shipped one that it is a copy of, or what it begins with."""

    name: str
    of: str = ""
    start: str = "small"


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


def _told(answer: Answer) -> Answer:
    """An answer that says in JSON what keeps it from being given."""

    async def told(request: Request) -> Response:
        try:
            return await answer(request)
        except ProblemsFound as error:
            return JSONResponse({"problems": [problem.as_json for problem in error.problems]}, 422)
        except Refused as error:
            return JSONResponse({"message": str(error)}, _STATUS.get(type(error), 403))
        except (CannotRun, OSError) as error:
            return JSONResponse({"message": str(error)}, 422)
        except (MsgspecError, RecursionError) as error:
            return JSONResponse({"message": f"this cannot be asked for: {error}"}, 400)

    return told


class Studio:
    """The routes of the studio; `desk` does the work. A page's document contains `key`."""

    def __init__(self, desk: Desk, key: str) -> None:
        self.desk, self._key = desk, key

    def app(self) -> Starlette:
        """The application."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            watching = asyncio.create_task(self.desk.watch())
            yield
            watching.cancel()
            self.desk.close()

        get, post = ["GET"], ["POST"]
        answers: list[tuple[str, Answer, list[str]]] = [
            ("/", self.page, get),
            ("/static/{name:path}", self.static, get),
            ("/about.json", self.about, get),
            ("/schemas.json", self.schemas, get),
            ("/explain/{code}", self.explain, get),
            ("/faces/{key:path}", self.faces, get),
            ("/picture/{face:int}/{key:path}", self.picture, get),
            ("/pdf/{face:int}/{key:path}", self.pdf, get),
            ("/do", self.do, post),
            ("/upgrades.json", self.upgrades, get),
            ("/sheets.json", self.sheets, post),
            ("/sheet.json", self.sheet_pages, post),
            ("/sheet.svg", self.sheet, get),
            ("/print", self.print, post),
            ("/print/write", self.write, post),
            ("/print/{name:path}", self.printed, get),
            ("/atlas", self.atlas, post),
            ("/atlas/gallery", self.gallery, post),
            ("/atlas.svg", self.poster, get),
            ("/import", self.bring, post),
            ("/new", self.begin, post),
            ("/mine", self.make_mine, post),
        ]
        return Starlette(routes=[Route(path, _told(answer), methods=how) for path, answer, how in answers],
                         lifespan=lifespan)  # fmt: skip

    async def page(self, _request: Request) -> Response:
        """The page itself."""
        # The icon is part of it: browsers look for it again whenever a page changes its address.
        text, icon = ((STATIC / name).read_text(encoding="utf-8") for name in ("index.html", "icon.svg"))
        return HTMLResponse(text.replace("{key}", self._key).replace("{icon}", f"data:{_SVG},{quote(icon)}"))

    async def static(self, request: Request) -> Response:
        """What the page consists of."""
        path = (STATIC / request.path_params["name"]).resolve()
        if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
            return Response("there is no such file", 404)
        return FileResponse(path)

    async def about(self, request: Request) -> Response:
        """The words of the page, and what may be chosen."""
        asked = request.query_params.get("ui", "")
        language = asked if asked in names() else "en"
        page = {"ui": language, "languages": names(), "words": studio_words(language),
                "folder": str(self.desk.folder.root), "shipped": title_ids(), "starts": STARTS,
                "own_place": None if self.desk.folder.writable else str(bring.own_place())}  # fmt: skip
        return JSONResponse({**page, **await self.desk.do(choices, language)})

    async def schemas(self, _request: Request) -> Response:
        """All schemas, for completion."""
        return JSONResponse(await self.desk.do(schemas))

    async def explain(self, request: Request) -> Response:
        """What a code means."""
        return JSONResponse({"text": await self.desk.do(explained, request.path_params["code"])})

    async def news(self, socket: WebSocket) -> None:
        """News for a page, as long as it is open: the state of its title, problems, the progress of prints. The page
        says what it looks at, whenever that changes."""
        page = Page()

        async def tell() -> None:
            while True:
                for news in await page.news():
                    await socket.send_text(json.dumps(news, ensure_ascii=False))

        telling = asyncio.create_task(tell())
        try:
            while True:
                said = _read(await socket.receive_text(), Line)
                page.look(_looks(said), said.number)
                await self.desk.changed()
                self.desk.pages.add(page)
                await self.desk.tell(page)
                self.desk.look_for_problems()
        except (CannotRun, MsgspecError, RecursionError, KeyError):  # none of our pages says that, or sends bytes
            await socket.close(1008)
        finally:
            self.desk.pages.discard(page)
            telling.cancel()

    async def _view(self, request: Request) -> View:
        shown = _query(request, Then)
        looks = _looks(shown)
        if shown.then:
            return await self.desk.do(self.desk.view_then, looks.at, looks.variant, shown.then)
        return await self.desk.do(self.desk.view, looks.at, looks.variant)

    async def faces(self, request: Request) -> Response:
        """What a piece has to show: its pages and its back, with their sizes."""
        view, looks = await self._view(request), _looks(_query(request, Shown))
        key = request.path_params["key"]
        faces = self.desk.pictures.faces if "then" in request.query_params else self.desk.faces
        found = await self.desk.do(faces, view, key, looks.language, looks.theme)
        return JSONResponse([face.about for face in found])

    async def picture(self, request: Request) -> Response:
        """One face of a piece."""
        view, looks = await self._view(request), _looks(_query(request, Shown))
        key, number = request.path_params["key"], request.path_params["face"]
        face = await self.desk.do(self.desk.pictures.face, view, key, looks.language, looks.theme, number)
        return Response(face.svg, media_type=_SVG, headers=_LASTING if "v" in request.query_params else {})

    async def pdf(self, request: Request) -> Response:
        """One face of a piece as `platelayer draw` makes it."""
        view, looks = await self._view(request), _looks(_query(request, Shown))
        key, number = request.path_params["key"], request.path_params["face"]
        data = await self.desk.do(pdf, view, key, looks.language, looks.theme, number)
        return Response(data, media_type="application/pdf")

    async def do(self, request: Request) -> Response:
        """Something with the files."""
        return JSONResponse(await self.desk.ask(asked(await _bytes(request))))

    async def upgrades(self, request: Request) -> Response:
        """What may replace what."""
        view = await self._view(request)
        return JSONResponse(await self.desk.do(laying.explorer, view))

    async def sheets(self, request: Request) -> Response:
        """The documents of a print."""
        view, asked = await self._view(request), _options(request, await _body(request, dict[str, Any]))
        return JSONResponse(await self.desk.do(self.desk.sheets.documents, view, asked))

    async def sheet_pages(self, request: Request) -> Response:
        """The pages of a document."""
        view, asked = await self._view(request), _options(request, await _body(request, dict[str, Any]))
        return JSONResponse(await self.desk.do(self.desk.sheets.pages, view, asked, _query(request, Sheet).stem))

    async def sheet(self, request: Request) -> Response:
        """One page of a document."""
        page = _query(request, SheetPage)
        view, asked = await self._view(request), _options(request, _read(page.options, dict[str, Any]))
        face = await self.desk.do(self.desk.sheets.page, view, asked, page.stem, page.page)
        return Response(face.svg, media_type=_SVG, headers=_LASTING)

    async def print(self, request: Request) -> Response:
        """Begin a print."""
        view, asked = await self._view(request), _options(request, await _body(request, dict[str, Any]))
        return JSONResponse({"print": await self.desk.do(self.desk.print, view, options_of(asked))})

    async def printed(self, request: Request) -> Response:
        """A file of the last print, or all of them in one archive."""
        name = request.path_params["name"]
        if name == "all.zip":
            data = await asyncio.to_thread(self.desk.printer.archive)
        else:
            data = self.desk.printer.file(name)
        leaf = name.rpartition("/")[2].encode("ascii", "replace").decode().replace('"', "")
        return Response(
            data,
            media_type="application/octet-stream",
            headers={"content-disposition": f'attachment; filename="{leaf}"'},
        )

    async def write(self, request: Request) -> Response:
        """Write the last print into the output folder."""
        if not self.desk.folder.writable:
            raise Refused("this title comes with Platelayer: download the files instead")
        folder = self.desk.output(_query(request, Shown).at)
        written = await asyncio.to_thread(self.desk.printer.write, folder)
        return JSONResponse({"files": [path.relative_to(self.desk.folder.root).as_posix() for path in written]})

    async def atlas(self, request: Request) -> Response:
        """A random map."""
        return JSONResponse(await self.desk.do(maps.new_map, await _body(request, maps.Asked)))

    async def gallery(self, request: Request) -> Response:
        """Some random maps to choose from."""
        return JSONResponse(await self.desk.do(maps.gallery, await _body(request, maps.Asked)))

    async def poster(self, request: Request) -> Response:
        """The poster of a random map; where its hexes are, with `places`."""
        view, looks, asked = await self._view(request), _looks(_query(request, Shown)), _query(request, maps.Asked)
        face = await self.desk.do(maps.poster, view, asked, looks.language, looks.theme)
        if "places" in request.query_params:
            return JSONResponse(face.about)
        return Response(face.svg, media_type=_SVG, headers=_LASTING)

    async def bring(self, request: Request) -> Response:
        """Import what was dropped on the page."""
        asked = await _body(request, Brought)
        made = await self.desk.do(bring.bring, self.desk.folder, asked.name, asked.files)
        await self.desk.changed()
        return JSONResponse(made)

    async def make_mine(self, request: Request) -> Response:
        """A copy of the shipped title that is looked at."""
        asked = await _body(request, Named)
        return JSONResponse(await self.desk.do(bring.make_mine, self.desk.folder, asked.name))

    async def begin(self, request: Request) -> Response:
        """A new title."""
        asked = await _body(request, Named)
        made = await self.desk.do(bring.begin, self.desk.folder, asked.name, asked.of, asked.start)
        await self.desk.changed()
        return JSONResponse(made)


def _looks(shown: Shown) -> Looks:
    """What a page looks at. Raises CannotRun."""
    from platelayer.definitions.themes import theme_ids

    if not _LANGUAGE.fullmatch(shown.lang) or shown.theme not in theme_ids():
        raise CannotRun(f"there is no language {shown.lang!r} or no theme {shown.theme!r}")
    return Looks(shown.at, shown.variant or None, shown.lang, shown.theme)


def _options(request: Request, asked: dict[str, Any]) -> dict[str, Any]:
    """Options of a print as asked for, in the looks of the page."""
    looks = _looks(_query(request, Shown))
    return {**asked, "variant": looks.variant, "language": looks.language, "theme": looks.theme}


def _query(request: Request, kind: type[Given]) -> Given:
    """What an address asks for. Raises MsgspecError for anything that is missing, or of another type."""
    return msgspec.convert(dict(request.query_params), kind, strict=False)


def _read(text: str | bytes, kind: type[Given]) -> Given:
    """What stands in JSON. Raises MsgspecError for anything that is missing, or of another type; RecursionError."""
    return msgspec.json.decode(text, type=kind, strict=False)


async def _body(request: Request, kind: type[Given]) -> Given:
    """What a page sends. Raises as `_read` does, and CannotRun for too much."""
    return _read(await _bytes(request), kind)


async def _bytes(request: Request) -> bytes:
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > _MOST_BODY:
        raise CannotRun("this is too much to send")
    return await request.body()
