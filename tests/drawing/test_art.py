"""Artwork that is data: its files follow their schema, and a damaged one is one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from platelayer.definitions.source import read_checked
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.terrain import terrain_kind, terrain_size
from platelayer.drawing.kit import icons as art
from platelayer.drawing.kit.icons import icon_names
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train import locomotive
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path

FILES = sorted(asset_path("art").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_follow_their_schema(path: Path) -> None:
    assert read_checked(path, "art").doubts == ()


def test_there_is_an_engine_for_every_class_and_a_coach() -> None:
    names = [locomotive.engine_of(size).name for size in range(locomotive.CLASSES)]
    assert names == ["2-2-2", "4-4-0", "2-6-0", "4-6-0", "4-6-2", "4-8-4", "1-Do-1"]
    assert locomotive.engine_of(99).name == names[-1]
    assert locomotive.engine_of(locomotive.COACH_CLASS).name == "coach"


def test_no_engine_is_younger_than_the_end_of_a_story() -> None:
    def names(last_year: int) -> list[str]:
        return [locomotive.engine_of(size, last_year).name for size in range(locomotive.CLASSES)]

    assert names(1885) == ["2-2-2", "2-2-2", "4-4-0", "4-4-0", "4-4-0", "2-6-0", "2-6-0"]
    assert dict.fromkeys(names(1918)) == dict.fromkeys(["2-2-2", "4-4-0", "2-6-0", "4-6-0"])
    assert set(names(1800)) == {"2-2-2"}
    style = Style(theme=load_theme("classic"), last_year=1885)
    assert locomotive.locomotive_size(locomotive.CLASSES - 1, 30.0, style)[0] == pytest.approx(30.0)


def test_kinds_of_terrain_share_symbols() -> None:
    assert [terrain_kind(kind) for kind in ("swamp", "alps", "moon")] == [
        "marsh",
        "mountain",
        "other",
    ]
    assert terrain_size("alps", 20.0) == (20.0, 10.8)


def test_a_path_is_read_as_in_svg() -> None:
    assert art.path_commands("M 0 -1.5 C 1 2 3 4 5 6 Z") == (
        ("M", 0, -1.5),
        ("C", 1, 2, 3, 4, 5, 6),
        ("Z",),
    )


@pytest.mark.parametrize(
    "text", ["", "{", '{"engines": [], "coach": 3}', '{"engines": [{"name": "x"}], "coach": {}}']
)
def test_a_damaged_file_is_reported_in_a_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "engines.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(art, "asset_path", lambda *parts: tmp_path / parts[-1])
    art._read.cache_clear()
    try:
        with pytest.raises(
            CannotRun, match=r"engines\.json cannot be read: .*; reinstall Platelayer"
        ):
            art.read_art("engines", locomotive._Engines)
    finally:
        art._read.cache_clear()


def test_every_icon_has_a_name_for_legends_and_for_the_check() -> None:
    assert set(icon_names()) == set(FixedWords("map").table("icons"))


@pytest.mark.parametrize("name", ["tile", "token", "train", "coin", "share"])
def test_lines_of_small_signs_stay_wide_enough_to_print(name: str) -> None:
    style = Style(theme=load_theme("classic"))
    (group,) = art.sign_items(name, 1.5, style, 0, 0)
    strokes = [item.stroke for item in group.items if getattr(item, "stroke", None)]
    assert all(stroke.width_mm >= 0.1 for stroke in strokes)
    assert strokes or name == "train"
