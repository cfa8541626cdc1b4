"""The studio's answers: what a page may ask for."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.studio import bring, laying, maps
from platelayer.studio.desk import Desk, Page, send
from platelayer.studio.folder import Refused
from platelayer.studio.sheets import options_of
from platelayer.studio.view import View
from platelayer.studio.words import choices, explained, schemas, words_of

STATIC = Path(__file__).parent / "static"
_SVG = "image/svg+xml"
_BEAT_S = 15.0
_RETRY_MS = 500
"""How soon a page looks for a studio that has stopped."""
_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z0-9]{2,8})?")
_MOST_BODY = 2 * bring.MOST_BYTES
_LASTING = {"cache-control": "private, max-age=86400, immutable"}
"""For what has its version in its address."""

Answer = Callable[[Request], Awaitable[Response]]


def _told(answer: Answer) -> Answer:
    """An answer that says in JSON what keeps it from being given."""

    async def told(request: Request) -> Response:
        try:
            return await answer(request)
        except ProblemsFound as stop:
            return JSONResponse({"problems": [problem.as_json for problem in stop.problems]}, 422)
        except Refused as stop:
            return JSONResponse({"message": str(stop)}, 409 if "changed on disk" in str(stop) else 403)
        except (CannotRun, OSError) as stop:
            return JSONResponse({"message": str(stop)}, 422)
        except (KeyError, TypeError, ValueError) as stop:
            return JSONResponse({"message": f"this cannot be asked for: {stop}"}, 400)

    return told


class Studio:
    """The routes of the studio; `desk` does the work."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._closing = asyncio.Event()

    def app(self) -> Starlette:
        """The application."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            watching = asyncio.create_task(self.desk.watch())
            yield
            watching.cancel()
            self.desk.close()

        get, post, put = ["GET"], ["POST"], ["PUT"]
        answers: list[tuple[str, Answer, list[str]]] = [
            ("/", self.page, get),
            ("/static/{name:path}", self.static, get),
            ("/about.json", self.about, get),
            ("/schemas.json", self.schemas, get),
            ("/explain/{code}", self.explain, get),
            ("/events", self.events, get),
            ("/faces/{key:path}", self.faces, get),
            ("/picture/{face:int}/{key:path}", self.picture, get),
            ("/file", self.read, get),
            ("/file", self.save, put),
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
        ]
        return Starlette(routes=[Route(path, _told(answer), methods=how) for path, answer, how in answers],
                         lifespan=lifespan)  # fmt: skip

    async def page(self, _request: Request) -> Response:
        """The page itself."""
        return FileResponse(STATIC / "index.html")

    async def static(self, request: Request) -> Response:
        """What the page consists of."""
        path = (STATIC / request.path_params["name"]).resolve()
        if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
            return Response("there is no such file", 404)
        return FileResponse(path)

    async def about(self, request: Request) -> Response:
        """The words of the page, and what may be chosen."""
        language = request.query_params.get("ui", "en")
        return JSONResponse({"words": words_of(language), **await self.desk.do(choices, language)})

    async def schemas(self, _request: Request) -> Response:
        """All schemas, for completion."""
        return JSONResponse(await self.desk.do(schemas))

    async def explain(self, request: Request) -> Response:
        """What a code means."""
        return JSONResponse({"text": await self.desk.do(explained, request.path_params["code"])})

    async def events(self, request: Request) -> Response:
        """News, as long as the page is open: the state of its title, problems, the progress of prints."""
        page = Page(**_looks(request), news=asyncio.Queue())

        async def stream() -> AsyncIterator[str]:
            yield f"retry: {_RETRY_MS}\n\n"
            await self.desk.changed()
            self.desk.pages.add(page)
            try:
                await self.desk.tell(page)
                self.desk.look_for_problems()
                while True:
                    try:
                        yield await asyncio.wait_for(page.news.get(), _BEAT_S)
                    except TimeoutError:
                        yield ": still here\n\n"
            except ProblemsFound as stop:
                send(page, "problems", {"problems": [problem.as_json for problem in stop.problems], "done": True})
                yield page.news.get_nowait()
            finally:
                self.desk.pages.discard(page)

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def _view(self, request: Request) -> View:
        looks = _looks(request)
        return await self.desk.do(self.desk.view, looks["at"], looks["variant"])

    async def faces(self, request: Request) -> Response:
        """What a piece has to show: its pages and its back, with their sizes."""
        view, looks = await self._view(request), _looks(request)
        key = request.path_params["key"]
        found = await self.desk.do(self.desk.faces, view, key, looks["language"], looks["theme"])
        return JSONResponse([face.about for face in found])

    async def picture(self, request: Request) -> Response:
        """One face of a piece."""
        view, looks = await self._view(request), _looks(request)
        key, number = request.path_params["key"], request.path_params["face"]
        face = await self.desk.do(self.desk.pictures.face, view, key, looks["language"], looks["theme"], number)
        return Response(face.svg, media_type=_SVG, headers=_LASTING if "v" in request.query_params else {})

    async def read(self, request: Request) -> Response:
        """A file for the editor."""
        found = await self.desk.do(self.desk.folder.read, request.query_params["name"])
        path = str(self.desk.folder.file(request.query_params["name"]))
        return JSONResponse({"text": found.text, "digest": found.digest, "path": path})

    async def save(self, request: Request) -> Response:
        """A file from the editor."""
        asked = await _body(request)
        digest = await self.desk.do(self.desk.folder.save, asked["name"], str(asked["text"]), asked["digest"])
        return JSONResponse({"digest": digest})

    async def upgrades(self, request: Request) -> Response:
        """What may replace what."""
        view = await self._view(request)
        return JSONResponse(await self.desk.do(laying.explorer, view))

    async def sheets(self, request: Request) -> Response:
        """The documents of a print."""
        view, asked = await self._view(request), _options(request, await _body(request))
        return JSONResponse(await self.desk.do(self.desk.sheets.documents, view, asked))

    async def sheet_pages(self, request: Request) -> Response:
        """The pages of a document."""
        view, asked = await self._view(request), _options(request, await _body(request))
        return JSONResponse(await self.desk.do(self.desk.sheets.pages, view, asked, request.query_params["stem"]))

    async def sheet(self, request: Request) -> Response:
        """One page of a document."""
        view, asked = await self._view(request), _options(request, json.loads(request.query_params["options"]))
        stem, number = request.query_params["stem"], int(request.query_params["page"])
        face = await self.desk.do(self.desk.sheets.page, view, asked, stem, number)
        return Response(face.svg, media_type=_SVG, headers=_LASTING)

    async def print(self, request: Request) -> Response:
        """Begin a print."""
        view, asked = await self._view(request), _options(request, await _body(request))
        return JSONResponse({"print": self.desk.printer.start(view.folder, options_of(asked))})

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
        folder = self.desk.output(_looks(request)["at"])
        written = await asyncio.to_thread(self.desk.printer.write, folder)
        return JSONResponse({"files": [path.relative_to(self.desk.folder.root).as_posix() for path in written]})

    async def atlas(self, request: Request) -> Response:
        """A random map."""
        return JSONResponse(await self.desk.do(maps.new_map, await _body(request)))

    async def gallery(self, request: Request) -> Response:
        """Some random maps to choose from."""
        return JSONResponse(await self.desk.do(maps.gallery, await _body(request)))

    async def poster(self, request: Request) -> Response:
        """The poster of a random map; where its hexes are, with `places`."""
        view, looks, asked = await self._view(request), _looks(request), dict(request.query_params)
        face = await self.desk.do(maps.poster, view, asked, looks["language"], looks["theme"])
        if "places" in asked:
            return JSONResponse(face.about)
        return Response(face.svg, media_type=_SVG, headers=_LASTING)

    async def bring(self, request: Request) -> Response:
        """Import what was dropped on the page."""
        asked = await _body(request)
        made = await self.desk.do(bring.bring, self.desk.folder, str(asked["name"]), asked["files"])
        await self.desk.changed()
        return JSONResponse(made)

    async def begin(self, request: Request) -> Response:
        """A new title."""
        asked = await _body(request)
        made = await self.desk.do(bring.begin, self.desk.folder, str(asked["name"]))
        await self.desk.changed()
        return JSONResponse(made)


def _looks(request: Request) -> dict[str, Any]:
    """What a page looks at: folder of the title, variant, language, theme."""
    from platelayer.definitions.themes import theme_ids

    asked = request.query_params
    language, theme = asked.get("lang", "en"), asked.get("theme", "classic")
    if not _LANGUAGE.fullmatch(language) or theme not in theme_ids():
        raise CannotRun(f"there is no language {language!r} or no theme {theme!r}")
    return {"at": asked.get("at", ""), "variant": asked.get("variant") or None, "language": language, "theme": theme}


def _options(request: Request, asked: dict[str, Any]) -> dict[str, Any]:
    """Options of a print as asked for, in the looks of the page."""
    looks = _looks(request)
    return {**asked, "variant": looks["variant"], "language": looks["language"], "theme": looks["theme"]}


async def _body(request: Request) -> dict[str, Any]:
    """What a page sends. Raises CannotRun for anything but an object, or too much."""
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > _MOST_BODY:
        raise CannotRun("this is too much to send")
    value = await request.json() if int(length) else {}
    if not isinstance(value, dict):
        raise CannotRun("an object is expected")
    return value
