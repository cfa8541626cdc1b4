"""JSON merge patches."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.assemble import merge_patch, patch_between, says_all

# RFC 7396, appendix A: original, patch, result.
RFC_7396 = [
    ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
    ('{"a":"b"}', '{"a":null}', "{}"),
    ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
    ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
    ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
    ('{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
    ('["a","b"]', '["c","d"]', '["c","d"]'),
    ('{"a":"b"}', '["c"]', '["c"]'),
    ('{"a":"foo"}', "null", "null"),
    ('{"a":"foo"}', '"bar"', '"bar"'),
    ('{"e":null}', '{"a":1}', '{"e":null,"a":1}'),
    ("[1,2]", '{"a":"b","c":null}', '{"a":"b"}'),
    ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
]

scalars = st.booleans() | st.integers(0, 9) | st.text(max_size=3)
objects = st.recursive(
    scalars,
    lambda inner: (
        st.dictionaries(st.sampled_from("abcd"), inner, max_size=4) | st.lists(inner, max_size=2)
    ),
)


@pytest.mark.parametrize(("original", "patch", "result"), RFC_7396)
def test_examples_of_the_rfc(original: str, patch: str, result: str) -> None:
    assert merge_patch(json.loads(original), json.loads(patch)) == json.loads(result)


@given(objects, objects)
def test_a_difference_applied_gives_the_new_value_and_leaves_the_old(old: Any, new: Any) -> None:
    kept, patch = copy.deepcopy(old), patch_between(old, new)
    assert merge_patch(old, patch) == new
    assert old == kept


with_nulls = st.recursive(
    scalars | st.none(),
    lambda inner: (
        st.dictionaries(st.sampled_from("abcd"), inner, max_size=4) | st.lists(inner, max_size=2)
    ),
)


@given(with_nulls, with_nulls)
def test_a_patch_that_says_all_gives_the_new_value_whatever_is_null(old: Any, new: Any) -> None:
    patch = patch_between(old, new)
    assert not says_all(patch) or merge_patch(old, patch) == new


@pytest.mark.parametrize(
    ("old", "new"), [({"a": 1}, {"a": None}), ({}, {"a": {"b": None}}), (1, None)]
)
def test_no_patch_makes_a_value_null(old: Any, new: Any) -> None:
    assert not says_all(patch_between(old, new))


@given(objects, objects)
def test_applying_twice_changes_nothing_more(old: Any, patch: Any) -> None:
    once = merge_patch(old, patch)
    assert merge_patch(once, patch) == once
