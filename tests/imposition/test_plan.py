"""Sheet plans: the shipped ones are sound and complete, a user's own is checked."""

import json

import pytest

from platelayer.definitions.source import read_checked
from platelayer.foundation.problems import ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.imposition.plan import check_layouts, read_plan, standard_plan
from platelayer.model.kinds import KINDS


@pytest.mark.parametrize(
    ("name", "schema"), [("standard.json", "sheet"), ("papers.json", "papers")]
)
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
