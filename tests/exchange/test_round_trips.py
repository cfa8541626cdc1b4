"""Titles exported to 18xx.games and imported again: the same game, but for what the documentation
names."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from test_tile_writing import TITLES

from exchange import corpus
from often import often
from platelayer.comparison.compare import compare
from platelayer.definitions.titles import load_title
from platelayer.exchange.export import export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.writers.ruby import GAMES, LOGOS, folder_name, game_files
from platelayer.model.company import Roundel
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from shipped import shipped

pytest.importorskip("tree_sitter_ruby")

_DOCS = Path(__file__).parents[2] / "docs" / "exporting.md"
NAMED = {
    "A tile that is a rotated catalogue tile becomes the catalogue's.": r"tile \S+: track \S+ -> \S+",
    "Additional maps are left out.": r"map \S+ is gone: ",
    "Keys of revenue that are not tile colours": r".*: stop \d+ revenue (\S+) -> \1$",
    "A missing revenue or income becomes 0": r"(.*: stop \d+ revenue none -> 0"
    r"|.*: station as the map says -> 0|private \S+: (income|value) none -> 0)$",
    "A train that ends with a phase that no train begins becomes permanent.": (
        r"\S+-train(: | )(lost rusts on: \S+|permanent none -> yes)$"
    ),
    "A ferry becomes thin track.": r".*: track \d\S+ gauge ferry -> \S+ gauge thin$",
    "A home in a hex without a stop becomes a reserved hex": r".* (lost home: hex \S+|home stop none -> 0)$",
    "A reserved director's certificate is no longer reserved.": r".*: certificate reserved yes -> none$",
    "A minor sold as a whole loses its 100 % certificate": r".* (lost certificate: 1 x 100 %"
    r"|gained certificate: 1 x 100 % director)$",
    "Incomes that change by tile colour change by phase.": r"private .*: income (\S+) -> \1$",
    "Trains that make others rust are named by their cards.": r"\S+-train: (\d+ )?rusts on \S+ -> \S+$",
    "The market is a line or a grid, with the engine's letters": r"market(: shape| row| zone)\b",
    "Upgrade options are derived from the tiles again.": r"upgrades: ",
    "A line along a hex edge that is not a border is left out.": r".* lost border: .* kind dividing line",
}
"""The beginning of each line of the documentation, and what `compare` says of it."""


def there_and_back(name: str, place: Path, language: str = "en") -> tuple[Path, Path]:
    """The folder of the export of a title, and of what is imported from it."""
    export_title(name, "18xx-games", place / "export", BuildOptions(language=language))
    (game,) = (place / "export" / GAMES).iterdir()
    import_title(game, place / "again")
    return place / "export", place / "again"


def differences(name: str, again: Path) -> list[str]:
    """What differs in how it is played, and is not named."""
    changes = compare(name, str(again), in_common=True).about("game").changes
    return [
        change.text
        for change in changes
        if not any(re.match(said, change.text) for said in NAMED.values())
    ]


@pytest.mark.parametrize("name", often(TITLES, "18cz", "1841", "lost-atlas"))
def test_a_title_comes_back(name: str, tmp_path: Path) -> None:
    _, folder = there_and_back(name, tmp_path)
    assert differences(name, folder) == []
    ours, again = shipped(name), load_title(str(folder)).title
    trains = [
        [
            (each.id, each.count, each.unlimited, *(face.name for face in each.faces))
            for each in trains
        ]
        for trains in (ours.trains, again.trains)
    ]
    assert trains[0] == trains[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", [*corpus.ruby_games(), *corpus.maker_games()], ids=lambda path: path.name
)
def test_a_game_of_others_comes_back(source: Path, tmp_path: Path) -> None:
    import_title(source, tmp_path / "title")
    _, again = there_and_back(str(tmp_path / "title"), tmp_path)
    assert differences(str(tmp_path / "title"), again) == []


def test_what_differs_is_documented() -> None:
    lines = " ".join(_DOCS.read_text(encoding="utf-8").split())
    assert [said for said in NAMED if f"- {said}" not in lines] == []


def test_japanese_names_come_back(tmp_path: Path) -> None:
    ours = shipped("1841")
    _, folder = there_and_back("1841", tmp_path, "ja")
    again = load_title(str(folder)).title
    assert again.name.get("en") == ours.name.get("ja")
    names = {company.id: company.name.get("en") for company in again.companies}
    assert names == {
        company.id: " ".join(company.name.get("ja").split()) for company in ours.companies
    }
    (board,), (other,) = ours.maps, again.maps
    places = {
        hexagon.id: hexagon.name.get("ja") for hexagon in board.hexes if hexagon.name is not None
    }
    assert {
        hexagon.id: hexagon.name.get("en") for hexagon in other.hexes if hexagon.name is not None
    } == places
    assert any(
        "ぁ" < char < "ヿ" for words in (*names.values(), *places.values()) for char in words
    )


_LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M2 2L18 2L10 18Z" fill="#d81e3e"/></svg>'


def test_a_logo_comes_back(tmp_path: Path) -> None:
    mill = tmp_path / "source" / "lib" / "engine" / "game" / "g_18_mill"
    shutil.copytree(Path(__file__).parent / "games" / "g_18_mill", mill)
    sources = (mill / "entities.rb").read_text(encoding="utf-8")
    logo = re.findall(r"logo: '([^']+)'", sources)[0]
    picture = tmp_path / "source" / "public" / "logos" / f"{logo}.svg"
    picture.parent.mkdir(parents=True)
    picture.write_text(_LOGO, encoding="utf-8")
    import_title(mill, tmp_path / "title")
    _, folder = there_and_back(str(tmp_path / "title"), tmp_path)
    ours, again = (load_title(str(title)).title for title in (tmp_path / "title", folder))
    assert ours.pictures
    shapes = [
        [
            (one.id, [(layer.commands, layer.fill, layer.stroke) for layer in one.layers])
            for one in title.pictures
        ]
        for title in (ours, again)
    ]
    assert shapes[0] == shapes[1]
    assert [one.logo for one in again.companies] == [one.logo for one in ours.companies]


_SALTIRE = Roundel(division="saltire")


def test_a_roundel_of_its_own_comes_back(tmp_path: Path) -> None:
    title = shipped("18eu")
    company, *others = title.companies
    assert company.roundel is None
    files = game_files(
        replace(title, companies=(replace(company, roundel=_SALTIRE), *others)), "en"
    )
    for name, data in files.items():
        (tmp_path / "export" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "export" / name).write_bytes(data)
    import_title(tmp_path / "export" / GAMES / folder_name(title.id), tmp_path / "again")
    again: Title = load_title(str(tmp_path / "again")).title
    assert [one.roundel for one in again.companies if one.roundel] == [_SALTIRE]
    assert not (tmp_path / "export" / LOGOS).exists()
