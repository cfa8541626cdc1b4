"""Japanese documents say what the English ones say: the same commands, options, tables, examples
and numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAIRS = {"README.ja.md": "README.md"} | {
    f"docs/ja/{path.name}": f"docs/{path.name}"
    for path in sorted((ROOT / "docs/ja").glob("*.md"))
    if path.name != "index.md"
}
# Numbers that English writes as words: games, copies, companies, degrees for sixths of a turn.
IN_WORDS = {
    "docs/ja/atlas-method.md": {"0.5"},
    "README.ja.md": {"15"},
    "docs/ja/checking.md": {"150", "5000"},
    "docs/ja/positions.md": {"60"},
    "docs/ja/printing-home.md": {"90"},
}


def blocks(text: str, *languages: str) -> list[str]:
    return [
        body
        for language, body in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)
        if language in languages
    ]


def commands(text: str) -> list[str]:
    lines = "".join(blocks(text, "sh")).splitlines()
    typed = (re.split(r"\s+#", line)[0].strip() for line in lines)
    return [line for line in typed if line]


def options(text: str) -> set[str]:
    return {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)}


def numbers(text: str) -> set[str]:
    """Numbers of two digits and more, and fractions: smaller ones may be words."""
    plain = re.sub(r"\]\([^)]*\)", "", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    found = {*re.findall(r"\d+(?:\.\d+)?", plain.replace(",", ""))}
    return {number for number in found if len(number) > 1}


def names(text: str) -> set[str]:
    """Words in inline code: keys, options, files, codes."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return {span for span in spans if re.fullmatch(r"[^\s\"{\[]+", span)}


def table_rows(text: str) -> int:
    return len(re.findall(r"^\|", text, re.MULTILINE))


def pictures(text: str) -> list[str]:
    return re.findall(r"!\[[^\]]*\]\([^)]*/([^)/]+)\)", text)


@pytest.mark.parametrize("page", PAIRS)
def test_both_languages_say_the_same(page: str) -> None:
    ours = (ROOT / page).read_text("utf-8")
    english = (ROOT / PAIRS[page]).read_text("utf-8")
    assert commands(ours) == commands(english)
    assert blocks(ours, "json", "python") == blocks(english, "json", "python")
    assert options(ours) - {"--lang"} == options(english) - {"--lang"}
    assert numbers(ours) - numbers(english) <= IN_WORDS.get(page, set())
    assert table_rows(ours) == table_rows(english)
    assert pictures(ours) == pictures(english)


@pytest.mark.parametrize("page", PAIRS)
def test_nothing_is_missing(page: str) -> None:
    ours = (ROOT / page).read_text("utf-8")
    english = (ROOT / PAIRS[page]).read_text("utf-8")
    assert numbers(english) - numbers(ours) == set()
    assert names(english) - names(ours) == set()


def test_the_front_door_leads_to_the_same_pages() -> None:
    both = [(ROOT / name).read_text("utf-8") for name in ("README.md", "README.ja.md")]
    english, ours = (
        {Path(link).name for link in re.findall(r"\]\((docs/[^)#]*\.md)", text)} for text in both
    )
    assert ours == english


def test_the_japanese_home_leads_to_every_page() -> None:
    folder = ROOT / "docs/ja"
    linked = re.findall(r"\]\(([^)/#]*\.md)", (folder / "index.md").read_text("utf-8"))
    assert {*linked, "index.md"} == {path.name for path in folder.glob("*.md")}
