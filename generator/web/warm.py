"""Work of Python before its memory is kept for the start of the browser edition: it imports
what shows a title, and changes and saves one. It leaves no chance in that memory."""

import gc
import json
import random
import shutil

import platelayer.atlas.report
import platelayer.drawing.boards.market
import platelayer.drawing.boards.sheets
import platelayer.drawing.company.charter
import platelayer.drawing.map.board
import platelayer.drawing.pieces
import platelayer.drawing.train.locomotive
import platelayer.pipeline.faces
import platelayer.pipeline.load
import platelayer.render.svg
import platelayer.rules.graph
import platelayer.rules.text_rules  # noqa: F401
from platelayer.studio.worker import Worker

FOLDER = "/warm"


EDIT = {"op": "put", "file": "warm/title.json", "pointer": "/name", "value": "Warm"}
ACTIONS: tuple[tuple[str, str, object], ...] = (
    ("GET", "about.json", None),
    ("GET", "shipped.json", None),
    ("POST", "new", {"name": "warm", "start": "bare"}),
    ("POST", "do", {"do": "edit", "at": "warm", "label": "", "ops": [EDIT]}),
    ("POST", "do", {"do": "save", "at": "warm"}),
)


async def warm() -> None:
    """Answer what a page asks for first, and change and save a title."""
    worker = Worker(FOLDER, "", lambda _: None, lambda: None)
    for method, path, body in ACTIONS:
        answer = await worker.answer(method, path, {"ui": "en"}, json.dumps(body).encode())
        assert answer.status == 200, answer.data
    shutil.rmtree(FOLDER)
    gc.collect()
    random.seed(0)
