"""Hostile SVG pictures in every place of a title, through the commands: each is refused, or
checked, drawn, printed and exported, in 1 GB of memory and 20 s of processor time."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from drawn_svg import SOUND, hostile_svg
from limited import commands

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux has it")

LONG, PARTS = 1000, 10
HEX = {"colour": "gray", "icons": ["art"]}
TITLE: dict[str, Any] = {
    **{
        "format": "platelayer.title/1",
        "id": "pictured",
        "name": "Pictured",
        "currency": "${}",
        "bank": 8000,
    },
    "pictures": {"art": {"file": "art.svg", "name": "Art"}},
    "players": {"2": {"cash": 400, "certificate_limit": 16}},
    "colours": ["yellow"],
    "maps": {
        "main": {
            **{"name": "Map", "layout": "flat", "coordinates": {"letters_on": "x"}},
            "hexes": {
                "A1": HEX,
                "A3": {
                    "colour": "gray",
                    "name": "Home",
                    "stops": [{"kind": "city", "revenue": 20}],
                },
                "B2": {**HEX, "stops": [{"kind": "town", "revenue": 10}]},
            },
        }
    },
    "tiles": {
        "P1": {"count": 1, "tile": {"colour": "yellow", "icons": ["art"], "track": [[0, 3]]}}
    },
    "companies": {
        "LS": {
            **{
                "name": "Lone Star",
                "kind": "major",
                "colour": "#123a6b",
                "logo": "art",
                "float_percent": 60,
            },
            "certificates": [{"percent": 20, "director": True}, {"percent": 10, "count": 8}],
            **{"stations": [0, 40], "homes": [{"hex": "A3", "stop": 0}]},
        },
        "CC": {
            **{"name": "Camels", "kind": "private", "colour": "#7a5230", "value": 40, "income": 10},
            **{"shows": "picture:art", "abilities": ["Blocks A1."]},
        },
    },
    "trains": {
        "2": {
            **{"count": 5, "name": "2", "price": 100, "permanent": True},
            "reach": [{"stops": ["city", "town"], "visit": 2, "pay": 2}],
        }
    },
    "phases": {
        "2": {"on": None, "train_limits": {"major": 4}, "tiles": ["yellow"], "operating_rounds": 1}
    },
    "pieces": {
        "markers": {"art": {"name": "Art", "count": 1, "colour": "#f4f0e0", "picture": "art"}}
    },
}
PIECES = ("map:main", "tile:P1", "charter:LS", "private:CC", "token:LS", "marker:art")
PRINTS = (
    "export --to files --format svg --format png --format pdf --dpi 60",
    "export --to sprites --dpi 60",
    "export --to tabletop-simulator --base-url http://localhost/ --dpi 60",
    "build",
    "build --profile offset",
)


def job(folder: Path, seed: int, picture: bytes) -> list[list[str]]:
    """The commands for a picture: a check, a piece drawn by each painter, a print or an export."""
    folder.mkdir()
    (folder / "title.json").write_text(json.dumps(TITLE), encoding="utf-8")
    (folder / "art.svg").write_bytes(picture)
    drawn = [
        [
            "draw",
            str(folder),
            PIECES[(seed + step) % len(PIECES)],
            "-o",
            str(folder / f"piece.{suffix}"),
        ]
        for step, suffix in enumerate(("svg", "pdf", "png"))
    ]
    return [
        ["check", str(folder)],
        *drawn,
        [*PRINTS[seed % len(PRINTS)].split(), str(folder), "-o", str(folder / "out")],
    ]


def run(folder: Path, jobs: list[list[list[str]]]) -> list[list[tuple[int, str]]]:
    """What the commands of jobs end in, and tell."""
    ends = ([commands().run(words, folder) for words in job] for job in jobs)
    return [[(end.status, end.out + end.err) for end in each] for each in ends]


def judged(folder: Path, about: str, ends: list[tuple[int, str]]) -> str:
    """How a job ended, after all that must hold: "accepted" or "refused"."""
    told = f"{about}: {ends}"[:4000]
    assert len(ends) == 5, told
    for status, words in ends:
        assert status in (0, 1), told
        assert "Traceback" not in words, told
        assert words.replace("\n", "").isprintable(), told
    (checked, words), *others = ends
    made = [folder / "piece.svg", folder / "piece.pdf", folder / "piece.png", folder / "out"]
    if checked == 0:
        assert [status for status, _ in others] == [0] * 4, told
        assert all(path.exists() for path in made), told
        return "accepted"
    assert "PI01" in words, told
    assert f"{folder / 'art.svg'}" in words, told
    assert [status for status, _ in others] == [1] * 4, told
    assert not any(path.exists() for path in made), told
    return "refused"


def fuzz(folder: Path, seeds: range) -> Counter[str]:
    folders = [folder / str(seed) for seed in seeds]
    jobs = [job(path, seed, hostile_svg(seed)) for path, seed in zip(folders, seeds, strict=True)]
    found = run(folder, jobs)
    assert len(found) == len(jobs)
    return Counter(
        judged(path, f"seed {path.name}", ends) for path, ends in zip(folders, found, strict=True)
    )


@pytest.mark.parametrize("sound", [SOUND[:1], pytest.param(SOUND[1:], marks=pytest.mark.slow)])
def test_a_sound_picture_is_accepted_by_all(sound: Sequence[Path], tmp_path: Path) -> None:
    jobs = [
        job(tmp_path / path.stem, number, path.read_bytes())
        for number, path in enumerate(sound, start=3)
    ]
    for path, ends in zip(sound, run(tmp_path, jobs), strict=True):
        assert judged(tmp_path / path.stem, path.stem, ends) == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_thousand_hostile_pictures(part: int, tmp_path: Path) -> None:
    first = 10_000 + part * LONG // PARTS
    found = fuzz(tmp_path, range(first, first + LONG // PARTS))
    assert min(found["accepted"], found["refused"]) >= LONG // PARTS // 5, found


def test_commands_end_as_they_do_without_limits(tmp_path: Path) -> None:
    (((listed, titles), (wrong, usage)),) = run(tmp_path, [[["titles"], ["check", "--nonsense"]]])
    assert (listed, "18eu" in titles) == (0, True)
    assert (wrong, "--nonsense" in usage) == (2, True)
