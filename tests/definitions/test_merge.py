"""JSON merge patches."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.merge import merge_patch

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
    scalars, lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, max_size=4) | st.lists(inner, max_size=2)
)


@pytest.mark.parametrize(("original", "patch", "result"), RFC_7396)
def test_examples_of_the_rfc(original: str, patch: str, result: str) -> None:
    assert merge_patch(json.loads(original), json.loads(patch)) == json.loads(result)


def difference(old: Any, new: Any) -> Any:
    """The merge patch that makes `new` of `old`, where no value is null."""
    if not isinstance(new, dict):
        return new
    if not isinstance(old, dict):
        old = {}
    changes = {key: difference(old.get(key), item) for key, item in new.items() if key not in old or old[key] != item}
    return {**dict.fromkeys(old.keys() - new.keys()), **changes}


@given(objects, objects)
def test_a_difference_applied_gives_the_new_value_and_leaves_the_old(old: Any, new: Any) -> None:
    kept, patch = copy.deepcopy(old), difference(old, new)
    assert merge_patch(old, patch) == new
    assert old == kept


@given(objects, objects)
def test_applying_twice_changes_nothing_more(old: Any, patch: Any) -> None:
    once = merge_patch(old, patch)
    assert merge_patch(once, patch) == once
