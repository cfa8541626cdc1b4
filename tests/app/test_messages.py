"""Messages as a stranger reads them: one finding a cause, nothing of blocks that are still empty,
plain words."""

import json
import shutil

import pytest

from platelayer.definitions.salvage import salvage
from platelayer.foundation.problems import MOST_ALIKE
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import numbered, suggestion
from platelayer.pipeline.load import check


@pytest.fixture
def started(tmp_path):
    """A title begun from a starter, as a change of its file leaves it."""

    def start(name, act):
        folder = tmp_path / name
        shutil.copytree(asset_path("starters", name), folder)
        value = json.loads((folder / "title.json").read_text(encoding="utf-8"))
        act(value)
        (folder / "title.json").write_text(json.dumps(value), encoding="utf-8")
        return folder

    return start


def found(folder, *codes):
    return [
        problem for problem in check(str(folder), quick=True) if not codes or problem.code in codes
    ]


def test_a_block_that_is_still_missing_is_one_line(started):
    (problem,) = found(started("classic", lambda value: value.pop("trains")), "RF04")
    assert (
        problem.message == 'there are no trains yet, but these are named: "3", "4", "5", "6", "D"'
    )
    assert [other.about for other in problem.others] == ["4", "5", "6", "D"]
    assert len({other.line for other in problem.others}) == len(problem.others)


@pytest.mark.parametrize(
    ("block", "most"), [("trains", 1), ("phases", 1), ("companies", 3), ("tiles", 2), ("maps", 4)]
)
def test_a_beginner_is_told_little(started, block, most):
    assert len(found(started("classic", lambda value: value.pop(block)))) <= most


def test_what_is_named_in_a_missing_block_stays_out_of_a_draft(started):
    folder = started("classic", lambda value: value.pop("trains"))
    draft = salvage(folder)
    assert all(phase.on is None for phase in draft.title.phases)
    assert len(draft.left_out) == 5


def test_hexes_that_no_tile_fits_are_told_by_what_they_have(started):
    problems = found(started("classic", lambda value: value.update(tiles={"57": 1})), "UP05")
    assert sum(1 + len(problem.others) for problem in problems) > 30
    assert len(problems) <= 2 * MOST_ALIKE


def company(number):
    return {
        "name": f"Company {number}",
        "kind": "major",
        "colour": f"#c0{number:02x}20",
        "certificates": [{"percent": 20, "director": True}, {"percent": 10, "count": 8}],
        "stations": [0],
    }


def many_companies(value):
    value["companies"] = {f"C{number}": company(number) for number in range(40)}


def test_colours_of_many_companies_are_one_finding_a_cause(started):
    problems = found(started("bare", many_companies), "CO08", "CO09")
    assert sum(1 + len(problem.others) for problem in problems) > 165
    assert len(problems) <= 8
    assert all("more like it: C" in problem.message for problem in problems if problem.others)


def test_a_program_gets_every_finding(started, platelayer):
    folder = started("bare", many_companies)
    told = json.loads(platelayer("check", folder, "--quick", "--format", "json").stdout)["problems"]
    pairs = [
        pair for each in told if each["code"] == "CO08" for pair in (each, *each.get("others", ()))
    ]
    assert len({pair["about"] for pair in pairs}) == len(pairs) > 100
    assert all(pair["line"] and pair["waiver"]["at"] == pair["about"] for pair in pairs)


def test_one_finding_of_many_may_be_waived(started):
    def waiving(value):
        many_companies(value)
        value["waivers"] = [{"code": "CO08", "at": "C0/C1", "reason": "Twins."}]

    problems = found(started("bare", waiving), "CO08", "RW01")
    assert [problem.about for problem in problems if "(waived: Twins.)" in problem.message] == [
        "C0/C1"
    ]
    rest = [other.about for problem in problems for other in (problem, *problem.others)]
    assert rest.count("C0/C1") == 1


def test_a_stop_that_is_not_there(started):
    def home(stop, where):
        def change(value):
            value["companies"] = {"C": {**company(1), "homes": [{"hex": where, "stop": stop}]}}

        return change

    (problem,) = found(started("bare", home(0, "B4")), "RF07")
    assert problem.message == "B4 has no stops"
    assert [numbered("stop", count) for count in (0, 1, 3)] == [
        "no stops",
        "1 stop (0)",
        "3 stops (0 to 2)",
    ]


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("580", ["80", "58", "581"], ""),
        ("til:57", ["tile:579", "tile:5"], ""),
        ("til:57", ["tile:579", "tile:57"], 'did you mean "tile:57"?'),
        ("a44", ["a3", "a4"], 'did you mean "a4"?'),
        ("100", ["10", "1000"], ""),
        ("14P", ["14p", "14"], 'did you mean "14p"?'),
        ("stop", ["stops", "track"], 'did you mean "stops"?'),
    ],
)
def test_a_number_is_no_slip_of_another(word, known, hint):
    assert suggestion(word, known) == hint
