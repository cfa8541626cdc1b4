"""The studio's server, on this machine only."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import signal
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from platelayer.foundation.ending import Unwinding
from platelayer.foundation.installing import to_install
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import title_ids, title_path

if TYPE_CHECKING:
    import uvicorn

    from platelayer.studio.connections import Lobby

HOST, PORT = "127.0.0.1", 8118
_GRACE_S = 1
_MOST_SAID = 1 << 16
"""Bytes of what a page says at once over its line."""
_NO_ROOM = (errno.EMFILE, errno.ENFILE)


def serve(reference: str, *, port: int | None = None, opened: Callable[[str], None]) -> None:
    """Serve the studio for a title (a folder, a title.json, or a shipped id, which cannot be
    changed) until it is interrupted. `opened` is called with the address when it is ready. Raises
    CannotRun, in the end also for what is neither saved nor kept beside the files."""
    try:
        import uvicorn
        from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
    except ImportError as error:
        raise CannotRun(
            f"the studio needs a few more packages: {to_install('platelayer[studio]')}"
        ) from error
    from platelayer.studio.app import Studio
    from platelayer.studio.connections import MOST, Connection, Lobby
    from platelayer.studio.desk import Desk
    from platelayer.studio.folder import Folder
    from platelayer.studio.guard import Guard, Keys

    root = _root(reference)
    with _listener(port) as listener:
        keys, lobby, number = Keys.new(), Lobby(), listener.getsockname()[1]
        desk = Desk(Folder(root, writable=reference not in title_ids()), secrets.token_hex(4))
        pages = Studio(desk, keys.page)
        config = uvicorn.Config(
            Guard(pages.app(), pages.news, keys, number, lobby),
            http=cast("Any", partial(Connection, lobby)),
            ws=WSProtocol,
            ws_max_size=_MOST_SAID,
            ws_per_message_deflate=False,
            ws_ping_interval=None,
            backlog=MOST,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on",
            timeout_graceful_shutdown=_GRACE_S,
        )
        server = uvicorn.Server(config)
        address = f"http://{HOST}:{number}/{keys.address}/"
        with contextlib.suppress(KeyboardInterrupt), Unwinding():
            asyncio.run(_run(server, listener, lobby, lambda: opened(address)))
        desk.unsaved.tell()


async def _run(
    server: uvicorn.Server, listener: socket.socket, lobby: Lobby, ready: Callable[[], None]
) -> None:
    async def tell() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        ready()

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Make room when no connection can be accepted for lack of it; the loop tries again by
        itself."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            lobby.clear()
        else:
            loop.default_exception_handler(context)

    telling = asyncio.create_task(tell())
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(failed)
    with contextlib.suppress(NotImplementedError):  # Windows
        loop.add_signal_handler(signal.SIGTERM, server.handle_exit, signal.SIGTERM, None)
    await server.serve(sockets=[listener])
    telling.cancel()


def _root(reference: str) -> Path:
    """The folder to work in; a new one is created. Raises CannotRun."""
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


def _listener(port: int | None) -> socket.socket:
    """A socket on this machine's own address: at the port asked for, else at the studio's usual one
    or, if that is taken, any. Raises CannotRun."""
    for number in (PORT, 0) if port is None else (port,):
        # Without its protocol, asyncio does not turn off Nagle's algorithm, and half of the answers
        # wait for 40 ms.
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
