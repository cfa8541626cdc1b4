"""Whatever is edited, the studio's pictures are those that a new studio would draw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.pipeline.scaffold import new_title
from platelayer.studio.pictures import Face, Pictures
from platelayer.studio.view import View

PATH = os.pathsep.join(str(Path(__file__).parents[2] / name) for name in ("generator", "tests"))
COLUMNS, ROWS = "ABCDEFG", 8
PLACES = [
    f"{column}{row}"
    for number, column in enumerate(COLUMNS)
    for row in range(1 + number % 2, ROWS, 2)
]
CONTENTS: list[dict[str, Any]] = [
    {},
    {"name": "Ardmore", "stops": [{"kind": "city"}]},
    {"name": "Ö", "stops": [{"kind": "town"}], "track": [[0, "stop:0"]]},
    {"terrain": [{"kinds": ["mountain"], "cost": 80}]},
    {"terrain": [{"kinds": ["hill"]}]},
    {"terrain": [{"kinds": ["forest"]}]},
    {
        "colour": "red",
        "name": "Far",
        "stops": [{"kind": "offboard", "revenue": {"yellow": 20, "brown": 60}}],
    },
]
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(PLACES), st.sampled_from(CONTENTS)),
        st.tuples(st.sampled_from(PLACES), st.none()),
        st.tuples(st.just("layout"), st.sampled_from(["flat", "pointy"])),
        st.tuples(
            st.just("name"), st.sampled_from(["Untitled", "X", "A much longer name of a map"])
        ),
        st.tuples(st.just("across"), st.sampled_from([30.0, 38.6, 45.0])),
    ),
    min_size=1,
    max_size=8,
)


class Edited:
    """A bare title in a folder, changed on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not folder.exists():
            new_title(folder, "bare")
        self.files = {
            name: json.loads((folder / name).read_text("utf-8"))
            for name in ("title.json", "map.json")
        }
        self.files["map.json"]["map"]["hexes"] = {
            "B2": {},
            "B4": dict(CONTENTS[1]),
            "C3": dict(CONTENTS[3]),
        }
        self.write()

    def change(self, where: str, value: Any) -> None:
        board = self.files["map.json"]["map"]
        if where == "across":
            self.files["title.json"]["pieces"]["sizes"]["map"] = value
        elif where in ("layout", "name"):
            board[where] = value
        elif value is not None:
            board["hexes"][where] = value
        elif len(board["hexes"]) > 1:
            board["hexes"].pop(where, None)
        self.write()

    def write(self) -> None:
        for name, value in self.files.items():
            (self.folder / name).write_text(json.dumps(value), encoding="utf-8")


def shown(
    pictures: Pictures, view: View, language: str = "en"
) -> list[tuple[Face, list[bytes | None]]]:
    """Every face of every piece, with its layers."""
    assert view.manifest is not None
    faces = [
        face
        for piece in view.manifest.pieces
        for face in pictures.faces(view, piece.key, language, "classic")
    ]
    return [(face, [pictures.layer(name) for name in face.layers]) for face in faces]


def afresh(folder: Path) -> View:
    view = View(folder, "", None)
    view.reload()
    return view


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("resized") / "title"


def test_all_layers_of_a_map_that_grows_have_its_new_size(edited: Path) -> None:
    title, pictures = Edited(edited), Pictures()
    view = afresh(title.folder)
    before = shown(pictures, view)[0][0]
    title.change("D2", {})
    view.reload()
    after, layers = shown(pictures, view)[0]
    assert after.width_mm > before.width_mm
    assert layers
    assert all(layer and f'width="{after.width_mm:g}mm"'.encode() in layer for layer in layers)


@settings(max_examples=4)
@given(changes=CHANGES)
def test_pictures_after_edits_are_those_of_a_new_studio(
    edited: Path, changes: list[tuple[str, Any]]
) -> None:
    title, pictures = Edited(edited), Pictures()
    view = afresh(title.folder)
    for where, value in changes:
        shown(pictures, view)
        title.change(where, value)
        view.reload()
        assert shown(pictures, view) == shown(Pictures(), afresh(title.folder))


@pytest.mark.slow
@settings(max_examples=30)
@given(changes=CHANGES)
def test_nothing_that_a_process_remembers_changes_a_picture(
    edited: Path, changes: list[tuple[str, Any]]
) -> None:
    """The same beside a new process, which remembers nothing of earlier drawings."""
    title, pictures = Edited(edited), Pictures()
    view = afresh(title.folder)
    for where, value in changes:
        shown(pictures, view)
        title.change(where, value)
        view.reload()
    command = [sys.executable, "-c", "from studio.test_resized import told; told()", title.folder]
    drawn = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": PATH}
    )
    assert drawn.stdout == digests(shown(pictures, view))


def told() -> None:
    """In a process of its own: digests of a title's pictures."""
    sys.stdout.write(digests(shown(Pictures(), afresh(Path(sys.argv[1])))))


def digests(faces: list[tuple[Face, list[bytes | None]]]) -> str:
    return "".join(f"{face.layers} {sha256(face.svg).hexdigest()}\n" for face, _ in faces)
