"""What would be illegible in print is found by `check`, at the place where the piece is defined."""

import json
import shutil

import pytest

from packs import build
from platelayer.definitions.titles import load_title
from platelayer.drawing import pieces
from platelayer.foundation.cache import Cache
from platelayer.foundation.problems import ProblemsFound, Severity
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check, judge


@pytest.fixture
def folder(tmp_path):
    """A copy of the starter, and a way to change one of its files."""
    copy = tmp_path / "mine"
    shutil.copytree(asset_path("starters", "small"), copy)

    def changed(name, change):
        value = json.loads((copy / name).read_text(encoding="utf-8"))
        change(value)
        (copy / name).write_text(json.dumps(value, indent=2), encoding="utf-8")
        return copy

    return changed


SMALL = {"priority-card": [20, 12]}
"""A card that is too small for its words."""


def with_a_small_card(value):
    value["pieces"]["sizes"] |= SMALL


def illegible(problems):
    return [problem for problem in problems if problem.code.startswith("LG")]


def test_it_names_file_line_piece_and_hint(folder):
    copy = folder("title.json", with_a_small_card)
    found = illegible(check(str(copy)))
    lines = (copy / "title.json").read_text(encoding="utf-8").splitlines()
    assert {problem.about for problem in found} == {"priority-card:priority"}
    assert "LG03" in {problem.code for problem in found}
    assert Severity.ERROR in {problem.severity for problem in found}
    for problem in found:
        assert problem.pointer == "/pieces/priority_cards"
        assert problem.file.endswith("title.json")
        assert '"priority_cards"' in lines[problem.line - 1]
        assert problem.hint


def test_each_hint_names_something_that_the_author_can_change(folder):
    """Nothing on a card has a place in a definition: `at` alone would help nobody."""

    def with_small_certificates(value):
        value["pieces"]["sizes"]["certificate"] = [30, 45]

    def with_large_certificates(value):
        value["pieces"]["sizes"]["certificate"] = [75, 50]

    found = [problem for problem in illegible(check(str(folder("title.json", with_small_certificates))))
             if problem.severity is Severity.ERROR]  # fmt: skip
    assert {"LG03", "LG04"} <= {problem.code for problem in found}
    assert all("a larger size (pieces, sizes)" in problem.hint for problem in found)
    assert illegible(check(str(folder("title.json", with_large_certificates)))) == []


def test_a_quick_check_does_not_draw(folder):
    assert illegible(check(str(folder("title.json", with_a_small_card)), quick=True)) == []


def test_a_build_stops_at_what_check_finds(folder, tmp_path):
    copy = folder("title.json", with_a_small_card)
    found = {
        (problem.code, problem.place, problem.message) for problem in illegible(check(str(copy)))
    }
    with pytest.raises(ProblemsFound) as raised:
        build(str(copy), tmp_path / "out", BuildOptions())
    built = {
        (problem.code, problem.place, problem.message)
        for problem in illegible(raised.value.problems)
    }
    assert built
    assert built <= found


def test_pieces_of_a_variant_are_looked_at_where_they_differ(folder):
    patch = {"name": "Small", "patch": {"pieces": {"sizes": SMALL}}}
    found = illegible(
        check(str(folder("title.json", lambda value: value.update(variants={"small": patch}))))
    )
    assert {problem.about for problem in found} == {"priority-card:priority"}
    assert all(problem.message.endswith("(in the variant small)") for problem in found)


def test_a_mistake_of_a_drawer_is_a_problem_and_no_traceback(folder, monkeypatch):
    def broken(_title, _piece, _style):
        raise KeyError("no such thing")

    monkeypatch.setenv("PLATELAYER_PROCESSES", "1")
    monkeypatch.setattr(
        pieces,
        "drawer",
        lambda name, known=pieces.drawer: broken if "token" in name else known(name),
    )
    found = illegible(check(str(folder("title.json", lambda _value: None))))
    assert {problem.code for problem in found} == {"LG09"}
    assert all("token:" in problem.message and "report it" in problem.hint for problem in found)


def test_words_that_a_piece_has_no_room_for_are_told(folder, tmp_path):
    name = "A second name that goes on and on without an end in sight " * 4

    def with_a_second_name(value):
        value["companies"]["NVR"]["second_name"] = name

    copy = folder("companies.json", with_a_second_name)
    (found,) = (
        problem for problem in illegible(check(str(copy))) if problem.about == "charter:NVR"
    )
    assert (found.code, found.severity, found.pointer) == (
        "LG10",
        Severity.WARNING,
        "/companies/NVR",
    )
    assert name[:60] in found.message
    result = build(str(copy), tmp_path / "out", BuildOptions(only=("charter",)))
    assert found in result.problems


def with_wordy_phases(value):
    del value["pieces"]["sizes"]["phase-card"]
    for phase in value["phases"].values():
        phase["events"] = ["All the companies do something else from now on, again and again. " * 9]


def test_a_card_takes_a_larger_size_where_its_words_need_it_and_says_so(folder, tmp_path):
    copy = folder("title.json", with_wordy_phases)
    (found,) = (
        problem for problem in illegible(check(str(copy))) if problem.about == "phase-card:phases"
    )
    assert (found.code, found.severity, found.hint != "") == ("LG11", Severity.NOTE, True)
    assert (
        found.message == "phase-card:phases is 186 x 128 mm, for its words do not fit 148 x 105 mm"
    )
    result = build(str(copy), tmp_path / "out", BuildOptions(only=("phase-card",)))
    assert found in result.problems
    placed = result.manifest["placements"]
    assert {tuple(sorted(each["trim_mm"][2:])) for each in placed} == {(128.0, 186.0)}


def test_a_size_that_was_asked_for_is_kept(folder, tmp_path):
    copy = folder("title.json", with_wordy_phases)
    result = build(
        str(copy),
        tmp_path / "out",
        BuildOptions(only=("phase-card",), sizes=(("phase-card", "148x105mm"),)),
    )
    (found,) = illegible(result.problems)
    assert (found.code, found.severity) == ("LG12", Severity.WARNING)
    with pytest.raises(ProblemsFound) as raised:
        build(
            str(copy),
            tmp_path / "out",
            BuildOptions(only=("phase-card",), sizes=(("phase-card", "80x60mm"),)),
        )
    (found,) = illegible(raised.value.problems)
    assert (found.code, found.severity) == ("LG08", Severity.ERROR)
    assert "phase-card" in found.hint


# `check --variant`: a title is checked as that variant alone


SMALL_CARD = {"pieces": {"sizes": {"priority-card": [20, 12]}}}
"""A card that is too small for its words."""

VARIANTS = {
    "small": {"name": "Small", "patch": SMALL_CARD},
    "poor": {"name": "Poor", "patch": {"bank": 1}},
}


@pytest.fixture
def varied(tmp_path):
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


def test_only_that_variant_is_checked_by_rules_and_legibility(varied):
    everything = found(check(str(varied)))
    small, poor = (found(check(str(varied), variant=name)) for name in ("small", "poor"))
    assert {code[:2] for code, _ in small} == {"LG"}
    assert {code[:2] for code, _ in poor} == {"MO"}
    told = {(code, f"{message} (in the variant {name})") for name, all_of in (("small", small), ("poor", poor))
            for code, message in all_of}  # fmt: skip
    assert told == everything


def test_what_several_variants_have_is_said_once(varied):
    value = json.loads((varied / "title.json").read_text(encoding="utf-8"))
    poor = value["variants"]["poor"]
    value["variants"] |= {name: {**poor, "name": name} for name in ("a", "b", "c")}
    (varied / "title.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    # A bank that is too small is found where each variant says its bank.
    messages = [
        message for code, message in found(check(str(varied), quick=True)) if code != "MO02"
    ]
    assert messages
    assert all(each.endswith("(in the variants poor, a, b and 1 more)") for each in messages)


def test_quick_draws_nothing_of_a_variant(varied):
    assert found(check(str(varied), variant="small", quick=True)) == set()


def test_what_is_kept_of_a_whole_check_serves_one_variant(varied, tmp_path):
    cache = Cache(tmp_path / "cache")
    check(str(varied), cache=cache)
    for name in VARIANTS:
        assert check(str(varied), variant=name, cache=cache) == check(str(varied), variant=name)


def test_a_waiver_that_only_the_title_needs_is_not_called_unused(varied):
    value = json.loads((varied / "title.json").read_text(encoding="utf-8"))
    value["bank"] = 1
    value["waivers"] = [
        *value.get("waivers", ()),
        {"code": "MO01", "at": "#", "reason": "A game of a single round."},
    ]
    value["variants"]["poor"]["patch"]["bank"] = 12000
    (varied / "title.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    assert "RW01" in {problem.code for problem in judge(load_title(varied, variant="poor"))}
    assert not any(problem.code.startswith("RW") for problem in check(str(varied), variant="poor"))


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_an_unknown_variant_is_one_line_that_lists_them(varied, platelayer, form):
    done = platelayer("check", varied, "--variant", "smal", "--format", form)
    assert done.returncode == 1
    (line,) = (each for each in done.stdout.splitlines() if "there is no variant" in each)
    for word in ("smal", "small", "poor"):
        assert word in line
    assert {"json": '"RF09"', "sarif": "RF09"}.get(form, "RF09") in done.stdout


def test_programs_get_the_problems_of_the_variant(varied, platelayer):
    done = platelayer("check", varied, "--variant", "small", "--format", "json")
    value = json.loads(done.stdout)
    assert done.returncode == 1
    assert value["checked"] == 1
    assert {each["about"] for each in value["problems"] if each["severity"] == "error"} == {
        "priority-card:priority"
    }
    done = platelayer("check", varied, "--variant", "small", "--format", "sarif")
    assert all(each["locations"] for each in json.loads(done.stdout)["runs"][0]["results"])
    assert (
        platelayer(
            "check", varied, "--variant", "small", "--quick", "--format", "github"
        ).returncode
        == 0
    )
