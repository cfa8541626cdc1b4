"""Both sides of an import: every number of a game's data is in the same entry of the definition, be
it in a `$comment`, and the report counts them.

The other side is walked here by itself: whole numbers of the data, without those that are said
otherwise by rule (a reach without end, the price off a trade-in, a company that is one certificate
of 100 %).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from exchange import corpus
from platelayer.exchange.losses import LEFT, Losses, numbers_in

_ASIDE = {"logo", "simple_logo", "destination_icon", "discount"}
_OF_ALL = {"float_percent", "max_ownership_percent", "reserved_shares"}
_NO_END = 90


def _whole_numbers(value: Any, key: str = "") -> Iterator[int]:
    """Numbers of the data, but not of its words."""
    if isinstance(value, bool) or key in _ASIDE or (key == "shares" and value == [100]):
        return
    if isinstance(value, int):
        ends = key in ("distance", "pay", "visit", "train_limit") and value >= _NO_END
        if value and not ends:
            yield abs(value)
    elif isinstance(value, dict):
        whole = [100] in (value.get("shares"), value.get("reserved_shares"))
        for name, entry in value.items():
            if not (whole and name in _OF_ALL and entry in (100, [100])):
                yield from _whole_numbers(entry, str(name))
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _whole_numbers(entry, key)


def _there(entry: Any) -> set[int]:
    return {int(digits) for digits in re.findall("[0-9]+", json.dumps(entry, ensure_ascii=False))}


def _rows(folder: Path) -> dict[str, tuple[int, int, int]]:
    """The table of the report: numbers in the source, in the definition and in comments."""
    report = (folder / "import-report.md").read_text(encoding="utf-8").partition("## Numbers")[2]
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \| (\d+) \| (\d+) \|$", report, re.MULTILINE)
    return {name: (int(given), int(kept), int(said)) for name, given, kept, said in rows}


@pytest.mark.parametrize("source", corpus.some(corpus.ruby_games()))
def test_no_number_of_a_game_is_lost(source: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    from platelayer.exchange.ruby.game import read_game

    title = corpus.imported(source)
    with ExitStack() as during:
        data = during.enter_context(read_game(source))[0].data
    counted: dict[str, int] = {}
    for block, keys in (
        ("companies", ("corporations", "minors")),
        ("privates", ("companies",)),
        ("trains", ("trains",)),
        ("phases", ("phases",)),
    ):
        given = [entry for key in keys for entry in data.get(key) or () if isinstance(entry, dict)]
        made = corpus.block(title, block).items()
        assert len(given) == len(made), block
        for entry, kept in zip(given, made, strict=True):
            numbers = set(_whole_numbers(entry))
            assert numbers - _there(kept) == set(), (block, kept[0])
            counted[block] = counted.get(block, 0) + len(numbers)
    rows = _rows(title)
    for block, number in counted.items():
        assert rows.get(block, (0, 0, 0))[0] >= number, block
    assert all(given == kept + said for given, kept, said in rows.values())


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


@pytest.mark.parametrize("source", corpus.some(corpus.ruby_games()))
def test_every_key_of_an_ability_is_taken_or_named_with_its_value(source: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    from platelayer.exchange.ruby.game import read_game

    title = corpus.imported(source)
    with ExitStack() as during:
        data = during.enter_context(read_game(source))[0].data
    for block, keys in (("companies", ("corporations", "minors")), ("privates", ("companies",))):
        given = [entry for key in keys for entry in data.get(key) or () if isinstance(entry, dict)]
        for entry, (name, made) in zip(given, corpus.block(title, block).items(), strict=True):
            words = json.dumps(made, ensure_ascii=False) + name
            for ability in entry.get("abilities") or ():
                for key, value in ability.items() if isinstance(ability, dict) else ():
                    if key in ("type", "hidden", "description", "desc_detail", "icon"):
                        continue
                    # The first share of a company is EPP_0.
                    leaves = {
                        leaf.rpartition("_")[0] if key == "shares" else leaf
                        for leaf in _leaves(value)
                    }
                    named = f'\\"{key}\\": ' in words
                    assert named or all(leaf in words for leaf in leaves), (name, key, value)


_SWITCHES = {"always_market_price": "market price", "reserved": "reserved train", "no_local": "local route"} | {
    "requires_token": "Needs no station"
}  # fmt: skip
"""Words for switches that are not named as the engine names them."""


@pytest.mark.parametrize("source", corpus.some(corpus.ruby_games()))
def test_every_switch_and_every_rule_in_a_constant_is_named(source: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    from platelayer.exchange.ruby.game import read_game

    title = corpus.imported(source)
    report = (title / "import-report.md").read_text(encoding="utf-8")
    words = report + json.dumps(corpus.block(title, "trains"))
    with ExitStack() as during:
        data = during.enter_context(read_game(source))[0].data
    for block in ("corporations", "minors", "companies", "trains", "phases"):
        for entry in filter(lambda entry: isinstance(entry, dict), data.get(block) or ()):
            switches = [key for key, value in entry.items() if isinstance(value, bool)]
            assert [key for key in switches if _SWITCHES.get(key, key) not in words] == []
    for file in source.glob("*.rb"):
        constants = re.findall(
            r"^ +((?:MUST_|SELL_|EBUY_|HOME_TOKEN_TIMING|CAPITALIZATION|TILE_LAYS|GAME_END_CHECK)[A-Z_]*) = ",
            file.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        assert [name for name in constants if f"- {name}: " not in report] == []


@pytest.mark.parametrize("source", corpus.some(corpus.maker_games()))
def test_no_number_of_18xx_maker_is_lost(source: Path) -> None:
    raw = json.loads(source.read_text(encoding="utf-8"))
    title = corpus.imported(source)
    for entry, kept in zip(
        raw.get("trains", ()), corpus.block(title, "trains").items(), strict=True
    ):
        counted = {key: entry[key] for key in ("quantity", "price", "print") if key in entry}
        assert set(_whole_numbers(counted)) - _there(kept) == set()
    for entry, (_, kept) in zip(
        raw.get("privates", ()), corpus.block(title, "privates").items(), strict=True
    ):
        counted = {
            key: entry[key]
            for key in ("price", "revenue", "minPlayers", "maxPlayers")
            if key in entry
        }
        assert set(_whole_numbers(counted)) - _there(kept) == set()
    rows = _rows(title)
    assert {"companies", "trains", "hexes", "market"} <= set(rows)
    assert all(given == kept + said for given, kept, said in rows.values())


def test_a_number_that_nothing_takes_is_said_where_it_belongs() -> None:
    losses = Losses()
    comments = losses.comments("D&U")
    comments.account("companies", {"price": 40, "odds": [3, {"late": 7}], "9": True}, {"value": 40})
    assert comments.comment == {"$comment": f"Not imported: {LEFT} (odds 3, 7; 9)."}
    assert losses.lost == {LEFT: {"D&U": 1}}
    assert (losses.numbers["companies"].given, losses.numbers["companies"].kept) == (4, 1)


def test_what_counts_as_a_number() -> None:
    assert numbers_in({"2": [30, 0, True, 1.5, "yellow_20|brown_50"]}) == {
        "2",
        "30",
        "1",
        "5",
        "20",
        "50",
    }
    assert numbers_in(
        "city=revenue:40,slots:1;path=a:6,b:_0;icon=image:1830/coal;color=#123456"
    ) == {"40"}
