"""Game boxes of Board18: what its loader checks, what its page reads, and tiles that lie on the
hexes of the map."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pytest
from PIL import Image

from often import often
from platelayer.exchange.writers.board18 import box_files, plain_words
from platelayer.exchange.writers.pictures import chosen
from platelayer.foundation.problems import CannotRun
from platelayer.model.gamemap import Layout
from platelayer.pipeline.job import BuildOptions
from shipped import shipped

BOXES = ("18eu", "18cz", "1824", "1841", "lost-atlas atlas=short,compact,7")


@pytest.fixture(name="box", scope="module", params=often(BOXES, BOXES[0]))
def _box(request: pytest.FixtureRequest) -> tuple[str, str, zipfile.ZipFile]:
    ((name, data),) = files_of(request.param).items()
    return request.param, name, zipfile.ZipFile(io.BytesIO(data))


def files_of(box: str) -> dict[str, bytes]:
    title, _, variant = box.partition(" ")
    return box_files(chosen(title, BuildOptions(variant=variant or None)))


def control(box: tuple[str, str, zipfile.ZipFile]) -> dict[str, Any]:
    _, name, archive = box
    folder = name.removesuffix(".zip")
    return json.loads(archive.read(f"{folder}/{folder[8:]}.json"))


def picture(box: tuple[str, str, zipfile.ZipFile], place: str) -> Image.Image:
    """A picture at the address that it has once the loader has moved the folder of pictures to
    images/."""
    folder = box[1].removesuffix(".zip")
    return Image.open(io.BytesIO(box[2].read(f"{folder}/{place.removeprefix('images/')}")))


def test_the_loader_takes_it(box: tuple[str, str, zipfile.ZipFile]) -> None:
    """`doLoad` in loadGameBox.php: an archive *.zip; one folder board18-NAME; in it NAME.json, with
    bname, version and author, and a folder NAME. The text of the file goes into SQL between single
    quotes."""
    _, name, archive = box
    assert name.index(".zip") > 0
    folder = "board18" + name[7 : name.index(".zip")]
    short = folder[8:]
    assert folder[:7].lower() == "board18"
    assert {each.split("/")[0] for each in archive.namelist()} == {folder}
    assert any(each.startswith(f"{folder}/{short}/") for each in archive.namelist())
    text = archive.read(f"{folder}/{short}.json").decode()
    assert "'" not in text
    assert "\\" not in text
    value = json.loads(text)
    for key in ("bname", "version", "author"):
        assert value[key]
        assert not re.search(r"[+&=~]", value[key])


def test_the_page_finds_everything(box: tuple[str, str, zipfile.ZipFile]) -> None:
    """`loadBox` and `makeTrays` in board18Map2.js, the constructors in board18Map1.js and
    board18Market1.js: numbers are whole, every picture is there, everything on a sheet is within
    it, and trays of the market come last."""
    value = control(box)
    assert value["board"]["orientation"] in ("F", "P")
    for key in ("board", "market"):
        place = value[key]
        assert picture(box, place["imgLoc"]).size == (place["imgWdth"], place["imgHght"])
        assert all(isinstance(place[name], int) for name in ("xStart", "xStep", "yStart", "yStep"))
    kinds = [tray["type"] for tray in value["tray"]]
    assert kinds == sorted(kinds, key=("tile", "btok", "mtok").index)
    for tray in value["tray"]:
        sheet = picture(box, tray["imgLoc"])
        x, y, across, down = tray["xStart"], tray["yStart"], tray["xStep"], tray["yStep"]
        assert tray["xSize"] <= 116
        pieces = tray["tile"] if tray["type"] == "tile" else tray["token"]
        for index, piece in enumerate(pieces):
            assert piece["dups"] > 0
            places = (
                [(x + index * across, y + turn * down) for turn in range(piece["rots"])]
                if tray["type"] == "tile"
                else [(x + side * across, y + index * down) for side in range(1 + piece["flip"])]
            )
            for left, top in places:
                cell = sheet.crop((left, top, left + tray["xSize"], top + tray["ySize"]))
                assert left + tray["xSize"] <= sheet.width
                assert top + tray["ySize"] <= sheet.height
                assert cell.getpixel((tray["xSize"] // 2, tray["ySize"] // 2))[3] == 255
                assert cell.getpixel((0, 0))[3] == 0


def test_tiles_are_all_there(box: tuple[str, str, zipfile.ZipFile]) -> None:
    title = shipped(*box[0].split())
    trays = [tray for tray in control(box)["tray"] if tray["type"] == "tile"]
    assert sum(tile["dups"] for tray in trays for tile in tray["tile"]) == sum(
        each.count for each in title.tiles
    )
    assert sum(len(tray["tile"]) for tray in trays) == len(title.tiles)
    tokens = [
        token for tray in control(box)["tray"] if tray["type"] == "btok" for token in tray["token"]
    ]
    companies = [each for each in title.companies if each.has_charter]
    stations = sum(
        len(each.stations) + bool(each.destination and each.destination.token) for each in companies
    )
    assert sum(token["dups"] for token in tokens) == stations + sum(
        each.count for each in title.pieces.markers
    )


def test_hexes_lie_where_board18_looks_for_them(box: tuple[str, str, zipfile.ZipFile]) -> None:
    """`hexCoord` and `BoardTile.place`: column and row are both even or both odd, and a tile that
    is laid there covers its hex: the rim of each red or blue hex is its colour just inside and
    another just outside."""
    gamemap = shipped(*box[0].split()).maps[0]
    board = control(box)["board"]
    assert board["orientation"] == ("F" if gamemap.layout is Layout.FLAT else "P")
    image = picture(box, board["imgLoc"]).convert("RGB")
    wide, high = (116, 100) if board["orientation"] == "F" else (100, 116)
    left, top = min(each.at.x for each in gamemap.hexes), min(each.at.y for each in gamemap.hexes)
    first = gamemap.hexes[0].at
    left -= (first.x - left + first.y - top) % 2
    coloured = 0
    for hexagon in gamemap.hexes:
        bx, by = hexagon.at.x - left, hexagon.at.y - top
        assert (bx + by) % 2 == 0
        x, y = board["xStart"] + bx * board["xStep"], board["yStart"] + by * board["yStep"]
        assert min(x, y) >= 0
        assert x + wide <= image.width
        assert y + high <= image.height
        if hexagon.tile.colour == "red" and not hexagon.borders:
            # Within the pale rim at the middle of each flat side.
            inside = [(x + wide // 2, y + 12), (x + wide // 2, y + high - 13)]
            inside = (
                inside
                if board["orientation"] == "F"
                else [(x + 12, y + high // 2), (x + wide - 13, y + high // 2)]
            )
            coloured += sum(image.getpixel(at)[0] - image.getpixel(at)[1] > 60 for at in inside)
    assert coloured >= 2 or not any(
        each.tile.colour == "red" and not each.borders for each in gamemap.hexes
    )


def test_what_board18_cannot_play() -> None:
    with pytest.raises(CannotRun, match=r"has no map.*--atlas"):
        box_files(chosen("lost-atlas", BuildOptions()))
    with pytest.raises(CannotRun, match="add map:main"):
        box_files(chosen("18eu", BuildOptions(pieces=("tile",))))


def test_words_that_board18_stumbles_over() -> None:
    assert plain_words('D\'Arc & "Co" = 1+1~\\x') == "D’Arc ”Co” 1 1 /x"
