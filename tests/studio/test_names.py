"""What a page is told that can be referred to."""

from __future__ import annotations

import re

import pytest

from platelayer.definitions.references import Names
from platelayer.definitions.titles import read_title
from platelayer.foundation.problems import split_pointer
from platelayer.studio.view import KINDS_NAMED, names_of


def test_before_a_title_could_be_read_there_are_no_ids():
    assert names_of(None)["train"] == []


@pytest.mark.parametrize("title", ["18cz", "1841", "18eu", "1824", "lost-atlas"])
def test_what_is_named_in_the_titles_is_among_the_names(title):
    loaded = read_title(title)
    names = names_of(loaded)
    assert set().union(*KINDS_NAMED.values()) <= names.keys()
    patterns = {
        re.compile(_expression(path)): kinds
        for path, kinds in KINDS_NAMED.items()
        if not path.endswith("~")
    }
    faces = Names(loaded.assembled.value).trains
    seen = 0
    for pointer, value in _strings(loaded.assembled.value):
        for pattern, kinds in patterns.items():
            if pattern.fullmatch(pointer):
                seen += 1
                assert value in faces or any(value in names[kind] for kind in kinds), (
                    pointer,
                    value,
                )
    assert seen > 20


def _expression(path):
    return "/" + "/".join("[^/]+" if step == "*" else f"({step})" for step in path.split("/"))


def _strings(value, pointer=""):
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if not str(key).startswith("$") and split_pointer(f"{pointer}/{key}")[0] != "variants":
                yield from _strings(inner, f"{pointer}/{key}")
