"""Facts in texts: filled from the definition, in its currency, for each variant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from platelayer.comparison.facts import compare_definitions
from platelayer.definitions.assemble import escaped, fact_faults, with_facts
from platelayer.definitions.salvage import salvage
from platelayer.definitions.titles import load_title
from platelayer.model.title import Title
from refusals import refused

TITLE: dict[str, Any] = {
    "format": "platelayer.title/1",
    "id": "x",
    "name": "X",
    "currency": "{} K",
    "bank": 12000,
    "players": {
        "3": {"cash": 1100, "certificate_limit": 14},
        "4": {"cash": 300, "certificate_limit": {"5": 9, "4": 7}},
    },
    "market": {
        "shape": "line",
        "rows": [["40", "60p", "70p", "100q"]],
        "zones": {
            "p": {"name": "Start", "colour": "tile.yellow", "par": True},
            "q": {"name": "Later", "colour": "tile.green", "par": True},
        },
    },
    "trains": {
        "a": {
            "count": 5,
            "name": "2",
            "price": 70,
            "reach": [{"stops": ["city"], "visit": 2, "pay": 2}],
            "permanent": True,
        },
        "b": {
            "count": 4,
            "faces": [
                {
                    "name": "2",
                    "price": 70,
                    "reach": [{"stops": ["city"], "visit": 2, "pay": 2}],
                    "permanent": True,
                },
                {
                    "name": "2+2",
                    "price": 80,
                    "reach": [{"stops": ["city"], "visit": 2, "pay": 2}],
                    "permanent": True,
                    "trade_ins": [{"train": "2", "price": 30}],
                },
            ],
        },
    },
    "phases": {
        "2": {"on": None, "train_limits": {"major": 4}, "tiles": ["yellow"], "operating_rounds": 1},
        "5": {
            "on": "b",
            "train_limits": {"major": 2, "minor": 1},
            "tiles": ["yellow"],
            "operating_rounds": 3,
        },
    },
    "companies": {
        "S": {"name": "S", "kind": "private", "colour": "#112233", "value": 20, "income": 5},
        "T": {"name": "T", "kind": "private", "colour": "#112233", "value": 30, "income": 5},
        "M": {
            "name": "M",
            "kind": "major",
            "colour": "#332211",
            "float_percent": 60,
            "stations": [0, 40],
        },
    },
    "pieces": {"cycles": 6, "rounds": [{"id": "or1", "name": "OR", "amount": 45}]},
}
FILLED = {
    "{bank}": "12,000 K",
    "{bank.number}": "12,000",
    "{cash.3}": "1,100 K",
    "{cash.3.number}": "1,100",
    "{certificate_limit.3}": "14",
    "{certificate_limit.4.5}": "9",
    "{par.least} - {par.most}": "60 K - 100 K",
    "{par.2}": "70 K",
    "{par.q}": "100 K",
    "{par.p.most}": "70 K",
    "{market.least}": "40 K",
    "{train.2.price}": "70 K",
    "{train.2+2.price}": "80 K",
    "{train.2+2.price.2}": "30 K",
    "{train.b.count}": "4",
    "{phase.2.limit}": "4",
    "{phase.5.limit.minor}": "1",
    "{phase.5.rounds}": "3",
    "{company.S.value}": "20 K",
    "{company.private.income}": "5 K",
    "{company.M.station.2}": "40 K",
    "{company.major.float} %": "60 %",
    "{cycles}": "6",
    "{round.or1}": "45 K",
    "{{cash.3}} and }} and { as it is }": "{cash.3} and } and { as it is }",
    "{}": "{}",
}


def aid(text: Any) -> dict[str, Any]:
    return {**TITLE, "aids": {"a": {"name": "A", "sections": [{"heading": "H", "lines": [text]}]}}}


def line(title: dict[str, Any]) -> Any:
    return title["aids"]["a"]["sections"][0]["lines"][0]


@pytest.mark.parametrize(("text", "filled"), FILLED.items())
def test_facts_are_filled(text: str, filled: str) -> None:
    assert list(fact_faults(aid(text))) == []
    assert line(with_facts(aid(text))) == filled
    assert line(with_facts(aid({"en": text, "ja": f"「{text}」"}))) == {
        "en": filled,
        "ja": f"「{filled}」",
    }


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("{par}", '"par.least", "par.most"'),  # several start prices
        ("{train.b.price}", "train.b.count"),  # a card of two trains
        ("{phase.5.limit}", '"phase.5.limit.major", "phase.5.limit.minor"'),  # differs by kind
        ("{company.private.value}", '"company.S.value"'),  # differs by company
        ("{certificate_limit.4}", '"certificate_limit.4.5", "certificate_limit.4.4"'),
        ("{cahs.3}", 'did you mean "cash.3"?'),
        ("{xyzzy}", "a brace that is printed is written {{ or }}"),
    ],
)
def test_what_the_title_does_not_have_is_an_error(text: str, stated: str) -> None:
    (fault,) = fact_faults(aid(text))
    assert (fault.code, fault.pointer) == ("RF24", "/aids/a/sections/0/lines/0")
    assert stated in f"{fault.message} ({fault.hint})"
    assert line(with_facts(aid(text))) == text


def test_what_holds_no_fact_is_the_same_object() -> None:
    assert with_facts(TITLE) is TITLE
    assert with_facts(aid("plain")) == aid("plain")


def test_texts_from_elsewhere_print_as_they_are() -> None:
    text = "#{x} }{ {{y}} {cash.3}"
    assert line(with_facts(escaped(aid(text)))) == text
    patched = escaped({"variants": {"v": {"patch": aid(text)}}, "currency": "{}"})
    assert line(with_facts(patched["variants"]["v"]["patch"])) == text
    assert patched["currency"] == "{}"


def written(folder: Path, title: dict[str, Any]) -> Path:
    path = folder / "title.json"
    path.write_text(json.dumps(title), encoding="utf-8")
    return path


def printed(title: Title) -> str:
    return title.aids[0].sections[0].lines[0].get("en")


def test_variants_give_their_own_numbers(tmp_path: Path) -> None:
    variants = {
        "rich": {"name": "Rich", "patch": {"players": {"3": {"cash": 2000}}, "currency": "£{}"}}
    }
    path = written(tmp_path, {**aid("Each has {cash.3}."), "variants": variants})
    assert printed(load_title(path).title) == "Each has 1,100 K."
    assert printed(load_title(path, variant="rich").title) == "Each has £2,000."


def test_a_variant_without_the_fact_is_refused(tmp_path: Path) -> None:
    variants = {"more": {"name": "More", "patch": {"players": {"3": None}}}}
    path = written(tmp_path, {**aid("Each has {cash.3}."), "variants": variants})
    assert printed(load_title(path).title) == "Each has 1,100 K."
    assert [problem.code for problem in refused(load_title, path, variant="more")] == ["RF24"]


def test_a_draft_shows_what_it_cannot_fill(tmp_path: Path) -> None:
    path = written(tmp_path, aid("Each has {cash.3}, or {cash.9}."))
    loaded = salvage(path)
    assert printed(loaded.title) == "Each has 1,100 K, or {cash.9}."
    assert [problem.code for problem in loaded.problems] == ["RF24"]


def test_a_comparison_shows_a_number_once() -> None:
    """A text that names a fact is told as it is written, and not where it prints what the other
    wrote out."""
    plain, named = (
        aid({"en": "Each has 1,100 K.", "ja": "1,100 K"}),
        aid({"en": "Each has {cash.3}.", "ja": "{cash.3}"}),
    )
    assert compare_definitions(plain, named).facts == ()
    richer = {
        **named,
        "players": {**named["players"], "3": {"cash": 1200, "certificate_limit": 14}},
    }
    assert [fact.at for fact in compare_definitions(named, richer).facts] == [
        ("players", "3", "cash")
    ]
    (stated,) = compare_definitions(
        named, aid({"en": "All have {cash.3}.", "ja": "{cash.3}"})
    ).facts
    assert stated.after["en"] == "All have {cash.3}."
