"""Sheet plans: the shipped ones are sound and complete, a user's own is checked."""

import json

import pytest

from platelayer.definitions.source import read_checked
from platelayer.foundation.problems import ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.imposition.plan import adjusted, check_layouts, read_plan, standard_plan
from platelayer.model.kinds import KINDS


@pytest.mark.parametrize(("name", "schema"), [("standard.json", "sheet"), ("sizes.json", "sizes")])
def test_shipped_files_follow_their_schemas(name, schema):
    document = read_checked(asset_path("sheets", name), schema)
    assert document.value["$schema"].endswith(f"/{schema}.schema.json")


def test_every_kind_of_piece_has_a_place_and_only_maps_have_two():
    places = [kind for document in standard_plan() for kind in document.kinds]
    assert sorted(places) == sorted([*KINDS, "map"])


def test_a_plan_read_from_a_file_is_the_same():
    assert read_plan(asset_path("sheets", "standard.json")) == standard_plan()


def test_documents_are_named_by_fixed_words():
    for document in standard_plan():
        assert document.name.term.startswith("documents/")


@pytest.mark.parametrize(
    ("change", "code", "stated"),
    [
        ({"arange": "grid"}, "SC02", 'did you mean "arrange"'),
        ({"arrange": "heap"}, "SC04", "heap"),
        ({"arrange": "grid", "bleed_mm": -1}, "SC04", "-1"),
        ({"arrange": "tiled"}, "SC03", "overlap_mm"),
        ({"arrange": "grid", "gaps_mm": []}, "SC04", "[]"),
    ],
)
def test_a_faulty_plan_is_refused_where_it_is_faulty(change, code, stated, tmp_path):
    path = tmp_path / "plan.json"
    plan = {
        "documents": {"trains": {"name": "Trains", "kinds": ["train"], "layouts": {"grid": change}}}
    }
    path.write_text(json.dumps(plan, indent=1), encoding="utf-8")
    with pytest.raises(ProblemsFound) as raised:
        read_plan(path)
    (problem,) = raised.value.problems
    assert problem.code == code
    assert problem.pointer.startswith("/documents/trains/layouts/grid")
    assert problem.line > 1
    assert stated in str(problem)


def test_layouts_by_document_and_name():
    check_layouts({"tiles": "rows", "tokens": "squares"}, standard_plan())
    with pytest.raises(ProblemsFound, match=r"SH04.*did you mean \"rows\""):
        check_layouts({"tiles": "row"}, standard_plan())
    with pytest.raises(ProblemsFound, match=r"SH04.*did you mean \"tiles\""):
        check_layouts({"tile": "rows"}, standard_plan())


def test_a_number_is_set_in_all_layouts_of_a_name_or_a_document():
    plan = {each.stem: each.layouts for each in adjusted(standard_plan(), {"grid.gaps_mm": "6"})}
    assert {plan[stem]["grid"].gaps_mm for stem in plan if "grid" in plan[stem]} == {(6.0,)}
    assert plan["charters"]["ganged"].gaps_mm == (4.0, 0.0)
    plan = {each.stem: each.layouts for each in adjusted(standard_plan(), {"money.bleed_mm": "1"})}
    assert {layout.bleed_mm for layout in plan["money"].values()} == {1.0}
    assert plan["trains"]["grid"].bleed_mm == 2


def test_numbers_that_cannot_be_set_are_told_together():
    numbers = {
        "tild.gaps_mm": "6",
        "tiled.ovrlap_mm": "6",
        "tiled.overlap_mm": "-1",
        "rows.blank_between_groups": "1.5",
        "tiles.bleed_mm": "nan",
    }
    with pytest.raises(ProblemsFound) as found:
        adjusted(standard_plan(), numbers)
    assert {problem.code for problem in found.value.problems} == {"SH04"}
    assert len(found.value.problems) == len(numbers)
    assert any("tiled" in problem.hint for problem in found.value.problems)
