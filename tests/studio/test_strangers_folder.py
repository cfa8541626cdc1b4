"""A folder that comes from a stranger: what the studio keeps in it may be forged, and links may
lead anywhere."""

from __future__ import annotations

import base64
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from platelayer.comparison import compare as commits
from platelayer.foundation.problems import CannotRun
from platelayer.studio import folder as folder_module
from platelayer.studio.desk import Desk
from platelayer.studio.folder import Folder, Moments
from platelayer.studio.workspace import Unsaved, Workspace
from studio.conftest import Studio, say, small_title

MINE = b'{"map.json": ["mine", "", "before"]}'


@pytest.fixture
def title(tmp_path: Path) -> Path:
    return small_title(tmp_path / "title")


def outside(tmp_path: Path) -> dict[str, bytes]:
    """All files but those of the title."""
    paths = (path for path in tmp_path.rglob("*") if path.is_file() and "title" not in path.parts)
    return {str(path): path.read_bytes() for path in paths}


# printed.json


@pytest.mark.parametrize("name", ["../up.txt", "{tmp}/up.txt", "C:/up.txt", "a\\..\\up.txt", "CON"])
def test_names_of_a_kept_print_write_nothing(title: Path, tmp_path: Path, name: str) -> None:
    files = {
        "title.json": (title / "title.json").read_bytes(),
        name.format(tmp=tmp_path): b"forged",
    }
    told = {name: base64.b64encode(data).decode() for name, data in files.items()}
    (title / ".platelayer" / "printed.json").write_text(json.dumps({"": [1.0, told]}))
    moments = Moments(Folder(title))
    assert [each.kind for each in moments.all("")] == ["disk"]
    with pytest.raises(CannotRun):
        moments.view("", None, "print")
    assert outside(tmp_path) == {}


@pytest.mark.parametrize("kept", ["printed.json", "unsaved.json"])
@pytest.mark.parametrize(
    "what", ["a link", "a pipe", "a folder", "a folder's link", "another's", "deep", "no text"]
)
def test_what_is_kept_may_be_anything(
    title: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, what: str
) -> None:
    sound = tmp_path / "sound.json"
    sound.write_bytes(MINE if kept == "unsaved.json" else b'{"": [1.0, {}]}')
    path = title / ".platelayer" / kept
    make: dict[str, Callable[[], object]] = {
        "a link": lambda: path.symlink_to(sound),
        "a pipe": lambda: os.mkfifo(path),
        "a folder": path.mkdir,
        "a folder's link": lambda: (path.parent.rename(tmp_path / "away"), path.parent.symlink_to(tmp_path / "away"),
                                    path.write_bytes(sound.read_bytes())),
        "another's": lambda: path.write_bytes(sound.read_bytes()),
        "deep": lambda: path.write_text("[" * 100_000),
        "no text": lambda: path.write_bytes(b"\xff"),
    }  # fmt: skip
    make[what]()
    if what == "another's":
        uid = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    folder = Folder(title)
    assert Unsaved(folder).kept() == {}
    assert [each.kind for each in Moments(folder).all("")] == ["disk"]


# git


@pytest.mark.parametrize("path", ["", ".", "./bin:relative"])
def test_git_is_not_looked_for_where_we_work(
    title: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    for place in (title, title / "bin"):
        place.mkdir(exist_ok=True)
        (place / "git").write_text(f"#!/bin/sh\ntouch '{tmp_path / 'ran'}'\n")
        (place / "git").chmod(0o755)
    monkeypatch.chdir(title)
    monkeypatch.setenv("PATH", path)
    assert commits.commits(title) == ()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "name", ["C:/x.json", "c:x.json", "a\\b.json", "AUX.json", "a/nul", "x.json.", ".git/x.json"]
)
def test_names_in_a_commit_that_some_system_reads_otherwise(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = "a" * 40
    listing = "".join(f"100644 blob {blob}       2\t{each}\0" for each in (name, "a/x.json"))
    told = {"ls-tree": listing.encode(), "cat-file": f"{blob} blob 2\n{{}}\n".encode()}
    monkeypatch.setattr(commits, "_git", lambda _folder, word, *_, **__: told[word])
    found = commits.files_of(Path(), "0" * 40, suffixes=("",), most_files=9, most_bytes=99)
    assert found == {"a/x.json": b"{}"}


# what is not saved


def a_folder(path: Path) -> None:
    path.mkdir(parents=True)


def a_link(path: Path) -> None:
    path.parent.rename(path.parents[2] / "away")
    path.parent.symlink_to(path.parents[2] / "away")


@pytest.fixture(params=["a folder in its place", "a link in place of its folder", "a full disk"])
def barred(
    request: pytest.FixtureRequest, title: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Folder]:
    """A folder in which nothing can be kept."""
    path = title / ".platelayer" / "unsaved.json"
    if request.param == "a full disk":

        def full(_folder: Path, _files: object) -> None:
            raise CannotRun("cannot write: No space left on device")

        monkeypatch.setattr(folder_module, "write_all", full)
    elif request.param == "a folder in its place":
        a_folder(path)
    else:
        a_link(path)
    return Folder(title)


def test_what_cannot_be_kept_beside_the_files_is_kept_elsewhere(barred: Folder) -> None:
    before = Unsaved(barred)
    before.keep(MINE)
    with pytest.raises(
        CannotRun, match=r"(?s)cannot write|link.*what is not saved is in .*\.json, and the next"
    ) as raised:
        before.tell()
    assert "\n" not in str(raised.value)
    assert before.elsewhere is not None
    assert before.elsewhere.read_bytes() == MINE
    after = Unsaved(barred)
    assert after.kept()["map.json"].text == "mine"
    assert Unsaved(Folder(barred.root.parent)).kept() == {}, "another folder has nothing of it"
    after.keep(b"")
    after.tell()
    assert Unsaved(barred).kept() == {}
    assert not before.elsewhere.exists()


def test_what_can_be_kept_nowhere_is_told(barred: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Unsaved, "_places", lambda _self: iter([Path("/proc/nowhere/a.json")]))
    unsaved = Unsaved(barred)
    unsaved.keep(MINE)
    with pytest.raises(CannotRun, match="is lost: there was no other place"):
        unsaved.tell()


def test_what_was_kept_elsewhere_is_the_newest(title: Path) -> None:
    Unsaved(Folder(title)).keep(b'{"map.json": ["older", "", "before"]}')
    (path,) = (title / ".platelayer").glob("unsaved.json")
    path.rename(title / "away")
    a_folder(path)
    Unsaved(Folder(title)).keep(MINE)
    path.rmdir()
    (title / "away").rename(path)
    assert Unsaved(Folder(title)).kept()["map.json"].text == "mine"
    Unsaved(Folder(title)).keep(b'{"map.json": ["newest", "", "before"]}')
    assert Unsaved(Folder(title)).kept()["map.json"].text == "newest"


def test_a_desk_goes_on_with_it(barred: Folder, title: Path) -> None:
    first = Desk(barred, "1")
    first.workspace.autosave = False
    first.workspace.replace("typed", {"map.json": "typed"})
    first.close()
    with pytest.raises(CannotRun, match="what is not saved is in"):
        first.unsaved.tell()
    later = Desk(Folder(title), "2")
    later._restore()
    assert later.workspace.open("map.json").text == "typed"
    assert later.workspace.unsaved == ("map.json",)
    later.workspace.revert("back")
    later.unsaved.keep(later.workspace.unsaved_json())
    later.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_studio_that_cannot_keep_what_was_typed_says_so(
    begin: Callable[..., Studio], title: Path, how: signal.Signals
) -> None:
    (title / ".platelayer" / "unsaved.json").mkdir()
    studio = begin(title)
    say(studio, do="autosave", on=False)
    say(
        studio,
        do="edit",
        label="named",
        ops=[{"op": "put", "file": "map.json", "pointer": "/map/name", "value": "Q"}],
    )
    studio.process.send_signal(how)
    assert studio.process.wait(60) == 2
    assert studio.process.stdout is not None
    *_, line = studio.process.stdout.read().splitlines()
    studio.process.stdout.close()
    assert line.startswith("platelayer: cannot write ")
    assert "what is not saved is in " in line
    again = begin(title, studio.port)
    text = say(again, do="open", name="map.json")["text"]
    assert isinstance(text, str)
    assert '"Q"' in text
    say(again, do="save", names=["map.json"])
    again.stop()
    assert again.process.returncode == 0


# names of files


@pytest.mark.parametrize(
    "name", ["C:/x.json", "c:x.json", "../x.json", "/x.json", "a\\x.json", ".x.json", "x.json\n"]
)
def test_names_that_leave_the_folder_are_refused(title: Path, name: str) -> None:
    with pytest.raises(CannotRun, match=r"is not a file of this folder|is not a definition"):
        Workspace(Folder(title)).open(name)


def test_a_pipe_is_no_file_to_edit(title: Path) -> None:
    os.mkfifo(title / "pipe.json")
    with pytest.raises(CannotRun, match="not a regular file"):
        Folder(title).read("pipe.json")
