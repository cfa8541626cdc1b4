"""The studio as an application for a local server."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import MsgspecError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.websockets import WebSocket, WebSocketDisconnect

from platelayer.foundation.cache import caches
from platelayer.foundation.door import inside, is_own, read_json, real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import shipped_bytes, title_ids, title_path, to_install
from platelayer.studio import answers
from platelayer.studio.answers import MOST_BODY, SVG, Answer, Answers, as_json
from platelayer.studio.desk import Desk, Page

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


STATIC = Path(__file__).parent / "static"
# Media types by suffix, independent of this machine's settings.
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": SVG}
# For answers whose address contains a version.
_LASTING = {"cache-control": "private, max-age=86400, immutable"}


class Studio:
    """Routes for the page, its static files and its requests. `key` is inserted into the page's
    document."""

    def __init__(self, desk: Desk, key: str) -> None:
        self.desk, self._key = desk, key
        self._answers = Answers(desk)

    def app(self) -> Starlette:
        """Return the application."""

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
        """Return the HTML document."""
        # Embed the icon: browsers would request it again whenever the page changes its address.
        text, icon = (shipped_bytes(STATIC / name).decode() for name in ("index.html", "icon.svg"))
        modules = (path.relative_to(STATIC).as_posix() for path in sorted(STATIC.rglob("*.js")))
        early = "\n".join(f'<link rel="modulepreload" href="static/{name}">' for name in modules)
        return HTMLResponse(
            text.replace("{key}", self._key)
            .replace("{icon}", f"data:{SVG},{quote(icon)}")
            .replace("{modules}", early)
        )

    async def static(self, request: Request) -> Response:
        """Return a static file of the page."""
        path = real(STATIC / request.path_params["name"])
        if not path.is_relative_to(real(STATIC)) or not path.is_file():
            return Response("there is no such file", 404)
        return Response(shipped_bytes(path), media_type=_KINDS.get(path.suffix, "text/plain"))

    async def answer(self, request: Request) -> Response:
        """Answer any other request."""
        body = b""
        if request.method == "POST":
            length = request.headers.get("content-length", "")
            if not length.isdigit() or int(length) > MOST_BODY:
                return _response(as_json({"message": "this is too much to send"}, 422))
            body = await request.body()
        page_request = answers.Request(
            method="GET" if request.method == "HEAD" else request.method,
            path=request.path_params["path"],
            query=dict(request.query_params),
            body=body,
        )
        try:
            return _response(await self._answers.answer(page_request))
        except asyncio.CancelledError:  # the server's grace period is over
            return _response(as_json({"message": "the studio has stopped"}, 503))

    async def news(self, socket: WebSocket) -> None:
        """Send a page news while it is open: the state of its title, problems, the progress of
        prints. The page sends its view whenever that changes."""
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
        ):  # our pages send neither this nor bytes
            await socket.close(1008)
        finally:
            self.desk.pages.discard(page)
            telling.cancel()


def _response(answer: Answer) -> Response:
    headers = dict(_LASTING) if answer.lasting else {}
    if answer.name:
        headers["content-disposition"] = f'attachment; filename="{answer.name}"'
    return Response(answer.data, answer.status, headers, answer.kind)


# The studio's server, on this machine only.


HOST, PORT = "127.0.0.1", 8118
_GRACE_S = 1
# Bytes of one message of a page.
_MOST_MESSAGE = 1 << 16


def serve(reference: str, *, port: int | None = None, opened: Callable[[str], None]) -> None:
    """Serve the studio for a title until it is interrupted. The title is a folder, a title.json, or
    a shipped id, which is read-only. `opened` is called with the address as soon as the studio
    is ready. Raises CannotRun, at the end also if texts could be neither saved nor stored beside
    the files."""
    try:
        import uvicorn
        from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
    except ImportError as error:
        raise CannotRun(
            f"the studio needs a few more packages: {to_install('platelayer[studio]')}"
        ) from error
    from platelayer.studio.desk import Desk
    from platelayer.studio.folder import Folder

    root = _root(reference)
    last = _last(root)
    with _listener(port, last.port) as listener:
        keys, number = Keys.new(last.keys), listener.getsockname()[1]
        _remember(root, _Last(number, [keys.page, *keys.earlier]))
        desk = Desk(Folder(root, writable=reference not in title_ids()), secrets.token_hex(4))
        pages = Studio(desk, keys.page)
        config = uvicorn.Config(
            Guard(pages.app(), pages.news, keys, number),
            http="h11",
            ws=WSProtocol,
            ws_max_size=_MOST_MESSAGE,
            ws_per_message_deflate=False,
            ws_ping_interval=None,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on",
            timeout_graceful_shutdown=_GRACE_S,
        )
        server = uvicorn.Server(config)
        address = f"http://{HOST}:{number}/{keys.address}/"
        with contextlib.suppress(KeyboardInterrupt):
            listener.listen()  # lets an early browser wait for the server
            opened(address)
            asyncio.run(_run(server, listener))
        desk.unsaved.tell()


async def _run(server: uvicorn.Server, listener: socket.socket) -> None:
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGTERM, server.handle_exit, signal.SIGTERM, None
        )
    await server.serve(sockets=[listener])


def _root(reference: str) -> Path:
    """Return the folder to work in; it is created if necessary. Raises CannotRun."""
    if reference in title_ids():
        return title_path(reference)
    path = Path(reference)
    if path.name == "title.json" and path.is_file():
        return path.parent
    if path.is_file():
        raise CannotRun(f"{reference} is a file; name the folder of a title")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotRun(f"{reference}: {error.strerror or error}") from error
    return path


class _Last(NamedTuple):
    """Port of the last studio of a folder, and the page keys of the last few."""

    port: int = PORT
    keys: Sequence[str] = ()


def _memory(root: Path) -> Path:
    """Return the file that stores `_Last` for a folder. Raises CannotRun, RuntimeError if the user
    has no home."""
    name = sha256(os.fsencode(real(root))).hexdigest()[:16]
    return inside(caches(), f"platelayer/studio/{name}.json")


def _last(root: Path) -> _Last:
    with contextlib.suppress(CannotRun, RuntimeError, OSError):
        return read_json(_memory(root), _Last, _MOST_MESSAGE, own=True)
    return _Last()


def _remember(root: Path, last: _Last) -> None:
    """Store port and keys, so that pages of this studio can find the next one. Only the user can
    read the file."""
    with contextlib.suppress(CannotRun, RuntimeError, OSError):
        path = _memory(root)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_own(path.parent.stat()):
            path.unlink(missing_ok=True)
            path.touch(0o600)
            path.write_bytes(msgspec.json.encode(last))


def _listener(port: int | None, last: int) -> socket.socket:
    """Return a socket on localhost: on the given port; without one, on the port of the last studio,
    the default port, or any free port. Raises CannotRun."""
    for number in (last, PORT, 0) if port is None else (port,):
        # asyncio turns off Nagle's algorithm only if the protocol is given; otherwise half of the
        # answers are delayed by 40 ms.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, number))
        except OSError as error:
            listener.close()
            reason = error.strerror or error
        else:
            return listener
    raise CannotRun(f"port {port} cannot be used: {reason}; choose another with --port")


# Access control: who may send requests, and what a page may load.


# Path of the WebSocket between a page and the studio. It contains no secret, so that a page can use
# it to look for a studio that has stopped.
NEWS = "/news"
KEY_HEADER = "x-platelayer-key"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
    "connect-src 'self'{}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_MOST_EARLIER = 8
_READING = ("GET", "HEAD")


class Keys(NamedTuple):
    """Secrets of one run of the studio. `address` is the first part of every path. `page` stands in
    the page's document but never in an address, so it does not appear in history, logs or
    process lists. A page sends it with every change, and both sides use it to prove their
    identity. `earlier` are the page keys of earlier runs, by which their pages learn the address
    of this one."""

    address: str
    page: str
    earlier: tuple[str, ...] = ()

    @classmethod
    def new(cls, earlier: Sequence[str] = ()) -> Keys:
        """Return new random keys."""
        return cls(secrets.token_hex(16), secrets.token_hex(16), tuple(earlier)[:_MOST_EARLIER])

    def sign(self, words: str, key: str = "") -> str:
        """Sign some words with the page's key, or with another one."""
        return hmac.digest((key or self.page).encode(), words.encode(), "sha256").hex()


class Guard:
    """Middleware that lets a request through only if its host is a local name (and not a foreign
    name that resolves to this machine), it comes from the studio's own page, its path starts
    with the address key and, if it changes anything, a header has the page key. `app` sees the
    rest of the path. A WebSocket reaches `news` when both sides have proved that they know the
    page key, without sending it."""

    def __init__(
        self,
        app: ASGIApp,
        news: Callable[[WebSocket], Awaitable[None]],
        keys: Keys,
        port: int,
    ) -> None:
        self._app, self._news, self._keys = app, news, keys
        # Browsers omit the default port of HTTP.
        self._hosts = {f"{name}:{port}" for name in _LOCAL} | ({*_LOCAL} if port == 80 else set())
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "websocket":
            await self._meet(WebSocket(scope, receive, send))
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                # In some browsers 'self' does not include WebSockets.
                socket = f" ws://{host}" if host in self._hosts else ""
                headers["content-security-policy"] = _POLICY.format(socket)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, with_headers)
            return
        path = scope["path"].removeprefix(f"/{self._keys.address}")
        await self._app({**scope, "path": path, "raw_path": path.encode()}, receive, with_headers)

    def _refusal(self, scope: Scope) -> str:
        """Return the reason why a request is refused; "" if it is not."""
        headers, path = Headers(scope=scope), scope["path"]
        if headers.get("host", "") not in self._hosts:
            return "This address is for this machine only."
        first, _, rest = path.removeprefix("/").partition("/")
        if not _same(first, self._keys.address) or not path.startswith(f"/{self._keys.address}/"):
            return "Open the studio by the address that it printed when it started."
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins:
            return "Another page may not use the studio."
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and (
            # Links from elsewhere to the page are allowed: the browser starts with a file that has
            # one.
            rest
            or headers.get("sec-fetch-mode") != "navigate"
            or headers.get("sec-fetch-dest") != "document"
        ):
            return "Another page may not use the studio."
        if scope["method"] not in _READING and (
            origin is None or not _same(headers.get(KEY_HEADER, ""), self._keys.page)
        ):
            return "Changes come from the studio's own page only."
        return "" if rest.isprintable() else "This is not a path."

    async def _meet(self, socket: WebSocket) -> None:
        """Accept a WebSocket, or close it."""
        headers = socket.headers
        known = (
            headers.get("host", "") in self._hosts and headers.get("origin", "") in self._origins
        )
        if not known or socket.scope["path"] != NEWS:
            await socket.close()
            return
        try:
            await socket.accept()
            key = await self._key_of(socket)
            if key == self._keys.page:
                await self._news(socket)
                return
            if key is not None:
                await socket.send_json({"moved": f"/{self._keys.address}/"})
            await socket.close(1008)
        except WebSocketDisconnect:
            return

    async def _key_of(self, socket: WebSocket) -> str | None:
        """Challenge a page, and answer its challenge so that it recognises this studio or the
        successor of its own. Return the key that the page has proved to know; None if there is
        none."""
        question, sign = secrets.token_hex(16), self._keys.sign
        try:
            asked = f"studio {await socket.receive_text()}"
            earlier = [sign(asked, key) for key in self._keys.earlier]
            await socket.send_json({"proof": sign(asked), "earlier": earlier, "question": question})
            answer = await socket.receive_text()
        except KeyError:  # bytes
            return None
        known = (self._keys.page, *self._keys.earlier)
        return next((key for key in known if _same(answer, sign(f"page {question}", key))), None)


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
