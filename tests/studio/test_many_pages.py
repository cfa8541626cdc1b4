"""Many pages at a time, and connections that lead nowhere."""

from __future__ import annotations

import contextlib
import resource
import socket
import time

import pytest

from studio.conftest import small_title, start
from studio.test_guard import ask
from studio.test_secret import say, talk

HALF_OPEN = 1_100
LEAST_FILES = 256


@pytest.fixture
def crowded(tmp_path):
    """A studio that may open few files, as on macOS."""
    studio = start(small_title(tmp_path / "title"), tmp_path)
    resource.prlimit(studio.process.pid, resource.RLIMIT_NOFILE, (LEAST_FILES, LEAST_FILES))
    yield studio
    studio.stop()


def connections(port, first):
    for _ in range(HALF_OPEN):
        line = socket.create_connection(("127.0.0.1", port), timeout=10)
        line.sendall(first)
        yield line


SILENT = (None, b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")


@pytest.mark.slow
@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nHost: 127", *SILENT])
def test_half_open_connections_keep_nobody_out(crowded, first):
    with contextlib.ExitStack() as held:
        if first is None:  # WebSockets that ask, and do not answer
            for _ in range(HALF_OPEN):
                line, status = talk(crowded.port)
                assert status == 101
                say(held.enter_context(line), "who are you?")
        else:
            for line in connections(crowded.port, first):
                held.enter_context(line)
        for path in ("/", "/static/js/main.js", "/about.json", "/faces/map:main"):
            taken = []
            for _ in range(3):  # the machine may do something else for once
                begun = time.monotonic()
                assert ask(crowded, path)[0] == 200
                taken.append(time.monotonic() - begun)
            assert min(taken) < 2
    crowded.process.terminate()
    assert crowded.process.stdout.read() == "Ctrl-C stops the studio.\n"
    assert crowded.process.wait(20) == 0


@pytest.mark.slow
def test_a_connection_that_asks_nothing_is_closed(studio):
    lines = [socket.create_connection(("127.0.0.1", studio.port), timeout=20) for _ in range(2)]
    begun = time.monotonic()
    lines[1].sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n")
    with contextlib.suppress(OSError):
        while lines[1].recv(4096):
            pass
        assert lines[0].recv(1) == b""
    assert time.monotonic() - begun < 15
    for line in lines:
        line.close()
