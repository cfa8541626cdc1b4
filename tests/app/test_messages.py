"""Messages as a stranger reads them: one finding a cause, nothing of blocks that are still empty,
plain words."""

import json
import random
import shutil

import pytest

from platelayer.definitions.decode import keys_of
from platelayer.definitions.salvage import salvage
from platelayer.foundation.problems import MOST_ALIKE, Severity, join_pointer, touches
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.foundation.text import numbered, suggestion
from platelayer.model.kinds import KINDS
from platelayer.model.title import Title
from platelayer.pipeline.load import ACCEPT_BOX, check
from platelayer.rules.rule import EVERYTHING, ITSELF, all_rules


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


# All problems of a title at once: an error hides no other, and what follows from it alone is not
# reported


@pytest.fixture
def copied(tmp_path):
    """A copy of a shipped title, and a way to change one of its files."""

    def copy(title):
        folder = tmp_path / title
        shutil.copytree(asset_path("titles", title), folder)
        return folder

    return copy


def change(path, act):
    value = json.loads(path.read_text(encoding="utf-8"))
    act(value)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def codes(problems, severity=Severity.NOTE):
    return {problem.code for problem in problems if problem.severity >= severity}


def plant_rules(folder):
    """Mistakes that rules find, in four files."""
    change(
        folder / "companies.json",
        lambda it: it["companies"]["BNR"]["certificates"][1].update(count=7),
    )
    change(folder / "trains.json", lambda it: it["trains"]["4"].update(price=30))
    change(folder / "phases.json", lambda it: it["phases"]["4"]["train_limits"].update(major=5))

    def swap(it):
        other = {"110": "122", "122": "110"}
        it["market"]["rows"] = [
            [other.get(cell, cell) for cell in row] for row in it["market"]["rows"]
        ]

    change(folder / "market.json", swap)


RULES = {"CO01", "TR04", "PH05", "MK05"}


def test_counts_of_the_box_hide_nothing(copied):
    folder = copied("18eu")
    plant_rules(folder)
    problems = check(str(folder), quick=True)
    assert codes(problems) >= RULES | {"BX01"}
    assert not [
        problem.hint
        for problem in problems
        if problem.code == "BX01" and problem.hint == ACCEPT_BOX
    ]


def test_counts_of_the_box_alone_may_be_accepted(copied):
    folder = copied("18eu")
    change(folder / "pieces.json", lambda it: it["pieces"]["box"].update(tile=1))
    problems = [
        problem for problem in check(str(folder), quick=True) if problem.severity is Severity.ERROR
    ]
    assert [(problem.code, problem.hint) for problem in problems] == [("BX01", ACCEPT_BOX)]


def test_errors_of_form_and_reference_hide_nothing_elsewhere(copied):
    folder = copied("18eu")
    plant_rules(folder)
    (folder / "bonuses.json").write_text("{", encoding="utf-8")
    change(folder / "companies.json", lambda it: it["companies"]["SNCF"].update(kind="majr"))
    change(
        folder / "companies.json", lambda it: it["companies"]["15"]["homes"].append({"hex": "Z99"})
    )
    change(folder / "title.json", lambda it: it.update(bnk=3))
    problems = check(str(folder), quick=True)
    assert codes(problems) >= RULES | {"JS01", "SC02", "SC04", "RF02"}
    assert not codes(problems) & {"DR01", "RF03"}


def test_pieces_that_nothing_is_wrong_with_are_still_looked_at(copied):
    folder = copied("18eu")
    change(
        folder / "pieces.json",
        lambda it: it["pieces"].setdefault("sizes", {}).update({"certificate:BNR-10": [30, 22]}),
    )
    change(folder / "trains.json", lambda it: it["trains"]["4"].update(price="much"))
    found = check(str(folder))
    assert {"SC01", "LG10"} <= codes(found)


def test_a_name_that_nothing_defines_is_told_beside_a_train_that_is_lost(copied):
    folder = copied("18eu")

    def damage(it):
        first, second, *_ = it["trains"].values()
        first["rusts_on"], second["price"] = ["9"], "cheap"

    change(folder / "trains.json", damage)
    problems = [
        problem for problem in check(str(folder), quick=True) if problem.severity is Severity.ERROR
    ]
    assert {"RF04", "SC01"} <= codes(problems)
    assert {problem.about for problem in problems if problem.code == "RF04"} == {"9"}


def entries(value, depth=3, at=()):
    """Pointers of what a title could lose, at most so deep."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in parts:
        if not str(key).startswith("$"):
            yield (*at, key)
            if depth > 1:
                yield from entries(part, depth - 1, (*at, key))


def subject(problem):
    """What a finding is about; a note about several companies may name them by another."""
    return problem.code, problem.severity is not Severity.NOTE and problem.about


KEPT = {"format", "id", "name", "variants", "waivers", "provenance", "pictures"}


@pytest.mark.parametrize("most", [4, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("title", title_ids())
def test_what_only_follows_from_an_error_is_not_reported(title, most, tmp_path):
    whole = salvage(title).assembled.value
    whole.pop("variants", None)
    whole.pop("pictures", None)
    path = tmp_path / "whole.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    known = set(map(subject, check(str(path), quick=True)))
    spots = [at for at in entries(whole, 4) if at[0] not in KEPT]
    for at in random.Random(title).sample(spots, most):
        damaged = json.loads(json.dumps(whole))
        container = damaged
        for key in at[:-1]:
            container = container[key]
        container[at[-1]] = {"no such key": None}
        path.write_text(json.dumps(damaged), encoding="utf-8")
        own = join_pointer(*at)
        for problem in check(str(path), quick=True):
            here = problem.pointer.startswith(own) or own.startswith(problem.pointer)
            assert subject(problem) in known or (here and problem.code.startswith("SC")), (
                f"{own}: {problem}"
            )


@pytest.mark.parametrize(
    ("reads", "lost", "own", "is_touched"),
    [
        ("companies/*/homes", "/companies/A/homes/0", "/maps/main", True),
        ("companies/*/homes", "/companies/A/stations", "/maps/main", False),
        ("companies/*/homes", "/companies/A", "/companies/B/homes", True),
        ("companies/./homes", "/companies/A", "/companies/B/homes", False),
        ("companies/./homes", "/companies/A", "/maps/main", True),
        ("companies|privates/./homes", "/privates/A", "/companies/A/homes", False),
        ("companies|privates/./homes", "/privates/A/homes/1", "/privates/A/homes", True),
        ("companies/+/homes", "/companies/A", "/companies/B", False),
        ("companies/+/homes", "/companies/A/homes", "/companies/B", True),
        ("companies/+", "/companies", "", True),
        ("bank", "", "/bank", True),
        ("", "/bank", "/trains/2", True),
        (ITSELF[0], "/aids/a/sections/0/ja", "/aids/a/sections/0", True),
        (ITSELF[0], "/aids/a/sections/1/ja", "/aids/a/sections/0", False),
    ],
)
def test_what_a_loss_may_matter_to(reads, lost, own, is_touched):
    assert touches([reads], [lost], own) is is_touched


def test_each_rule_says_what_it_reads():
    assert [code for code, rule in all_rules().items() if rule.reads == EVERYTHING] == ["RW01"]
    blocks = {key for key, _ in keys_of(Title)}
    paths = [
        path
        for rule in all_rules().values()
        for path in rule.reads
        if path and rule.reads != ITSELF
    ]
    paths += [path for kind in KINDS.values() for path in kind.paths]
    assert {name for path in paths for name in path.partition("/")[0].split("|")} <= {
        *blocks,
        "privates",
        "in_play",
        "plate",
        "variant",
        "",
    }
