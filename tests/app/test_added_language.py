"""Languages from outside: a folder with a file a language, partial or wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from platelayer.foundation.languages import FOLDER

GERMAN = {
    "name": "Deutsch",
    "words": {"backs": {"back": {"train": "Zug"}}, "pieces": {"trains": "Züge"}},
    "studio": {"map": "Karte"},
}
KIND = """
from platelayer.foundation.text import Text
from platelayer.model.kinds import KINDS
from platelayer.foundation.languages import unsaid, names, studio_words
from platelayer.pipeline.draw import draw
from platelayer.pipeline.options import BuildOptions
from platelayer.scene.flatten import flatten_scene
def words(piece):
    picture = draw("18eu", piece, BuildOptions(language="de"))
    return " ".join(each.run.text for each in flatten_scene(picture.scene)[1]).upper()
assert "ZUG" in words("train:3:back")
assert "SHARE CERTIFICATE" in words("certificate:BNR-director:back")
assert KINDS["train"].name.get("de") == "Züge" and KINDS["token"].name.get("de") == "Tokens"
assert names()["de"] == "Deutsch" and "pieces/tokens" in unsaid("de")
page = studio_words("de")
assert page["map"] == "Karte" and page["pieces"] == studio_words("en")["pieces"]
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, FOLDER: str(folder), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def write(folder: Path, code: str, language: object) -> Path:
    (folder / f"{code}.json").write_text(json.dumps(language), encoding="utf-8")
    return folder


def test_a_partial_language_is_printed_with_a_note_and_english_in_its_gaps(tmp_path: Path) -> None:
    write(tmp_path, "de", GERMAN)
    built = run(
        tmp_path,
        "-m",
        "platelayer",
        "build",
        "18eu",
        "--lang",
        "de",
        "--only",
        "train",
        "-o",
        str(tmp_path / "out"),
    )
    assert built.returncode == 0, built.stderr
    assert "note GL02" in built.stderr
    assert 'fixed words are English, for "de" lacks' in built.stderr
    asked = run(tmp_path, "-c", KIND)
    assert asked.returncode == 0, asked.stderr


@pytest.mark.parametrize(
    ("code", "language", "told"),
    [
        ("de", {"words": {}}, 'the field "name" is missing'),
        ("de", {"name": "Deutsch", "wordz": {}}, "wordz"),
        (
            "de",
            {"name": "Deutsch", "words": {"pieces": {"train": "Zug"}}},
            'no fixed words called "pieces/train"',
        ),
        ("de", {"name": "Deutsch", "words": {"pieces": {"phase": "Phase"}}}, '"pieces/phase": '),
        ("ja", {"name": "日本語"}, 'there is already a language "ja"'),
    ],
)
def test_a_wrong_file_is_told_in_one_line(
    tmp_path: Path, code: str, language: object, told: str
) -> None:
    done = run(write(tmp_path, code, language), "-m", "platelayer", "manifest", "18eu")
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
