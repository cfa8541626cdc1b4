"""Themes, the glyphs they draw, and the table of codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from often import crossed
from platelayer.definitions.schemas import raw_schema
from platelayer.definitions.themes import (
    INK_KEYS,
    complete_theme,
    load_profile,
    load_theme,
    profile_ids,
    unknown_inks,
    unprintable,
)
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece, draw_with_room
from platelayer.foundation.resources import schema_paths, title_ids
from platelayer.imposition.paper import with_sizes
from platelayer.imposition.plan import standard_plan
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.model.options import COLOURS, Limits
from platelayer.pipeline.job import options_for, product_for
from platelayer.rules.graph import upgrade_graph
from refusals import refused
from shipped import shipped

HEAD = {"format": "platelayer.title/1", "id": "mini", "name": "Mini"}
THEME: dict[str, Any] = {
    "id": "mine",
    "name": "Mine",
    "inks": {
        "black": {"rgb": "#000000", "cmyk": [0, 0, 0, 100]},
        "cut": {"rgb": "#ff00ff", "cmyk": [0, 100, 0, 0], "spot": "CutContour"},
        "red": {"rgb": "#ff0000"},
    },
    "strokes": {"line": {"ink": "black", "width_mm": 0.25, "dash": [1, 0.5], "cap": "round"}},
    "types": {"text": {"faces": ["Barlow-Regular"], "size_pt": 7}},
}


def write(path: Path, theme: dict[str, Any]) -> str:
    path.write_text(json.dumps(theme), encoding="utf-8")
    return str(path)


def test_a_theme_by_its_path(tmp_path: Path) -> None:
    theme = load_theme(write(tmp_path / "mine.json", THEME))
    line = theme.stroke("line")
    assert (line.ink, line.width_mm, line.dash, line.cap, line.join) == (
        theme.ink("black"),
        0.25,
        (1, 0.5),
        "round",
        "miter",
    )
    assert theme.ink("cut").spot == "CutContour"
    assert theme.ink("red").cmyk == (0.0, 1.0, 1.0, 0.0)
    style = theme.type("text")
    assert (style.faces, style.size_pt, style.tracking, style.capitals, style.min_pt) == (
        ("Barlow-Regular",),
        7,
        0,
        False,
        7,
    )


def test_all_slips_of_a_theme_at_once(tmp_path: Path) -> None:
    wrong = THEME | {
        "inks": {"black": {"rgb": "#000000", "cmyk": [80, 70, 70, 40]}},
        "strokes": {"line": {"ink": "blck", "width_mm": 0.2}},
        "types": {"text": {"faces": ["Barlow-Regluar"], "size_pt": 7}},
    }
    problems = refused(load_theme, write(tmp_path / "mine.json", wrong))
    stated = {problem.code: str(problem) for problem in problems}
    assert set(stated) == {"TH02", "TH03", "TH04"}
    assert 'did you mean "black"?' in stated["TH02"]
    assert 'did you mean "Barlow-Regular"?' in stated["TH03"]
    assert "260 % of ink is too much; at most 240%" in stated["TH04"]


@pytest.mark.parametrize(
    ("spots", "stated"),
    [
        (
            [("black", "#ec008c")],
            [
                '"black" cannot be a spot colour: All, None, Cyan, Magenta, Yellow, Black are reserved'
            ],
        ),
        ([(" Cut", "#ec008c")], ["a name is not empty and has no spaces at its ends"]),
        ([("抜" * 50, "#ec008c")], ["it has more than 127 bytes"]),
        (
            [("Cut", "#ec008c"), ("Cut", "#00ff00")],
            ['the spot colour "Cut" looks different here than in ink "cut0"'],
        ),
        ([("Cut", "#ec008c"), ("Cut", "#ec008c"), ("Fold", "#00ff00")], []),
    ],
)
def test_spot_colours_that_cannot_be(
    tmp_path: Path, spots: list[tuple[str, str]], stated: list[str]
) -> None:
    inks = {f"cut{number}": {"rgb": rgb, "spot": spot} for number, (spot, rgb) in enumerate(spots)}
    path = write(tmp_path / "mine.json", THEME | {"inks": THEME["inks"] | inks})
    if not stated:
        assert load_theme(path).ink("cut0").spot == "Cut"
        return
    problems = refused(load_theme, path)
    assert [problem.code for problem in problems] == ["TH05"] * len(stated)
    assert all(words in str(problem) for words, problem in zip(stated, problems, strict=True))


@pytest.mark.parametrize(
    ("name", "code"),
    [("clasic", "TH01"), ("", "TH01"), ("no/such.json", "FI01"), ("none.json", "FI01")],
)
def test_themes_that_are_not_there(name: str, code: str) -> None:
    assert [problem.code for problem in refused(load_theme, name)] == [code]


def test_a_theme_against_its_schema(tmp_path: Path) -> None:
    wrong = THEME | {"inks": {"red": {"rgb": "red"}}, "colour": 1}
    problems = refused(load_theme, write(tmp_path / "mine.json", wrong))
    found = [(problem.code, problem.pointer) for problem in problems]
    assert found == [("SC04", "/inks/red/rgb"), ("SC02", "/colour")]


# --- glyphs


def test_a_text_that_no_face_draws_is_located(tmp_path: Path) -> None:
    company = {
        "name": {"en": "Łódź ☃", "ja": "鉄道"},
        "kind": "minor",
        "colour": "#000000",
        "token_text": "𝔸",
    }
    title = HEAD | {"subtitle": "plain", "companies": {"A": company}}
    (tmp_path / "title.json").write_text(
        json.dumps(title, indent=1, ensure_ascii=False), encoding="utf-8"
    )
    loaded, theme = load_title(tmp_path), load_theme(write(tmp_path / "mine.json", THEME))
    problems = unprintable(loaded, theme)
    assert [(problem.code, problem.pointer, problem.line) for problem in problems] == [
        ("GL01", "/companies/A/name/en", 9),
        ("GL01", "/companies/A/token_text", 14),
    ]
    assert "☃ (U+2603)" in problems[0].message
    japanese = unprintable(loaded, theme, "ja")
    assert [problem.pointer for problem in japanese] == [
        "/companies/A/name/ja",
        "/companies/A/token_text",
    ]


COLOURED = {
    "maps": {
        "m": {
            "name": "M",
            "layout": "flat",
            "coordinates": {"letters_on": "columns", "first_letter": "A", "first_number": 1},
            "hexes": {
                "A1": {"frame": "violet", "second_frame": "tile.purple", "ground": "ground.sandd"},
                "A3": {
                    "borders": [{"edge": 0, "kind": "river", "colour": "blu"}],
                    "partitions": [
                        {
                            "a": {"angle": 0},
                            "b": {"angle": 180},
                            "kind": "river",
                            "colour": "#0000ff",
                        }
                    ],
                },
            },
            "regions": {"r": {"hexes": ["A1"], "tint": "map.zone.9"}},
        }
    },
    "market": {
        "shape": "line",
        "rows": [["10p", "20"]],
        "zones": {"p": {"name": "Par", "colour": "yelow"}},
    },
    "tiles": {
        "T1": {"count": 1, "tile": {"colour": "yellow", "track": [[0, 3]], "frame": "mauve"}}
    },
    "trains": {
        "2": {
            "name": "2",
            "price": 80,
            "count": 1,
            "reach": [],
            "permanent": True,
            "figures": "rouge",
        }
    },
}


def test_a_colour_that_the_theme_does_not_have_is_reported() -> None:
    found = {each.pointer: each for each in unknown_inks(COLOURED, load_theme("classic"))}
    assert {each.code for each in found.values()} == {"RF22"}
    assert sorted(found) == [
        "/maps/m/hexes/A1/frame",
        "/maps/m/hexes/A1/ground",
        "/maps/m/hexes/A3/borders/0/colour",
        "/maps/m/regions/r/tint",
        "/market/zones/p/colour",
        "/tiles/T1/tile/frame",
        "/trains/2/figures",
    ]
    assert found["/market/zones/p/colour"].hint == 'did you mean "yellow"?'
    assert '"tile.yellow"' in found["/market/zones/p/colour"].message
    assert "#800080" in found["/maps/m/hexes/A1/frame"].hint


def test_every_colour_that_a_schema_takes_by_name_is_looked_up() -> None:
    """What the schemas call an ink is found by its key."""

    def keys(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, each in value.items():
                if isinstance(each, dict) and each.get("$ref", "").endswith(
                    "common.schema.json#/$defs/ink"
                ):
                    yield key
                yield from keys(each)
        elif isinstance(value, list):
            for each in value:
                yield from keys(each)

    schemas = (json.loads(path.read_text(encoding="utf-8")) for path in schema_paths())
    assert {key for schema in schemas for key in keys(schema)} == set(INK_KEYS)


# --- codes


# --- themes upon themes


def test_a_theme_states_only_what_differs(tmp_path: Path) -> None:
    write(tmp_path / "first.json", THEME)
    second = {
        "id": "second",
        "name": "Second",
        "extends": "first.json",
        "inks": {"black": {"rgb": "#808080"}},
    }
    theme = load_theme(write(tmp_path / "second.json", second))
    assert theme.id == "second"
    assert theme.ink("black").hex == "#808080"
    assert theme.ink("black").cmyk == (
        0.0,
        0.0,
        0.0,
        0.5,
    )  # the ink as a whole, not with the recipe of the first
    assert theme.stroke("line").ink is theme.ink(
        "black"
    )  # what the first draws with that ink follows
    assert theme.type("text").faces == ("Barlow-Regular",)


def test_a_theme_of_ones_own_upon_a_shipped_one(tmp_path: Path) -> None:
    mine = {
        "id": "mine",
        "name": "Mine",
        "extends": "classic",
        "strokes": {"track": {"ink": "track", "width_mm": 3}},
    }
    theme = complete_theme(write(tmp_path / "mine.json", mine))
    assert theme.stroke("track").width_mm == 3
    assert theme.ink("tile.yellow") == load_theme("classic").ink("tile.yellow")


@pytest.mark.parametrize(
    ("themes", "code", "words"),
    [
        ({"a": "a.json"}, "TH06", "in turn"),
        ({"a": "b.json", "b": "a.json"}, "TH06", "in turn"),
        ({"a": "clasic"}, "TH01", 'did you mean "classic"?'),
        ({"a": "none.json"}, "FI01", "no such file"),
        ({"a": None}, "SC03", 'needs "inks"'),
    ],
)
def test_themes_that_lead_nowhere(
    tmp_path: Path, themes: dict[str, str | None], code: str, words: str
) -> None:
    for name, base in themes.items():
        theme = {"id": name, "name": name} | ({"extends": base} if base else {})
        write(tmp_path / f"{name}.json", theme)
    problems = refused(load_theme, tmp_path / "a.json")
    assert [problem.code for problem in problems] == [code]
    assert words in str(problems[0])


def test_a_theme_that_drawings_could_not_use(tmp_path: Path) -> None:
    problems = refused(complete_theme, write(tmp_path / "mine.json", THEME))
    assert [problem.code for problem in problems] == ["TH07", "TH07", "TH07"]
    assert '"extends": "classic"' in problems[0].hint


def test_a_pattern_in_an_ink_that_is_not_there(tmp_path: Path) -> None:
    wrong = THEME | {"patterns": {"green": {"motif": "dots", "ink": "blak", "letter": "G"}}}
    assert [
        (problem.code, problem.pointer)
        for problem in refused(load_theme, write(tmp_path / "mine.json", wrong))
    ] == [("TH02", "/patterns/green/ink")]


def test_a_theme_states_upright_faces_for_the_styles_that_it_takes_over(tmp_path: Path) -> None:
    mine = {
        "id": "mine",
        "name": "Mine",
        "extends": "classic",
        "upright": {"EBGaramond-Italic": "Barlow-Regular"},
    }
    theme = load_theme(write(tmp_path / "mine.json", mine))
    assert theme.type("charter.note").upright == "Barlow-Regular"
    assert theme.type("card.body").upright is None


# Profiles: what comes with Platelayer, and profiles of one's own


LIMITS = raw_schema("profile")["$defs"]["limits"]["properties"]


def test_profiles_that_come_with_platelayer() -> None:
    assert set(profile_ids()) >= {"home", "drivethrucards", "thegamecrafter", "offset"}
    for profile_id in profile_ids():
        profile = load_profile(profile_id)
        assert profile.id == profile_id
        assert profile.name.has("ja")
        assert profile.about.has("ja")
        assert profile.source.get("en")


@pytest.mark.parametrize(
    ("title", "shop"),
    crossed(title_ids(), ["drivethrucards", "thegamecrafter", "makeplayingcards"]),
)
def test_shops_take_every_card(shop: str, title: str) -> None:
    """Also 18CZ's certificates of small and medium companies, whose sizes no shop has."""
    profile, loaded = load_profile(shop), shipped(title)
    loaded = with_sizes(loaded, build_manifest(loaded), options_for(profile, {}).sizes)
    style, graph = Style(theme=load_theme("classic")), upgrade_graph(loaded)
    cards = [piece for piece in build_manifest(loaded).pieces if KINDS[piece.kind].is_card]
    assert {"certificate", "train"} <= {piece.kind for piece in cards} or title == "lost-atlas"
    sizes = {(piece.kind, piece.group): piece for piece in cards}
    for piece in sizes.values():
        (scene, *_), _ = draw_with_room(
            lambda title, style, piece=piece: draw_piece(
                title, build_manifest(title), piece, style, graph
            ),
            loaded,
            piece,
            style,
        )
        assert product_for(profile, scene) is not None, (piece.key, scene.width_mm, scene.height_mm)


@pytest.mark.parametrize("profile", profile_ids())
def test_the_sources_of_every_profile_are_dated(profile: str) -> None:
    date.fromisoformat(load_profile(profile).read)


def test_every_picture_has_room_for_its_bleed() -> None:
    png = load_profile("thegamecrafter").limits.png
    assert png is not None
    for size in png.sizes:
        for pixels, trim in zip((size.width_px, size.height_px), size.trim_mm, strict=True):
            assert pixels / png.dpi * 25.4 >= trim + 2 * png.bleed_mm - 0.01, size.id


def test_schema_and_model_name_the_same_limits() -> None:
    assert set(LIMITS) - {"$comment"} == {*Limits.__struct_fields__}
    assert tuple(LIMITS["colours"]["items"]["enum"]) == COLOURS


def test_a_profile_by_its_path(tmp_path: Path) -> None:
    raw = {
        "id": "mine",
        "name": "Mine",
        "about": "A press.",
        "source": "The printer's letter.",
        "limits": {},
    }
    raw["limits"] = {"colours": ["cmyk"], "allows": [], "page_sizes_mm": [[63, 88]], "spots": []}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    limits = load_profile(path).limits
    assert limits == Limits(colours=("cmyk",), allows=(), page_sizes_mm=((63.0, 88.0),), spots=())


def test_an_unknown_profile_has_a_hint() -> None:
    (problem,) = refused(load_profile, "drivethrucard")
    assert problem.code == "PR01"
    assert 'did you mean "drivethrucards"?' in problem.hint


def test_a_slip_in_a_profile_is_located(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(
        '{"id": "mine",\n"name": "Mine", "about": "x", "source": "x",\n"limits": {"colors": []}}',
        "utf-8",
    )
    assert {(problem.code, problem.line) for problem in refused(load_profile, path)} >= {
        ("SC02", 3)
    }


def test_the_offset_profile_lays_every_grid_out_with_its_whole_bleed():
    layouts = dict(load_profile("offset").options["layouts"])
    for document in standard_plan():
        first = next(iter(document.layouts.values()))
        if first.arrange in ("grid", "gang", "rows", "nest"):
            layout = document.layouts[layouts[document.stem]]
            assert layout.bleed_mm >= load_profile("offset").limits.bleed_mm, document.stem
            assert layout.gaps_mm[0] >= 2 * layout.bleed_mm, document.stem
