"""Seeds in, commands with hostile files and words out: the same seed, the same command."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from atlas_damage import damaged_log
from damage import ASSETS, damaged, with_damage
from pdf_damage import damaged_pdf

from any_boxes import any_block, title_with
from platelayer.atlas.assemble import POLICIES
from platelayer.atlas.conditions import OPERATORS, TABLE
from platelayer.atlas.measures import MEASURES
from platelayer.exchange.tile_strings import FIELDS

STARTER = str(ASSETS / "starters" / "small")
FEW = "tile:57,tile:14,train:2,token:*,number-card:1"
Words = list[str]
Make = Callable[[int, Path], Words]
"""Writes what a command reads into a folder, and returns the command; it may write into the folder
`out`."""


class Stranger(NamedTuple):
    """A kind of command: how many of it the slow suite tries, and how one is made."""

    count: int
    make: Make


def of_title(seed: int, folder: Path) -> Words:
    return ["check", "--quick", str(damaged(seed).write(folder / "title"))]


def of_file(kind: str, option: str, seed: int, folder: Path) -> Words:
    path = damaged(seed, kind, mildly=seed % 2 == 0).write(folder / kind)
    return ["build", STARTER, option, str(path), "--pieces", FEW, "-o", "out"]


def of_manifest(seed: int, folder: Path) -> Words:
    """The manifest.json of an earlier print, as what is compared with or as what is replaced."""
    rng = random.Random(seed)
    (folder / "out" / "starter").mkdir(parents=True)
    path = (folder / "out" / "starter" if seed % 2 else folder) / "manifest.json"
    path.write_bytes(with_damage(_manifest(), rng))
    return [
        "build",
        STARTER,
        "--pieces",
        FEW,
        *([] if seed % 2 else ["--since", str(path)]),
        "-o",
        "out",
    ]


def of_log(seed: int, folder: Path) -> Words:
    return ["atlas", "check", str(damaged_log(seed).write(folder / "map"))]


def of_box(seed: int, folder: Path) -> Words:
    rng = random.Random(seed)
    if seed % 2:
        title, modes = title_with(any_block(seed), folder / "own.json"), ["m"]
    else:
        damage = damaged(seed, "lost-atlas", mildly=rng.random() < 0.8)
        title, modes = damage.write(folder / "title"), ["long", "short", "micro3", "micro2"]
    drawn = ["--no-png"] if rng.random() < 0.2 else ["--no-draw"]
    asked = ["--mode", rng.choice(modes), "--policy", rng.choice([*POLICIES]), "--seed", str(seed)]
    return ["atlas", "new", "--title", str(title), *asked, *drawn, "-o", "out"]


def of_conditions(seed: int, _folder: Path) -> Words:
    rng = random.Random(seed)
    where = [
        f"{rng.choice([*MEASURES])} {rng.choice([*OPERATORS])} {rng.randint(-1, 200)}"
        for _ in range(rng.randint(1, 3))
    ]
    where.append(f"{TABLE} <= {rng.randint(1, 2000)}x{rng.randint(1, 2000)}")
    best = ", ".join(
        f"{rng.choice(('', 'most ', 'least '))}{each}"
        for each in rng.sample([*MEASURES], rng.randint(1, 3))
    )
    mode = rng.choice(("micro2", "short"))
    words = ", ".join(where)
    if seed % 2:
        words, best = (
            (twisted(words, rng), best) if rng.random() < 0.7 else (words, twisted(best, rng))
        )
    asked = ["--where", words, "--best", best]
    return ["atlas", "find", "--mode", mode, "--maps", "5", *asked]


def of_tile_string(seed: int, _folder: Path) -> Words:
    rng = random.Random(seed)
    parts = [_part(rng) for _ in range(rng.choice((1, 2, 3, 5, 12, 40)))]
    string = ";".join(parts)
    suffix = rng.choice((".svg", ".svg", ".pdf", ".png"))
    return [
        "draw",
        twisted(string, rng) if seed % 2 else string,
        "--dpi",
        "60",
        "-o",
        f"out/tile{suffix}",
    ]


def of_pdf(seed: int, folder: Path) -> Words:
    path = folder / "mine.pdf"
    # Hardly any damage passes: every tenth file has none.
    path.write_bytes(damaged_pdf(random.Random(seed), _pdf()) if seed % 10 else _pdf())
    return ["preflight", str(path), "--profile", ("home", "offset", "thegamecrafter")[seed % 3]]


STRANGERS: dict[str, Stranger] = {
    "title": Stranger(5000, of_title),
    "tile string": Stranger(1000, of_tile_string),
    "atlas box": Stranger(500, of_box),
    "log": Stranger(500, of_log),
    "conditions": Stranger(500, of_conditions),
    "pdf": Stranger(500, of_pdf),
    "manifest": Stranger(500, of_manifest),
    "theme": Stranger(500, partial(of_file, "theme", "--theme")),
    "profile": Stranger(500, partial(of_file, "profile", "--profile")),
    "sheet": Stranger(200, partial(of_file, "sheet", "--sheets")),
}

# Words
# ---------------------------------------------------------------------------------------------------------------

_ENDS = ("0", "1", "2", "3", "4", "5", "_0", "_0", "_1", "_2", "6", "_99", "", "x")
_VALUES = (
    "0", "1", "2", "10", "40", "9", "20", "-1", "999", "2001", "1e9", "inf", "nan", "2.5", "5.99", "0.5",
    "yellow_30|brown_50", "yellow_30|diesel_9|x_1", "center", "water", "mountain|river", "#800080", "red", "gray",
    "port", "18_x/port", "../x", "A|B|C", "narrow", "dual", "optional", "never", "T", "£", "é", "駅",
    "", "\u202e", "9" * 30, "9" * 5000, "%d", "{0}", "x" * 60,
)  # fmt: skip
_TWISTS = (
    ";", ",", ":", "=", "|", "_0", "-", "<", ">=", "x", "9", "é", "😀", "<=", "!=", "nan", "1e400", "0x1", "١", "(",
    "%s", "{}", "label=", "city", "junction;",
    " ", "\n", "\t", "\u202e", "\x1b[2J", "\ufeff", "\udcff", "\x01",
)  # fmt: skip


def _part(rng: random.Random) -> str:
    kind = rng.choice([*FIELDS, "city", "city", "town", "path", "path", "path"])
    if kind == "label":
        return f"label={rng.choice(_VALUES)}"
    fields = rng.sample(FIELDS[kind], min(len(FIELDS[kind]), rng.choice((0, 1, 1, 2, 4))))
    given = {
        field: rng.choice(_ENDS if field in ("a", "b", "edge") else _VALUES) for field in fields
    }
    if kind == "path":
        given |= {"a": rng.choice(_ENDS), "b": rng.choice(_ENDS)}
    if kind in ("city", "town") and rng.random() < 0.8:
        given["revenue"] = rng.choice(("20", "40", "yellow_20|green_30"))
    return (
        f"{kind}={','.join(f'{name}:{value}' for name, value in given.items())}" if given else kind
    )


def twisted(words: str, rng: random.Random) -> str:
    """Words with something put in, taken out or repeated."""
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(words) + 1), rng.randrange(len(words) + 1)
        act = rng.random()
        if act < 0.6:
            words = (
                words[:at] + rng.choice(_TWISTS) * rng.choice((1, 1, 1, 2, 50, 20_000)) + words[at:]
            )
        elif act < 0.8:
            words = words[: min(at, other)] + words[max(at, other) :]
        else:
            words = (
                words[:at]
                + words[min(at, other) : max(at, other)] * rng.choice((2, 30))
                + words[at:]
            )
    return words[:120_000]  # the most that a system passes to a command


# Files
# ---------------------------------------------------------------------------------------------------------------


@cache
def _printed() -> dict[str, bytes]:
    from platelayer.pipeline.build import build
    from platelayer.pipeline.job import BuildOptions

    made = build(STARTER, BuildOptions(pieces=tuple(FEW.split(","))))
    return dict(made.files)


def _manifest() -> bytes:
    return _printed()["manifest.json"]


def _pdf() -> bytes:
    return next(data for name, data in _printed().items() if name.endswith(".pdf"))
