"""Ruby files of 18xx.games from the five titles: Ruby takes them, and importing them gives the same
game."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from test_tile_writing import TITLES, plain

from platelayer.definitions.titles import load_title
from platelayer.exchange.eighteen_games.board import PAR
from platelayer.exchange.export import export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.ruby.game import PRICE_TYPES
from platelayer.exchange.tile_strings import same_tile
from platelayer.exchange.writers.ruby import (
    GAMES,
    Keywords,
    Symbol,
    Words,
    folder_name,
    game_files,
    module_name,
    names_of,
    operating,
    written,
)
from platelayer.model.manifest import train_limits
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from shipped import shipped


@pytest.fixture(name="round_trip", scope="module", params=TITLES)
def _round_trip(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Title, Title, Path]:
    """A title, what is imported from its export, and the folder of the export."""
    pytest.importorskip("tree_sitter_ruby")
    place = tmp_path_factory.mktemp(request.param)
    export_title(request.param, "18xx-games", place, BuildOptions())
    import_title(place / GAMES / folder_name(request.param), place / "again")
    return load_title(request.param).title, load_title(str(place / "again")).title, place


def with_engine_keys(tile: Tile, keys: dict[str, str]) -> Tile:
    stops = (
        replace(
            stop,
            revenue=tuple(
                step._replace(since=keys.get(step.since, step.since)) for step in stop.revenue
            ),
        )
        for stop in tile.stops
    )
    return plain(replace(tile, stops=tuple(stops)))


def test_tiles_and_hexes(round_trip: tuple[Title, Title, Path]) -> None:
    ours, again, _ = round_trip
    keys = names_of(ours, "en").revenue
    assert [entry.count for entry in ours.tiles] == [entry.count for entry in again.tiles]
    for one, other in zip(ours.tiles, again.tiles, strict=True):
        assert same_tile(with_engine_keys(one.tile, keys), plain(other.tile)), one.tile.id
    assert (len(ours.maps) > 0) == (len(again.maps) > 0)
    for one, other in zip(ours.maps[:1], again.maps, strict=True):
        assert one.layout is other.layout
        assert set(one.by_id) == set(other.by_id)
        for hex_id, hexagon in one.by_id.items():
            assert same_tile(
                with_engine_keys(hexagon.tile, keys), plain(other.by_id[hex_id].tile)
            ), hex_id
            names = [
                each.name.get("en") if each.name else "" for each in (hexagon, other.by_id[hex_id])
            ]
            assert names[0] == names[1]


def test_companies(round_trip: tuple[Title, Title, Path]) -> None:
    ours, again, _ = round_trip
    found = {(each.has_charter, each.id): each for each in again.companies}
    assert len(found) == len(ours.companies)
    for company in ours.companies:
        other = found[company.has_charter, company.id]
        assert other.name.get("en") == " ".join(company.name.get("en").split())
        assert other.colour == company.colour
        if company.size is None:  # the engine has one word for kind and size
            assert other.kind is company.kind
        else:
            assert other.size == company.size or company.kind.value == "private"
        assert other.stations == tuple(price or 0 for price in company.stations)
        if not company.owned_whole:  # the engine has no certificate for what is bought whole
            shares = [
                sorted(
                    (each.percent, each.director)
                    for each in kept.certificates
                    for _ in range(each.count)
                )
                for kept in (company, other)
            ]
            assert shares[0] == shares[1], company.ref
        if company.stations and ours.maps:
            assert [home.hex for home in other.homes] == [home.hex for home in company.homes], (
                company.ref
            )
        if not company.has_charter:
            assert (other.value or 0, other.income or 0) == (
                company.value or 0,
                company.income or 0,
            )


def test_trains_phases_and_market(round_trip: tuple[Title, Title, Path]) -> None:
    ours, again, _ = round_trip
    for one, other in zip(ours.trains, again.trains, strict=True):
        assert other.unlimited or other.count == one.count
        assert one.unlimited == other.unlimited
        assert [face.price for face in one.faces] == [face.price for face in other.faces]
        for mine, theirs in zip(one.faces, other.faces, strict=True):
            reaches = [
                {(frozenset(row.stops), row.visit, row.pay) for row in face.reach}
                for face in (mine, theirs)
            ]
            assert reaches[0] == reaches[1], one.id
            assert bool(mine.rusts_on) == bool(theirs.rusts_on)
    for one, other in zip(ours.phases, again.phases, strict=True):
        assert (one.id, one.operating_rounds) == (other.id, other.operating_rounds)
        assert set(one.tiles) == set(other.tiles)
        limits = [{(each.who, each.limit) for each in phase.train_limits} for phase in (one, other)]
        assert limits[0] == limits[1]
    assert ours.market is not None
    assert again.market is not None
    prices = [
        [[cell.price if cell else None for cell in row] for row in market.rows]
        for market in (ours.market, again.market)
    ]
    assert [_trimmed(row) for row in prices[0]] == [_trimmed(row) for row in prices[1]]
    assert ours.market.par_prices == again.market.par_prices
    assert [replace(each, bank=None) for each in ours.players] == [
        replace(each, bank=None) for each in again.players
    ]
    zones = [
        {(zone.id, zone.par) for zone in market.zones} for market in (ours.market, again.market)
    ]
    kept = {
        zone
        for zone in zones[0]
        if zone[0] in PRICE_TYPES and zone[1] == (PRICE_TYPES[zone[0]] in PAR)
    }
    assert kept <= zones[1]
    assert (ours.currency, ours.bank) == (again.currency, again.bank)


def _trimmed(row: list[int | None]) -> list[int | None]:
    while row and row[-1] is None:
        row = row[:-1]
    return row


def test_the_syntax_is_ruby(round_trip: tuple[Title, Title, Path]) -> None:
    from tree_sitter import Language, Parser
    from tree_sitter_ruby import language

    files = sorted(round_trip[2].rglob("g_*/*.rb"))
    assert [path.stem for path in files] == ["entities", "game", "map", "meta"]
    for path in files:
        tree = Parser(Language(language())).parse(path.read_bytes())
        assert not tree.root_node.has_error, path
        assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 130


def test_each_company_has_the_logo_that_its_entry_names(
    round_trip: tuple[Title, Title, Path],
) -> None:
    ours, _, place = round_trip
    text = (place / GAMES / folder_name(ours.id) / "entities.rb").read_text(encoding="utf-8")
    named = re.findall(r"logo: '([^']+)'", text)
    with_tokens = [each for each in ours.companies if each.stations]
    written = {
        path.relative_to(place / "public" / "logos").with_suffix("")
        for path in place.rglob("*.svg")
    }
    assert (
        len(named)
        == len(set(named))
        >= len(written)
        >= len([each for each in with_tokens if each.has_charter])
        > 0
    )
    assert {path.as_posix() for path in written} <= set(named)
    for path in place.rglob("*.svg"):
        assert path.read_bytes().startswith(b"<")


@pytest.mark.skipif(
    shutil.which("ruby") is None, reason="Ruby is not installed: ruby -c is not tried"
)
def test_ruby_itself_takes_the_files(round_trip: tuple[Title, Title, Path]) -> None:
    for path in sorted(round_trip[2].rglob("g_*/*.rb")):
        checked = subprocess.run(
            ["ruby", "-c", str(path)], capture_output=True, text=True, check=False
        )
        assert checked.returncode == 0, checked.stderr


def test_a_company_has_the_train_limit_of_its_charter_by_its_type(
    round_trip: tuple[Title, Title, Path],
) -> None:
    ours, again, _ = round_trip
    companies = {company.id: company for company in again.companies}
    for company in operating(ours):
        if company.train_limit is None and company.id in companies:
            limits = [[(phase.id, limit) for phase, limit in train_limits(title, own)]
                      for title, own in ((ours, company), (again, companies[company.id]))]  # fmt: skip
            # On a charter they begin and end with the company, which the engine's data do not say.
            assert limits[0] == [each for each in limits[1] if each in limits[0]] != [], company.id


def test_a_title_without_players_gets_some_and_the_report_says_so() -> None:
    files = game_files(replace(shipped("18eu"), players=()), "en")
    assert b"PLAYER_RANGE = [2, 6]" in files[f"{GAMES}/g_18_eu/meta.rb"]
    assert b"2 => 1" in files[f"{GAMES}/g_18_eu/game.rb"]
    assert b"write them in by hand" in files["README.md"]


def test_japanese_words_and_the_report(tmp_path: Path) -> None:
    export_title("1841", "18xx-games", tmp_path, BuildOptions(language="ja"))
    for name in ("README.md", f"{GAMES}/g_1841/entities.rb"):
        assert any("ぁ" < char < "ヿ" for char in (tmp_path / name).read_text(encoding="utf-8")), (
            name
        )


def test_odd_characters_are_quoted() -> None:
    assert written("D'Azur \\ #{1}") == r"'D\'Azur \\ #{1}'"
    assert written(
        Keywords(a=None, b=True, c=[Symbol("x"), Symbol("y")], d=Symbol("k&k"), e=Words(["1", "2"]))
    ) == ("{ a: nil, b: true, c: %i[x y], d: :'k&k', e: %w[1 2] }")
    assert (module_name("18cz"), folder_name("18cz")) == ("G18Cz", "g_18_cz")
