"""Exports to 18xx.games in the engine itself: a bot auctions, founds companies and runs operating
rounds, for every number of players; and the engine reads every tile string."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from test_tile_writing import TITLES

from beside import SHARED, needs
from exchange.corpus import FOLDER
from platelayer.definitions.titles import load_title
from platelayer.exchange.export import export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.writers.ruby import GAMES, folder_name, names_of, operating
from platelayer.model.company import CompanyKind
from platelayer.model.manifest import train_limits
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions

ENGINE, BOT = SHARED / "engine", Path(__file__).parent / "bot.rb"
GAMES_OF_OTHERS = (
    "1822_pnw",
    "1824",
    "1830",
    "1846",
    "1849",
    "1860",
    "1861",
    "1856",
    "1889",
    "18_chesapeake",
    "18_dixie",
    "18_mex",
)
"""Of various kinds: minors, concessions, nationals, trains that cost nothing, markets of every
shape."""

RANDOM = ("lost-atlas atlas=long,compact,7", "lost-atlas atlas=micro2,uniform,3")
"""Titles with random maps."""

pytestmark = [
    pytest.mark.slow,
    needs("engine"),
    pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed"),
]


class Played(Struct, kw_only=True):
    """A title, what its export is called, and what the bot has printed: of the game, and of each
    number of players."""

    title: Title
    game: dict[str, Any]
    rounds: list[dict[str, Any]]


@pytest.fixture(name="played", scope="module", params=[*TITLES, *RANDOM, *GAMES_OF_OTHERS])
def _played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    place = tmp_path_factory.mktemp("played")
    name, _, variant = request.param.partition(" ")
    if name not in TITLES:
        pytest.importorskip("tree_sitter_ruby")
        source = FOLDER / "18xx-games" / "game" / f"g_{name}"
        if not source.is_dir():
            pytest.skip(f"needs {source}")
        name = str(place / "title")
        import_title(source, Path(name))
    title = load_title(name, variant=variant or None).title
    export_title(name, "18xx-games", place / "export", BuildOptions(variant=variant or None))
    folder = place / "export" / GAMES / folder_name(title.id)
    run = subprocess.run(
        ["ruby", str(BOT), str(ENGINE), str(folder)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    game, *rounds = map(json.loads, run.stdout.splitlines())
    return Played(title=title, game=game, rounds=rounds)


def test_it_is_played_for_every_number_of_players(played: Played) -> None:
    counts = [count.players for count in played.title.players]
    assert [played_round["players"] for played_round in played.rounds] == counts
    for played_round in played.rounds:
        assert "error" not in played_round, played_round
        assert played_round["rounds"] >= 2, played_round
        assert played_round["floated"], played_round
        assert played_round["sold"] == played_round["companies"], played_round
        assert played_round["actions"]["buy_train"] > 0
        if played.title.maps:
            assert played_round["actions"]["lay_tile"] > 0


def test_companies_may_own_as_many_trains_as_their_charters_say(played: Played) -> None:
    names = names_of(played.title, "en")
    compared = 0
    for company in operating(played.title):
        for phase, limit in train_limits(played.title, company):
            if company.train_limit is None:
                assert played.game["limits"][phase.id][names.companies[company.ref]] == limit, (
                    company.id,
                    phase.id,
                )
                compared += 1
    assert compared > 0


def test_no_train_is_discarded_within_its_limit(played: Played) -> None:
    limits = played.game["limits"]
    for played_round in played.rounds:
        for train in played_round["discards"]:
            assert train["held"] > train["limit"] == limits[train["phase"]][train["company"]], train


def test_the_engine_reads_every_tile_string(played: Played) -> None:
    assert played.game["unread"] == []
    assert played.game["strings"] >= len(played.title.tiles) > 0


def test_private_companies_are_those_of_the_title(played: Played) -> None:
    private = [
        one
        for one in played.title.companies
        if one.kind in (CompanyKind.PRIVATE, CompanyKind.CONCESSION)
    ]
    for played_round in played.rounds:
        in_play = [one for one in private if (one.min_players or 0) <= played_round["players"]]
        assert played_round["companies"] == len(in_play)
