"""`check --variant`: a title is checked as that variant alone."""

import json
import shutil

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.cache import Cache
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.load import check, judge

SMALL = {"pieces": {"sizes": {"priority-card": [20, 12]}}}
"""A card that is too small for its words."""

VARIANTS = {
    "small": {"name": "Small", "patch": SMALL},
    "poor": {"name": "Poor", "patch": {"bank": 1}},
}


@pytest.fixture
def folder(tmp_path):
    """A copy of the starter with two variants, each with a problem of its own: one for print, one
    for the rules."""
    copy = tmp_path / "mine"
    shutil.copytree(asset_path("starters", "small"), copy)
    value = json.loads((copy / "title.json").read_text(encoding="utf-8"))
    value["variants"] = VARIANTS
    (copy / "title.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    return copy


def found(problems):
    return {
        (problem.code, problem.message) for problem in problems if problem.severity.word != "note"
    }


def test_only_that_variant_is_checked_by_rules_and_legibility(folder):
    everything = found(check(str(folder)))
    small, poor = (found(check(str(folder), variant=name)) for name in ("small", "poor"))
    assert {code[:2] for code, _ in small} == {"LG"}
    assert {code[:2] for code, _ in poor} == {"MO"}
    told = {(code, f"{message} (in the variant {name})") for name, all_of in (("small", small), ("poor", poor))
            for code, message in all_of}  # fmt: skip
    assert told == everything


def test_what_several_variants_have_is_said_once(folder):
    value = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    poor = value["variants"]["poor"]
    value["variants"] |= {name: {**poor, "name": name} for name in ("a", "b", "c")}
    (folder / "title.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    # A bank that is too small is found where each variant says its bank.
    messages = [
        message for code, message in found(check(str(folder), quick=True)) if code != "MO02"
    ]
    assert messages
    assert all(each.endswith("(in the variants poor, a, b and 1 more)") for each in messages)


def test_quick_draws_nothing_of_a_variant(folder):
    assert found(check(str(folder), variant="small", quick=True)) == set()


def test_what_is_kept_of_a_whole_check_serves_one_variant(folder, tmp_path):
    cache = Cache(tmp_path / "cache")
    check(str(folder), cache=cache)
    for name in VARIANTS:
        assert check(str(folder), variant=name, cache=cache) == check(str(folder), variant=name)


def test_a_waiver_that_only_the_title_needs_is_not_called_unused(folder):
    value = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    value["bank"] = 1
    value["waivers"] = [
        *value.get("waivers", ()),
        {"code": "MO01", "at": "#", "reason": "A game of a single round."},
    ]
    value["variants"]["poor"]["patch"]["bank"] = 12000
    (folder / "title.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    assert "RW01" in {problem.code for problem in judge(load_title(folder, variant="poor"))}
    assert not any(problem.code.startswith("RW") for problem in check(str(folder), variant="poor"))


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_an_unknown_variant_is_one_line_that_lists_them(folder, platelayer, form):
    done = platelayer("check", folder, "--variant", "smal", "--format", form)
    assert done.returncode == 1
    (line,) = (each for each in done.stdout.splitlines() if "there is no variant" in each)
    for word in ("smal", "small", "poor"):
        assert word in line
    assert {"json": '"RF09"', "sarif": "RF09"}.get(form, "RF09") in done.stdout


def test_programs_get_the_problems_of_the_variant(folder, platelayer):
    done = platelayer("check", folder, "--variant", "small", "--format", "json")
    value = json.loads(done.stdout)
    assert done.returncode == 1
    assert value["checked"] == 1
    assert {each["about"] for each in value["problems"] if each["severity"] == "error"} == {
        "priority-card:priority"
    }
    done = platelayer("check", folder, "--variant", "small", "--format", "sarif")
    assert all(each["locations"] for each in json.loads(done.stdout)["runs"][0]["results"])
    assert (
        platelayer(
            "check", folder, "--variant", "small", "--quick", "--format", "github"
        ).returncode
        == 0
    )
