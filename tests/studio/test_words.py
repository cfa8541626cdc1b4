"""The words of the page: complete in English, and all of them used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from platelayer.foundation.resources import asset_path
from platelayer.model.options import OPTIONS
from platelayer.studio import server as app

EDITION = Path(__file__).resolve().parents[2] / "generator" / "web"
SCRIPTS = "\n".join(
    path.read_text(encoding="utf-8")
    for path in [
        *sorted(app.STATIC.glob("js/**/*.js")),
        *sorted(EDITION.glob("static/js/*.js")),
        EDITION / "boot.js",
    ]
)
WORDS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))["studio"]
    for path in asset_path("languages").glob("*.json")
}

OF_OPTIONS = {
    word
    for name, option in OPTIONS.items()
    if option.mark.dialog
    for word in (name, *(f"{name}_{choice}" for choice in option.choices))
}
"""Words of the options that the page offers, and of their values."""


@pytest.mark.parametrize("language", WORDS)
def test_words_translate_those_of_english(language):
    assert WORDS[language].keys() <= WORDS["en"].keys()
    for key, words in WORDS[language].items():
        assert words.strip(), key
        assert words.count("{}") == WORDS["en"][key].count("{}"), key


def test_the_page_says_nothing_that_is_not_there():
    asked = set(re.findall(r'\bt\("([a-z_0-9]+)"', SCRIPTS))
    assert len(asked) > 100
    assert asked | OF_OPTIONS <= WORDS["en"].keys()


def test_no_words_are_left_over():
    named = (
        OF_OPTIONS
        | set(re.findall(r'"([a-z_0-9]+)"', SCRIPTS))
        | set(re.findall(r"\b([a-z]+):", SCRIPTS))
    )
    families = tuple(re.findall(r"t\(`([a-z]+_)\$\{", SCRIPTS))
    plural = {f"{level}s" for level in ("error", "warning", "note")}
    left = {
        key for key in WORDS["en"] if key not in named | plural and not key.startswith(families)
    }
    assert left == set()


def test_the_editor_comes_with_its_licences():
    editor = app.STATIC / "editor"
    text = (editor / "LICENSES.txt").read_text(encoding="utf-8")
    root = Path(__file__).resolve().parents[2]
    wanted = json.loads(
        (root / "generator" / "studio_bundle" / "package.json").read_text(encoding="utf-8")
    )["dependencies"]
    for name, number in wanted.items():
        assert f"{name} {number} (MIT)" in text
    bundle = (editor / "codemirror.js").read_text(encoding="utf-8")
    assert "sourceMappingURL" not in bundle
