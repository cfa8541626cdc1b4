"""`platelayer atlas new` as a player calls it: files, report, refusals; and what a map takes,
worked out by hand."""

from __future__ import annotations

import io
import json
import math
import re
import shutil
from io import BytesIO
from pathlib import Path
from subprocess import run

import pikepdf
import pytest
from msgspec.structs import replace

from gate import require_module
from often import crossed
from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.lines import load_log, log_of
from platelayer.atlas.make import AtlasOptions, atlas_new, make_map
from platelayer.atlas.measures import Surveyor, measure
from platelayer.atlas.poster import draw_atlas_poster
from platelayer.atlas.report import again_command, board_size_mm, companies_in_play
from platelayer.definitions.build import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.resources import title_path
from platelayer.model.map_tiles import AtlasLog, Axial, TileDraw
from platelayer.render.png import render_png
from platelayer.render.scenes import qr_modules
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Item, Scene
from platelayer.scene.shapes import Path as ShapePath
from refusals import refused
from shipped import shipped

BOX = shipped_box()


def test_the_same_seed_gives_the_same_bytes(platelayer, tmp_path: Path) -> None:
    words = ("--mode", "micro2", "--seed", 5, "--policy", "best", "--no-png")
    for folder in ("a", "b"):
        assert platelayer("atlas", "new", *words, "-o", folder).returncode == 0
    one, other = (
        {each.name: each.read_bytes() for each in (tmp_path / folder).iterdir()}
        for folder in ("a", "b")
    )
    assert len(one) == 9
    assert one == other


def test_a_seed_is_thought_of_and_told(platelayer, tmp_path: Path) -> None:
    done = platelayer("atlas", "new", "--mode", "micro2", "--no-draw", "-o", "one")
    told = re.search(r"Again: +platelayer (.*)", done.stdout)
    assert told is not None
    again = platelayer(*told[1].split(), "--no-draw", "-o", "two")
    assert again.returncode == 0
    one, two = (
        json.loads((tmp_path / name / "atlas.json").read_text("utf-8")) for name in ("one", "two")
    )
    assert one == two


def test_the_code_on_a_map_opens_it_in_the_browser_edition(
    platelayer, monkeypatch, tmp_path: Path
) -> None:
    said: list[str] = []
    monkeypatch.setattr("platelayer.atlas.files.qr_modules", lambda text: said.append(text) or ())
    page = "https://example.org/platelayer/"
    options = AtlasOptions(mode="micro2", seed=5, png=False)
    atlas_new(tmp_path / "one", options)
    code = atlas_new(tmp_path / "two", replace(options, page=page)).code
    assert said == [
        "platelayer atlas new --mode micro2 --seed 5 --policy compact",
        f"{page}#table={code}",
    ]
    for words in (
        ("--page", "example.org"),
        ("--page", "https://a/#b"),
    ):
        done = platelayer("atlas", "new", "--mode", "micro2", *words, "-o", "no")
        assert done.returncode == 2
        assert "page: " in done.stderr


def test_blanks_can_be_limited(platelayer, tmp_path: Path) -> None:
    words = ["--mode", "long", "--policy", "uniform", "--seed", 2, "--blanks", 3]
    done = platelayer("atlas", "new", *words, "--no-draw", "-o", ".")
    assert "3 blanks (12 in the box)" in done.stdout
    assert "--blanks 3" in done.stdout
    assert check_log(BOX, load_log(tmp_path / "atlas.json").log) == ()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--mode", "long", "--players", "2"],
            "mode long is for 3 to 5 players; for 2 use short or micro2",
        ),
        (["--mode", "micro2", "--players", "9"], "mode micro2 is for 2 players"),
        ([], "--mode"),
    ],
)
def test_what_makes_no_sense_is_refused(
    platelayer, tmp_path: Path, words: list[str], told: str
) -> None:
    done = platelayer("atlas", "new", *words, "-o", "out")
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_paper_that_there_is_not_writes_nothing(platelayer, tmp_path: Path) -> None:
    for paper, code in (("a44", "SH02"), ("100x100mm", "SH01")):
        done = platelayer(
            "atlas", "new", "--mode", "micro2", "--paper", paper, "--no-png", "-o", "out"
        )
        assert (done.returncode, code in done.stderr) == (1, True), done.stderr
        assert not (tmp_path / "out").exists()


def test_a_map_is_written_in_every_form(platelayer, tmp_path: Path) -> None:
    done = platelayer("atlas", "new", "--mode", "micro2", "--seed", 7, "-o", "out")
    assert done.returncode == 0, done.stderr
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert set(files) == {
        *(
            "atlas.json",
            "map.svg",
            "map.png",
            "map.pdf",
            "map-tiled.pdf",
            "guide.pdf",
            "guide.html",
            "blind.html",
            "report.txt",
        ),
        ".platelayer-files",
    }
    assert files["map.png"].startswith(b"\x89PNG")
    assert files["map.svg"].startswith(b"<?xml")
    assert b"</svg>" in files["map.svg"]
    log = load_log(tmp_path / "out/atlas.json").log
    width, height = board_size_mm(log, 40.0)
    pages = {
        name: boxes(tmp_path / "out" / name) for name in ("map.pdf", "map-tiled.pdf", "guide.pdf")
    }
    (poster,) = pages["map.pdf"]
    assert poster[0] > width  # one sheet with all of the map
    assert poster[1] > height
    assert {frozenset(page) for page in pages["map-tiled.pdf"]} == {frozenset((210, 297))}
    assert len(pages["map-tiled.pdf"]) > 1
    # Pages to join overlap: together they hold more than the poster.
    assert sum(w * h for w, h in pages["map-tiled.pdf"]) > poster[0] * poster[1]
    assert pages["guide.pdf"] == [(210, 297)] * 3  # what to prepare, steps, homes compared
    assert "Agricultural" in done.stdout or "Resourceful" in done.stdout  # seed 7 lays map tile 4


def test_a_map_says_that_its_png_is_left_out(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platelayer.render.png.png_painter", lambda: "")
    made = atlas_new(tmp_path, AtlasOptions(mode="micro2", seed=3))
    assert {path.name for path in made.files} >= {"map.svg", "map.pdf"}
    assert not (tmp_path / "map.png").exists()
    (problem,) = [problem for problem in made.problems if problem.code == "FI02"]
    assert "map.png is left out: PNG needs PDFium or cairo" in problem.message


def test_a_new_map_takes_the_place_of_an_earlier_one(platelayer, tmp_path: Path) -> None:
    """What the earlier one left is removed, as far as it is as it was written; what else lies there
    stays."""
    out = tmp_path / "out"
    assert (
        platelayer(
            "atlas", "new", "--mode", "micro2", "--seed", 7, "--no-png", "-o", "out"
        ).returncode
        == 0
    )
    own = {"notes.txt": b"mine", "map.jpg": b"mine", "map.pdf": b"signed by hand"}
    for name, data in own.items():
        (out / name).write_bytes(data)
    assert (
        platelayer(
            "atlas", "new", "--mode", "micro2", "--seed", 8, "--no-draw", "-o", "out"
        ).returncode
        == 0
    )
    assert {path.name for path in out.iterdir()} == {*own, "atlas.json", ".platelayer-files"}
    assert {name: (out / name).read_bytes() for name in own} == own
    assert load_log(out / "atlas.json").log.seed == 8


def test_a_map_leaves_a_print_in_its_folder_alone(platelayer, tmp_path: Path) -> None:
    assert platelayer("build", "18eu", "--only", "train", "-o", ".").returncode == 0
    printed = {path.name: path.read_bytes() for path in (tmp_path / "18eu").iterdir()}
    for seed in (7, 8):
        words = ("--mode", "micro2", "--seed", seed, "--no-draw", "-o", "18eu")
        assert platelayer("atlas", "new", *words).returncode == 0
    left = {path.name: path.read_bytes() for path in (tmp_path / "18eu").iterdir()}
    assert left == printed | {name: left[name] for name in ("atlas.json", ".platelayer-files")}


def boxes(path: Path) -> list[tuple[int, int]]:
    """Width and height of every page of a PDF in whole mm."""
    with pikepdf.open(path) as pdf:
        sizes = [[float(side) for side in page.mediabox] for page in pdf.pages]
    return [
        (round((x1 - x0) / 72 * 25.4), round((y1 - y0) / 72 * 25.4)) for x0, y0, x1, y1 in sizes
    ]


def in_french(folder: Path) -> Path:
    """A copy of the title with long French names."""
    shutil.copytree(title_path("lost-atlas"), folder)
    for file, block in (("title.json", "name"), ("companies.json", "companies")):
        value = json.loads((folder / file).read_text("utf-8"))
        if block == "name":
            value["name"]["fr"] = (
                "Les chemins de fer de l'Atlas perdu, ou la conquête des voies du Nord et du Sud"
            )
        else:
            for number, company in enumerate(value["companies"].values()):
                french = (
                    "Compagnie des wagons-lits et des grands express",
                    "Chemin de fer d'Ångström à Œuilly",
                )
                company["name"] = {"en": company["name"]["en"], "fr": french[number % 2]}
        (folder / file).write_text(json.dumps(value), "utf-8")
    return folder


@pytest.mark.parametrize("mode", ["micro2", "long"])
def test_a_map_in_another_language_of_the_title(platelayer, tmp_path: Path, mode: str) -> None:
    title = in_french(tmp_path / "atlas")
    given = ("--title", title, "--mode", mode, "--seed", 5, "--no-png", "-o", "out")
    done = platelayer("atlas", "new", *given, "--lang", "fr")
    assert "GL02" in done.stderr
    assert "warning LG10" in done.stderr
    report = (tmp_path / "out/report.txt").read_text("utf-8")
    assert "Ångström" in report
    assert "Companies:" in report
    assert not re.search("[ぁ-んァ-ヶ一-龠]", report), report


def test_the_report_is_kept_beside_the_map_in_the_same_words(platelayer, tmp_path: Path) -> None:
    done = platelayer("atlas", "new", "--mode", "short", "--seed", 12, "--no-png", "-o", "out")
    report = (tmp_path / "out/report.txt").read_text("utf-8")
    assert done.stdout.endswith(report)
    assert done.stdout.removesuffix(report).split() == [
        f"out/{name}"
        for name in (
            "atlas.json",
            "map.svg",
            "map.pdf",
            "map-tiled.pdf",
            "guide.pdf",
            "guide.html",
            "blind.html",
            "report.txt",
        )
    ]
    log = load_log(tmp_path / "out/atlas.json").log
    assert check_log(BOX, log) == ()
    width, height = board_size_mm(log, 40.0)
    for words in (
        "25 map tiles, 2 capitals",
        "mode short, seed 12, policy compact",
        f"{width} x {height} mm with hexes of 40 mm",
        "Agricultural, Expansive, Eastern Mining, Express, Northern Port, Resourceful, Suburban, Tunneling (8 minors)",
        "2 columns (4 + 4)",
        "450 with 2 players, 300 with 3 players, 275 with 4 players; 4 cycles",
        "6 x 2, 5 x 3, 3 x 4, 2 x 5, 1 x 6, 7 x 7",
        "platelayer atlas new --mode short --seed 12 --policy compact",
    ):
        assert words in report
    homes = Surveyor(shipped_box()).subject(log).homes_by_company
    assert f"Fairness:  {dict(log.metrics)['fairness']:.1f} of 100\n" in report
    most = max(each.worth for each in homes.values())
    bars = dict(re.findall(r"^ {11}[A-Z].*? +([0-9]+)  (#+)$", report, re.MULTILINE))
    assert {int(worth): len(bar) for worth, bar in bars.items()} == {
        each.worth: round(40 * each.worth / most) for each in homes.values()
    }
    assert len(re.findall(r"#$", report, re.MULTILINE)) == len(homes) == 8


def test_a_map_that_breaks_the_rules_is_never_written(monkeypatch, tmp_path: Path) -> None:
    """Were the assembler wrong, the independent check would stop the map."""

    def wrong(box, mode, **asked) -> AtlasLog:
        log = assemble(box, mode, **asked)
        last = log.placed[-1]
        moved = replace(last, at=Axial(last.at.q + 40, last.at.r))
        return replace(log, draws=tuple(moved if draw is last else draw for draw in log.draws))

    monkeypatch.setattr("platelayer.atlas.make.assemble", wrong)
    problems = refused(
        atlas_new, tmp_path / "out", AtlasOptions(mode="micro2", seed=1, drawn=False)
    )
    assert {problem.code[:2] for problem in problems} == {"AT"}
    assert all("mode micro2, seed 1, policy compact" in problem.hint for problem in problems)
    assert not (tmp_path / "out").exists()


def a_log(*draws: TileDraw, blanks: tuple[Axial, ...] = ()) -> AtlasLog:
    return AtlasLog(
        mode="long", seed=None, policy="hand", algorithm="hand", draws=draws, blanks=blanks
    )


def test_room_on_the_table_by_hand() -> None:
    """A tile of three hexes of 40 mm: two columns, of which one holds two hexes; a side is 40 /
    root 3 = 23.1 mm."""
    tile = TileDraw(draw=1, tile=12, copy=1, at=Axial(0, 0), rotation=0, alternatives=1)
    assert board_size_mm(a_log(tile), 40.0) == (math.ceil(3.5 * 40 / math.sqrt(3)), 80)
    # A blank north of hex 1 makes it three hexes high, one to its north-west a column wider and no
    # higher.
    assert board_size_mm(a_log(tile, blanks=(Axial(0, -1),)), 40.0) == (81, 120)
    assert board_size_mm(a_log(tile, blanks=(Axial(-1, 0),)), 40.0) == (
        math.ceil(5 * 40 / math.sqrt(3)),
        100,
    )
    assert board_size_mm(a_log(), 40.0) == (0, 0)


def test_companies_in_play() -> None:
    """Long: all twelve. Short: not Adaptive, Overnight, Bridging, Spacious. Micro: as many as the
    columns offer, and Adaptive exactly when map tile 21 is in the stack."""
    for mode in BOX.modes:
        seen = set()
        for seed in range(30):
            log = assemble(BOX, mode.id, seed=seed)
            companies = companies_in_play(BOX, mode, log)
            assert len(companies) == sum(mode.columns)
            if mode.stacks:
                assert ("AD" in companies) == (21 in {draw.tile for draw in log.placed})
            seen |= set(companies)
        assert len(seen) == (8 if mode.id == "short" else 12)
        assert not seen & set(mode.absent)


# The gallery of maps in the docs: its codes, links and figures


DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(
    r"^\| \[.*?\]\(.*?#atlas=(\w+)\) \| (\w+) \| `.*?` \| ([\d.]+) \| (\d+) \| (.*?) \| ([\d.]+) \|",
    re.M,
)


@pytest.mark.parametrize("page", ["atlas-gallery.md", "ja/atlas-gallery.md"])
def test_maps_are_what_the_page_says(page: str) -> None:
    text, box = (DOCS / page).read_text("utf-8"), shipped_box()
    rows = ROW.findall(text)
    assert len(rows) == 8
    for code, mode, fairness, hexes, table, apart in rows:
        log = log_of(box, code)
        assert not check_log(box, log)
        assert (log.mode, f"`{code}`" in text) == (mode, True)
        values = measure(box, log)
        sides = f"{values['table_short_mm']:.0f} x {values['table_long_mm']:.0f}"
        assert (hexes, table) == (f"{values['hexes']}", sides)
        assert (fairness, apart) == (
            f"{values['fairness']:.1f}",
            f"{values['home_distance_mean']:.1f}",
        ), "renew the page: docs/atlas_gallery.py"
    for picture in re.findall(r"\]\(([./]*pictures/.*?)\)", text):
        assert (DOCS / page).parent.joinpath(picture).is_file()


# Sealed guides for several tables of a tournament


OPTIONS = {"mode": "micro2", "seed": 9081726354, "png": False}


def pages_of(data: bytes) -> list[str]:
    """The text of each page."""
    found = run(["pdftotext", "-", "-"], input=data, capture_output=True, check=True).stdout
    return found.decode().split("\f")[:-1]


def test_each_table_has_its_own_sheets_and_covers_keep_the_map_secret() -> None:
    made = make_map(AtlasOptions(**OPTIONS, tables=3))
    pages = pages_of(made.files["tables.pdf"])
    guide = pages_of(made.files["guide.pdf"])
    each = 1 + len(guide) + (len(guide) + 1) % 2
    assert each % 2 == 0
    assert len(pages) == 3 * each
    for table in range(3):
        cover, *inside = pages[table * each : (table + 1) * each]
        assert f"TABLE {table + 1}" in cover.upper()
        assert str(OPTIONS["seed"]) not in cover
        assert made.code not in cover.replace("\n", "")
        assert str(OPTIONS["seed"]) in inside[0]
    # The guide is in the file once.
    with pikepdf.open(io.BytesIO(made.files["tables.pdf"])) as pdf:
        forms = [
            each
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"
        ]
    assert len(forms) < 3 + 2 * len(guide) + 2


@pytest.mark.parametrize(("players", "seats"), [(None, 4), (3, 3)])
def test_a_slip_has_a_line_for_each_player(players: int | None, seats: int) -> None:
    options = OPTIONS | {"mode": "short"}
    made = make_map(AtlasOptions(**options, tables=1, players=players))
    cover = pages_of(made.files["tables.pdf"])[0]
    lines = cover.partition("Rank")[2].partition("Start")[0].split()
    assert lines == [str(seat) for seat in range(1, seats + 1)]


def test_without_tables_there_is_no_such_file() -> None:
    assert "tables.pdf" not in make_map(AtlasOptions(**OPTIONS)).files


# The QR code on the poster of a map says how to make the map again


def module_mm(size: int) -> float:
    """22 mm for the code, unless its modules would be too small for a camera."""
    return max(22.0 / size, 0.45)


def painted(scene: Scene, size: int) -> list[Group]:
    """Groups that hold a white square with a quiet zone for a code of this size, and one black
    path."""

    def within(items: tuple[Item, ...]) -> list[Group]:
        groups = [each for each in items if isinstance(each, Group)]
        return [each for group in groups for each in (group, *within(group.items))]

    side = pytest.approx((size + 8) * module_mm(size))
    return [
        group
        for group in within(scene.items)
        if len(group.items) == 2
        and all(isinstance(each, ShapePath) for each in group.items)
        and max(command[1] for command in group.items[0].commands if len(command) > 1) == side
    ]


@pytest.mark.parametrize(("theme", "longer"), [("classic", ""), ("low-ink", 120 * "a")])
def test_the_poster_shows_the_code_as_it_is(theme, longer):
    title = shipped("lost-atlas")
    style = Style(theme=load_theme(theme))
    log = assemble(shipped_box(), "micro2", seed=5)
    modules = qr_modules(again_command(log) + longer)
    poster = draw_atlas_poster(title, log, style, code=modules)
    assert [str(problem) for problem in check_legibility(poster)] == []
    (group,) = painted(poster, len(modules))
    light, dark = group.items
    assert (light.fill, dark.fill) == (style.ink("white"), style.ink("black"))
    corners = [command[1:] for command in dark.commands if len(command) > 1]
    seen = [[False] * len(modules) for _ in modules]
    for k in range(0, len(corners), 4):
        columns, rows = (
            [round(each[axis] / module_mm(len(modules))) - 4 for each in corners[k : k + 4]]
            for axis in (0, 1)
        )
        for row in range(min(rows), max(rows)):
            for column in range(min(columns), max(columns)):
                seen[row][column] = True
    assert tuple(map(tuple, seen)) == modules


def test_a_map_typed_in_by_hand_has_no_code():
    log = replace(assemble(shipped_box(), "micro2", seed=5), seed=None)
    poster = draw_atlas_poster(shipped("lost-atlas"), log, Style(theme=load_theme("classic")))
    assert painted(poster, 33) == painted(poster, 37) == []


@pytest.mark.parametrize(
    ("dpi", "mode", "seed"), crossed([150, 100], [("micro2", 7), ("long", 2**53 - 1)])
)
def test_the_code_is_read_from_a_picture(mode, seed, dpi):
    """As a phone reads it from a screen: from the whole poster."""
    import numpy as np
    from PIL import Image

    zxingcpp = require_module("zxingcpp", "dev")

    log = replace(assemble(shipped_box(), mode, seed=7), seed=seed)
    assert again_command(log).startswith(f"platelayer atlas new --mode {mode} --seed {seed}")
    poster = draw_atlas_poster(
        shipped("lost-atlas"),
        log,
        Style(theme=load_theme("classic")),
        code=qr_modules(again_command(log)),
    )
    picture = np.array(Image.open(BytesIO(render_png(poster, dpi=dpi))).convert("L"))
    assert [each.text for each in zxingcpp.read_barcodes(picture)] == [again_command(log)]
