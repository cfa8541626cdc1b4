"""Who may ask the studio, and for what."""

from __future__ import annotations

import http.client
import json
import re
from urllib.parse import urlsplit

import pytest


def key_of(studio):
    """The secret that stands in the page."""
    return re.search(r'<meta name="key" content="(\w{32})">', ask(studio)[2])[1]


def ask(studio, path="/", *, method="GET", headers=None, body=None, token=True, key=True):
    """Status, headers and text of an answer; a change is asked for with the page's key."""
    place = urlsplit(studio.address)
    if key and method != "GET":
        headers = {"X-Platelayer-Key": key_of(studio), **(headers or {})}
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=240)
    connection.request(
        method, (place.path.rstrip("/") if token else "") + path, body=body, headers=headers or {}
    )
    answer = connection.getresponse()
    found = (
        answer.status,
        {key.lower(): value for key, value in answer.getheaders()},
        answer.read().decode(),
    )
    connection.close()
    return found


def test_the_page_comes_with_a_strict_policy(studio):
    status, headers, text = ask(studio)
    assert status == 200
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "<style" not in text
    assert " style=" not in text
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}", ""],
)
def test_another_host_is_refused(studio, host):
    assert ask(studio, headers={"Host": host.format(port=studio.port)})[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_another_origin_is_refused(studio, origin):
    assert ask(studio, headers={"Origin": origin.format(port=studio.port)})[0] == 403


def test_another_page_is_refused(studio):
    assert ask(studio, headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert ask(studio, headers={"Sec-Fetch-Site": "same-origin"})[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/about.json", "/faces/map:main", "/0123456789abcdef0123456789abcdef/"]
)
def test_nothing_without_the_token(studio, path):
    status, _, text = ask(studio, path, token=False)
    assert status == 403
    assert "platelayer.title" not in text


def test_a_change_needs_an_origin(studio):
    body = json.dumps({"do": "open", "name": "title.json"})
    assert ask(studio, "/do", method="POST", body=body)[0] == 403


ELSEWHERE = (
    "../secret.json",
    "/etc/passwd",
    "{secret}",
    "link.json",
    "way/secret.json",
    ".platelayer/x.json",
    "a\\b.json",
    "title.json/../../secret.json",
    "map.json\x00",
    "README.exe",
)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_files_elsewhere_are_neither_read_nor_written(studio, name):
    secret = studio.folder.parent / "secret.json"
    secret.write_text('{"secret": 1}', encoding="utf-8")
    (studio.folder / "link.json").symlink_to(secret)
    (studio.folder / "way").symlink_to(studio.folder.parent)
    asked = name.format(secret=secret)
    headers = {"Origin": f"http://127.0.0.1:{studio.port}", "Content-Type": "application/json"}
    write = {"do": "edit", "label": "", "ops": [{"op": "write", "file": asked, "text": "{}"}]}
    for body in ({"do": "open", "name": asked}, write, {"do": "save", "names": [asked]}):
        status, _, text = ask(studio, "/do", method="POST", headers=headers, body=json.dumps(body))
        assert status in (400, 403, 422), text
        assert "secret" not in text.replace(asked, "").replace(repr(asked), "")
    assert secret.read_text(encoding="utf-8") == '{"secret": 1}'


def test_static_files_are_the_studios_own(studio):
    assert ask(studio, "/static/js/main.js")[0] == 200
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert ask(studio, path)[0] in (403, 404)


def test_what_does_not_exist_is_told_in_a_line(studio):
    for path in ("/faces/tile:nope", "/picture/0/nope:1", "/picture/9/map:main", "/explain/XX99"):
        status, _, text = ask(studio, path)
        assert 400 <= status < 500
        assert "Traceback" not in text


def test_a_shipped_title_cannot_be_changed(begin):
    from platelayer.foundation.resources import title_path

    shipped = begin("18eu")
    before = (title_path("18eu") / "title.json").read_bytes()
    headers = {"Origin": f"http://127.0.0.1:{shipped.port}", "Content-Type": "application/json"}
    body = json.dumps(
        {"do": "edit", "label": "", "ops": [{"op": "write", "file": "title.json", "text": "{}"}]}
    )
    assert ask(shipped, "/do", method="POST", headers=headers, body=body)[0] == 403
    assert (title_path("18eu") / "title.json").read_bytes() == before
