"""What tests of damaged files share: nothing reaches the network, and nothing runs on for ever."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from damage import Limit


class NetworkTouched(BaseException):
    """Somebody reached out. No Exception, so that nothing takes it for a failure of its own."""


class Hangs(BaseException):
    """Something does not come to an end."""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def touched(*_: object, **__: object) -> None:
        raise NetworkTouched

    for name in ("connect", "connect_ex", "bind", "sendto"):
        monkeypatch.setattr(socket.socket, name, touched)
    for name in ("create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, touched)


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """`signal.alarm` raises Hangs."""

    def ring(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def within() -> Limit:
    """`with within(30):` raises Hangs after so many seconds, even out of a read that waits."""

    @contextmanager
    def limit(seconds: int) -> Iterator[None]:
        signal.alarm(seconds)
        try:
            yield
        finally:
            signal.alarm(0)

    return limit
