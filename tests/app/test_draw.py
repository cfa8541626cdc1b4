"""Pictures of single pieces: what could not be read on one is told, as it would stop a build."""

import json
import shutil

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.draw import draw_string
from platelayer.pipeline.job import BuildOptions


@pytest.fixture
def long_name(tmp_path):
    """The starter with a name that is too long for its smallest cards."""
    folder = shutil.copytree(asset_path("starters", "small"), tmp_path / "long")
    title = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    title["name"] = "W" * 60
    (folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
    return folder


@pytest.fixture
def crowded(tmp_path):
    """The starter with a card that is too small for its words."""
    folder = shutil.copytree(asset_path("starters", "small"), tmp_path / "wide")
    title = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    title["pieces"]["sizes"]["priority-card"] = [20, 12]
    (folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
    return folder


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_what_cannot_be_read_is_told_and_can_be_looked_at(suffix, crowded, platelayer):
    done = platelayer("draw", crowded, "priority-card", "-o", f"card.{suffix}")
    assert done.returncode == 1
    assert "error LG03 priority-card:priority: " in done.stderr
    assert "nothing was" not in done.stderr
    assert done.stdout == f"card.{suffix}\n"
    assert (crowded.parent / f"card.{suffix}").stat().st_size > 1000
    built = platelayer("build", crowded, "--only", "priority-card", "-o", "out")
    assert built.returncode == 1
    told = [line for line in done.stderr.splitlines() if " LG" in line]
    assert set(told) <= set(built.stderr.splitlines())


def test_words_that_are_cut_are_told(long_name, platelayer):
    for done in (
        platelayer("draw", long_name, "number-card:1", "-o", "card.svg"),
        platelayer("build", long_name, "--only", "number-card", "-o", "out"),
    ):
        assert done.returncode == 0
        assert (
            f"warning LG10 number-card:1: there is no room for '{'W' * 60}', which is cut to 'W"
            in done.stderr
        )


def test_the_back_of_a_tile_cuts_the_name_of_its_game(long_name, platelayer):
    done = platelayer("draw", long_name, "tile:57:back", "-o", "back.svg")
    assert done.returncode == 0
    assert "warning LG10 tile:57:back: there is no room for 'WWW" in done.stderr


def test_backs_are_held_to_the_same(crowded, platelayer, tmp_path):
    done = platelayer("draw", crowded, "priority-card:priority:back", "-o", "back.svg")
    assert done.returncode == 1
    assert "error LG03 back:priority-card:" in done.stderr
    assert (tmp_path / "back.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    "piece", ["tile:57", "map", "train:3", "train:3:back", "certificate:BNR-10", "upgrade-chart"]
)
def test_what_can_be_read_is_drawn_without_a_word(piece, platelayer):
    done = platelayer("draw", "18eu", piece, "-o", "piece.svg")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_picture_takes_size_colour_and_cut(platelayer, tmp_path):
    given = ["--color", "cmyk", "--cut", "spot", "--spot-name", "Thru-cut", "--size", "train=poker"]
    done = platelayer("draw", "18eu", "train:3", "-o", "train.pdf", *given)
    assert (done.returncode, done.stderr) == (0, "")
    with pikepdf.open(tmp_path / "train.pdf") as pdf:
        left, low, right, high = (float(side) * 25.4 / 72 for side in pdf.pages[0].obj["/TrimBox"])
        assert (right - left, high - low) == pytest.approx((88, 63), abs=0.01)
        assert "/OutputIntents" in pdf.Root
        names = {
            str(part) for thing in pdf.objects if isinstance(thing, pikepdf.Array) for part in thing
        }
        assert "/Thru-cut" in names or "/Thru#2Dcut" in names
    assert (
        platelayer("draw", "18eu", "train:3", "-o", "x.svg", "--size", "train=nix").returncode == 1
    )


def test_a_picture_in_cmyk_looks_as_it_prints(platelayer, tmp_path):
    """1841's violet has no ink: it comes out duller."""
    for colour in ("rgb", "cmyk"):
        assert (
            platelayer(
                "draw", "1841", "token:SSFL", "-o", f"{colour}.png", "--color", colour
            ).returncode
            == 0
        )
    seen = [Image.open(tmp_path / f"{colour}.png").convert("RGB") for colour in ("rgb", "cmyk")]
    assert seen[0].size == seen[1].size
    assert seen[0].tobytes() != seen[1].tobytes()


def test_cut_lines_of_a_picture(platelayer, tmp_path):
    for cut in ("none", "lines"):
        assert (
            platelayer("draw", "18eu", "train:3", "-o", f"{cut}.svg", "--cut", cut).returncode == 0
        )
    none, lines = ((tmp_path / f"{cut}.svg").read_text("utf-8") for cut in ("none", "lines"))
    assert lines.count("<path") == none.count("<path") + 1


def test_a_tile_string_takes_the_same_options_as_a_tile():
    string = "city=revenue:40;path=a:0,b:_0"
    plain = draw_string(string)
    for options in (
        BuildOptions(cut="lines"),
        BuildOptions(cut="spot", spot_name="Die"),
        BuildOptions(color="cmyk", intent="uncoated"),
    ):
        others = replace(options, cut="marks", intent="coated")
        assert draw_string(string, options).pdf() != draw_string(string, others).pdf()
    rich = BuildOptions(color="cmyk", black="rich")
    assert draw_string(string, rich).options.black == "rich"
    assert b"/Die" in draw_string(string, BuildOptions(cut="spot", spot_name="Die")).pdf()
    assert draw_string(string, BuildOptions(cut="none")).pdf() != plain.pdf()


@pytest.mark.parametrize(
    "option", [{"variant": "x"}, {"money": True}, {"position": "x.json"}, {"numbers": True}]
)
def test_what_only_a_title_has_is_refused_for_a_tile_string(option):
    (name,) = option
    with pytest.raises(CannotRun, match=f"{name}: a tile string has none"):
        draw_string("city=revenue:40", BuildOptions(**option))
