"""Saves of Tabletop Simulator: held against a published declaration of the format, and against the
manifest."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from declarations import Declarations
from PIL import Image

from often import often
from platelayer.exchange.writers import simulator
from platelayer.exchange.writers.pictures import MOST_PX, Item, chosen, painted
from platelayer.exchange.writers.simulator import simulator_files
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.job import BuildOptions
from shipped import shipped

HERE = Path(__file__).parent / "tabletop_simulator"
KINDS = {
    "DeckCustom": "DeckCustomData", "CardCustom": "CardCustomData", "Custom_Tile": "TileData",
    "Custom_Token": "TokenData", "Custom_Token_Stack": "TokenData", "Bag": "BagData",
}  # fmt: skip
DPI = 40
LAID = "lost-atlas atlas=short,compact,7"


@pytest.fixture(name="declared", scope="module")
def _declared() -> Declarations:
    return Declarations(*sorted(HERE.glob("*.d.ts")))


@cache
def files_for(
    title: str, base_url: str | None, language: str, pieces: tuple[str, ...], processes: int = 1
) -> dict[str, bytes]:
    title, _, variant = title.partition(" ")
    choice = chosen(title, BuildOptions(variant=variant or None, language=language, pieces=pieces))
    return painted(simulator_files(choice, base_url, DPI), processes)


def test_the_progress_of_an_export_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    choice = chosen("18eu", BuildOptions(pieces=("train:*",)))
    files = painted(simulator_files(choice, None, DPI), 1, lambda *step: told.append(step))
    pictures = sum(name.endswith(".png") for name in files)
    assert told == [("painting", number, pictures) for number in range(1, pictures + 1)]


def exported(
    title: str, *, base_url: str | None = None, language: str = "en", pieces: tuple[str, ...] = ()
) -> tuple[Any, dict[str, bytes]]:
    """A save, and all files of an export."""
    files = files_for(title, base_url, language, pieces)
    return json.loads(files[f"Saves/{title.partition(' ')[0]}.json"]), files


def objects(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All objects of a save, with those inside others."""
    for each in value.get("ObjectStates", value.get("ContainedObjects", ())):
        yield each
        yield from objects(each)


def addresses(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("FaceURL", "BackURL", "ImageURL") or (key == "ImageSecondaryURL" and each):
                yield each
            else:
                yield from addresses(each)
    elif isinstance(value, list):
        for each in value:
            yield from addresses(each)


@pytest.mark.parametrize("title", often(["18eu", "lost-atlas", LAID], "18eu"))
def test_a_save_is_as_the_format_is_declared(title: str, declared: Declarations) -> None:
    kinds = ("map", "tile:5*", "train", "certificate:B*", "charter:B*", "token:B*", "phase-card")
    save, files = exported(title, pieces=kinds if title == "18eu" else ())
    assert list(declared.faults(save, "TTSSave", "")) == []
    assert set(save) == set(declared.members["TTSSave"])
    for each in objects(save):
        assert list(declared.faults(each, KINDS[each["Name"]], each["Nickname"])) == []
    assert {f"Mods/Images/{name}" for name in addresses(save)} == {
        name for name in files if name.startswith("Mods/")
    }
    guids = [each["GUID"] for each in objects(save)]
    assert len(guids) == len(set(guids))


def test_the_reader_of_declarations_finds_faults(declared: Declarations) -> None:
    save, _ = exported("18eu", pieces=("train",))
    save["Gravity"] = "low"
    del save["Table"]
    save["ObjectStates"][0]["Name"] = "Deck_of_Cards"
    found = list(declared.faults(save, "TTSSave", ""))
    assert [each.split(":")[0] for each in found] == ["/Gravity", "", "/ObjectStates/0/Name"]


@pytest.mark.slow
def test_every_piece_is_on_the_table_as_often_as_in_the_box() -> None:
    choice = chosen("18eu", BuildOptions())
    save, _ = exported("18eu")
    counts: Counter[str] = Counter()
    for each in objects(save):
        if each["Name"] not in ("DeckCustom", "Bag"):
            counts[each["Nickname"]] += each.get("Number", 1)
    wanted: Counter[str] = Counter()
    for piece in choice.pieces:
        pages = 2 if piece.kind in ("checklist", "upgrade-chart") else 1
        wanted[choice.name(piece)] += piece.count * pages
    assert counts == wanted


def test_sheets_of_cards_hold_the_cards_that_decks_name() -> None:
    save, files = exported("18eu", pieces=("train", "certificate", "phase-card"))
    decks = [each for each in objects(save) if each["Name"] == "DeckCustom"]
    assert len(decks) == 9  # eight companies and the trains; the phase card is a single card
    for deck in decks:
        assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]]
        for number in deck["DeckIDs"]:
            sheet = deck["CustomDeck"][str(number // 100)]
            assert number % 100 < sheet["NumWidth"] * sheet["NumHeight"]
            assert sheet["NumWidth"] <= 10
            assert sheet["NumHeight"] <= 7
            picture = Image.open(io.BytesIO(files[f"Mods/Images/{sheet['FaceURL']}"]))
            assert max(picture.size) <= MOST_PX
            assert picture.width % sheet["NumWidth"] == picture.height % sheet["NumHeight"] == 0


def test_backs_that_are_read_are_sheets_of_their_own() -> None:
    save, _ = exported("lost-atlas", pieces=("train",))
    own = {
        sheet["UniqueBack"]
        for each in objects(save)
        for sheet in each.get("CustomDeck", {}).values()
    }
    assert own == {True}  # the 7 has another train on its back
    save, _ = exported("18eu", pieces=("train",))
    assert {
        sheet["UniqueBack"] for each in objects(save) for sheet in each["CustomDeck"].values()
    } == {False}


def test_tokens_have_both_faces_and_lie_together() -> None:
    save, _ = exported("18eu", pieces=("token:BNR*",))
    (bag,) = save["ObjectStates"]
    tokens = bag["ContainedObjects"]
    assert bag["Name"] == "Bag"
    assert len(tokens) == 6  # five stations and a market token
    assert all(each["CustomImage"]["CustomTile"]["Type"] == 2 for each in tokens)
    market = tokens[-1]["CustomImage"]
    assert market["ImageURL"] != market["ImageSecondaryURL"]


def test_a_base_url_and_japanese_names() -> None:
    save, files = exported(
        "18cz",
        base_url="https://example.org/a b/",
        language="ja",
        pieces=("private:S1", "map:main"),
    )
    for address in addresses(save):
        base, _, name = address.rpartition("/")
        assert base == "https://example.org/a b"
        assert f"Mods/Images/{unquote(name)}" in files
    assert any(ord(char) > 0x3040 for each in objects(save) for char in each["Nickname"])
    with pytest.raises(CannotRun, match="is not an address"):
        exported("18eu", base_url="example.org", pieces=("train",))


def looks(data: dict) -> str:
    """What tells an object from others that are called the same: its pictures."""
    return json.dumps([data.get(key) for key in ("Name", "Nickname", "CustomDeck", "CustomImage")])


def laid_out(
    title: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, right and bottom of each object on the table, by its name and number among those
    of that name."""
    seen: list[Item] = []
    real = simulator.save
    monkeypatch.setattr(simulator, "save", lambda *given: (seen.extend(given[3]), real(*given))[1])
    name, _, variant = title.partition(" ")
    files = simulator_files(chosen(name, BuildOptions(variant=variant or None)), None, DPI)
    save = json.loads(files[f"Saves/{name}.json"])  # type: ignore[arg-type]
    assert len(save["ObjectStates"]) == len(seen)
    boxes = {}
    for number, each in enumerate(save["ObjectStates"]):
        at = each["Transform"]
        size_mm = next(item.size_mm for item in seen if looks(item.data) == looks(each))
        width, height = (side / 25.4 for side in size_mm)
        x, z = at["posX"], at["posZ"]
        boxes[f"{each['Nickname']}#{number}"] = (
            x - width / 2,
            z - height / 2,
            x + width / 2,
            z + height / 2,
        )
    return boxes


@pytest.mark.slow
@pytest.mark.parametrize("title", often(["18eu", "lost-atlas", LAID], "18eu"))
def test_nothing_lies_on_anything_else(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = sorted(laid_out(title, monkeypatch).items())
    for index, (name, box) in enumerate(boxes):
        for other, its in boxes[index + 1 :]:
            apart = box[2] <= its[0] or its[2] <= box[0] or box[3] <= its[1] or its[3] <= box[1]
            assert apart, (name, other)


@pytest.mark.slow
def test_a_company_has_its_things_in_a_row_beside_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = laid_out("18eu", monkeypatch)
    (board,) = (box for name, box in boxes.items() if name.startswith("Europe#"))
    name = shipped("18eu").company_by_id["BNR"].name.get("en")
    own = [box for other, box in boxes.items() if other.partition("#")[0].startswith(name)]
    assert len(own) == 3  # charter, stations with the market token, certificates
    assert len({round(box[3], 2) for box in own}) == 1
    assert max(box[2] for box in own) < board[0]


def test_the_same_files_from_one_process_and_from_two() -> None:
    one, two = (files_for("18eu", None, "en", ("token", "train"), number) for number in (1, 2))
    assert one == two
