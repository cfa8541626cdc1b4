"""Modules of VASSAL, read as VASSAL's own code reads them (github.com/vassalengine/vassal)."""

from __future__ import annotations

import io
import math
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.exchange.writers.pictures import Choice, File, chosen, painted
from platelayer.exchange.writers.vassal import definition, packed, sequence, vassal_files
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.job import BuildOptions
from shipped import shipped

PREFIX = "VASSAL.build."
GRIDS = f"{PREFIX}module.map.boardPicker.board."


def tokens(value: str, separator: str) -> list[str]:
    """VASSAL/tools/SequenceEncoder.java, Decoder.nextToken until there are no more."""
    found: list[str] = []
    rest: str | None = value
    while rest is not None:
        end = rest.find(separator)
        if end < 0:
            token, rest = rest, None
        else:
            token, begin = "", 0
            while begin < end and rest[end - 1] == "\\":
                token, begin = token + rest[begin : end - 1], end
                end = rest.find(separator, end + 1)
            if end < 0:
                token, rest = token + rest[begin:], None
            else:
                token, rest = token + rest[begin:end], rest[end + 1 :]
        if token.startswith("'") and token.endswith("'"):
            assert len(token) > 1, "String.substring(1, 0) is an exception"
            token = token[1:-1]
        found.append(token)
    return found


class Piece(NamedTuple):
    """A piece as BasicCommandEncoder.createPiece makes it: traits with their states, by their ids,
    and the image, name and gpid of the basic piece."""

    traits: dict[str, list[str]]
    states: dict[str, str]
    image: str
    name: str
    gpid: str


def piece_of(text: str) -> Piece:
    assert text.startswith("+/")
    assert text == text.strip()  # Builder.getText trims
    identifier, kind, state = tokens(text[2:], "/")
    assert identifier == "null"
    traits, states = {}, {}
    while len(parts := tokens(kind, "\t")) > 1:
        (own, kind), (own_state, state) = parts, tokens(state, "\t")
        # Only the separator of the trait itself: Marker separates by commas.
        fields = tokens(own, ";")
        key = fields[0] if fields[0] != "label" else f"label {fields[1]}".strip()
        traits[key], states[key] = fields[1:], own_state
    basic, clone, delete, image, name = tokens(kind, ";")
    assert (basic, clone, delete) == ("piece", "", "")
    place, x, y, gpid, properties = tokens(state, ";")
    assert (place, x, y, properties) == ("null", "0", "0", "0")
    return Piece(traits, states, image, name, gpid)


def check_trait(key: str, fields: list[str], state: str, images: set[str]) -> None:
    """The fields that mySetType and mySetState of a trait read."""
    match key.partition(" ")[0]:
        case "mark":  # Marker
            assert tokens(";".join(fields), ",") == ["PieceLayer"]
            assert state in ("boards", "tiles", "cards", "tokens")
        case "immob":  # Immobilized
            assert fields in (["n", "V"], ["g", "N"])
        case "return":  # ReturnToDeck
            command, key_stroke, _deck, _prompt = fields
            assert command
            stroke(key_stroke)
        case "delete":
            assert fields[0]
            stroke(fields[1])
        case "rotate":  # FreeRotator
            angles, right, left, *commands = fields
            assert int(angles) == 6
            assert stroke(right) != stroke(left)
            assert all(commands[:2])
            assert len(commands) == 6
            assert 0 <= int(state) < 6
        case "obs":  # Obscurable
            assert len(fields) == 7
            stroke(fields[0])
            assert fields[1] in images
            assert fields[3] == "B"
            assert fields[5] == "player:"
            assert tokens(state, ";")[0] == "null"
        case "emb2":  # Embellishment
            assert len(fields) == 31  # with a description and a scale
            assert [tokens(fields[15], ",")[0], *tokens(fields[16], ",")] == ["", "", ""]
            assert tokens(fields[15], ",")[1] in images
            assert (fields[23], fields[24]) == ("1", "1")  # firstLevelValue, version
            assert fields[25] == "true"  # alwaysActive
            stroke(fields[27])  # increaseKeyStroke
            assert int(state) == 1
        case "label":  # Labeler
            assert len(fields) == 17
            assert int(fields[2]) > 0
            assert fields[5] in "tcb"
            assert fields[7] in "lcr"
            assert state
        case _:
            pytest.fail(f"BasicCommandEncoder knows no {key}")


def stroke(text: str) -> tuple[int, int]:
    """A key and its modifiers, as HotKeyConfigurer.decode reads them."""
    key, modifiers = map(int, text.split(","))
    assert 65 <= key <= 90
    return key, modifiers


@cache
def module(title: str, pieces: tuple[str, ...] = (), language: str = "en") -> dict[str, bytes]:
    choice = chosen(title, BuildOptions(pieces=pieces, language=language))
    return unpacked(choice, vassal_files(choice, 20))


def unpacked(choice: Choice, files: Mapping[str, File]) -> dict[str, bytes]:
    """The files in the archive of a module."""
    ((name, data),) = packed(choice, painted(files, 1)).items()
    assert name == f"{choice.title.id}.vmod"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        return {name: archive.read(name) for name in archive.namelist()}


def build_file(files: dict[str, bytes]) -> Xml.Element:
    root = Xml.fromstring(files["buildFile.xml"])
    assert root.tag == f"{PREFIX}GameModule"
    return root


def slots(root: Xml.Element) -> Iterator[Xml.Element]:
    for kind in ("PieceSlot", "CardSlot"):
        yield from root.iter(f"{PREFIX}widget.{kind}")


def pixels(png: bytes) -> tuple[int, int]:
    return struct.unpack(">II", png[16:24])


FEW = (
    "map",
    "market",
    "tile:5*",
    "train",
    "certificate:B*",
    "charter:B*",
    "token:B*",
    "priority-card",
)


def held(files: dict[str, bytes]) -> None:
    """Hold a module against what VASSAL reads: every picture exists and is used, every piece can
    be made, ids and decks occur once, and decks lie on their boards."""
    root, data = build_file(files), Xml.fromstring(files["moduledata"])
    images = {name.removeprefix("images/") for name in files if name.startswith("images/")}
    assert data.tag == "data"
    assert data.attrib == {"version": "1"}
    assert data.findtext("name") == root.attrib["name"]
    used, numbers, returns = set(), [], set()
    for slot in slots(root):
        piece = piece_of(slot.text or "")
        for key, fields in piece.traits.items():
            check_trait(key, fields, piece.states[key], images)
        if "return" in piece.traits:
            returns.add(piece.traits["return"][2])
        for key, place in (("obs", 1), ("emb2", 15)):
            if key in piece.traits:
                used.add(tokens(piece.traits[key][place], ",")[-1])
        used.add(piece.image)
        assert (piece.name, piece.gpid) == (slot.attrib["entryName"], slot.attrib["gpid"])
        numbers.append(int(piece.gpid))
    boards = list(root.iter(f"{PREFIX}module.map.boardPicker.Board"))
    used |= {board.attrib["image"] for board in boards if "image" in board.attrib}
    assert used == images
    assert len(numbers) == len(set(numbers))
    assert max(numbers, default=0) < int(root.attrib["nextPieceSlotId"])
    decks = [deck.attrib["name"] for deck in root.iter(f"{PREFIX}module.map.DrawPile")]
    assert len(decks) == len(set(decks))
    assert returns == set(decks)
    names = [window.attrib["mapName"] for window in root.iter(f"{PREFIX}module.Map")]
    assert len(names) == len(set(names))
    for window in root.iter(f"{PREFIX}module.Map"):
        (board,) = window.iter(f"{PREFIX}module.map.boardPicker.Board")
        if "image" in board.attrib:
            wide, tall = pixels(files[f"images/{board.attrib['image']}"])
        else:
            wide, tall = int(board.attrib["width"]), int(board.attrib["height"])
        for kind in ("DrawPile", "SetupStack"):
            for pile in window.iter(f"{PREFIX}module.map.{kind}"):
                assert pile.attrib["owningBoard"] == board.attrib["name"]
                (slot, *_) = list(slots(pile))
                x, y = int(pile.attrib["x"]), int(pile.attrib["y"])
                across, along = int(slot.attrib["width"]), int(slot.attrib["height"])
                assert across / 2 <= x <= wide - across / 2
                assert along / 2 <= y <= tall - along / 2


def test_a_module_is_as_vassal_reads_it() -> None:
    held(module("18eu", FEW))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "language"), [("18eu", "en"), ("1841", "ja"), ("18cz", "ja"), ("lost-atlas", "en")]
)
def test_whole_modules_are_as_vassal_reads_them(title: str, language: str) -> None:
    files = module(title, (), language)
    held(files)
    choice = chosen(title, BuildOptions(language=language))
    wanted: Counter[str] = Counter()
    for piece in choice.pieces:
        if KINDS[piece.kind].has_back:
            wanted[choice.name(piece)] += piece.count
    found = Counter(
        slot.attrib["entryName"]
        for deck in build_file(files).iter(f"{PREFIX}module.map.DrawPile")
        for slot in slots(deck)
    )
    assert found == wanted


@pytest.mark.parametrize("title", ["18eu", "1841"])
def test_tiles_snap_to_the_hexes_of_the_map_and_report_their_names(title: str) -> None:
    gamemap = shipped(title).maps[0]
    files = module(title, (f"map:{gamemap.id}",))
    root = build_file(files)
    (grid,) = root.iter(f"{GRIDS}HexGrid")
    origin = int(grid.attrib["x0"]), int(grid.attrib["y0"])
    dx, dy = float(grid.attrib["dx"]), float(grid.attrib["dy"])
    assert dx == pytest.approx(dy * math.sqrt(3) / 2, rel=0.01)
    sideways = grid.attrib["sideways"] == "true"
    assert sideways == (gamemap.layout.value == "pointy")

    def snap(x: int, y: int) -> tuple[int, int]:
        """HexGrid.java, snapToHex."""
        if sideways:
            x, y = y, x
        column = math.floor((x - origin[0] + dx / 2) / dx)
        at_x = int(dx * column + origin[0])
        if column % 2 == 0:
            at_y = int(dy * math.floor((y - origin[1] + dy / 2) / dy) + origin[1])
        else:
            at_y = int(dy * math.floor((y - origin[1]) / dy) + int(dy / 2) + origin[1])
        return (at_y, at_x) if sideways else (at_x, at_y)

    zones = list(root.iter(f"{GRIDS}mapgrid.Zone"))
    assert [zone.attrib["name"] for zone in zones] == [hexagon.id for hexagon in gamemap.hexes]
    middles = set()
    for zone in zones:
        assert zone.attrib["useParentGrid"] == "true"
        corners = [tuple(map(int, point.split(","))) for point in zone.attrib["path"].split(";")]
        x, y = (sum(corner[axis] for corner in corners) / 6 for axis in (0, 1))
        middles.add(snap(round(x), round(y)))
        for toward in corners:  # near corners VASSAL's columns are straight
            near = snap(round(x + (toward[0] - x) * 0.7), round(y + (toward[1] - y) * 0.7))
            assert math.dist(near, (x, y)) < 3, zone.attrib["name"]
    assert len(middles) == len(zones)
    wide, tall = pixels(
        files["images/" + next(root.iter(f"{PREFIX}module.map.boardPicker.Board")).attrib["image"]]
    )
    assert all(0 < x < wide and 0 < y < tall for x, y in middles)


def test_markers_snap_to_the_spaces_of_the_market() -> None:
    title = shipped("18eu")
    assert title.market is not None
    regions = list(build_file(module("18eu", ("market",))).iter(f"{GRIDS}Region"))
    cells = [cell for row in title.market.rows for cell in row if cell is not None]
    assert len(regions) == len(cells)
    assert len({region.attrib["name"] for region in regions}) == len(cells)
    assert {region.attrib["name"].partition(" (")[0] for region in regions} == {
        str(cell.price) for cell in cells if not cell.text
    } | {cell.text.get("en") for cell in cells if cell.text}
    places = {(int(each.attrib["originx"]), int(each.attrib["originy"])) for each in regions}
    assert len(places) == len(cells)


def test_the_first_train_is_on_top_of_its_deck() -> None:
    (deck,) = build_file(module("18eu", ("train",))).iter(f"{PREFIX}module.map.DrawPile")
    names = [slot.attrib["entryName"] for slot in slots(deck)]
    trains = shipped("18eu").trains
    # Deck.drawCards takes from the end.
    assert names[-1].endswith(trains[0].faces[0].name)
    pieces = build_manifest(shipped("18eu")).pieces
    assert len(names) == sum(piece.count for piece in pieces if piece.kind == "train")


def test_traits_follow_the_piece() -> None:
    root = build_file(module("18eu", FEW))
    pieces = [piece_of(slot.text or "") for slot in root.iter(f"{PREFIX}widget.CardSlot")]

    def traits(image: str) -> set[str]:
        return {key for piece in pieces if piece.image.startswith(image) for key in piece.traits}

    assert traits("tile-57") == {"mark", "return", "delete", "rotate"}
    assert {"immob", "emb2"} <= traits("token-")
    assert "obs" in traits("train-")
    assert "obs" in traits("certificate-")
    assert "rotate" not in traits("charter-")


AWKWARD = st.text(st.sampled_from("a;,/\t\\'日"), max_size=8)


@given(st.lists(AWKWARD, min_size=1, max_size=4), st.sampled_from(";,/\t"))
def test_sequences_come_back_from_vassal_s_decoder(parts: list[str], separator: str) -> None:
    assert tokens(sequence(separator, *parts), separator) == parts


NAMES = AWKWARD.map(lambda text: text.replace("\t", " "))


@given(NAMES, NAMES, AWKWARD)
def test_pieces_with_awkward_names_come_back(name: str, deck: str, state: str) -> None:
    traits = [
        (sequence(";", "return", name, "66,130", deck, ""), state),
        ("immob;g;N", ""),
        ("delete;x;68,130", name),
    ]
    piece = piece_of(definition(traits, "a.png", name, 7))
    assert piece.traits == {
        "return": [name, "66,130", deck, ""],
        "immob": ["g", "N"],
        "delete": ["x", "68,130"],
    }
    assert piece.states == {"return": state, "immob": "", "delete": name}
    assert piece[2:] == ("a.png", name, "7")
