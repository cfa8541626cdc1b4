"""Case files of the rules, found by themselves: cases/<CODE>.json patches base.json, one finding or
none each.

A case file is {"code", "pass": [case], "fail": [case]}. A case has a `name` and a `patch` (RFC
7396, on base.json), and perhaps `null`: pointers of what a patch cannot make null. One that fails
says `at` which pointers there are findings, `words` that each of their messages (or, as a list, the
message of each in the order of `at`) holds, and perhaps the `severity` of all.
"""

from __future__ import annotations

import copy
import importlib
import json
import pkgutil
import re
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import platelayer.rules
from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.titles import Loaded, load_title
from platelayer.foundation.problems import Problem, split_pointer
from platelayer.pipeline.load import judge
from platelayer.rules.rule import RULES

HERE = Path(__file__).parent
SECTIONS = ("Wrong:", "Right:", "Source:")

for module in pkgutil.iter_modules(platelayer.rules.__path__):
    importlib.import_module(f"platelayer.rules.{module.name}")


@pytest.fixture(autouse=True, scope="module")
def measures() -> None:
    """Let `judge` enter what rules ask of drawing."""
    judge(load_title(HERE / "base.json"))


@cache
def base() -> dict[str, Any]:
    return json.loads((HERE / "base.json").read_text(encoding="utf-8"))


@cache
def case_files() -> dict[str, dict[str, Any]]:
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((HERE / "cases").glob("*.json"))
    }


class Case(NamedTuple):
    code: str
    name: str
    patch: dict[str, Any]
    null: list[str]
    expected: dict[str, Any]
    """`at`, `words` and perhaps `severity` of a case that fails."""


def cases(code: str, kind: str) -> list[Case]:
    return [
        Case(code, each["name"], each["patch"], each.get("null", []), each)
        for each in case_files()[code][kind]
    ]


def patched(case: Case, folder: Path) -> Loaded:
    path, value = folder / "title.json", copy.deepcopy(merge_patch(base(), case.patch))
    for pointer in case.null:
        *around, key = split_pointer(pointer)
        reduce(lambda part, token: part[token], around, value)[key] = None
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return load_title(path)


def findings(case: Case, loaded: Loaded) -> list[Problem]:
    return sorted(RULES[case.code].check(loaded.title), key=lambda finding: finding.pointer)


def resolves(value: Any, pointer: str) -> bool:
    for key in split_pointer(pointer):
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, ValueError, TypeError):
            return False
    return True


def test_base_is_clean() -> None:
    loaded = load_title(HERE / "base.json")
    judge(loaded)
    assert [problem for rule in RULES.values() for problem in rule.check(loaded.title)] == []


@pytest.mark.parametrize("code", case_files())
def test_passes(code: str, tmp_path: Path) -> None:
    for case in cases(code, "pass"):
        assert findings(case, patched(case, tmp_path)) == [], case.name


@pytest.mark.parametrize("code", case_files())
def test_fails(code: str, tmp_path: Path) -> None:
    for case in cases(code, "fail"):
        loaded = patched(case, tmp_path)
        judge(loaded)  # no rule ends badly on what another finds
        assert_found(case, loaded, findings(case, loaded))


def assert_found(case: Case, loaded: Loaded, found: list[Problem]) -> None:
    expected_at, words = case.expected["at"], case.expected["words"]
    assert [finding.pointer for finding in found] == sorted(expected_at), (case.name, found)
    each_words = dict(zip(expected_at, words, strict=True)) if isinstance(words, list) else {}
    for finding in found:
        assert each_words.get(finding.pointer, words) in finding.message, case.name
        assert finding.about, finding
        assert finding.message.isprintable()
        assert len(finding.message) + len(finding.hint) < 400
        severity = finding.severity
        assert severity.word == case.expected.get("severity", severity.word), case.name
        assert resolves(loaded.assembled.value, finding.pointer), finding.pointer


def test_every_rule_has_a_pass_and_a_fail() -> None:
    assert set(case_files()) == set(RULES)
    for code, file in case_files().items():
        assert file["code"] == code
        assert file["pass"], code
        assert file["fail"], code


def test_docstring_has_wrong_right_source() -> None:
    for code, rule in RULES.items():
        assert re.fullmatch(r"[A-Z]{2}\d\d", code)
        paragraphs = [" ".join(paragraph.split()) for paragraph in rule.explanation.split("\n\n")]
        assert len(paragraphs) == 1 + len(SECTIONS), code
        assert paragraphs[0]
        for section, paragraph in zip(SECTIONS, paragraphs[1:], strict=True):
            assert paragraph.startswith(section + " "), code
