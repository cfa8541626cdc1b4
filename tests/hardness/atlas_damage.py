"""A seed in, one damaged log of a map or one damaged folder of a survey out: the same seed, the
same damage."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from damage import (
    _WILD,
    Damage,
    Random,
    _damage_bytes,
    _damage_folder,
    _damage_value,
    _small_number,
    _spots,
)

from platelayer.atlas.assemble import assemble
from platelayer.atlas.lines import log_text
from platelayer.atlas.measures import measure
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import AtlasLog

LOG, SETTINGS = "atlas.json", "survey.json"
HUGE = 2**40  # takes no room on the disk
MODES = ("long", "short", "micro3", "micro2")
_WORDS = (
    "", "nan", "inf", "-inf", "1e400", "-0", "00", "1.0", "0x1", "1_0", "٣", "1" * 4000, "1" * 5000, "None", '"', "x",
    "9" * 16, "\x00", "\r",
)  # fmt: skip


# Logs
# ----------------------------------------------------------------------------------------------------------------


@cache
def sound_log(number: int) -> tuple[AtlasLog, bytes]:
    """One of some logs: each mode, with and without a limit of blanks, with and without measures,
    typed in or not."""
    box, mode = shipped_box(), MODES[number % 4]
    log = assemble(box, mode, seed=number, blanks=3 if number % 8 > 3 else None)
    value = json.loads(log_text(log))
    if number % 3:
        value["metrics"] = measure(box, log)
    if number % 5 == 0:
        del value["algorithm"]
    return log, json.dumps(value, indent=1).encode()


@cache
def _values() -> dict[str, list[Any]]:
    """What stands under each key in all of the logs."""
    found: dict[str, list[Any]] = {}
    for number in range(8):
        for container, key in _spots(json.loads(sound_log(number)[1])):
            if isinstance(container, dict):
                found.setdefault(key, []).append(container[key])
    return found


def _as_elsewhere(rng: Random, _kind: str, container: Any, key: Any, _whole: Any) -> str:
    """A value that stands under the same key elsewhere; a coordinate moves a little."""
    if isinstance(container, dict):
        container[key] = json.loads(json.dumps(rng.choice(_values()[key])))
    elif isinstance(container[key], int):
        container[key] += rng.choice((-2, -1, 1, 2))
    else:
        container.insert(rng.randrange(len(container) + 1), container.pop(key))
    return f"{key} as elsewhere"


def _two_change_places(rng: Random, _kind: str, _container: Any, _key: Any, whole: Any) -> str:
    """Two draws change what they drew, or all of it; the numbers stay in order."""
    draws = whole.get("draws", ())
    if (
        not isinstance(draws, list)
        or len(draws) < 2
        or not all(isinstance(each, dict) for each in draws)
    ):
        return "nothing"
    one, other = rng.sample(range(len(draws)), 2)
    keys = rng.choice(
        (
            ["tile"],
            ["at"],
            ["rotation"],
            ["tile", "copy"],
            ["at", "rotation"],
            [*draws[one], *draws[other]],
        )
    )
    first, second = draws[one], draws[other]
    for each in dict.fromkeys(keys):
        if each != "draw" and each in first and each in second:
            first[each], second[each] = second[each], first[each]
    return f"draws {one + 1} and {other + 1} change {keys[0]}"


def damaged_log(seed: int) -> Damage:
    """A log with one to three pieces of damage."""
    rng = random.Random(seed)
    damage = Damage(seed=seed, kind="log", files={LOG: sound_log(rng.randrange(24))[1]}, main=LOG)
    mild = rng.random() < 0.6
    for _ in range(rng.randint(1, 3)):
        acts = (_as_elsewhere, _as_elsewhere, _two_change_places, _small_number)
        _damage_value(rng, damage, LOG, acts if mild else _WILD)
    if not mild and rng.random() < 0.3:
        _damage_bytes(rng, damage, LOG)
    if not mild and rng.random() < 0.1:
        _damage_folder(rng, damage)
    return damage


# Surveys
# -------------------------------------------------------------------------------------------------------------


def _lines(change: Callable[[Random, list[str]], object]) -> Callable[[Random, Path], None]:
    def act(rng: Random, path: Path) -> None:
        lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        change(rng, lines)
        path.write_text("\n".join(lines), "utf-8", newline="")

    return act


def _change_value(rng: Random, lines: list[str]) -> None:
    at = rng.randrange(len(lines))
    values = lines[at].split(",")
    values[rng.randrange(len(values))] = rng.choice((*_WORDS, str(rng.randrange(200))))
    lines[at] = ",".join(values)


def _change_byte(rng: Random, path: Path) -> None:
    data = bytearray(path.read_bytes() or b" ")
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def _cut(rng: Random, path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: rng.randrange(len(data) + 1)])


def _change_places(rng: Random, path: Path) -> None:
    other = rng.choice(_chunks(path.parent))
    mine, theirs = path.read_bytes(), other.read_bytes()
    path.write_bytes(theirs)
    other.write_bytes(mine)


def _rename(rng: Random, path: Path) -> None:
    name = rng.choice(_chunks(path.parent)).name
    seal = path.name.split(".")[-2]
    names = (
        name,
        f"{name[:15]}.{seal}.csv",
        f"{path.name[:15]}.checked.{seal}.csv",
        f"{path.name[:15]}.csv",
    )
    path.replace(path.with_name(rng.choice(names)))


def _from_another(rng: Random, path: Path) -> None:
    """A chunk of the other survey, under its own name or this one's."""
    theirs = rng.choice(_chunks(path.parents[2] / "other" / "chunks"))
    path.unlink()
    shutil.copy(theirs, path if rng.random() < 0.5 else path.with_name(theirs.name))


def _instead(make: Callable[[Path], object]) -> Callable[[Random, Path], None]:
    def act(_rng: Random, path: Path) -> None:
        path.unlink()
        make(path)

    return act


def _chunks(folder: Path) -> list[Path]:
    """Those that are files and can still be read."""
    files = (path for path in folder.glob("*.csv") if path.is_file() and not path.is_symlink())
    return sorted(path for path in files if path.stat().st_size < HUGE)


_ON_CHUNKS: tuple[Callable[[Random, Path], None], ...] = (
    _lines(_change_value),
    _lines(_change_value),
    _lines(lambda rng, lines: lines.pop(rng.randrange(len(lines)))),
    _lines(lambda rng, lines: lines.insert(rng.randrange(len(lines)), rng.choice(lines))),
    _lines(lambda rng, lines: rng.shuffle(lines)),
    _lines(lambda _rng, lines: lines.__delitem__(slice(1, None))),
    _change_byte,
    _cut,
    _change_places,
    _rename,
    _from_another,
    _instead(lambda _path: None),
    _instead(os.mkfifo),
    _instead(lambda path: path.symlink_to("/dev/zero")),
    _instead(lambda path: path.symlink_to(path.name)),
    _instead(lambda path: path.symlink_to(path.parents[2] / "outside" / "mine.csv")),
    lambda _rng, path: os.truncate(path, HUGE),
    lambda rng, path: path.write_bytes(rng.randbytes(rng.choice((0, 1, 5000)))),
)
IN_THE_WAY = "in the way"


def _link_away(name: str) -> Callable[[Random, Path], str]:
    def act(_rng: Random, folder: Path) -> str:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(folder.parent / "outside" / "mine.csv")
        return f"{name} leads out"

    return act


def _folder_for(name: str) -> Callable[[Random, Path], str]:
    def act(_rng: Random, folder: Path) -> str:
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir(exist_ok=True)
        return f"{name} is a folder: {IN_THE_WAY}"

    return act


def _chunks_away(_rng: Random, folder: Path) -> str:
    shutil.move(folder / "chunks", folder / "aside")
    (folder / "chunks").symlink_to(folder.parent / "outside", target_is_directory=True)
    return f"chunks leads out: {IN_THE_WAY}"


_ON_FOLDERS: tuple[Callable[[Random, Path], str], ...] = (
    _link_away("maps.csv"),
    _link_away("summary.json"),
    _folder_for("summary.txt"),
    _folder_for("maps.csv"),
    _chunks_away,
)


def damage_survey(seed: int, folder: Path) -> tuple[list[str], bool]:
    """Damage the survey in a folder, beside which lie `other`, the folder of another survey, and
    `outside`.

    Returns what was done, and whether the command may refuse to go on.
    """
    rng = random.Random(seed)
    done: list[str] = []
    for _ in range(rng.randint(0, 4)):
        if paths := _chunks(folder / "chunks"):
            act = rng.randrange(len(_ON_CHUNKS))
            path = rng.choice(paths)
            _ON_CHUNKS[act](rng, path)
            done.append(f"{path.name[:15]}: chunk damage {act}")
    if rng.random() < 0.12:
        done.append(rng.choice(_ON_FOLDERS)(rng, folder))
    if not done or rng.random() < 0.3:
        data = (folder / SETTINGS).read_bytes()
        damage = Damage(seed=seed, kind="survey", files={SETTINGS: data}, main=SETTINGS)
        kind = rng.random()
        if kind < 0.6:
            _damage_value(rng, damage, SETTINGS, (*_WILD, _small_number))
        elif kind < 0.9:
            _damage_bytes(rng, damage, SETTINGS)
        else:
            _damage_folder(rng, damage)
        (folder / SETTINGS).write_bytes(damage.files[SETTINGS])
        for after in damage.after:
            after(folder)
        done += damage.done
    return done, any(SETTINGS in each or IN_THE_WAY in each for each in done)


def repair_survey(folder: Path, sound: Path) -> None:
    """Take away what may keep the command from going on; chunks stay as they are."""
    settings = folder / SETTINGS
    if settings.is_symlink() or not settings.is_dir():
        settings.unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir() and path.name not in ("chunks", "aside"):
            path.rmdir()
    shutil.copy(sound / SETTINGS, settings)
    if (folder / "chunks").is_symlink():
        (folder / "chunks").unlink()
        (folder / "aside").rename(folder / "chunks")
