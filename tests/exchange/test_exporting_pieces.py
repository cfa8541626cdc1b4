"""The command export: names of files, sprites, tables, tile strings, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from platelayer.cli.app import cli
from platelayer.exchange.export import FORMATS, ExportOptions, export_text, export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.writers.pictures import FIELDS, check_names, check_pattern, file_name
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.tiling import grids
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check, read_manifest


def export(
    title: str, form: str, folder: Path, *pieces: str, language: str = "en", **options: object
) -> list[str]:
    build = BuildOptions(pieces=pieces, language=language)
    export_title(title, form, folder, build, ExportOptions(**options))
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def opened(path: Path) -> Image.Image:
    return Image.open(io.BytesIO(path.read_bytes()))


def test_a_file_for_each_face(tmp_path: Path) -> None:
    names = export(
        "18eu", "files", tmp_path, "tile:57", "checklist", kinds=("png", "svg", "pdf"), dpi=50
    )
    stems = (
        "checklist-checklist-front",
        "checklist-checklist-front-2",
        "tile-57-back",
        "tile-57-front",
    )
    assert names == sorted(f"{stem}.{kind}" for stem in stems for kind in ("png", "svg", "pdf"))
    tile = opened(tmp_path / "tile-57-front.png")
    assert tile.size == (87, 75)  # 44.0 x 38.1 mm at 50 dpi
    assert tile.getpixel((0, 0))[3] == 0
    assert tile.getpixel((43, 37))[3] == 255
    assert opened(tmp_path / "checklist-checklist-front.png").mode == "RGB"


def test_names_by_a_pattern(tmp_path: Path) -> None:
    pattern = "{title}/{group}/{name} {face} ({count}, {language})"
    names = export(
        "18cz", "files", tmp_path, "train:a", "charter:MW", name=pattern, language="ja", dpi=20
    )
    assert names == [
        "18cz/major/モラヴィア西部鉄道 back (1, ja).png",
        "18cz/major/モラヴィア西部鉄道 front (1, ja).png",
        "18cz/train/2 back (5, ja).png",
        "18cz/train/2 front (5, ja).png",
    ]


def test_characters_that_no_system_takes() -> None:
    fields = {"kind": "tile", "id": 'a/b\\c:d*e?"<f>|', "face": "front"}
    assert file_name("{kind}/{id}-{face}", fields) == "tile/a_b_c_d_e___f__-front"
    assert file_name("{id}", {"id": "con"}) == "_con"
    assert file_name("{id}", {"id": "x. "}) == "x"
    assert file_name("{id}", {"id": "グ"}) == "グ"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("{kid}", 'did you mean "kind"'),
        ("{zzz}", "fields are title, kind"),
        ("{id", "is not a pattern"),
        ("tile", "has no field"),
        ("{id:>5}", "only its name in braces"),
        ("../{id}", "leads out"),
        ("/{id}", "leads out"),
        ("{id.__class__}", "no field"),
        ("{}", "no field"),
    ],
)
def test_patterns_that_are_refused(pattern: str, words: str) -> None:
    with pytest.raises(CannotRun, match=words):
        check_pattern(pattern)


def test_names_that_clash_or_are_too_long() -> None:
    with pytest.raises(
        CannotRun, match="tile:8 front and tile:9 front would have the same name, TILE"
    ):
        check_names([("tile", "tile:8 front"), ("TILE", "tile:9 front")])
    with pytest.raises(CannotRun, match="more than 240 bytes"):
        check_names([("鉄" * 90, "tile:8 front")])


def test_nothing_is_written_when_names_clash(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="would have the same name"):
        export("18eu", "files", tmp_path / "new", "tile", name="{kind}")
    assert not (tmp_path / "new").exists()


def test_sprites_lie_where_the_atlas_says(tmp_path: Path) -> None:
    assert export("18eu", "sprites", tmp_path, "tile", "token:BNR", dpi=60) == [
        "tile.json", "tile.png", "token.json", "token.png",
    ]  # fmt: skip
    atlas = json.loads((tmp_path / "tile.json").read_text(encoding="utf-8"))
    sheet = opened(tmp_path / "tile.png")
    assert sheet.size == (atlas["meta"]["size"]["w"], atlas["meta"]["size"]["h"])
    tiles = [piece for piece in read_manifest("18eu").pieces if piece.kind == "tile"]
    assert len(atlas["frames"]) == 2 * len(tiles)
    assert {
        name: each["count"] for name, each in atlas["frames"].items() if name.endswith("front")
    } == {f"tile-{piece.id}-front": piece.count for piece in tiles}
    seen = set()
    for each in atlas["frames"].values():
        x, y, w, h = (each["frame"][key] for key in "xywh")
        seen.add((x, y))
        assert sheet.getpixel((x + w // 2, y + h // 2))[3] == 255
        assert sheet.getpixel((x, y))[3] == 0
    assert len(seen) == len(atlas["frames"])


def test_sheets_are_shared_out() -> None:
    sheets = grids(75, (100, 100), (10, 7), 4096)
    assert [(each.columns, each.rows) for each in sheets] == [(10, 7), (5, 1)]
    assert [(each.columns, each.rows) for each in grids(7, (1748, 1240), (10, 7), 4096)] == [
        (2, 3),
        (1, 1),
    ]
    assert grids(0, (10, 10), (10, 7), 4096) == ()


def test_the_table_is_the_manifest(tmp_path: Path) -> None:
    export("18cz", "csv", tmp_path, language="ja")
    rows = list(
        csv.DictReader(io.StringIO((tmp_path / "18cz-pieces.csv").read_text(encoding="utf-8-sig")))
    )
    pieces = read_manifest("18cz").pieces
    assert [(row["kind"], row["id"], int(row["count"])) for row in rows] == [
        (p.kind, p.id, p.count) for p in pieces
    ]
    tile = next(row for row in rows if row["id"] == "57")
    assert (tile["shape"], tile["width_mm"], tile["group"], tile["back"]) == (
        "hexagon",
        "38.1",
        "yellow",
        "plain",
    )
    assert next(row for row in rows if row["kind"] == "map")["width_mm"] == ""
    assert any(ord(char) > 0x3040 for row in rows for char in row["name"])


def test_tile_strings_are_imported_again(tmp_path: Path) -> None:
    names = export("lost-atlas", "tile-strings", tmp_path / "out")
    assert names == ["lost-atlas-map-tiles.txt", "lost-atlas-tiles.txt"]
    import_title(tmp_path / "out" / "lost-atlas-tiles.txt", tmp_path / "again")
    assert [
        str(each) for each in check(str(tmp_path / "again")) if each.severity.word == "error"
    ] == []
    counts = {
        piece.id: piece.count
        for piece in read_manifest(str(tmp_path / "again")).pieces
        if piece.kind == "tile"
    }
    assert counts == {
        piece.id: piece.count
        for piece in read_manifest("lost-atlas").pieces
        if piece.kind == "tile"
    }
    lines = (tmp_path / "out" / "lost-atlas-map-tiles.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3 * len(
        [p for p in read_manifest("lost-atlas").pieces if p.kind == "map-tile"]
    )


def test_one_tile_string_on_standard_output() -> None:
    assert export_text("18eu", "tile-strings", BuildOptions(pieces=("tile:57",))) == (
        "city=revenue:20;path=a:0,b:_0;path=a:3,b:_0"
    )
    run = CliRunner().invoke(cli, ["export", "18eu", "--to", "csv", "--only", "tile:57"])
    assert run.output.splitlines()[1] == "tile,57,57,yellow,8,hexagon,38.1,38.1,plain"


@pytest.mark.parametrize(
    ("form", "options", "words"),
    [
        ("csvv", {}, 'did you mean "csv"'),
        ("18xx", {}, "formats are 18xx-games"),
        ("csv", {"dpi": 100}, "dpi does nothing for csv"),
        ("sprites", {"kinds": ("svg",)}, "kinds does nothing for sprites; it is for files"),
        ("files", {"base_url": "https://x.org"}, "base_url does nothing for files"),
    ],
)
def test_what_is_refused(form: str, options: dict[str, object], words: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=words):
        export("18eu", form, tmp_path, **options)


def test_the_page_speaks_of_every_format_and_field() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "exporting.md").read_text(
        encoding="utf-8"
    )
    assert [form for form in FORMATS if f"\n## {form}\n" not in page] == []
    assert [field for field in FIELDS if f"| `{{{field}}}` |" not in page] == []
    told = CliRunner().invoke(cli, ["export", "--help"]).output
    assert [form for form in FORMATS if form not in told] == []


def test_choices_of_pieces(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=r'only: 18eu has no piece .*did you mean "tile:57"'):
        export("18eu", "csv", tmp_path, "tiel:57")
    with pytest.raises(CannotRun, match=r"the whole title: pieces"):
        export("18eu", "18xx-games", tmp_path, "tile")
    with pytest.raises(CannotRun, match="only pieces of the kinds tile, map and map-tile"):
        export_text("18eu", "tile-strings", BuildOptions(pieces=("train",)))
    with pytest.raises(CannotRun, match="name a folder"):
        export_text("18eu", "board18", BuildOptions())
