"""The guard of the studio's address: who may ask, and what a page may load."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from platelayer.studio.connections import Lobby

NEWS = "/news"
"""The address of the line between a page and the studio. It has no secret in it, so a page may ask
there for a studio that is gone."""
KEY_HEADER = "x-platelayer-key"
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob: data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_READING = ("GET", "HEAD")


class Keys(NamedTuple):
    """The secrets of one run of the studio. `address` is the first part of every path. `page`
    stands in the page's document and in no address: history, logs and lists of processes never show
    it. A page sends it with what it changes, and both sides use it to prove who they are."""

    address: str
    page: str

    @classmethod
    def new(cls) -> Keys:
        """Keys that nobody knows."""
        return cls(secrets.token_hex(16), secrets.token_hex(16))

    def sign(self, words: str) -> str:
        """What only those say who know the page's key."""
        return hmac.digest(self.page.encode(), words.encode(), "sha256").hex()


class Guard:
    """Lets a request through if it is for this machine by name (no foreign name that resolves to
    it), comes from the studio's own page, has the first key as the first part of its path, and, if
    it changes anything, the second in a header. The rest of the path is what `app` sees. A
    WebSocket comes to `news` when both sides have proved that they know the second key, which
    neither tells the other."""

    def __init__(
        self,
        app: ASGIApp,
        news: Callable[[WebSocket], Awaitable[None]],
        keys: Keys,
        port: int,
        lobby: Lobby,
    ) -> None:
        self._app, self._news, self._keys, self._lobby = app, news, keys, lobby
        # Browsers leave the port of HTTP out.
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
                headers["content-security-policy"] = _policy(host if host in self._hosts else "")
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, with_headers)
            return
        path = scope["path"].removeprefix(f"/{self._keys.address}")
        await self._app({**scope, "path": path, "raw_path": path.encode()}, receive, with_headers)

    def _refusal(self, scope: Scope) -> str:
        """Why a request is refused; "" if it is not."""
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
            rest or not _opens(headers)
        ):
            return "Another page may not use the studio."
        if scope["method"] not in _READING and (
            origin is None or not _same(headers.get(KEY_HEADER, ""), self._keys.page)
        ):
            return "Changes come from the studio's own page only."
        return "" if rest.isprintable() else "This is not a path."

    async def _meet(self, socket: WebSocket) -> None:
        """Let a WebSocket through, or close it."""
        headers = socket.headers
        known = (
            headers.get("host", "") in self._hosts and headers.get("origin", "") in self._origins
        )
        if not known or socket.scope["path"] != NEWS:
            await socket.close()
            return
        try:
            await socket.accept()
            if await self._is_ours(socket):
                self._lobby.leave(socket.scope["client"])
                await self._news(socket)
            else:
                await socket.close(1008)
        except WebSocketDisconnect:
            return

    async def _is_ours(self, socket: WebSocket) -> bool:
        """Answer a page's question, so that it knows this studio, and ask it one. The lobby ends a
        long silence."""
        question = secrets.token_hex(16)
        try:
            asked = await socket.receive_text()
            await socket.send_json(
                {"proof": self._keys.sign(f"studio {asked}"), "question": question}
            )
            return _same(await socket.receive_text(), self._keys.sign(f"page {question}"))
        except KeyError:  # bytes
            return False


def _policy(host: str) -> str:
    # Not every browser takes 'self' to mean a WebSocket as well.
    own = {"connect-src": f"'self' ws://{host}"} if host else {}
    return "; ".join(f"{name} {allowed}" for name, allowed in (_POLICY | own).items())


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


def _opens(headers: Headers) -> bool:
    """Does somebody follow a link, as from the file that the studio opens a browser with?"""
    return (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == (
        "navigate",
        "document",
    )
