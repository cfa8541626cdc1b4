"""Every option that names a file, and every file that is read beside those named, when anything
lies in its place.

A command ends with 1 or 2 and one clear line, without a traceback; it does not wait, and nothing
outside changes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from limited import commands
from often import crossed
from platelayer.cli.app import cli
from platelayer.foundation import languages
from platelayer.foundation.languages import FOLDER
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.scaffold import new_title

SECRET = '{"secret": "hush"}'


def _sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def _text(text: str | bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(text if isinstance(text, bytes) else text.encode())


KINDS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a link out": lambda path: path.symlink_to(path.parents[1] / "outside" / "secret.json"),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a terabyte": _sparse,
    "nothing": lambda _: None,
    "empty": _text(""),
    "too deep": _text("[" * 200_000),
    "deep and closed": _text('{"format": ' + "[" * 300 + "]" * 300 + "}"),
    "a number of 5,000 digits": _text('{"bank": ' + "9" * 5000 + "}"),
    "no UTF-8": _text(b'{"name": "\xff"}'),
    "a list": _text("[]"),
    "a text": _text('"text"'),
    "null": _text("null"),
}


class Place(NamedTuple):
    """A command, and the file that it reads: what lies there is bad. `end`: how the name of the
    file ends. `inside`: it belongs to a title, so that nothing outside its folder may be read in
    its place."""

    words: str
    file: str = "bad.json"
    inside: bool = False
    but: tuple[str, ...] = ()


GOOD = "small"
PARTS = ("title", "companies", "map", "market", "phases", "pieces", "tiles", "trains")
PLACES = {
    "atlas check --title": Place("atlas check --title bad.json draws.json"),
    "atlas check files": Place("atlas check bad.json"),
    "atlas endings --title": Place("atlas endings --title bad.json draws.json"),
    "atlas endings source": Place("atlas endings bad.json"),
    "atlas find --title": Place("atlas find --title bad.json --mode micro2 --maps 1 -o out"),
    "atlas gallery --title": Place("atlas gallery --title bad.json --mode micro2 --count 1 -o out"),
    "atlas new --from": Place("atlas new --mode micro2 --from bad.json -o out"),
    "atlas new --theme": Place("atlas new --mode micro2 --theme bad.json -o out"),
    "atlas new --title": Place("atlas new --title bad.json --mode micro2 -o out"),
    "atlas survey --title": Place("atlas survey --title bad.json --mode micro2 --count 1 -o out"),
    "box --theme": Place("box small --theme bad.json -o out.pdf"),
    "box title": Place("box bad.json -o out.pdf"),
    "build --position": Place("build small --position bad.json"),
    "build --profile": Place("build small --profile bad.json"),
    "build --sheets": Place("build small --sheets bad.json"),
    "build --since": Place("build small --since bad.json"),
    "build --theme": Place("build small --theme bad.json"),
    "build title": Place("build bad.json"),
    "check titles": Place("check bad.json"),
    "compare --theme": Place("compare small 18eu --theme bad.json --pdf out.pdf"),
    "compare after": Place("compare small bad.json"),
    "compare before": Place("compare bad.json small"),
    "draw --position": Place("draw small map --position bad.json -o out.svg"),
    "draw --theme": Place("draw small map --theme bad.json -o out.svg"),
    "draw title": Place("draw bad.json map -o out.svg"),
    "export --theme": Place("export small --to sprites --theme bad.json -o out"),
    "export title": Place("export bad.json --to csv"),
    "import source": Place("import bad.json -o out"),
    "import source, a list": Place(
        "import bad.txt -o out", "bad.txt", but=("no UTF-8",)
    ),  # what is no text is no tile
    "import source, a game": Place("import bad.rb -o out", "bad.rb"),
    "manifest title": Place("manifest bad.json"),
    "position lay source": Place("position lay small bad.json --tile 57 --at A1"),
    "position lay title": Place("position lay bad.json position.json --tile 57 --at A1"),
    "position moves source": Place("position moves small bad.json --company A"),
    "position moves title": Place("position moves bad.json position.json --company A"),
    "position import source": Place("position import bad.json -o out.json"),
    "position import --title": Place("position import game.json --title bad.json -o out.json"),
    "preflight --profile": Place("preflight --profile bad.json file.pdf"),
    "preflight files": Place("preflight bad.pdf", "bad.pdf"),
    "preflight files, a picture": Place("preflight --profile makeplayingcards bad.png", "bad.png"),
    "renumber title": Place("renumber bad.json"),
    "routes --position": Place("routes small --position bad.json"),
    "routes --theme": Place("routes small --position position.json --theme bad.json -o out.svg"),
    "routes --verify": Place("routes --verify bad.json"),
    "routes title": Place("routes bad.json --position position.json"),
    "studio path": Place(
        "studio bad.json --no-open", but=("a folder", "nothing", "a link out")
    ),  # it serves those
    "supply --recorded": Place("supply small --recorded bad.json"),
    "supply --theme": Place("supply small --theme bad.json -o out.pdf"),
    "supply title": Place("supply bad.json"),
    "upgrades title": Place("upgrades bad.json"),
}
"""By the command and the option, after a comma what it takes."""
BESIDE = {
    **{
        f"{part}.json of a title": Place("check --quick small", f"small/{part}.json", inside=True)
        for part in PARTS
    },
    "a picture of a title": Place("check small", "small/logo.svg", inside=True),
    "a theme that is extended": Place(
        "draw small map --theme mine.json -o out.svg", "base.json", inside=True
    ),
    "a title beside a position": Place("check position.json", "mine/title.json"),
    "the settings of a survey": Place(
        "atlas survey --mode micro2 --count 1 -o survey",
        "survey/survey.json",
        inside=True,
        but=("nothing",),
    ),  # with nothing, one begins
}
"""Files that are read beside those that are named."""
WRITTEN = {
    "atlas check --output", "atlas endings --output",
    "atlas find --output", "atlas gallery --output", "atlas new --output", "atlas survey --output", "box --output",
    "build --output", "calibrate --output", "compare --pdf", "draw --output", "export --output", "import --output",
    "new folder", "position import --output", "routes --output",
    "routes --proof", "supply --output", "supply --witness",
}  # fmt: skip


WATCHED = {"studio --watch"}
"""Files that are read again each time that they are saved, with their faults listed beside the page."""


def _commands(command: click.Command, words: str = "") -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands(inner, f"{words} {name}".strip())
    else:
        yield words, command


def test_every_option_that_names_a_file_is_here() -> None:
    """Paths, and words that may be one: titles, themes, profiles and what else has a FILE in its
    help."""
    readable = {"title", "titles", "before", "after", "path", "position"}
    readable |= {"theme", "profile", "since", "sheets"}
    named = {
        f"{words} {max(param.opts, key=len)}"
        for words, command in _commands(cli)
        for param in command.params
        if isinstance(param.type, click.Path) or param.name in readable
    }
    assert named == {name.partition(",")[0] for name in PLACES} | WRITTEN | WATCHED


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a title and the files that commands want beside the bad one."""
    folder = tmp_path_factory.mktemp("sound")
    new_title(folder / GOOD, start="classic")
    about = json.loads((folder / GOOD / "title.json").read_text("utf-8"))
    about["pictures"] = {"logo": "logo.svg"}
    about |= {part: f"{part}.json" for part in PARTS[1:] if part in about}
    (folder / GOOD / "title.json").write_text(json.dumps(about), "utf-8")
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#f00"/></svg>'
    (folder / GOOD / "logo.svg").write_text(square, "utf-8")
    (folder / "game.json").write_text(
        '{"id": 1, "title": "1830", "players": [], "actions": []}', "utf-8"
    )
    (folder / "file.pdf").write_bytes(b"%PDF-1.4")
    (folder / "draws.json").write_text("{}", "utf-8")
    (folder / "mine.json").write_text(
        '{"id": "mine", "name": "Mine", "extends": "base.json"}', "utf-8"
    )
    position = {"format": "platelayer.position/1", "title": "mine", "tiles": []}
    (folder / "position.json").write_text(json.dumps(position), "utf-8")
    return folder


def _tree(folder: Path) -> dict[str, Any]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _cases() -> Iterator[Any]:
    """Each place with one kind in turn; the others are slow."""
    for number, (name, place) in enumerate((PLACES | BESIDE).items()):
        kinds = [kind for kind in KINDS if kind not in place.but]
        chosen = kinds[number % len(kinds)]
        for kind in kinds:
            marks = () if kind == chosen else pytest.mark.slow
            yield pytest.param(name, kind, marks=marks, id=f"{name}, {kind}")


@pytest.mark.parametrize(("name", "kind"), [*_cases()])
def test_anything_in_its_place_is_told_in_a_line(
    tmp_path: Path, sound: Path, name: str, kind: str
) -> None:
    words, file, inside, _ = (PLACES | BESIDE)[name]
    home = tmp_path / "home"
    shutil.copytree(sound, home)
    for folder in (tmp_path / "outside", home / "outside"):
        folder.mkdir()
        (folder / "secret.json").write_text(SECRET, "utf-8")
    bad = home / file
    bad.unlink(missing_ok=True)
    bad.parent.mkdir(exist_ok=True)
    KINDS[kind](bad)
    before = _tree(tmp_path / "outside") | _tree(home / "outside")
    ended = commands().run(words.split(), home)
    assert _tree(tmp_path / "outside") | _tree(home / "outside") == before
    text = ended.out + ended.err
    assert ended.status in (1, 2), (ended.status, text[-2000:])
    assert "Traceback" not in text, text[-2000:]
    assert max(map(len, text.splitlines())) < 700, text[:3000]
    if ended.status == 2:
        assert len(ended.err.splitlines()) == 1, text
    if inside and kind == "a link out":
        assert "hush" not in text
        assert "secret" not in text.replace("outside/secret.json", "")
    made = {"out", "out.svg", "out.pdf", "out.json", "output"}
    assert not {path.name for path in home.iterdir()} & made, text


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "nothing"])
def test_a_language_file_that_is_none_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = tmp_path / "languages"
    folder.mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.json").write_text(SECRET, "utf-8")
    KINDS[kind](folder / "xx.json")
    monkeypatch.setenv(FOLDER, str(folder))
    with pytest.raises(CannotRun) as raised:
        languages._read.__wrapped__()
    assert str(raised.value).startswith(str(folder / "xx.json"))
    assert "\n" not in str(raised.value)


OUTPUTS = {
    "box --output": "box small --only token -o out.pdf",
    "build --output": "build small --only token -o out",
    "calibrate --output": "calibrate -o out.pdf",
    "draw --output": "draw small map -o out.svg",
    "export --output": "export small --to csv -o out",
    "import --output": "import list.txt -o out",
    "new folder": "new out",
    "supply --witness": "supply 18eu --witness out.json",
}


@pytest.mark.parametrize(
    ("name", "kind"),
    crossed(
        OUTPUTS, ("a link out", "a pipe", "a folder", "a link to a device", "a link to itself")
    ),
)
def test_nothing_is_written_through_what_lies_where_a_file_goes(
    tmp_path: Path, sound: Path, name: str, kind: str
) -> None:
    home = tmp_path / "home"
    shutil.copytree(sound, home)
    (home / "list.txt").write_text(
        "57 yellow city=revenue:20;path=a:0,b:_0;path=a:3,b:_0\n", "utf-8"
    )
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.json").write_text(SECRET, "utf-8")
    words = OUTPUTS[name].split()
    KINDS[kind](home / words[-1])
    before = _tree(tmp_path / "outside")
    ended = commands().run(words, home)
    assert _tree(tmp_path / "outside") == before
    assert "Traceback" not in ended.out + ended.err
    assert ended.status in (0, 2), ended.err
    assert ended.status == 0 or len(ended.err.splitlines()) == 1, ended.err
