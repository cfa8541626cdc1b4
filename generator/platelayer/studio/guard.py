"""The guard of the studio's address: who may ask, and what a page may load."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_READING = ("GET", "HEAD")


class Guard:
    """Lets a request through if it is for this machine by name (no foreign name that resolves to it), comes from the
    studio's own page, and has the token as the first part of its path. The rest of the path is what the app sees."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"{name}:{port}" for name in _LOCAL}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, with_headers)
            return
        path = scope["path"].removeprefix(f"/{self._token}")
        await self._app({**scope, "path": path, "raw_path": path.encode()}, receive, with_headers)

    def _refusal(self, scope: Scope) -> str:
        """Why a request is refused; "" if it is not."""
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return "This address is for this machine only."
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins:
            return "Another page may not use the studio."
        if origin is None and scope["method"] not in _READING:
            return "Changes come from the studio's own page only."
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "Another page may not use the studio."
        first, _, rest = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(first.encode(), self._token.encode()) or not scope["path"].startswith(
            f"/{self._token}/"
        ):
            return "Open the studio by the address that it printed when it started."
        return "" if rest.isprintable() else "This is not a path."
