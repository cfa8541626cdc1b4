"""A seed in, one damaged copy of a shipped definition out: the same seed, the same damage."""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).resolve().parents[2] / "assets"

Json = Any
Files = dict[str, bytes]
Random = random.Random
Limit = Callable[[int], AbstractContextManager[None]]
"""What stops a block of work after so many seconds: the fixture `within`."""

# Titles, and how many of every hundred copies are made of each; those that are checked soonest are
# the most.
TITLES = {"starter": 35, "18eu": 20, "18cz": 12, "1824": 11, "1841": 8, "lost-atlas": 14}
SOURCES = {
    "starter": ASSETS / "starters" / "small",
    **{title: ASSETS / "titles" / title for title in TITLES if title != "starter"},
    "theme": ASSETS / "themes",
    "profile": ASSETS / "profiles",
    "sheet": ASSETS / "sheets",
    "tiles": ASSETS / "tiles",
}


@dataclass(kw_only=True)
class Damage:
    """A damaged copy: `kind` (a key of SOURCES), its files, what was done, and what is to be done
    to the folder."""

    seed: int
    kind: str
    files: Files
    main: str
    done: list[str] = field(default_factory=list)
    after: list[Callable[[Path], None]] = field(default_factory=list)

    def write(self, folder: Path) -> Path:
        """The copy on disk; returns the path to check."""
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        for act in self.after:
            act(folder)
        return folder if self.kind in TITLES else folder / self.main

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.kind}: " + "; ".join(self.done)


@cache
def _sound(kind: str) -> Files:
    return {path.name: path.read_bytes() for path in sorted(SOURCES[kind].glob("*.json"))}


@cache
def _leaves(kind: str) -> dict[str, list[Json]]:
    """Values that stand under each key anywhere in the files of a kind: for damage that looks
    sound."""
    found: dict[str, list[Json]] = {}
    for data in _sound(kind).values():
        for container, key in _spots(json.loads(data)):
            if isinstance(container, dict):
                found.setdefault(key, []).append(container[key])
    return found


def damaged(seed: int, kind: str | None = None, *, mildly: bool = False) -> Damage:
    """A copy of a kind (by default, of a title) with one to four pieces of damage; `mildly`: only
    such that the schemas may well accept."""
    rng = random.Random(seed)
    kind = kind or rng.choices(list(TITLES), list(TITLES.values()))[0]
    files = dict(_sound(kind))
    name = rng.choice(sorted(files))
    damage = Damage(seed=seed, kind=kind, files=files, main=name)
    mild = mildly or rng.random() < 0.45
    if mild and kind in TITLES and rng.random() < 0.6:
        _forget_box(damage)
    for _ in range(rng.randint(1, 4)):
        part = rng.choice(sorted(files)) if kind in TITLES else name
        _damage_value(rng, damage, part, _MILD if mild else _MILD + _WILD)
    if not mild and rng.random() < 0.3:
        _damage_bytes(rng, damage, rng.choice(sorted(files)) if kind in TITLES else name)
    if not mild and kind in TITLES and rng.random() < 0.15:
        _damage_folder(rng, damage)
    return damage


RECORD = "manifest.json"


def damaged_record(seed: int, sound: bytes, outside: Path) -> Damage:
    """A damaged manifest.json of a print: such damage, and paths of files that lead to a file
    outside the folder, with its right digest."""
    rng = random.Random(seed)
    damage = Damage(seed=seed, kind="starter", files={RECORD: sound}, main=RECORD)
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.5:
            _damage_value(rng, damage, RECORD, _MILD + _WILD)
        else:
            _damage_path(rng, damage, outside)
    if rng.random() < 0.2:
        _damage_bytes(rng, damage, RECORD)
    if rng.random() < 0.1:
        _damage_folder(rng, damage)
    return damage


def with_damage(data: bytes, rng: Random) -> bytes:
    """JSON with one to four pieces of damage."""
    damage = Damage(seed=0, kind="starter", files={"x": data}, main="x")
    for _ in range(rng.randint(1, 4)):
        _damage_value(rng, damage, "x", _MILD + _WILD)
    if rng.random() < 0.2:
        _damage_bytes(rng, damage, "x")
    return damage.files["x"]


def damage_json(rng: Random, damage: Damage, name: str) -> None:
    """One piece of damage to a value of any JSON file."""
    _damage_value(rng, damage, name, (*_MILD_ANYWHERE, *_WILD))


def damage_text(rng: Random, damage: Damage, name: str) -> None:
    """One piece of damage to the bytes of any file."""
    _damage_bytes(rng, damage, name)


def _damage_path(rng: Random, damage: Damage, outside: Path) -> None:
    """A file of the print becomes one outside it, or one that is none of the print's."""
    around = f"{outside.parent.name}/{outside.name}"
    path = rng.choice(
        (
            *(
                f"../{around}",
                f"./../{around}",
                f"sub/../../{around}",
                f"..\\{around}",
                str(outside),
                f"//{outside}",
            ),
            *(
                f"link/{outside.name}",
                "link",
                "link.txt",
                f"sub/../link/{outside.name}",
                f"../{around}\x00",
                "~",
            ),
            *(
                "",
                ".",
                "..",
                "/",
                "sub",
                "sub/..",
                "mine.txt",
                RECORD,
                "a.pdf\n",
                "\x1b[2J",
                "\udcff",
                "x" * 5000,
            ),
        )
    )
    try:
        value = json.loads(damage.files[RECORD])
        value["files"][rng.randrange(3)] |= {
            "file": path,
            "sha256": hashlib.sha256(outside.read_bytes()).hexdigest(),
        }
    except (
        ValueError,
        RecursionError,
        KeyError,
        TypeError,
        IndexError,
    ):  # damaged beyond reading by what came before
        return
    damage.files[RECORD] = json.dumps(value).encode()
    damage.done.append(f"path {path[:30]!r}")


# --- values
# ----------------------------------------------------------------------------------------------------------

# Words that become something json.dumps cannot write, once the file is text.
_SPLICES = {
    "@deep@": "[" * 60 + "]" * 60,
    "@deeper@": '{"a":' * 3000 + "1" + "}" * 3000,
    "@deepest@": "[" * 200_000,
    "@digits@": "9" * 5000,
    "@many-digits@": "7" * 300_000,
    "@exponent@": "1e999999",
    "@nan@": "NaN",
    "@infinity@": "-Infinity",
    "@minus-zero@": "-0.0",
    "@half@": '"\\ud83d"',
    "@null-byte@": '"\\u0000"',
    "@raw-control@": '"\x01"',
}
_ODD: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 2, 5, 6, 7, 60, 61, 99, 500, 501, 2**31, -(2**63), 10**18, 10**40, 0.5, -0.25,
    1e-300, 1e300, "", " ", "x", "A1", "Z999", "aa0", "57", "S1", "stop:0", "stop:1", "stop:60", "stop:-1", "stop:９",
    "junction", "centre", "yellow", "grey", "#ffffff", "#fffffff", "2", "100p", "100pppp", "{}", "{}{}",
    "{0.__class__}", "%s%n", "a.json", "../title.json", "/etc/passwd.json", "..\\..\\x.json",
    "file:///etc/passwd.json", "map.json", "title.json", "CON.json", "https://example.com/title.json", "\u202eabc",
    "\u200b", "é" * 30, "e" + "\u0301" * 200, "漢字" * 500, "🚂", "٣", "Ａ１", "x" * 4000, "x" * 100_000, "word " * 900,
    "\n", "\r\n", "\t", "\x1b[2J", "\x7f", "\u2028", "\ufeff", "\ufffe", "<b>&amp;", "'; DROP TABLE tiles; --",
    "${HOME}", "$(id)", "`id`", "-o", "--help", [], [[]], [0], [0, 0], [0, 3], ["stop:0", "stop:0"], [None] * 50,
    [[0, 1]] * 3000, list(range(5000)), "@@", {}, {"": ""}, {"en": "x"}, {"en": ""}, {"xx": "y", "ja": "駅"},
    {"edge": 2.5}, {"count": 1}, {"kind": "city"}, {"$ref": "https://example.com/x.json"}, {"$ref": "#/"},
    {"$schema": "https://example.com/x.json"}, {"__proto__": 1}, {str(number): {} for number in range(3000)},
    {f"A{number}": {} for number in range(1, 999, 2)}, *_SPLICES,
)  # fmt: skip
_KEYS = (
    "", " ", "x", "A1", "B2", "Z998", "57", "8", "9", "S1", "name", "count", "stops", "tile", "faces", "$schema",
    "$ref", "$comment", "a/b~c", "__proto__", "\n", "\x1b[31m", "x" * 300, "٣", "Ａ１", "é", "\ud83d", "NVR", "SNCF",
    "2", "3", "yellow",
)  # fmt: skip


def _spots(value: Json) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    found, stack = [], [value]
    while stack:
        each = stack.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each))
        for key in keys:
            found.append((each, key))
            if isinstance(each[key], (dict, list)):
                stack.append(each[key])
    return found


def _replace(rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    container[key] = rng.choice(_ODD)
    return f"{key} = {str(container[key])[:30]!r}"


def _delete(_rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    del container[key]
    return f"{key} deleted"


def _swap(rng: Random, _kind: str, container: Any, key: Any, whole: Json) -> str:
    other, at = rng.choice(_spots(whole))
    container[key], other[at] = json.loads(json.dumps((other[at], container[key])))
    return f"{key} and {at} swapped"


def _rename(rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    if not isinstance(container, dict):
        container.insert(key, rng.choice(_ODD))
        return f"inserted at {key}"
    name = rng.choice(_KEYS)
    container[name] = container.pop(key)
    return f"{key} renamed {name[:30]!r}"


def _add(rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    if isinstance(container, dict):
        name = rng.choice(_KEYS)
        container[name] = rng.choice(_ODD)
        return f"{name[:30]!r} added"
    container[:] = container * rng.choice((2, 30, 1000))
    return f"list around {key} repeated"


def _wrap(rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    depth = rng.choice((1, 2, 10, 38, 45, 300))
    for _ in range(depth):
        container[key] = [container[key]] if rng.random() < 0.5 else {"a": container[key]}
    return f"{key} nested {depth} deep"


def _number(rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    value = container[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return _replace(rng, _kind, container, key, _whole)
    container[key] = rng.choice(
        (0, 1, -1, 2, value + 1, value - 1, value * 2, value * 1000, -value, value + 0.5, value / 3)
    )
    return f"{key} {value} -> {container[key]}"


def _plausible(rng: Random, kind: str, container: Any, key: Any, whole: Json) -> str:
    """Another value that stands under the same key elsewhere."""
    choices = _leaves(kind).get(key, [])
    if not isinstance(container, dict) or len(choices) < 2:
        return _small_number(rng, kind, container, key, whole)
    container[key] = json.loads(json.dumps(rng.choice(choices)))
    return f"{key} = {str(container[key])[:40]}"


def _small_number(rng: Random, kind: str, container: Any, key: Any, whole: Json) -> str:
    value = container[key]
    if isinstance(value, bool) or not isinstance(value, int):
        return _neighbour(rng, kind, container, key, whole)
    container[key] = max(
        0, rng.choice((0, 1, 2, 3, 4, 5, value + 1, value - 1, value * 2, value + 10))
    )
    return f"{key} {value} -> {container[key]}"


def _neighbour(rng: Random, _kind: str, container: Any, key: Any, _whole: Json) -> str:
    """An entry gone, doubled or moved."""
    if isinstance(container, list):
        act = rng.choice(("pop", "double", "shuffle"))
        if act == "pop":
            container.pop(key)
        elif act == "double":
            container.insert(key, container[key])
        else:
            rng.shuffle(container)
        return f"list: {act} {key}"
    if rng.random() < 0.5:
        return _delete(rng, _kind, container, key, _whole)
    other = rng.choice(list(container))
    container[key], container[other] = container[other], container[key]
    return f"{key} and {other} swapped"


_Act = Callable[[Random, str, Any, Any, Json], str]
_MILD: tuple[_Act, ...] = (
    _plausible,
    _plausible,
    _plausible,
    _small_number,
    _small_number,
    _neighbour,
)
_MILD_ANYWHERE: tuple[_Act, ...] = (_small_number, _small_number, _neighbour)
_WILD: tuple[_Act, ...] = (
    _replace,
    _replace,
    _replace,
    _replace,
    _delete,
    _swap,
    _rename,
    _rename,
    _add,
    _add,
    _wrap,
    _number,
)


def _damage_value(rng: Random, damage: Damage, name: str, acts: tuple[_Act, ...]) -> None:
    try:
        value = json.loads(damage.files[name])
    except (ValueError, RecursionError):  # damaged beyond reading by what came before
        return
    places = _spots(value)
    if not places:
        return
    container, key = rng.choice(places)
    damage.done.append(f"{name}: " + rng.choice(acts)(rng, damage.kind, container, key, value))
    text = json.dumps(value, indent=rng.choice((None, 2)), ensure_ascii=True)
    for word, splice in _SPLICES.items():
        text = text.replace(f'"{word}"', splice)
    damage.files[name] = text.encode("utf-8", "surrogatepass")


def _forget_box(damage: Damage) -> None:
    """Without the counts that the box declares, a change of a count goes on to the rules and to
    print."""
    for name, data in damage.files.items():
        value = json.loads(data)
        if value.get("pieces", {}) and isinstance(value["pieces"], dict):
            value["pieces"].pop("box", None)
            damage.files[name] = json.dumps(value, ensure_ascii=False).encode()


# --- bytes
# -----------------------------------------------------------------------------------------------------------


def _noise(rng: Random, count: int) -> bytes:
    return bytes(rng.randrange(256) for _ in range(count))


_INSERTS = (
    b"\xff", b"\x00", b"\x1b[2J", b"\xed\xa0\x80", b"\xc3", b"\xf5\x80\x80\x80", b",", b"}", b"]", b"{", b"[", b'"',
    b"//x\n", b"/*", b"NaN", b"Infinity", b"-", b"\\", b"\\u", b'"name": "x",', b'"id": "x", "id": "y",',
    b"\xef\xbb\xbf", b"\n" * 20_000, b"[" * 100_000, b"1" * 6000,
)  # fmt: skip


def _damage_bytes(rng: Random, damage: Damage, name: str) -> None:
    data = damage.files[name]
    at = rng.randrange(len(data) + 1)
    to = min(len(data), at + rng.choice((1, 2, 10, 200)))
    act, data = rng.choice(
        (
            ("cut off", data[:at]),
            ("cut out", data[:at] + data[to:]),
            ("doubled", data[:to] + data[at:]),
            ("inserted", data[:at] + rng.choice(_INSERTS) + data[at:]),
            ("inserted", data[:at] + rng.choice(_INSERTS) + data[at:]),
            ("noise", data[:at] + _noise(rng, to - at) + data[to:]),
            ("all noise", _noise(rng, 300)),
            ("empty", b""),
            ("mark", b"\xef\xbb\xbf" + data),
            ("utf-16", data.decode("utf-8", "replace").encode("utf-16")),
            ("latin-1", data.decode("utf-8", "replace").encode("latin-1", "replace") + b"\xe9"),
            ("large", data + b" " * 2_000_000),
            ("returns", data.replace(b"\n", b"\r")),
            ("twice", data + data),
            ("nothing", b"null"),
            ("no object", b"[1, 2]"),
        )
    )
    damage.done.append(f"{name}: bytes {act} at {at}")
    damage.files[name] = data


# --- the folder
# ------------------------------------------------------------------------------------------------------


def _instead(name: str, make: Callable[[Path], None]) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        make(folder / name)

    return act


def _damage_folder(rng: Random, damage: Damage) -> None:
    name = rng.choice(sorted(damage.files))
    outside = rng.choice(
        ("/etc/passwd", "/dev/zero", "/dev/stdin", "/", "/proc/self/mem", "/nowhere")
    )
    act, make = rng.choice(
        (
            ("missing", lambda _: None),
            ("a folder", Path.mkdir),
            ("a link out", lambda path: path.symlink_to(outside)),
            (
                "a link to a file out",
                lambda path: path.symlink_to(ASSETS / "themes" / "classic.json"),
            ),
            ("a link to itself", lambda path: path.symlink_to(path.name)),
            ("a pipe", os.mkfifo),
        )
    )
    damage.done.append(f"{name} is {act}")
    damage.after.append(_instead(name, make))
