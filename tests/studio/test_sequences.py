"""Random sequences of whatever can be done to the files of a title, beside a plain model of what
was asked."""

from __future__ import annotations

import copy
import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from platelayer.foundation.problems import CannotRun
from platelayer.studio.clips import clip_of, moved, pasted
from platelayer.studio.desk import Desk, Looks, Page, read_action
from platelayer.studio.editing import AnyBrush, stroke
from platelayer.studio.folder import Folder
from platelayer.studio.workspace import Stale
from studio.conftest import small_title

BOM = b"\xef\xbb\xbf"
NAMES = ("map.json", "tiles.json", "companies.json", "trains.json", "title.json")
WORDS = ("", "Öl, {x}", "京都", "\U0001f682", 'a "b"', "\\", "x\ny", "~/", "]}")
HEXES = ("A3", "B2", "B4", "C1", "C3", "C5", "D2", "D4", "E1", "E3", "E5", "F2", "F4")
NEW_HEXES = ("A1", "A5", "B6", "D6", "F6", "G1", "G3", "G5")
_WORDS = ("$comment", "subtitle", "note", "heading", "source")
EXPECTED = (
    "cannot be read",
    "has an error",
    "correct",
    "no title",
    "cannot become",
    "already",
    "has no",
    "there is no",
    "coordinates",
    "no stop",
    "cannot have such",
    "is not an object",
)
"""What may be said of what cannot be done."""


# The model: texts, what is on disk, and steps.


def decoded(data: bytes) -> str:
    """The text of a file, its lines ending in "\\n"."""
    return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def encoded(text: str, like: bytes | None) -> bytes:
    """A text as bytes with the line ends and the mark of others, which all end alike."""
    data, like = text.encode(), like or b""
    end = next((end for end in (b"\r\n", b"\r") if end in like), b"\n")
    return (BOM if like.startswith(BOM) else b"") + data.replace(b"\n", end)


def merged(base: str, mine: str, theirs: str) -> str | None:
    """Both changes of a text, each of one range; None if they touch."""
    (a, a_end, a_new), (b, b_end, b_new) = changed_range(base, mine), changed_range(base, theirs)
    if base == theirs:
        return mine
    if a_end < b:
        return base[:a] + a_new + base[a_end:b] + b_new + base[b_end:]
    if b_end < a:
        return base[:b] + b_new + base[b_end:a] + a_new + base[a_end:]
    return None


def changed_range(before: str, after: str) -> tuple[int, int, str]:
    """Where the range begins and ends that is changed, and what is there now."""
    start = alike(before, after)
    end = alike(before[start:][::-1], after[start:][::-1])
    return start, len(before) - end, after[start : len(after) - end]


def alike(one: str, other: str) -> int:
    """How many characters two texts begin alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


class ModelFile:
    """A file as it should be: its text, what it was made from, and what came between."""

    def __init__(self, text: str, base: str, disk: bytes | None) -> None:
        self.text, self.base, self.disk = text, base, disk
        self.conflict, self.theirs, self.gone = "", b"", False

    @property
    def is_saved(self) -> bool:
        return self.gone or (self.text == self.base and not self.conflict)


class Model:
    """All files as they should be. A step is the texts of some files before and after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, ModelFile] = {}
        self.done: list[tuple[str, dict[str, list[str]]]] = []
        self.undone: list[tuple[str, dict[str, list[str]]]] = []

    def disk(self, name: str) -> bytes | None:
        path = self.folder / name
        return path.read_bytes() if path.is_file() else None

    def open(self, name: str) -> bool:
        disk = self.disk(name)
        if name not in self.files and disk is not None:
            self.files[name] = ModelFile(decoded(disk), decoded(disk), disk)
        elif name in self.files and self.files[name].gone and disk is not None:
            self.look(name)
        return name in self.files and not self.files[name].gone

    def step(self, texts: dict[str, str], group: str = "") -> None:
        new = {
            name: [self.files[name].text, text]
            for name, text in texts.items()
            if self.files[name].text != text
        }
        if not new:
            return
        self.undone.clear()
        if group and self.done and self.done[-1][0] == group:
            for name, (before, after) in new.items():
                self.done[-1][1].setdefault(name, [before, after])[1] = after
        else:
            self.done.append((group, new))
        for name, (_, after) in new.items():
            self.files[name].text = after

    def move(self, *, back: bool) -> bool:
        source, target = (self.done, self.undone) if back else (self.undone, self.done)
        if not source:
            return False
        _, texts = source.pop()
        target.append(("", texts))
        for name, (before, after) in texts.items():
            file = self.files[name]
            assert file.text == (after if back else before)
            file.text = before if back else after
            if file.gone:
                file.gone, file.conflict = False, "gone"
        return True

    def look(self, name: str, group: str = "") -> None:
        """Take in what is on disk."""
        file, disk = self.files[name], self.disk(name)
        if disk is None:
            if file.text == file.base:
                file.gone, file.conflict = True, ""
            elif file.disk is not None:
                file.conflict = "gone"
            return
        if file.gone or (file.conflict and disk == file.disk):
            file.gone, file.conflict = False, ""
        if disk == file.disk or (file.conflict == "changed" and disk == file.theirs):
            return
        theirs = decoded(disk)
        both = theirs if file.text in (file.base, theirs) else merged(file.base, file.text, theirs)
        if both is None:
            file.conflict, file.theirs = "changed", disk
            return
        self.step({name: both}, group)
        file.base, file.disk, file.conflict = theirs, disk, ""

    def save(self, names: list[str]) -> dict[str, bytes]:
        """What is written; the rest is looked at."""
        written = {}
        for name in names:
            file = self.files[name]
            if self.disk(name) == file.disk:
                file.disk = written[name] = encoded(file.text, file.disk)
                file.base, file.conflict = file.text, ""
            else:
                self.look(name)
        return written

    @property
    def savable(self) -> list[str]:
        return sorted(
            name for name, file in self.files.items() if not file.is_saved and not file.conflict
        )


def value_of(text: str) -> Any:
    """The value of a text; `...` if it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return ...


def as_json(value: Any) -> str:
    """A value so that the order of keys counts, and true is not 1."""
    return json.dumps(value)


# Where values are in a text, found without the code that is tested.


def spans(text: str) -> dict[tuple[str | int, ...], tuple[int, int]]:
    """Where each value begins and ends, by its path. No key comes twice."""
    found: dict[tuple[str | int, ...], tuple[int, int]] = {}
    decode = json.JSONDecoder().raw_decode

    def gap(at: int) -> int:
        while text[at] in " \t\n,:":
            at += 1
        return at

    def walk(at: int, path: tuple[str | int, ...]) -> int:
        start, index = at, 0
        if text[at] not in "{[":
            at = decode(text, at)[1]
        else:
            is_object, at = text[at] == "{", gap(at + 1)
            while text[at] not in "}]":
                key: str | int = index
                if is_object:
                    key, at = decode(text, at)
                at, index = gap(walk(gap(at), (*path, key))), index + 1
            at += 1
        found[path] = start, at
        return at

    walk(gap(0), ())
    return found


def kept_as_it_was(before: str, after: str, inside: tuple[str | int, ...]) -> None:
    """All outside one value is the same, byte by byte; and within it the text of every value that
    is still there."""
    old, new = spans(before), spans(after)
    (begin, end), (new_begin, new_end) = old[inside], new[inside]
    assert before[:begin] == after[:new_begin]
    assert before[end:] == after[new_end:]
    value = value_of(after)
    for path, (begin, end) in old.items():
        if (
            path[: len(inside)] == inside
            and isinstance(path[-1] if path else 0, str)
            and path in new
        ):
            was, now = before[begin:end], after[new[path][0] : new[path][1]]
            same = as_json(json.loads(was)) == as_json(at_path(value, path))
            assert was == now or not same, path


def at_path(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def pointer(*path: str | int) -> str:
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)


# Brushes: what each does to a hex is in test_brushes.py.


def random_brush(dice: random.Random) -> dict[str, Any]:
    """Any brush, as a page names it."""
    edge, cost, slots = dice.randrange(6), dice.choice((0, 20, 40)), dice.choice((1, 2))
    stop = {"stop": dice.choice(("city", "town")), "slots": slots, "most": 2}
    other = (edge + dice.choice((2, 3))) % 6
    return dice.choice([
        {"brush": "colour", "colour": dice.choice(("white", "yellow", "green", "gray"))},
        {"brush": "terrain", "terrain": dice.choice(("forest", "hill", "mountain")), "cost": cost},
        {"brush": "stop", **stop, "revenue": dice.choice((None, 30))},
        {"brush": "label", "text": dice.choice(("Y", "B"))},
        {"brush": "icon", "icon": "port"},
        {"brush": "border", "edge": edge, "border": dice.choice(("river", "mountain")), "cost": cost},
        {"brush": "track", "a": edge, "b": other},
        {"brush": "turn", "turns": dice.randrange(1, 6)},
        {"brush": "move", "stop": 0, "edge": edge, "distance": 0.5},
        {"brush": "clear"},
    ])  # fmt: skip


class TypingPage:
    """A page that has a file open: it knows a version, and sends what it types to the version that
    it knows."""

    def __init__(self, name: str, text: str, version: int) -> None:
        self.name, self.text, self.version = name, text, version

    def take_in(self, changes: list[Any]) -> None:
        for parts, _ in changes:
            self.text = applied(self.text, parts)
        self.version += len(changes)


def applied(text: str, parts: list[Any]) -> str:
    """A change as CodeMirror writes it, made to a text."""
    units, made, at = text.encode("utf-16-le"), b"", 0
    for part in parts:
        if isinstance(part, int):
            made += units[2 * at : 2 * (at + part)]
            at += part
        else:
            at += part[0]
            made += "\n".join(part[1:]).encode("utf-16-le")
    assert 2 * at == len(units)
    return made.decode("utf-16-le")


def parts_of(text: str, at: int, until: int, new: str) -> list[Any]:
    """A replacement as CodeMirror writes it."""

    def units(some: str) -> int:
        return len(some.encode("utf-16-le")) // 2

    lines = new.split("\n") if new else []
    middle = [units(text[at:until]), *lines]
    around = units(text[:at]), units(text[until:])
    return [*([around[0]] if around[0] else []), middle, *([around[1]] if around[1] else [])]


class Play:
    """One sequence: the studio, and the model beside it."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.dice, self.folder = dice, folder
        self.clock = 10**18
        self.told: Counter[str] = Counter()
        self.names = [name for name in NAMES if (folder / name).is_file()]
        for name in self.names:
            (folder / name).write_bytes(self.in_some_layout((folder / name).read_bytes()))
        self.begin()

    def in_some_layout(self, data: bytes) -> bytes:
        """A file as another editor might have it."""
        dice, text = self.dice, decoded(data)
        if dice.random() < 0.3:
            text = text.replace("  ", "\t")
        if dice.random() < 0.3:
            text = text.rstrip("\n") + dice.choice(("", "\n\n", " \n"))
        if dice.random() < 0.2:
            text = text.replace(": {", ":\n {").replace(", ", " , ")
        if dice.random() < 0.2 and value_of(text) is not ...:
            text = json.dumps(json.loads(text), indent=dice.choice((None, 1, 4)))
        data = text.replace("\n", dice.choice(("\n", "\n", "\r\n", "\r"))).encode()
        return BOM + data if dice.random() < 0.2 else data

    def begin(self) -> None:
        """A studio that has just been started."""
        self.desk = Desk(Folder(self.folder), "run")
        page = Page()
        page.looks = Looks("", None, "en", "classic")
        self.desk.pages.add(page)
        self.desk.follow()
        self.files = self.desk.workspace
        self.model = Model(self.folder)
        self.first: dict[str, str] = {}
        self.pages: list[TypingPage] = []
        self.seen = -1

    def ask(self, **what: Any) -> dict[str, Any]:
        return self.desk.answer(read_action(json.dumps(what).encode()))

    def look(self) -> None:
        """Show what there is, as the desk does after each edit."""
        if self.seen != self.files.revision:
            self.desk._reload()
            self.seen = self.files.revision

    def follow(self) -> None:
        """Let the studio notice what others have done."""
        if self.desk.follow():
            for name in list(self.model.files):
                self.model.look(name)
            self.seen = -1

    def play(self, steps: int) -> None:
        for _ in range(steps):
            kind = self.dice.choices(*zip(*self.KINDS, strict=True))[0]
            kind(self)
            self.told[kind.__name__] += 1
            self.compare()
        self.end()

    def compare(self) -> None:
        """The studio has what the model has."""
        model = self.model
        texts = {name: file.text for name, file in model.files.items() if not file.gone}
        assert {name: self.files._open[name].text for name in self.files.versions} == texts
        assert self.files.unsaved == tuple(
            sorted(name for name, file in model.files.items() if not file.is_saved)
        )
        assert dict(self.files.conflicts) == {
            name: f.conflict for name, f in sorted(model.files.items()) if f.conflict
        }
        assert (self.files.next_undo is None, self.files.next_redo is None) == (
            not model.done,
            not model.undone,
        )

    # What a person does.

    def an_open_file(self) -> str | None:
        self.follow()
        name = self.dice.choice(self.names)
        return name if self.opened(name) else None

    def opened(self, name: str) -> bool:
        """Whether a file can be opened: the studio opens it as the model does."""
        if not self.model.open(name):
            with pytest.raises(CannotRun):
                self.ask(do="open", name=name)
            return False
        assert self.ask(do="open", name=name)["text"] == self.model.files[name].text
        return True

    def edit(
        self,
        ops: list[dict[str, Any]],
        texts: Callable[[], dict[str, Any]],
        *,
        group: str = "",
        in_order: bool = True,
    ) -> bool:
        """Ask for operations; the model has the values that they make, mostly with their keys in order.
        Whether they were done."""
        before = {name: file.text for name, file in self.model.files.items()}
        refused = ""
        try:
            values = texts()
            self.ask(do="edit", label="a step", ops=ops, group=group)
        except CannotRun as error:
            refused = str(error)
        if refused:
            assert any(word in refused for word in EXPECTED), refused
            assert {name: self.files._open[name].text for name in before} == before
            self.told["refused"] += 1
            return False
        after = {name: self.files.open(name).text for name in values}
        for name, value in values.items():
            made = value_of(after[name])
            assert as_json(made) == as_json(value) if in_order else made == value, ops
        self.model.step({name: after[name] for name in values}, group)
        return True

    def form(self) -> None:
        """A field, a key or an entry, anywhere."""
        name = self.an_open_file()
        if name is None:
            return
        before = self.model.files[name].text
        value = value_of(before)
        if value is ...:
            with pytest.raises(CannotRun, match="cannot be read"):
                self.ask(
                    do="edit",
                    label="x",
                    ops=[{"op": "put", "file": name, "pointer": "/x", "value": 1}],
                )
            return
        dice, paths = self.dice, [path for path in spans(before) if path]
        if not paths:
            return
        path = dice.choice(paths)
        how, given, inside = (
            dice.choice(("put", "add", "remove", "rekey")),
            self.a_value(),
            path[:-1],
        )
        words = [
            path for path in paths if path[-1] in _WORDS and isinstance(at_path(value, path), str)
        ]
        if words and dice.random() < 0.6:  # the title stays whole
            path = dice.choice(words)
            how, given, inside = "put", dice.choice(WORDS[1:]), path[:-1]
        holder, new = at_path(value, path[:-1]), copy.deepcopy(value)
        inner = at_path(new, path[:-1])
        if how == "put":
            inner[path[-1]] = given
            op, inside = {"op": "put", "pointer": pointer(*path), "value": given}, path
        elif how == "add" and isinstance(holder, list):
            inner.append(given)
            at = dice.choice(("-", len(holder)))
            op = {"op": "put", "pointer": pointer(*path[:-1], at), "value": given}
        elif how == "add":
            key = dice.choice(("new", "$comment 2", "a/b~c", "é"))
            inner[key] = given
            op = {"op": "put", "pointer": pointer(*path[:-1], key), "value": given}
        elif how == "remove" or isinstance(holder, list):
            del inner[path[-1]]
            op = {"op": "remove", "pointer": pointer(*path)}
        else:
            key = dice.choice((f"{path[-1]}'", "new", str(path[-1])))
            taken = key in holder and key != path[-1]
            items = [(key if old == path[-1] else old, each) for old, each in holder.items()]
            if taken:
                with pytest.raises(CannotRun, match="already"):
                    self.ask(do="edit", label="x",
                             ops=[{"op": "rekey", "file": name, "pointer": pointer(*path), "key": key}])  # fmt: skip
                return
            inner.clear()
            inner.update(items)
            op = {"op": "rekey", "pointer": pointer(*path), "key": key}
        assert self.edit(
            [{**op, "file": name}], lambda: {name: new}, group=dice.choice(("", "", "f1"))
        )
        kept_as_it_was(before, self.model.files[name].text, inside)

    def a_value(self) -> Any:
        dice = self.dice
        plain = (dice.choice(WORDS), dice.randrange(-5, 10**10), True, None, 1.5, [], {})
        if dice.random() < 0.7:
            return dice.choice(plain)
        return {"a": list(plain), "long": ["word " * 12] * 3, "$comment": "why"}

    def paint(self) -> None:
        """A stroke of a brush."""
        self.follow()
        if not self.opened("map.json"):
            return
        self.look()
        dice, before = self.dice, self.model.files["map.json"].text
        value, named = value_of(before), random_brush(self.dice)
        brush: AnyBrush = msgspec.convert(named, AnyBrush)
        hexes, take = (
            dice.sample(HEXES, dice.randrange(1, 4)),
            dice.choice((None, None, True, False)),
        )
        new = copy.deepcopy(value)

        def texts() -> dict[str, Any]:
            if value is ...:
                raise CannotRun("cannot be read")
            how, found = take, new.get("map", {}).get("hexes", {}) if isinstance(new, dict) else {}
            for name in hexes:
                if not isinstance(found, dict) or not isinstance(found.get(name), dict):
                    raise CannotRun("has no hex")
                how = brush.is_on(found[name]) if how is None else how
                found[name] = stroke(brush, found[name], take=how)
            return {"map.json": new}

        def careful() -> dict[str, Any]:
            try:
                return texts()
            except (
                TypeError,
                KeyError,
                AttributeError,
                ValueError,
            ) as error:  # what a brush does not understand
                raise CannotRun("has an error") from error

        op = {"op": "stroke", "map": "main", "hexes": hexes, "brush": named, "take": take}
        if self.edit([op], careful, group=dice.choice(("", "s1"))):
            kept_as_it_was(before, self.model.files["map.json"].text, ("map", "hexes"))
            self.told["painted"] += 1

    def hexes(self) -> None:
        """A hex more, or less."""
        self.follow()
        if not self.opened("map.json"):
            return
        self.look()
        value = value_of(self.model.files["map.json"].text)
        name, more = self.dice.choice(NEW_HEXES), self.dice.random() < 0.6

        def texts() -> dict[str, Any]:
            try:
                found = value["map"]["hexes"]
                if more and name in found:
                    raise CannotRun("already")
                if more:
                    found[name] = {}
                else:
                    del found[name]
            except (TypeError, KeyError) as error:
                raise CannotRun("has no hexes") from error
            return {"map.json": value}

        self.edit(
            [{"op": "add_hexes" if more else "remove_hexes", "map": "main", "hexes": [name]}], texts
        )

    def rename(self) -> None:
        """A hex, a company, a train or a phase gets another name everywhere."""
        self.follow()
        if not all(self.opened(name) for name in self.names):
            return
        self.look()
        what = self.dice.choice(("hex", "company", "train", "phase"))
        values = {name: value_of(self.model.files[name].text) for name in self.names}
        new: dict[str, Any] = {}

        def texts() -> dict[str, Any]:
            if ... in values.values():
                raise CannotRun("cannot be read")
            new.update(copy.deepcopy(values))
            try:
                RENAMES[what](new, old, key)
            except (TypeError, KeyError, AttributeError) as error:
                raise CannotRun("has no such thing") from error
            return {
                name: value
                for name, value in new.items()
                if as_json(value) != as_json(values[name])
            }

        old, key, block = self.dice.choice(RENAMED[what])
        if self.edit([{"op": "rename", "pointer": pointer(*block, old), "key": key}], texts):
            self.told["renamed"] += 1

    def clips(self) -> None:
        """Hexes are copied, or moved with the homes in them; where they come to lie is in test_clips.py."""
        self.follow()
        if not all(self.opened(name) for name in ("map.json", "companies.json")):
            return
        self.look()
        dice, move = self.dice, self.dice.random() < 0.6
        chosen, at = dice.sample(HEXES, dice.randrange(1, 4)), dice.choice((*HEXES, *NEW_HEXES))
        turn = {"turns": dice.randrange(6), "mirrored": dice.random() < 0.5}
        board, companies = (
            value_of(self.model.files[f"{name}.json"].text) for name in ("map", "companies")
        )
        op: dict[str, Any] = {"op": "move_hexes", "hexes": chosen} if move else {"op": "paste"}

        def texts() -> dict[str, Any]:
            if board is ... or companies is ...:
                raise CannotRun("cannot be read")
            try:
                title = {"maps": {"main": board["map"]}, "companies": companies["companies"]}
                if move:
                    made, _ = moved(title, "main", chosen, at, **turn)
                else:
                    clip = clip_of(board["map"], chosen)
                    made, _ = pasted(title, "main", at, clip, **turn)
                    op["clip"] = msgspec.to_builtins(clip)
            except (TypeError, KeyError, AttributeError, ValueError) as error:
                raise CannotRun("has no such thing") from error
            new = {"map.json": {**board, "map": made["maps"]["main"]}}
            if made["companies"] != companies["companies"]:
                new["companies.json"] = {**companies, "companies": made["companies"]}
            return new

        op |= {"map": "main", "at": at, **turn}
        if self.edit(
            [op], texts, in_order=False
        ):  # a hex in place of another has its order of keys
            self.told["moved" if move else "pasted"] += 1

    def typing(self) -> None:
        """Typing in one of two pages, which may not know what the other has done."""
        name = self.an_open_file()
        if name is None:
            return
        pages = [page for page in self.pages if page.name == name]
        while len(pages) < 2:
            answer = self.ask(do="open", name=name)
            self.pages.append(TypingPage(name, answer["text"], answer["version"]))
            pages.append(self.pages[-1])
        for _ in range(self.dice.randrange(1, 4)):
            self.typed(self.dice.choice(pages), group=self.dice.choice(("", "t1")))

    def typed(self, page: TypingPage, group: str) -> None:
        """Something is typed into what the page knows; if that is old, it is typed again into what
        there is."""
        dice = self.dice
        at = dice.randrange(len(page.text) + 1)
        until = min(len(page.text), at + dice.choice((0, 0, 1, 8)))
        new = dice.choice(("", " ", "\n", "x", "\U0001f682", "é\n\n", '"'))
        if dice.random() < 0.7 and value_of(page.text) is not ...:  # what leaves it JSON
            at = until = dice.choice([end for _, end in spans(page.text).values()])
            new = dice.choice((" ", "\n", "  \n\t"))
        sent = parts_of(page.text, at, until, new)
        told = {
            "do": "type",
            "name": page.name,
            "changes": [sent],
            "by": "p",
            "label": "typing",
            "group": group,
        }
        try:
            version = self.ask(**told, version=page.version)["version"]
        except Stale:
            assert page.version != self.files.open(page.name).version
            self.told["stale"] += 1
            self.fetch(page)
            self.typed(page, group)
        else:
            assert version == page.version + 1
            page.text, page.version = applied(page.text, sent), version
            self.model.step({page.name: page.text}, group)

    def fetch(self, page: TypingPage) -> None:
        """Take in what others have done."""
        answer = self.ask(do="since", name=page.name, version=page.version)
        if "changes" in answer:
            page.take_in(json.loads(json.dumps(answer["changes"])))
        else:
            page.text, page.version = answer["text"], answer["version"]
        assert (page.text, page.version) == (
            self.model.files[page.name].text,
            self.files.open(page.name).version,
        )

    def undo(self) -> None:
        self.follow()
        for _ in range(self.dice.randrange(1, 4)):
            back = self.dice.random() < 0.65
            assert (
                self.ask(do="undo" if back else "redo")["label"] is not None
            ) == self.model.move(back=back)

    def save(self) -> None:
        """All, or one; the studio may not know yet what others have done."""
        if self.dice.random() < 0.5:
            self.follow()
        all_of_them = self.dice.random() < 0.7
        names = self.model.savable
        if not all_of_them:
            names = [name for name in self.dice.sample(self.names, 2)
                     if name in self.model.files and not self.model.files[name].is_saved]  # fmt: skip
        written = {}
        failed = any(self.model.disk(name) != self.model.files[name].disk for name in names)
        before = {name: self.model.disk(name) for name in self.names}
        written = self.model.save(names)
        try:
            self.ask(do="save", names=None if all_of_them else names)
            assert not failed
        except CannotRun:
            assert failed
        self.on_disk(before, written)

    def on_disk(self, before: dict[str, bytes | None], written: dict[str, bytes]) -> None:
        for name in self.names:
            assert self.model.disk(name) == written.get(name, before[name]), name

    def autosave(self) -> None:
        self.follow()
        self.ask(do="autosave", on=self.dice.random() < 0.5)
        before = {name: self.model.disk(name) for name in self.names}
        written = self.model.save(self.model.savable) if self.files.autosave else {}
        self.desk.save()
        self.on_disk(before, written)

    def revert(self) -> None:
        self.follow()
        names = sorted(name for name, file in self.model.files.items() if not file.is_saved)
        group = "revert"
        for name in names:
            self.model.files[name].conflict = ""
        self.model.step({name: self.model.files[name].base for name in names}, group)
        for name in names:
            self.model.look(name, group)
        if self.model.done and self.model.done[-1][0] == group:
            self.model.done[-1] = ("", self.model.done[-1][1])
        self.ask(do="revert", label="back")

    def settle(self) -> None:
        self.follow()
        for name in [name for name, file in self.model.files.items() if file.conflict]:
            self.settle_one(name)

    def settle_one(self, name: str) -> None:
        file, mine = self.model.files[name], self.dice.random() < 0.5
        disk = self.model.disk(name)
        self.ask(do="settle", name=name, mine=mine)
        if mine:
            file.base, file.disk, file.conflict = decoded(disk) if disk else "", disk, ""
        elif disk is None:
            file.gone, file.conflict, file.base, file.disk = True, "", file.text, None
        else:
            self.model.step({name: decoded(disk)})
            file.base, file.disk, file.conflict = decoded(disk), disk, ""

    def restart(self) -> None:
        """The studio ends, somehow, and another one goes on."""
        self.follow()
        self.files.autosave = False
        self.desk.save()
        self.desk._worker.shutdown()
        if self.dice.random() < 0.5:
            self.outside_one()
        unsaved = {name: file for name, file in self.model.files.items() if not file.is_saved}
        kept = {name: (file.text, file.base, file.disk) for name, file in unsaved.items()}
        self.begin()
        self.desk._restore()
        for name, (text, base, disk) in sorted(kept.items()):
            self.model.files[name] = ModelFile(base, base, disk)
            self.model.step({name: text})
            self.model.look(name)
        self.told["restored"] += bool(kept)

    # What other programs do.

    def outside(self) -> None:
        for _ in range(self.dice.randrange(1, 3)):
            self.outside_one()
        if self.dice.random() < 0.7:
            self.follow()

    def outside_one(self) -> None:
        name = self.dice.choice(self.names)
        path = self.folder / name
        aside = path.with_name(f".{name}")
        how = self.dice.choice(("write", "write", "touch", "layout", "delete", "rename", "back"))
        if path.is_file() and how in ("write", "touch", "layout"):
            data = path.read_bytes()
            data = {"write": self.written_over, "layout": self.in_some_layout}.get(how, bytes)(data)
            self.put(path, data)
        elif path.is_file() and how == "delete":
            path.rename(aside)
        elif path.is_file() and how == "rename":  # as many programs save
            self.put(path.with_suffix(".new"), self.written_over(path.read_bytes()))
            path.with_suffix(".new").replace(path)
        elif not path.is_file() and aside.is_file():
            aside.replace(path)
            if how != "back":
                self.put(path, self.written_over(path.read_bytes()))

    def put(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        self.clock += 10**9
        os.utime(path, ns=(self.clock, self.clock))

    def written_over(self, data: bytes) -> bytes:
        """A file in which somebody has changed one line."""
        end = next((end for end in (b"\r\n", b"\r") if end in data), b"\n")
        lines = data.split(end)
        number = self.dice.randrange(len(lines))
        if self.dice.random() < 0.6 or len(lines) < 3:
            lines[number] += self.dice.choice((b" ", b"   ", b"\t"))
        elif self.dice.random() < 0.5:
            lines.insert(number, b"")
        else:
            del lines[number]
        return end.join(lines)

    def end(self) -> None:
        """All conflicts are settled, all is saved; and every step can be taken back and forth."""
        self.follow()
        for _ in range(4):
            self.settle()
            before = {name: self.model.disk(name) for name in self.names}
            written = self.model.save(self.model.savable)
            self.ask(do="save")
            self.on_disk(before, written)
        assert self.files.unsaved == ()
        for name, file in self.model.files.items():
            assert file.gone or decoded(self.model.disk(name) or b"") == file.text
        last = {name: file.text for name, file in self.model.files.items()}
        count = len(self.model.done)
        while self.model.move(back=True):
            self.ask(do="undo")
            self.compare()
        assert self.ask(do="undo")["label"] is None
        for _ in range(count):
            self.model.move(back=False)
            self.ask(do="redo")
        assert {name: file.text for name, file in self.model.files.items()} == last
        self.compare()
        for page in self.pages:
            if self.model.open(page.name):
                self.fetch(page)
        self.desk._worker.shutdown()

    KINDS = (
        (form, 8), (paint, 5), (hexes, 2), (clips, 3), (rename, 2), (typing, 6), (undo, 3), (save, 3),
        (autosave, 1), (revert, 1), (settle, 2), (restart, 1), (outside, 5),
    )  # fmt: skip


def rekeyed(value: dict[str, Any], old: str, key: str) -> None:
    items = [(key if each == old else each, inner) for each, inner in value.items()]
    if old not in value or key in value:
        raise CannotRun("has no such key, or already")
    value.clear()
    value.update(items)


def rename_hex(values: Any, old: str, key: str) -> None:
    rekeyed(values["map.json"]["map"]["hexes"], old, key)
    for company in values["companies.json"]["companies"].values():
        for home in company.get("homes", []):
            if home["hex"] == old:
                home["hex"] = key


def rename_company(values: Any, old: str, key: str) -> None:
    rekeyed(values["companies.json"]["companies"], old, key)


def rename_train(values: Any, old: str, key: str) -> None:
    trains, phases = values["trains.json"]["trains"], values["title.json"]["phases"]
    rekeyed(trains, old, key)
    if any(train["name"] == old for train in trains.values()):
        return  # which is what the others mean
    for train in trains.values():
        if "rusts_on" in train and old not in phases:
            train["rusts_on"] = [key if each == old else each for each in train["rusts_on"]]
    for phase in phases.values():
        if phase["on"] == old:
            phase["on"] = key


def rename_phase(values: Any, old: str, key: str) -> None:
    rekeyed(values["title.json"]["phases"], old, key)
    trains = values["trains.json"]["trains"]
    names = {*trains, *(train["name"] for train in trains.values())}
    for train in trains.values():
        if train.get("starts") == old:
            train["starts"] = key
        if "rusts_on" in train and old not in names:
            train["rusts_on"] = [key if each == old else each for each in train["rusts_on"]]


RENAMES = {
    "hex": rename_hex,
    "company": rename_company,
    "train": rename_train,
    "phase": rename_phase,
}
RENAMED = {
    "hex": [("B2", "B6", ("maps", "main", "hexes")), ("F2", "F6", ("maps", "main", "hexes"))],
    "company": [("NVR", "NV", ("companies",)), ("ET", "EA", ("companies",))],
    "train": [("4", "4X", ("trains",)), ("3", "3X", ("trains",))],
    "phase": [("3", "3b", ("phases",)), ("4", "four", ("phases",))],
}


@pytest.fixture(autouse=True)
def _light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pulls the plug here: saving takes a fraction of its time."""
    monkeypatch.setattr(os, "fsync", bool)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = small_title(tmp_path_factory.mktemp("pattern") / "title")
    return pattern(folder)


def pattern(folder: Path) -> dict[str, bytes]:
    """The files of a small title, in which a train has another name than id."""
    files = {name: (folder / name).read_bytes() for name in NAMES}
    return {**files, "trains.json": files["trains.json"].replace(b'"name": "4"', b'"name": "Four"')}


def played(folder: Path, files: dict[str, bytes], seed: int) -> Counter[str]:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    dice = random.Random(seed)
    play = Play(folder, dice)
    play.play(dice.randrange(5, 17))
    return play.told


def play_all(folder: Path, files: dict[str, bytes], seeds: range) -> None:
    told: Counter[str] = Counter()
    for seed in seeds:
        try:
            told += played(folder / str(seed), files, seed)
        except Exception as error:
            error.add_note(f"in sequence {seed}")
            raise
    kinds = {kind.__name__ for kind, _ in Play.KINDS}
    assert (
        min(
            told[each]
            for each in (*kinds, "painted", "moved", "pasted", "renamed", "stale", "restored")
        )
        > len(seeds) // 20
    ), told


def test_after_anything_the_files_are_what_was_asked(
    tmp_path: Path, small: dict[str, bytes]
) -> None:
    play_all(tmp_path, small, range(40))


@pytest.mark.slow
def test_after_everything_the_files_are_what_was_asked(
    tmp_path: Path, small: dict[str, bytes]
) -> None:
    play_all(tmp_path, small, range(100, 2100))
