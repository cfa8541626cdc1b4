"""Languages from outside: a folder with a file a language, partial or wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from platelayer.foundation.languages import FOLDER
from processes import run_command, run_python

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
from platelayer.pipeline.job import BuildOptions
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


def write(folder: Path, code: str, language: object) -> None:
    (folder / f"{code}.json").write_text(json.dumps(language), encoding="utf-8")


def test_a_partial_language_is_printed_with_a_note_and_english_in_its_gaps(tmp_path: Path) -> None:
    write(tmp_path, "de", GERMAN)
    words = ["build", "18eu", "--lang", "de", "--only", "train", "-o"]
    built = run_command(*words, tmp_path / "out", **{FOLDER: str(tmp_path)})
    assert built.returncode == 0, built.stderr
    assert "note GL02" in built.stderr
    assert 'fixed words are English, for "de" lacks' in built.stderr
    done = run_python("-c", KIND, **{FOLDER: str(tmp_path)})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "language", "told"),
    [
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
    write(tmp_path, code, language)
    done = run_command("manifest", "18eu", **{FOLDER: str(tmp_path)})
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
