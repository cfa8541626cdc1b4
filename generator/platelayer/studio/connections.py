"""Connections of the studio, and how those that ask for nothing make room for others."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

Client = tuple[str, int]

MOST = 64
"""So many connections may wait, and so many are accepted in a row: with those in use fewer than a
process may have open by the meanest limit there is (256)."""
_PATIENCE_S = 10.0


class Lobby:
    """Connections that have not asked for anything yet, by their addresses, the oldest first. One
    that waits for long is closed, as is the oldest when there are too many."""

    def __init__(self) -> None:
        self._waiting: dict[Client, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}

    def enter(self, client: Client, transport: asyncio.Transport) -> None:
        """From now on a connection waits."""
        self.leave(client)
        if len(self._waiting) >= MOST:
            oldest, (other, _) = next(iter(self._waiting.items()))
            self.leave(oldest)
            other.abort()
        timer = asyncio.get_running_loop().call_later(_PATIENCE_S, self._end, client)
        self._waiting[client] = transport, timer

    def leave(self, client: Client) -> None:
        """A connection waits no longer: it has asked, or is gone."""
        if client in self._waiting:
            self._waiting.pop(client)[1].cancel()

    def clear(self) -> None:
        """Close all that wait."""
        for client in list(self._waiting):
            self._end(client)

    def _end(self, client: Client) -> None:
        transport, _ = self._waiting[client]
        self.leave(client)
        transport.abort()


class Connection(H11Protocol):
    """A connection that waits in a lobby whenever it has no request. A WebSocket stays there until
    `Lobby.leave`."""

    def __init__(self, lobby: Lobby, **given: Any) -> None:
        super().__init__(**given)
        self._lobby = lobby

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It begins."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """It asks, or begins to."""
        super().data_received(data)
        if self.client and self.cycle and not self.cycle.response_complete:
            self._lobby.leave(self.client)

    def on_response_complete(self) -> None:
        """It has its answer."""
        super().on_response_complete()
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It ends."""
        if self.client:
            self._lobby.leave(self.client)
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self.client:
            self._lobby.enter(self.client, self.transport)
