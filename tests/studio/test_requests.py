"""Malformed requests are refused in a line, and the studio ends in silence."""

from __future__ import annotations

import asyncio
import json
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from studio.conftest import small_title
from studio.test_guard import ask
from studio.test_live import opened

OPEN = {"do": "open", "name": "map.json"}
TYPED = {"do": "type", "name": "map.json", "version": 0, "changes": [], "by": "page", "label": ""}
STROKE = {"op": "stroke", "map": "main", "hexes": ["A3"], "brush": {"brush": "clear"}}
DEEP = "[" * 100_000


def edit(**op):
    return {"do": "edit", "label": "", "ops": [op]}


BODIES = [
    ("/do", body if isinstance(body, (str, bytes)) else json.dumps(body))
    for body in (
        "",
        "{",
        "[]",
        "null",
        '"map.json"',
        b"\xff",
        DEEP,
        {},
        {"do": "nothing"},
        {**OPEN, "name": 3},
        {**OPEN, "name": None},
        {**OPEN, "name": ["map.json"]},
        {**OPEN, "name": ""},
        {**OPEN, "name": "nowhere.json"},
        {**OPEN, "more": 1},
        {"do": "open"},
        {**TYPED, "changes": [["x"]]},
        {**TYPED, "changes": [[1e99]]},
        {**TYPED, "changes": [[-1]]},
        {**TYPED, "changes": [[[0, "x"]]]},
        {**TYPED, "changes": [[[0, "\ud800"], 2035]]},
        {**TYPED, "version": -1},
        edit(op="write", file="map.json", text={}),
        edit(op="write", file="nowhere.json", text=""),
        edit(op="put", file="map.json", pointer="/map/hexes/A3/stops/9", value=0),
        edit(op="put", file="map.json", pointer="map", value=0),
        edit(op="remove", file="map.json", pointer=""),
        edit(op="rekey", file="map.json", pointer="/map/hexes/A3", key="B2"),
        edit(op="rename", pointer="", key="x"),
        edit(op="rename", pointer="/companies/none", key="x"),
        edit(**{**STROKE, "map": "none"}),
        edit(**{**STROKE, "hexes": ["Z99"]}),
        edit(**{**STROKE, "brush": {"brush": "none"}}),
        edit(**{**STROKE, "brush": {"brush": "move", "stop": 40}}),
        {"do": "save", "names": ["nowhere.json"]},
        {"do": "settle", "name": "nowhere.json", "mine": True},
    )
] + [
    (path, json.dumps(body))
    for path, body in (
        ("/import", {"name": "x"}),
        ("/import", {"name": "x", "files": "a.json"}),
        ("/import", {"name": "x", "files": ["a.json"]}),
        ("/import", {"name": "x", "files": [{"path": 1, "data": ""}]}),
        ("/import", {"name": "x", "files": [{"path": "a\0b", "data": ""}]}),
        ("/import", {"name": "x", "files": [{"path": "a.json", "data": "?"}]}),
        (
            "/import",
            {"name": "x", "files": [{"path": "a", "data": ""}, {"path": "a/b", "data": ""}]},
        ),
        ("/new", {}),
        ("/new", {"name": {}}),
        ("/new", {"name": "../x"}),
        ("/atlas", {"seed": "seven"}),
        ("/atlas", {"seed": 1.5}),
        ("/atlas", {"mode": []}),
        ("/atlas", {"mode": "none"}),
        ("/atlas/gallery", {"players": {}}),
        ("/atlas/find", {"seconds": 0}),
        ("/atlas/find", {"count": 1e9}),
        ("/atlas/find", {"where": "x" * 5000}),
        ("/atlas/files", {"mode": "long"}),
        ("/atlas/files", {"mode": "long", "policy": "compact", "seed": -1}),
        ("/sheets.json", {"layouts": [1]}),
        ("/sheets.json", {"sizes": {"tile": 3}}),
        ("/sheets.json", {"only": 3}),
        ("/sheets.json", {"only": [[]]}),
        ("/sheets.json", {"paper": {"a": 1}}),
        ("/sheets.json", {"copies": 1e99}),
        ("/sheets.json", {"profile": ["home"]}),
        ("/sheets.json", {"papr": "a3"}),
        ("/sheets.json", {"since": "/etc/passwd"}),
        ("/sheet.json", {}),
        ("/print", []),
        ("/print?theme=none", {}),
    )
]
ADDRESSES = (
    "/sheet.svg",
    "/sheet.svg?stem=tiles&page=one&options={}",
    "/sheet.svg?stem=tiles&page=1&options={",
    "/sheet.svg?stem=tiles&page=1&options=[]",
    "/sheet.svg?stem=tiles&page=99999999999999999999&options={}",
    "/atlas.svg?seed=x",
    "/faces/map:main?at=" + "x" * 300,
    "/faces/map:main?variant=none",
    "/picture/99999999999999999999/map:main",
    "/empty.json?map=none",
    "/colour.json?colour=red",
    "/colour.json?colour=%23ffffff&field=none",
)


def wrong_with(studio, path, **request):
    """The fault in the refusal of a malformed request; None for none."""
    before = (studio.folder / "map.json").read_bytes()
    status, _, text = ask(studio, path, **request)
    message = json.loads(text).get("message", "")
    is_a_line = message and "\n" not in message and "Traceback" not in message
    is_as_it_was = (studio.folder / "map.json").read_bytes() == before
    right = 400 <= status < 500 and is_a_line and is_as_it_was
    return None if right else (path, str(request)[:200], status, text[:500])


def test_malformed_requests_are_refused_in_a_line(studio):
    headers = {"Origin": f"http://127.0.0.1:{studio.port}", "Content-Type": "application/json"}
    given = {"method": "POST", "headers": headers}
    found = [wrong_with(studio, path, body=body, **given) for path, body in BODIES]
    assert [*filter(None, found)] == []


def test_a_change_of_an_older_text_is_told_apart_so_that_the_page_sends_it_again(studio):
    headers = {"Origin": f"http://127.0.0.1:{studio.port}", "Content-Type": "application/json"}
    old = json.dumps({**TYPED, "version": -1})
    assert ask(studio, "/do", method="POST", headers=headers, body=old)[0] == 409


def test_malformed_addresses_are_refused_in_a_line(studio):
    assert [*filter(None, (wrong_with(studio, path) for path in ADDRESSES))] == []


def test_nothing_is_made_where_the_folder_was(begin, tmp_path):
    gone = begin(small_title(tmp_path / "title"))
    gone.folder.rename(tmp_path / "away")
    headers = {"Origin": f"http://127.0.0.1:{gone.port}", "Content-Type": "application/json"}
    for path, body in (("/new", {"name": "x"}), ("/print/write", {}), ("/do", OPEN)):
        assert (
            400 <= ask(gone, path, method="POST", headers=headers, body=json.dumps(body))[0] < 500
        )
    assert not gone.folder.exists()


@pytest.mark.parametrize(
    "ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_the_studio_ends_in_silence_while_pages_are_open(begin, page, tmp_path, ending):
    one = begin(small_title(tmp_path / "title"))
    opened(page, one)
    other = page.context.new_page()
    opened(other, one)
    one.process.send_signal(ending)
    said, _ = one.process.communicate(timeout=60)
    assert said.replace("Ctrl-C stops the studio.", "").strip() == ""
    other.close()


@pytest.mark.parametrize(("port", "host", "allowed"), [(80, "127.0.0.1", 200), (8118, "127.0.0.1", 403),
                                                       (80, "localhost", 200), (80, "evil.example", 403)])  # fmt: skip
def test_the_port_of_http_stands_in_no_host(port, host, allowed):
    from platelayer.studio.server import Guard, Keys

    sent = []

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message):
        sent.append(message)

    keys = Keys.new()
    scope = {"type": "http", "method": "GET", "path": f"/{keys.address}/", "query_string": b"",
             "headers": [(b"host", host.encode()), (b"origin", f"http://{host}".encode())]}  # fmt: skip
    with ThreadPoolExecutor(1) as beside:  # the browser has a loop in this thread
        beside.submit(asyncio.run, Guard(app, None, keys, port)(scope, None, send)).result()
    assert sent[0]["status"] == allowed


def test_what_is_unanswered_when_the_studio_stops_is_told_so(tmp_path):
    from starlette.requests import Request

    from platelayer.studio.desk import Desk
    from platelayer.studio.folder import Folder
    from platelayer.studio.server import Studio

    async def never(_asked):
        await asyncio.Event().wait()

    async def stopped(studio):
        scope = {
            "type": "http",
            "method": "GET",
            "path_params": {"path": "x"},
            "query_string": b"",
            "headers": [],
        }
        asking = asyncio.create_task(studio.answer(Request(scope)))
        await asyncio.sleep(0)
        asking.cancel()
        return await asking

    desk = Desk(Folder(small_title(tmp_path / "title"), writable=True), "run")
    studio = Studio(desk, "key")
    studio._answers.answer = never
    with ThreadPoolExecutor(1) as beside:
        response = beside.submit(asyncio.run, stopped(studio)).result()
    desk.close()
    assert (response.status_code, json.loads(response.body)) == (
        503,
        {"message": "the studio has stopped"},
    )
