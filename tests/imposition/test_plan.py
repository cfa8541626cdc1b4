"""Sheet plans: the shipped ones are sound and complete, a user's own is checked."""

import json

import pytest

from platelayer.definitions.source import read_checked
from platelayer.foundation.problems import ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.imposition.paper import check_margin, find_paper, frames, standard_papers
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


# Papers, margins, and the ways to hold a sheet


# ISO 216 (A and B series), ISO 217 (SRA3), ANSI/ASME Y14.1 and US custom in inches of 25.4 mm.
SIZES = {
    "a0": (841, 1189),
    "a1": (594, 841),
    "a2": (420, 594),
    "a3": (297, 420),
    "a4": (210, 297),
    "sra3": (320, 450),
    "letter": (8.5 * 25.4, 11 * 25.4),
    "legal": (8.5 * 25.4, 14 * 25.4),
    "tabloid": (11 * 25.4, 17 * 25.4),
    "a3-plus": (329, 483),
    "b1": (707, 1000),
    "12x18in": (12 * 25.4, 18 * 25.4),
    "13x19in": (13 * 25.4, 19 * 25.4),
    "18x24in": (18 * 25.4, 24 * 25.4),
    "24x36in": (24 * 25.4, 36 * 25.4),
}


def codes(raised):
    return {problem.code for problem in raised.value.problems}


def test_standard_papers_have_their_standard_sizes():
    assert set(standard_papers()) == set(SIZES)
    for name, size in SIZES.items():
        paper = find_paper(name)
        assert (paper.width_mm, paper.height_mm) == pytest.approx(size)


@pytest.mark.parametrize(
    "words", ["A4", " a4 ", "210x297mm", "210 x 297 mm", "210.0x297.0MM", "210×297mm"]
)
def test_a_paper_by_name_or_size(words):
    paper = find_paper(words)
    assert (paper.width_mm, paper.height_mm) == (210, 297)


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        ("a44", 'did you mean "a4"'),
        ("leter", 'did you mean "letter"'),
        ("", "papers are a4"),
        ("210x297", "210x297mm"),
        ("-1x20mm", "papers are"),
        ("nanxinfmm", "papers are"),
        ("99999999x2mm", "from 10 to 5080 mm"),
        ("210x6000mm", "from 10 to 5080 mm"),
        ("0x0mm", "from 10 to 5080 mm"),
    ],
)
def test_what_is_no_paper(words, stated):
    with pytest.raises(ProblemsFound) as raised:
        find_paper(words)
    assert codes(raised) == {"SH02"}
    assert stated in str(raised.value)
    assert f'"{words}"' in str(raised.value)


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), -1.0, 52.6, 900.0])
def test_a_margin_that_makes_no_sense(margin):
    with pytest.raises(ProblemsFound, match="margin") as raised:
        check_margin(find_paper("a4"), margin)
    assert codes(raised) == {"SH03"}


@pytest.mark.parametrize("margin", [0.0, 3.0, 6.0, 52.5])
def test_a_margin_that_makes_sense(margin):
    check_margin(find_paper("a4"), margin)


@pytest.mark.parametrize("words", ["a4", "letter", "100x150mm", "60x60mm", "300x200mm"])
def test_room_and_foot_lie_inside_the_margins_and_apart(words):
    paper = find_paper(words)
    ways = frames(paper, 4.0)
    assert (ways[0].width_mm, ways[0].height_mm) == (paper.width_mm, paper.height_mm)
    assert len(ways) == (1 if paper.width_mm == paper.height_mm else 2)
    for frame in ways:
        for x, y, width, height in (frame.room, frame.foot):
            assert x >= 4.0
            assert y >= 4.0
            assert x + width <= frame.width_mm - 4.0 + 1e-9
            assert y + height <= frame.height_mm - 4.0 + 1e-9
        assert frame.room[1] + frame.room[3] <= frame.foot[1] + 1e-9


def test_a_paper_without_room_for_a_ruler_has_no_frames():
    assert frames(find_paper("40x40mm"), 6.0) == ()
