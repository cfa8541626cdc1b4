"""The studio's server, on this machine only."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import secrets
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from platelayer.foundation.ending import Unwinding
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import title_ids, title_path

if TYPE_CHECKING:
    import uvicorn

HOST, PORT = "127.0.0.1", 8118
_GRACE_S = 1


def serve(reference: str, *, port: int | None = None, opened: Callable[[str], None]) -> None:
    """Serve the studio for a title (a folder, a title.json, or a shipped id, which cannot be changed) until it is
    interrupted. `opened` is called with the address when it is ready. Raises CannotRun."""
    try:
        import uvicorn
    except ImportError as stop:
        raise CannotRun("the studio needs a few more packages: pip install 'platelayer[studio]'") from stop
    from platelayer.studio.app import Studio
    from platelayer.studio.desk import Desk
    from platelayer.studio.folder import Folder
    from platelayer.studio.guard import Guard

    root = _root(reference)
    with _listener(port) as listener:
        token, number = _token(root), listener.getsockname()[1]
        desk = Desk(Folder(root, writable=reference not in title_ids()), secrets.token_hex(4))
        guarded = Guard(Studio(desk).app(), token, number)
        config = uvicorn.Config(
            guarded,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on",
            timeout_graceful_shutdown=_GRACE_S,
        )
        server = uvicorn.Server(config)
        address = f"http://{HOST}:{number}/{token}/"
        with contextlib.suppress(KeyboardInterrupt), Unwinding():
            asyncio.run(_run(server, listener, lambda: opened(address)))


async def _run(server: uvicorn.Server, listener: socket.socket, ready: Callable[[], None]) -> None:
    async def tell() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        ready()

    telling = asyncio.create_task(tell())
    loop = asyncio.get_running_loop()
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
    except OSError as stop:
        raise CannotRun(f"{reference}: {stop.strerror or stop}") from stop
    return path


def _listener(port: int | None) -> socket.socket:
    """A socket on this machine's own address: at the port asked for, else at the studio's usual one or, if that is
    taken, any. Raises CannotRun."""
    for number in (PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, number))
        except OSError as stop:
            listener.close()
            reason = stop.strerror or stop
        else:
            return listener
    raise CannotRun(f"port {port} cannot be used: {reason}; choose another with --port")


def _token(root: Path) -> str:
    """The secret part of a folder's address. It is kept for the user alone, so that a page that is still open finds a
    studio that was started again."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    folder = (Path(base) if base else Path.home() / ".local" / "state") / "platelayer"
    name = hashlib.sha256(os.path.realpath(root).encode()).hexdigest()[:16]
    path = folder / f"studio-{name}"
    with contextlib.suppress(OSError):
        kept = path.read_text(encoding="ascii").strip()
        if len(kept) >= 32 and kept.isalnum():
            return kept
    made = secrets.token_hex(16)
    with contextlib.suppress(OSError):  # without a home, the address is good for this run
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as stream:
            stream.write(made)
    return made
