"""The studio as an application for a server on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from msgspec import MsgspecError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from platelayer.foundation.door import real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import shipped_bytes
from platelayer.studio import answers
from platelayer.studio.answers import MOST_BODY, SVG, Answer, Answers, as_json
from platelayer.studio.desk import Desk, Page

STATIC = Path(__file__).parent / "static"
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": SVG}
"""What files are by their names, whatever this machine thinks."""
_LASTING = {"cache-control": "private, max-age=86400, immutable"}
"""For what has its version in its address."""


class Studio:
    """The page, what it consists of, and the answers to what it asks for. A page's document
    contains `key`."""

    def __init__(self, desk: Desk, key: str) -> None:
        self.desk, self._key = desk, key
        self._answers = Answers(desk)

    def app(self) -> Starlette:
        """The application."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            watching = asyncio.create_task(self.desk.watch())
            yield
            watching.cancel()
            self.desk.close()

        routes = [
            Route("/", self.page),
            Route("/static/{name:path}", self.static),
            Route("/{path:path}", self.answer, methods=["GET", "POST"]),
        ]
        return Starlette(routes=routes, lifespan=lifespan)

    async def page(self, _request: Request) -> Response:
        """The page itself."""
        # The icon is part of it: browsers look for it again whenever a page changes its address.
        text, icon = (shipped_bytes(STATIC / name).decode() for name in ("index.html", "icon.svg"))
        modules = (path.relative_to(STATIC).as_posix() for path in sorted(STATIC.rglob("*.js")))
        early = "\n".join(f'<link rel="modulepreload" href="static/{name}">' for name in modules)
        return HTMLResponse(
            text.replace("{key}", self._key)
            .replace("{icon}", f"data:{SVG},{quote(icon)}")
            .replace("{modules}", early)
        )

    async def static(self, request: Request) -> Response:
        """What the page consists of."""
        path = real(STATIC / request.path_params["name"])
        if not path.is_relative_to(real(STATIC)) or not path.is_file():
            return Response("there is no such file", 404)
        return Response(shipped_bytes(path), media_type=_KINDS.get(path.suffix, "text/plain"))

    async def answer(self, request: Request) -> Response:
        """Anything else."""
        body = b""
        if request.method == "POST":
            length = request.headers.get("content-length", "")
            if not length.isdigit() or int(length) > MOST_BODY:
                return _response(as_json({"message": "this is too much to send"}, 422))
            body = await request.body()
        asked = answers.Request(
            method="GET" if request.method == "HEAD" else request.method,
            path=request.path_params["path"],
            query=dict(request.query_params),
            body=body,
        )
        try:
            return _response(await self._answers.answer(asked))
        except asyncio.CancelledError:  # the server stops, and has waited long enough
            return _response(as_json({"message": "the studio has stopped"}, 503))

    async def news(self, socket: WebSocket) -> None:
        """News for a page, as long as it is open: the state of its title, problems, the progress of
        prints. The page says what it looks at, whenever that changes."""
        page = Page()

        async def tell() -> None:
            while True:
                for news in await page.news():
                    await socket.send_text(json.dumps(news, ensure_ascii=False))

        telling = asyncio.create_task(tell())
        try:
            while True:
                await self._answers.hear(page, await socket.receive_text())
        except (
            CannotRun,
            MsgspecError,
            RecursionError,
            KeyError,
        ):  # none of our pages says that, or sends bytes
            await socket.close(1008)
        finally:
            self.desk.pages.discard(page)
            telling.cancel()


def _response(answer: Answer) -> Response:
    headers = dict(_LASTING) if answer.lasting else {}
    if answer.name:
        headers["content-disposition"] = f'attachment; filename="{answer.name}"'
    return Response(answer.data, answer.status, headers, answer.kind)
