"""Findings of rules are kept until something changes that these rules have read, and no longer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.titles import load_title
from platelayer.foundation.cache import Cache
from platelayer.model.title import Title
from platelayer.pipeline.load import judge
from platelayer.rules.rule import Rule, Watched, run_rules
from platelayer.rules.text_rules import located_texts

HERE = Path(__file__).parents[1]
TITLES = ("18eu", "18cz", "lost-atlas", str(HERE / "field"), str(HERE / "land"))
# Edits that leave a title in which rules can look up what it refers to.
EDITS = 30


def edited(value: Any, dice: Random) -> Any:
    """A value with something in it changed."""
    if isinstance(value, Struct):
        name = dice.choice(value.__struct_fields__)
        return replace(value, **{name: edited(getattr(value, name), dice)})
    if isinstance(value, tuple) and value:
        at = dice.randrange(len(value))
        kept = [*value[:at], *value[at + 1 :]]
        match dice.randrange(8):
            case 0:
                return tuple(kept)
            case 1:
                return (*kept, value[at])
        return (*value[:at], edited(value[at], dice), *value[at + 1 :])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + dice.choice((-20, -1, 1, 10, 300))
    if isinstance(value, str) and value.startswith("#"):
        return f"#{dice.randrange(1 << 24):06x}"
    return value if value is None or not isinstance(value, str) else f"{value}{dice.choice('ab')}"


def found(title: Title, cache: Cache | None = None) -> Sequence[Any] | str:
    """Findings of the rules, or the exception of one that looks up what is not there."""
    try:
        return run_rules(title, (), cache)
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("name", TITLES)
def test_no_edit_leaves_a_finding_that_is_not_true_any_more(name: str, tmp_path: Path) -> None:
    judge(load_title(name))  # lets rules measure what is drawn
    title, dice, cache, done = load_title(name).title, Random(name), Cache(tmp_path), 0
    ever, always = set[str](), set(map(str, run_rules(title)))
    while done < EDITS:
        other = edited(title, dice)
        fresh = found(replace(other))
        if other == title or isinstance(fresh, str):
            continue
        assert found(other, cache) == fresh
        title, done = other, done + 1
        ever |= set(map(str, fresh))
        always &= set(map(str, fresh))
    assert ever - always, "edits change what is found"


def test_only_rules_that_have_read_it_look_at_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, cache = load_title("18eu").title, Cache(tmp_path)
    run_rules(title, (), cache)
    asked = []
    check = Rule.check
    monkeypatch.setattr(
        Rule, "check", lambda self, title: asked.append(self.code) or check(self, title)
    )
    first, *others = title.trains
    run_rules(replace(title, trains=(replace(first, faces=first.faces * 2), *others)), (), cache)
    assert {"TR03", "TR04"} <= set(asked)
    assert not {"UP01", "CO08", "PC04"} & set(asked)


def test_what_was_worked_out_once_counts_as_read_by_all_that_use_it() -> None:
    title = load_title("18eu").title
    watched = Watched.of(title)
    reads, whole = watched.reads_of(located_texts)
    assert whole == located_texts(title)
    again, _ = watched.reads_of(located_texts)
    assert again == reads >= {"trains", "companies"}
    assert watched.reads_of(lambda each: each.train_by_id)[0] == {"trains"}
    assert watched.reads_of(lambda each: each.train_by_id)[0] == {"trains"}
    with pytest.raises(TypeError):
        hash(watched)


def test_a_damaged_entry_is_found_anew(tmp_path: Path) -> None:
    title, cache = load_title("18eu").title, Cache(tmp_path)
    fresh = run_rules(replace(title), (), cache)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert run_rules(replace(title), (), cache) == fresh
