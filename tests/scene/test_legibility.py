"""The design rules of print: each is broken once on purpose, and holds once."""

import pytest
from msgspec.structs import replace

from platelayer.drawing.kit.lettering import halo_path
from platelayer.foundation.problems import Severity
from platelayer.scene.flatten import bounds_of
from platelayer.scene.inks import BLACK, WHITE, ink_from_hex
from platelayer.scene.legibility import check_legibility
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import (
    Circle,
    Cut,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    TextRun,
    Use,
    boxed,
    circle_path,
    multiply,
    polygon_path,
    rectangle_path,
    rotation,
    translation,
)
from platelayer.scene.typeset import TypeStyle, run_corners, set_centred, text_width

SANS = TypeStyle(faces=("Barlow-Regular",), size_pt=8)
PAPER = Path(commands=rectangle_path(-2, -2, 64, 44), fill=WHITE)
YELLOW = ink_from_hex("#f6d44b")
LINE = polygon_path(((0, 20), (60, 20)), closed=False)


def scene_of(*items: Item, outline=None) -> Scene:
    return Scene(
        key="t",
        width_mm=60,
        height_mm=40,
        items=(PAPER, *items),
        bleed_mm=2,
        safe_mm=3,
        outline=outline,
    )


def codes(*items: Item, press=False, **options) -> list[str]:
    return [problem.code for problem in check_legibility(scene_of(*items, **options), press=press)]


def words(text="Words", x=30.0, y=20.0, style=SANS, ink=BLACK, **options):
    return set_centred(text, style, ink, x, y, **options)


def test_plain_words_on_paper_are_fine():
    assert codes(*words()) == []


@pytest.mark.parametrize(
    ("size", "fine", "found"),
    [(7.0, False, []), (6.9, False, ["LG01"]), (5.0, True, []), (4.9, True, ["LG01"])],
)
def test_text_of_at_least_seven_points_and_fine_print_of_five(size, fine, found):
    assert codes(*words(style=replace(SANS.at(size), fine=fine))) == found


def test_text_shrunk_by_a_transform_counts_as_it_prints():
    assert codes(Group(items=words(x=60, y=40), matrix=(0.5, 0, 0, 0.5, 0, 0))) == ["LG01"]


@pytest.mark.parametrize(("width", "found"), [(0.09, []), (0.08, ["LG02"])])
def test_strokes_of_at_least_a_quarter_point(width, found):
    assert codes(Path(commands=LINE, stroke=Stroke(ink=BLACK, width_mm=width))) == found


@pytest.mark.parametrize(("x", "found"), [(30, []), (6, ["LG03"]), (-20, ["LG03"])])
def test_text_stays_in_the_safe_zone(x, found):
    assert codes(*words(x=x)) == found


def test_the_safe_zone_follows_the_die_line():
    assert codes(*words(x=14, y=8), outline=circle_path(30, 20, 18)) == ["LG03"]


@pytest.mark.parametrize("role", [Role.TRACK, Role.SLOT, Role.SYMBOL, Role.ORNAMENT])
@pytest.mark.parametrize("angle", [0, 30, 90])
def test_text_keeps_clear_of(role, angle):
    track = Path(commands=LINE, stroke=Stroke(ink=YELLOW, width_mm=2), role=role)
    assert codes(track, *words(angle=angle)) == ["LG04"]
    assert codes(track, *words(angle=angle, over=(role,))) == []
    assert codes(track, *words(y=8)) == []


def test_a_plate_between_hides_what_lies_below():
    track = Path(commands=LINE, stroke=Stroke(ink=BLACK, width_mm=2), role=Role.TRACK)
    plate = Path(commands=rectangle_path(20, 15, 20, 10), fill=WHITE)
    assert codes(track, plate, *words()) == []
    small = Path(commands=rectangle_path(28, 15, 4, 10), fill=WHITE)
    assert "LG04" in codes(track, small, *words())


def test_a_clipped_shape_is_only_where_its_clip_is():
    track = Path(commands=LINE, stroke=Stroke(ink=YELLOW, width_mm=2), role=Role.TRACK)
    away = Group(items=(track,), clip=rectangle_path(0, 0, 10, 40))
    here = Group(items=(track,), clip=rectangle_path(20, 0, 20, 40))
    assert codes(away, *words()) == []
    assert codes(here, *words()) == ["LG04"]


def test_text_keeps_clear_of_text():
    assert codes(*words("One"), *words("Two", x=32)) == ["LG04"]
    assert codes(*words("One"), *words("Two", y=26)) == []


def test_contrast_to_the_ground_under_the_text():
    pale = ink_from_hex("#c0c0c0")
    assert codes(*words(ink=pale)) == ["LG05"]
    assert codes(Path(commands=rectangle_path(10, 10, 40, 20), fill=BLACK), *words(ink=pale)) == []
    half = Path(commands=rectangle_path(10, 10, 20, 20), fill=BLACK)
    assert codes(half, *words()) == ["LG05"]


def test_contrast_in_print_is_that_of_the_inks():
    """No ink is as bright as the magenta of a screen: what reads on it there does not on paper."""
    bright = Path(commands=rectangle_path(5, 5, 50, 30), fill=ink_from_hex("#ff00ff"))
    dark = words(ink=ink_from_hex("#000066"))
    assert codes(bright, *dark) == []
    assert codes(bright, *dark, press=True) == ["LG05"]
    assert codes(*words(), press=True) == []
    assert codes(*words(ink=ink_from_hex("#c0c0c0")), press=True) == ["LG05"]


def test_words_are_not_crossed_by_dark_lines_of_a_relief():
    """A relief may lie below a name; its lines are pale."""
    dark, pale = (
        Path(commands=LINE, stroke=Stroke(ink=ink_from_hex(ink), width_mm=0.1), role=Role.RELIEF)
        for ink in ("#3d3120", "#b0a080")
    )
    assert codes(dark, *words()) == ["LG15"]
    assert codes(pale, *words()) == []
    assert codes(dark, *words(y=26)) == []
    assert codes(dark, *words(style=replace(SANS, fine=True))) == []
    plate = Path(commands=rectangle_path(10, 10, 40, 20), fill=WHITE)
    assert codes(dark, plate, *words()) == []
    assert codes(Group(items=(dark,), clip=rectangle_path(0, 0, 15, 40)), *words()) == []


def test_nothing_reaches_beyond_the_bleed():
    assert codes(Circle(cx=0, cy=20, r=2, fill=BLACK)) == []
    assert codes(Circle(cx=0, cy=20, r=3, fill=BLACK)) == ["LG06"]
    clipped = Group(
        items=(Circle(cx=0, cy=20, r=3, fill=BLACK),), clip=rectangle_path(-2, 0, 30, 40)
    )
    assert codes(clipped) == []


def test_text_is_not_covered_afterwards():
    assert codes(*words(), Circle(cx=30, cy=20, r=5, fill=BLACK)) == ["LG07"]
    ring = Circle(cx=30, cy=20, r=15, stroke=Stroke(ink=BLACK, width_mm=1))
    assert codes(*words(), ring) == []


def test_a_river_runs_through_no_words_but_on_a_halo():
    river = Path(
        commands=rectangle_path(5, 18, 50, 3), fill=ink_from_hex("#bcdcea"), role=Role.WATER
    )
    (run,) = words()
    halo = halo_path(run, WHITE, 0.5)
    assert codes(river, run) == ["LG17"]
    assert codes(river, halo, run) == []
    assert codes(halo, river, run) == ["LG17"], "the halo is in the river"
    assert codes(river, *words(y=30)) == []
    plate = Path(commands=rectangle_path(10, 10, 40, 20), fill=WHITE)
    assert codes(river, plate, run) == []


def test_other_words_keep_off_a_name_of_a_map():
    ink = ink_from_hex("#6b5022")
    (run,) = (replace(run, ink=ink, name="Veneto") for run in words())
    bottom = bounds_of(run_corners(run))[3]

    def below(gap: float) -> TextRun:
        (other,) = words(y=40)
        return replace(other, y=other.y + bottom + gap - bounds_of(run_corners(other))[1])

    assert codes(run, below(1.1)) == []
    assert codes(run, below(0.8)) == ["LG19"]
    assert codes(run, replace(below(0.8), name="Veneto")) == [], "a letter of the same name"
    assert codes(below(0.8), replace(run, name=None)) == []


def test_a_name_of_a_map_lies_across_no_line_of_its_colour():
    ink = ink_from_hex("#6b5022")
    (run,) = (replace(run, ink=ink, name="Veneto") for run in words())
    own, other = (
        Path(commands=LINE, stroke=Stroke(ink=ink_from_hex(colour), width_mm=0.2))
        for colour in ("#70562a", "#c9a0a0")
    )
    halo = halo_path(run, WHITE, 0.5)
    assert codes(own, run) == ["LG20"]
    assert codes(own, halo, run) == codes(other, run) == []
    assert codes(halo, own, run) == ["LG20"], "the line is on the halo"


def test_large_names_of_a_map_need_less_contrast():
    pale = ink_from_hex("#8f8155")
    large = replace(SANS, size_pt=16)
    for style, found in ((SANS, ["LG05"]), (large, [])):
        (run,) = words(style=style)
        assert codes(replace(run, ink=pale, name="Veneto")) == found
        assert codes(replace(run, ink=pale)) == ["LG05"]


def test_placed_scenes_are_looked_into():
    inner = Scene(
        key="i",
        width_mm=10,
        height_mm=10,
        items=(Circle(cx=5, cy=5, r=2, fill=YELLOW, role=Role.SLOT),),
    )
    assert codes(Use(scene=inner, matrix=translation(25, 15)), *words()) == ["LG04"]
    assert codes(Use(scene=inner, matrix=translation(5, 5)), *words()) == []
    label = Scene(key="w", width_mm=60, height_mm=40, items=words(x=30, y=20))
    assert codes(Use(scene=label, matrix=rotation(90, (30, 20)))) == []
    assert codes(Use(scene=label, matrix=rotation(90, (2, 2)))) == ["LG03"]


def test_words_that_are_cut_or_left_out_are_reported_with_a_way_out():
    shown, missing = Cut("Kaiserlich …", "Kaiserlich-königliche Bahn"), Cut("", "Second name")
    found = check_legibility(scene_of(*words(shown), *words(missing)))
    assert [(problem.code, problem.severity) for problem in found] == [
        ("LG10", Severity.WARNING)
    ] * 2
    assert "'Kaiserlich-königliche Bahn', which is cut to 'Kaiserlich …'" in found[0].message
    assert "'Second name', which is left out" in found[1].message
    assert all(problem.hint for problem in found)
    assert codes(*words("Kaiserlich …")) == []


WIDE = text_width("Words", SANS)


@pytest.mark.parametrize(
    ("box", "found"),
    [
        ((30 - WIDE / 2, 18.0, WIDE, 4.0), []),
        ((30 - WIDE / 2 + 0.2, 18.0, WIDE, 4.0), ["LG14"]),
        ((20.0, 19.5, 20.0, 4.0), ["LG14"]),
        ((20.0, 16.0, 20.0, 4.0), ["LG14"]),
    ],
)
def test_no_ink_leaves_the_box_that_owns_it(box, found):
    assert codes(boxed(words(), *box)) == found


def test_a_box_is_placed_and_turned_with_its_words():
    inside, outside = (
        boxed(words(x=0, y=0), -high, -2, 2 * high, 4) for high in (WIDE / 2, WIDE / 2 - 0.3)
    )
    turned = multiply(translation(30, 20), rotation(90))
    assert codes(Group(items=(inside,), matrix=turned)) == []
    assert codes(Group(items=(outside,), matrix=turned)) == ["LG14"]


def test_the_innermost_box_owns_the_words():
    inner = boxed(words(), 20, 16, 20, 8)
    assert codes(boxed((inner,), 0, 0, 5, 5)) == []


def test_a_box_is_nothing_that_is_painted():
    plain, owned = (scene_of(*items) for items in (words(), (boxed(words(), 0, 0, 60, 40),)))
    assert Digester().digest([plain]) == Digester().digest([owned])


def city(number, *centres, radius=3.0):
    slots = tuple(
        Circle(
            cx=x, cy=y, r=radius, fill=WHITE, stroke=Stroke(ink=BLACK, width_mm=0.3), role=Role.SLOT
        )
        for x, y in centres
    )
    return Group(items=slots, stop=number)


def track_end(number, x, y, tip):
    return Group(
        items=(Path(commands=polygon_path(((x - 1, y), (x + 1, y), (x, tip))), fill=BLACK),),
        stop=number,
    )


def stated(number, *places, led=()):
    runs = tuple(run for text, x, y in places for run in words(text, x, y))
    return Group(items=(*(Group(items=(line,), stop=number) for line in led), *runs), of=number)


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ((20.0, 13.0), []),  # above its own
        ((24.5, 13.0), []),
        ((30.0, 20.0), ["LG16"]),  # half-way
        ((33.0, 20.0), ["LG16"]),
        ((40.0, 13.0), ["LG16"]),
    ],
)
def test_words_of_a_stop_lie_plainly_at_that_stop(at, found):
    hexagon = (city(0, (20, 20)), city(1, (40, 20)), stated(0, ("N", *at)))
    assert codes(*hexagon) == found
    turned = Group(items=hexagon, matrix=(0.5, 0, 0, 0.5, 10, 10))
    assert [code for code in codes(turned) if code == "LG16"] == found


def test_words_of_a_city_of_several_slots_lie_at_any_of_them():
    assert codes(city(0, (20, 20), (30, 20)), city(1, (47, 12)), stated(0, ("N", 30.0, 13.0))) == []
    assert codes(city(0, (20, 20), (30, 20)), city(1, (37, 12)), stated(0, ("N", 30.5, 13.0))) == [
        "LG16"
    ]


@pytest.mark.parametrize(("y", "found"), [(14.0, []), (18.0, ["LG16"]), (22.0, ["LG16"])])
def test_values_of_an_off_board_lie_at_the_end_of_its_track(y, found):
    assert (
        codes(track_end(0, 30, 5, 10), track_end(1, 30, 30, 26), stated(0, ("10", 30.0, y)))
        == found
    )


def test_a_table_is_judged_as_a_whole_and_without_the_name_above_it():
    ends = (track_end(0, 30, 3, 7), track_end(1, 30, 38, 34))
    rows = [("10", 30.0, 11.0), ("20", 30.0, 15.5), ("30", 30.0, 20.0), ("40", 30.0, 24.5)]
    assert codes(*ends, stated(0, *rows)) == []
    assert codes(*ends, stated(1, *rows)) == ["LG16"]
    assert codes(*ends, stated(0, ("Rim", 30.0, 11.0), ("40", 30.0, 26.0))) == ["LG16"]


def test_a_leader_shows_whose_words_are():
    line = Path(
        commands=polygon_path(((31, 20), (37, 20)), closed=False),
        stroke=Stroke(ink=BLACK, width_mm=0.3),
    )
    cities = (city(0, (20, 20)), city(1, (40, 20)))
    assert codes(*cities, stated(1, ("7", 28.0, 20.0))) == ["LG16"]
    assert codes(*cities, stated(1, ("7", 28.0, 20.0), led=[line])) == []


def test_stops_of_other_hexes_are_no_rivals():
    one = (city(0, (20, 20)), city(1, (8, 30)), stated(0, ("N", 30.0, 20.0)))
    other = (city(0, (40, 20)), city(1, (8, 8)))
    assert codes(*(Group(items=items, matrix=translation(0, 0.5)) for items in (one, other))) == []


def test_words_at_another_stop_are_an_error_that_names_both():
    (problem,) = check_legibility(
        scene_of(city(2, (20, 20)), city(3, (40, 20)), stated(2, ("N", 40.0, 13.0)))
    )
    assert problem.severity is Severity.ERROR
    assert all(part in problem.message for part in ("'N'", "stop:2", "stop:3"))
