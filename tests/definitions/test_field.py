"""What games of the field have, in an invented title that has all of it (tests/field)."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.languages import languages, terms, wordings
from platelayer.foundation.problems import Severity
from platelayer.model.tile import Gauge
from platelayer.model.title import Title
from platelayer.pipeline.load import check
from platelayer.rules.rule import run_rules

FIELD = Path(__file__).parents[1] / "field"
TITLE = load_title(FIELD).title


def changed(folder: Path, **blocks: Any) -> Title:
    """The invented title with other blocks."""
    raw = json.loads((FIELD / "title.json").read_text(encoding="utf-8")) | blocks
    copytree(FIELD / "pictures", folder / "pictures")
    (folder / "title.json").write_text(json.dumps(raw), encoding="utf-8")
    return load_title(folder).title


def codes(title: Title) -> set[str]:
    return {problem.code for problem in run_rules(title) if problem.severity is not Severity.NOTE}


def test_the_invented_title_is_clean() -> None:
    assert load_title(FIELD).problems == ()
    assert codes(TITLE) == set()


def test_a_wording_says_president_on_all_pieces_that_had_director() -> None:
    printed = dict(TITLE.terms)
    names = (
        name for name in terms() if not name.startswith("compare/")
    )  # whose words are those of the format
    named = {
        name for name in names if name.endswith("/director") or name in ("companies/presides",)
    }
    named.add("companies/director_holds")
    assert named <= printed.keys()
    english = languages()["en"]
    assert "irector" in english["companies"]["director"]
    assert all("resid" in words.get("en") for words in printed.values())


@pytest.mark.parametrize("name", wordings())
def test_wordings_replace_words_that_there_are(name: str) -> None:
    assert wordings()[name].keys() <= terms().keys()


def test_terms_come_before_a_wording_in_their_language(tmp_path: Path) -> None:
    title = changed(
        tmp_path, wording=["chairman"], terms={"companies/director": {"en": "The chair"}}
    )
    words = dict(title.terms)["companies/director"]
    assert (words.get("en"), words.get("ja")) == ("The chair", "会長株券")


def test_settings_by_players_hold_limits_by_companies_left_and_banks() -> None:
    two, three, _ = TITLE.players
    assert (two.certificate_limit, two.limits, two.bank) == (16, ((2, 16), (1, 9)), 6000)
    assert (three.limits, three.bank) == (((2, 12), (1, 7)), None)


def test_an_aid_may_show_them_as_a_table() -> None:
    table = TITLE.aids[0].sections[0].table
    assert table is not None
    assert [[cell.get("en") for cell in row] for row in (table.head, *table.rows)] == [
        ["Players", "2", "3", "4"],
        ["Cash", "$600", "$420", "$300"],
        ["Certificate limit, 2 left", "16", "12", "10"],
        ["Certificate limit, 1 left", "9", "7", "6"],
        ["Bank", "$6,000", "–", "–"],
    ]


def test_cash_is_compared_with_the_bank_for_so_many_players(tmp_path: Path) -> None:
    title = changed(
        tmp_path, bank=9000, players={"2": {"cash": 600, "bank": 1000}, "3": {"cash": 420}}
    )
    (problem,) = [problem for problem in run_rules(title) if problem.code == "MO02"]
    assert problem.about == "2"
    assert "more than the bank of 1000" in problem.message


def test_a_phase_may_be_begun_by_any_of_several_trains_or_by_none() -> None:
    phases = TITLE.phase_by_id
    assert phases["5"].begun_by == ("5", "4D")
    assert phases["D"].begun_by == ()
    assert phases["D"].begins is not None
    assert phases["D"].begins.get("en") == "The third bank"


def test_a_phase_that_nothing_begins_is_still_found(tmp_path: Path) -> None:
    raw = json.loads((FIELD / "title.json").read_text(encoding="utf-8"))["phases"]
    del raw["D"]["begins"]
    assert "PH01" in codes(changed(tmp_path, phases=raw))


def test_an_income_may_end_but_not_fall(tmp_path: Path) -> None:
    raw = json.loads((FIELD / "title.json").read_text(encoding="utf-8"))["companies"]
    raw["CC"]["income"] = {"yellow": 15, "green": 5, "4": 0}
    assert codes(changed(tmp_path, companies=raw)) == {"MO11"}
    raw["CC"]["income"] = {"yellow": 15, "green": 0, "4": 20}
    assert codes(changed(tmp_path / "again", companies=raw)) == {"MO11"}


def test_a_train_rusts_on_a_phase_that_comes_after_it_whichever_train_begins_it(
    tmp_path: Path,
) -> None:
    raw = json.loads((FIELD / "title.json").read_text(encoding="utf-8"))["trains"]
    raw["2"]["rusts_on"] = ["5"]
    raw["3"]["rusts_on"] = ["D"]
    assert codes(changed(tmp_path, trains=raw)) == set()


def test_a_train_that_rusts_on_a_phase_which_a_train_before_it_may_begin_is_found(
    tmp_path: Path,
) -> None:
    raw = json.loads((FIELD / "title.json").read_text(encoding="utf-8"))
    del raw["phases"]["D"]["begins"]
    raw["phases"]["D"]["on"] = ["4D", "2"]
    raw["trains"]["3"]["rusts_on"] = ["D"]
    found = run_rules(changed(tmp_path, trains=raw["trains"], phases=raw["phases"]))
    assert [(each.about, each.message) for each in found if each.code == "TR01"] == [
        ("3", 'train "3" rusts on "D", which is before it is sold')
    ]


def test_a_status_is_written_in_the_words_of_each_language() -> None:
    status = TITLE.phase_by_id["4"].status
    assert status[0].get("en") == "Companies may buy trains from each other."
    assert status[0].get("ja") == "会社間で列車を売買できる。"
    assert status[1].get("en") == "Stations cost twice as much."


def test_a_train_multiplies_what_stops_pay() -> None:
    reach = TITLE.train_by_id["4D"].faces[0].reach
    assert [each.multiplier for each in reach] == [2, 1]


def test_logos_and_pictures_are_those_of_the_folder() -> None:
    assert [picture.id for picture in TITLE.pictures] == ["wheat", "LS", "wings", "camel"]
    assert TITLE.company_by_id["LS"].logo == "LS"


def test_an_income_may_change() -> None:
    company = TITLE.company_by_id["CC"]
    assert company.income == 10
    assert [(step.since, step.value) for step in company.incomes] == [
        ("yellow", 10),
        ("green", 15),
        ("4", 0),
    ]
    assert TITLE.company_by_id["WF"].incomes == ()


def test_a_private_has_prices_players_and_something_to_show() -> None:
    company = TITLE.company_by_id["CC"]
    assert (company.min_price, company.max_price, company.discount, company.min_players) == (
        20,
        80,
        10,
        3,
    )
    assert company.shows == ("picture", "camel")


def test_what_companies_trains_and_stops_may_say_of_themselves() -> None:
    star, west = TITLE.company_by_id["LS"], TITLE.company_by_id["WW"]
    assert (star.ownership_limit, star.capital) == (80, "full")
    assert [goal.hex for goal in star.destinations] == ["A2", "C6"]
    assert west.token_places == (0, "Exchange", 40)
    train = TITLE.train_by_id["4H"].faces[0]
    assert (train.hexes, train.gauges, train.salvage) == (4, ("narrow", "dual"), 40)
    quay, harbour = (TITLE.maps[0].by_id[name].tile for name in ("B5", "C6"))
    assert (quay.stops[0].diamond, quay.stops[0].visits) == (True, 0)
    assert quay.track[1].gauge is Gauge.FERRY
    assert harbour.stops[1].revenue_hidden


@pytest.mark.parametrize(
    ("company", "field", "value", "code"),
    [
        ("CC", "share_of", "XX", "RF03"),
        ("LS", "further_destinations", [{"hex": "Z9"}], "RF02"),
        ("LS", "token_places", [0, ""], "SC04"),
    ],
)
def test_references_of_these_are_checked(
    tmp_path: Path, company: str, field: str, value: Any, code: str
) -> None:
    raw = json.loads((FIELD / "title.json").read_text(encoding="utf-8"))
    raw["companies"][company][field] = value
    copytree(FIELD / "pictures", tmp_path / "pictures")
    (tmp_path / "title.json").write_text(json.dumps(raw), encoding="utf-8")
    assert code in {problem.code for problem in check(tmp_path)}
