"""What the studio's secrets open, and who gets to know them."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from studio.conftest import ROOT, copy_of, free_port, small_title, until
from studio.test_guard import ask, key_of
from studio.test_live import opened

RECORDER = """#!{python}
import os, stat, sys, urllib.parse, urllib.request
path = urllib.parse.urlsplit(sys.argv[1]).path
path = urllib.request.url2pathname(path)
modes = [oct(stat.S_IMODE(os.stat(each).st_mode)) for each in (path, os.path.dirname(path))]
open({out!r}, "w").write(repr((sys.argv[1:], modes, open(path).read())))
"""


@pytest.fixture
def with_browser(tmp_path):
    """A studio whose browser is a program that writes down what it was started with."""
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(RECORDER.format(python=sys.executable, out=str(seen)), encoding="utf-8")
    browser.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator"), "BROWSER": f"{browser} %s"}
    command = [sys.executable, "-m", "platelayer", "studio", str(small_title(tmp_path / "title"))]
    process = subprocess.Popen(
        [*command, "--port", str(free_port())],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**environment, "PYTHONUNBUFFERED": "1"},
    )
    address = process.stdout.readline().split()[-1]
    until(lambda: seen.is_file() and seen.read_text(encoding="utf-8"), 20)
    yield process, address, seen
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize(
    "ending", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_the_browser_is_started_without_the_secret(with_browser, browser, ending):
    process, address, seen = with_browser
    arguments, modes, text = eval(seen.read_text(encoding="utf-8"))
    secret = urlsplit(address).path.strip("/")
    assert len(secret) == 32
    assert arguments[0].startswith("file:")
    assert not any(secret in each for each in arguments)
    command = Path(f"/proc/{process.pid}/cmdline")
    assert not command.exists() or secret not in command.read_text(encoding="utf-8")
    assert modes == ["0o600", "0o700"]
    assert address in text
    page = browser.new_page()
    page.goto(arguments[0])
    page.wait_for_selector(".viewer[data-version]", timeout=20_000)
    assert page.url.startswith(address)
    page.close()
    process.send_signal(ending)
    process.wait(20)
    folder = Path(unquote(urlsplit(arguments[0]).path)).parent
    assert folder.name.startswith("platelayer-studio-")
    assert not folder.exists()


def test_every_run_has_its_own_secrets(begin, tmp_path):
    first = begin(small_title(tmp_path / "title"))
    known = {urlsplit(first.address).path, key_of(first)}
    first.stop()
    again = begin(first.folder, first.port)
    assert not known & {urlsplit(again.address).path, key_of(again)}
    assert not (tmp_path / "state").exists()
    assert ask(again, urlsplit(first.address).path, token=False)[0] == 403


def test_a_page_goes_on_in_the_next_studio_of_its_folder(begin, page, tmp_path):
    first = begin(small_title(tmp_path / "title"))
    page.goto(f"{first.address}#map/C3")
    page.wait_for_selector(".hex")
    first.stop()
    page.wait_for_selector(".offline:not([hidden])")
    again = begin(first.folder, first.port)
    page.wait_for_url(f"{again.address}#map/C3")
    page.wait_for_selector(".hex")
    assert page.locator(".offline:not([hidden])").count() == 0


def test_a_studio_of_another_folder_does_not_take_it(begin, page, tmp_path):
    first = begin(small_title(tmp_path / "title"))
    page.goto(first.address)
    page.wait_for_selector(".hex")
    first.stop()
    page.wait_for_selector(".offline:not([hidden])")
    begin(small_title(tmp_path / "other"), first.port)
    page.wait_for_timeout(2000)
    assert page.locator(".offline:not([hidden])").count() == 1


def test_the_keys_of_earlier_pages_are_their_owners_alone(begin, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = begin(small_title(tmp_path / "title"))
    (kept,) = (tmp_path / "cache" / "platelayer" / "studio").iterdir()
    assert key_of(first) in kept.read_text()
    assert urlsplit(first.address).path.strip("/") not in kept.read_text()
    assert kept.stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("path", ["/do", "/print", "/new", "/import", "/atlas", "/sheets.json"])
def test_the_address_alone_changes_nothing(studio, path):
    headers = {"Origin": f"http://127.0.0.1:{studio.port}", "Content-Type": "application/json"}
    given = {"method": "POST", "body": "{}", "key": False}
    assert ask(studio, path, headers=headers, **given)[0] == 403
    secret = urlsplit(studio.address).path.strip("/")
    assert ask(studio, path, headers={**headers, "X-Platelayer-Key": secret}, **given)[0] == 403
    assert (
        ask(studio, path, headers={**headers, "X-Platelayer-Key": key_of(studio)}, **given)[0]
        != 403
    )


def test_the_key_stands_in_no_address(studio, page):
    opened(page, studio)
    key = key_of(studio)
    assert page.locator('meta[name="key"]').get_attribute("content") == key
    page.select_option(".editor select", "map.json")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n")
    page.keyboard.press("Control+s")
    page.wait_for_function("() => document.querySelector('.saved').textContent === ''")
    assert page.watched.addresses
    assert not any(key in each for each in page.watched.addresses)


def talk(port, *, path="/news", origin=None, host=None):
    """A WebSocket by hand: the socket, and the status of the answer."""
    line = socket.create_connection(("127.0.0.1", port), timeout=5)
    asked = {
        "Host": host or f"127.0.0.1:{port}",
        "Origin": origin or f"http://127.0.0.1:{port}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode(),
    }
    line.sendall(f"GET {path} HTTP/1.1\r\n".encode())
    line.sendall("".join(f"{key}: {value}\r\n" for key, value in asked.items()).encode() + b"\r\n")
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(1)
    return line, int(head.split()[1])


def say(line, text):
    data = text.encode()
    line.sendall(bytes([0x81, 0x80 | len(data)]) + b"\0\0\0\0" + data)


def hear(line):
    """A frame: its kind and its text."""
    head = line.recv(2)
    if not head:
        return 8, ""
    length = head[1] & 0x7F
    if length == 126:
        length = int.from_bytes(line.recv(2))
    elif length == 127:
        length = int.from_bytes(line.recv(8))
    data = b""
    while len(data) < length:
        data += line.recv(length - len(data))
    return head[0] & 0x0F, data.decode(errors="replace")


@pytest.mark.parametrize(
    "given",
    [
        {"origin": "http://evil.example"},
        {"host": "evil.example"},
        {"path": "/"},
        {"path": "/events"},
    ],
)
def test_a_line_is_for_the_studios_own_page(studio, given):
    line, status = talk(studio.port, **given)
    line.close()
    assert status == 403


def test_news_are_for_those_who_prove_that_they_know_the_key(studio):
    from platelayer.studio.server import Keys

    keys = Keys(urlsplit(studio.address).path.strip("/"), key_of(studio))
    for answer in ("", keys.address, keys.sign("page "), "replay"):
        line, _ = talk(studio.port)
        say(line, "my question")
        kind, text = hear(line)
        assert kind == 1
        assert json.loads(text)["proof"] == keys.sign("studio my question")
        assert not any(secret in text for secret in keys[:2])
        say(line, json.loads(text)["proof"] if answer == "replay" else answer)
        with contextlib.suppress(OSError):
            say(line, '{"number": 1}')
        assert hear(line)[0] == 8
        line.close()
    line, _ = talk(studio.port)
    say(line, "my question")
    say(line, keys.sign(f"page {json.loads(hear(line)[1])['question']}"))
    say(line, '{"number": 1}')
    assert [json.loads(hear(line)[1])["event"] for _ in range(2)] == ["edits", "state"]
    line.close()


class Impostor(threading.Thread):
    """A program that takes the studio's place, and writes down what it is told. It says yes to a
    WebSocket."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.heard = b""
        self.lines = 0
        self._listener = socket.create_server(("127.0.0.1", port), reuse_port=False)

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(line,), daemon=True).start()

    def _answer(self, line):
        line.settimeout(3)
        with contextlib.suppress(OSError), line:
            head = b""
            while b"\r\n\r\n" not in head:
                head += line.recv(4096)
                self.heard += head
            fields = dict(
                each.split(": ", 1) for each in head.decode().split("\r\n")[1:] if ": " in each
            )
            if "Sec-WebSocket-Key" not in fields:
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                return
            self.lines += 1
            guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            accept = base64.b64encode(
                hashlib.sha1((fields["Sec-WebSocket-Key"] + guid).encode()).digest()
            ).decode()
            upgrade = "Upgrade: websocket\r\nConnection: Upgrade"
            line.sendall(
                f"HTTP/1.1 101 Yes\r\n{upgrade}\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode()
            )
            data = json.dumps({"proof": "0" * 64, "question": "tell me"}).encode()
            line.sendall(bytes([0x81, len(data)]) + data)
            while more := line.recv(4096):
                self.heard += more

    def close(self):
        self._listener.close()


def test_who_takes_the_studios_place_learns_no_secret(begin, page, tmp_path):
    first = begin(copy_of("18eu", tmp_path / "18eu"))
    secrets = [urlsplit(first.address).path.strip("/").encode(), key_of(first).encode()]
    page.set_viewport_size({"width": 1000, "height": 300})
    page.goto(f"{first.address}#pieces")
    page.locator(".cm-line").first.click()
    page.keyboard.insert_text(" ")
    page.get_by_role("tab", name="Pieces").click()
    page.wait_for_function(
        "() => [...document.images].some((image) => image.complete && image.naturalWidth)"
    )
    assert page.evaluate(
        "[...document.images].some((image) => !image.complete)"
    )  # those further down
    first.stop()
    page.wait_for_selector(".offline:not([hidden])")
    impostor = Impostor(first.port)
    impostor.start()
    until(lambda: impostor.lines, 15)
    page.locator(".grid").evaluate(
        "grid => { for (const card of grid.children) card.scrollIntoView(); }"
    )
    page.wait_for_timeout(500)
    page.keyboard.press("Control+s")
    for view in ("Map", "Upgrades", "Sheets", "Pieces"):
        page.get_by_role("tab", name=view).click()
    for kind in page.locator(".kind").all():
        kind.click()
    page.get_by_role("button", name="Print").first.click()
    page.wait_for_timeout(1500)
    impostor.close()
    assert not any(secret in impostor.heard for secret in secrets)
    asked = re.findall(rb"^[A-Z]+ \S+ HTTP", impostor.heard, re.MULTILINE)
    assert set(asked) == {b"GET /news HTTP"}
    assert page.locator(".offline").is_visible()
    # Even if the page is loaded anew, the address has no secret.
    assert secrets[0].decode() not in page.url
