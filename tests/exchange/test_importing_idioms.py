"""Ways in which games of 18xx.games write their data that the corpus beside the checkout does not
have: each a small case made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_ruby")

from exchange.corpus import block
from platelayer.definitions.titles import load_title
from platelayer.exchange.export import export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.writers.ruby import GAMES
from platelayer.pipeline.build import build
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check

MAP = "HEXES = { white: { %w[B2 C3] => 'city=revenue:0', %w[B4 C5 D2 D4] => '' } }.freeze"
BASIS = """
    LAYOUT = :pointy
    AXES = { x: :number, y: :letter }.freeze
    PLAYER_RANGE = [2, 3].freeze
    STARTING_CASH = { 2 => 300, 3 => 200 }.freeze
    TILES = { '57' => 2, '9' => 3 }.freeze
"""


def _imported(
    tmp_path: Path, body: str, *, beside: str = "", others: dict[str, str] | None = None
) -> Path:
    """The title of a game whose class has this body."""
    text = f"""
    module Engine
      module Game
        module GDale
          {beside}
          class Game < Game::Base
            {BASIS}
            {body}
          end
        end
      end
    end
    """
    files = {
        "g_dale/game.rb": text,
        "base.rb": "module Engine\nmodule Game\nclass Base\nend\nend\nend\n",
    }
    for name, other in (files | (others or {})).items():
        path = tmp_path / "game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(other, encoding="utf-8")
    import_title(tmp_path / "game" / "g_dale", tmp_path / "out")
    return tmp_path / "out"


PARENT = """
module Engine
  module Game
    module GParent
      module Map
        LOCATION_NAMES = { 'B2' => 'Bree', 'C3' => 'Combe' }.freeze
        EAST = { white: { %w[B2] => 'city=revenue:0', %w[B4] => '' }, red: { %w[C1] => '' } }.freeze

        def self.merge_hexes(*hex_sets)
          merged = Hash.new { |h, colour| h[colour] = {} }
          hex_sets.each { |set| set.each { |colour, hexes| merged[colour].update(hexes) } }
          merged
        end
      end
    end
  end
end
"""


def test_maps_that_a_method_of_another_game_merges(tmp_path: Path) -> None:
    beside = """
    module Map
      LOCATION_NAMES = GParent::Map::LOCATION_NAMES.dup
      LOCATION_NAMES.update({ 'C3' => 'Archet' })
      LOCATION_NAMES.freeze
      WEST = { white: { %w[C3] => 'town=revenue:0' } }.freeze
      HEXES = GParent::Map.merge_hexes(GParent::Map::EAST, WEST)
      HEXES.freeze
    end
    """
    out = _imported(tmp_path, "include Map", beside=beside, others={"g_parent/map.rb": PARENT})
    hexes = block(out, "map")["hexes"]
    assert set(hexes) == {"B2", "B4", "C1", "C3"}
    assert (hexes["B2"]["name"], hexes["C3"]["name"]) == ("Bree", "Archet")


def test_a_map_for_fewer_players_is_a_variant(tmp_path: Path) -> None:
    body = """
    HEXES = { white: { %w[B2 C3] => 'city=revenue:0', %w[B4 C5 D2 D4] => '', ['D6'] => 'town=revenue:0' } }.freeze
    LEFT_OUT = %w[C3 C5].freeze
    CORPORATIONS = [{ sym: 'A', name: 'Aa', tokens: [0], coordinates: 'C3', color: :red }].freeze

    def optional_hexes
      return HEXES if many?

      HEXES.to_h { |colour, hexes| [colour, hexes.transform_keys { |places| places - LEFT_OUT }] }
    end

    def many?
      @many ||= @players.count { |player| player != @dummy } > 2
    end

    def setup
      @dummy = Dummy.new unless many?
    end
    """
    out = _imported(tmp_path, body)
    assert set(block(out, "map")["hexes"]) == {"B2", "B4", "C3", "C5", "D2", "D4", "D6"}
    (variant,) = block(out, "title")["variants"].items()
    assert variant[0] == "2-players"
    assert variant[1]["patch"] == {
        "players": {"3": None},
        "maps": {"main": {"hexes": {"C3": None, "C5": None}}},
        "companies": {"A": {"homes": None, "$comment": "Not imported: home off the map (C3)."}},
    }
    small = load_title(out, variant="2-players").title
    assert {hexagon.id for hexagon in small.maps[0].hexes} == {"B2", "B4", "D2", "D4", "D6"}
    report = (out / "import-report.md").read_text(encoding="utf-8")
    assert "- other maps, as variants: 1" in report
    assert "| home off the map | 1 | A (2 players) |" in report


def test_maps_of_optional_rules_are_variants_and_additions_to_a_map_are_not(tmp_path: Path) -> None:
    body = """
    OPTIONAL_RULES = [
      { sym: :isle, short_name: 'The isle', desc: 'Played across the water' }, { sym: :pier }, { sym: :short },
    ].freeze
    ISLE = { white: { ('A'..'E').flat_map { |row| (1..5).map { |n| "#{row}#{2 * n + row.ord % 2}" } } => '' } }.freeze
    TRAINS = [{ name: '2', distance: 2, price: 80, num: 4 }, { name: '3', distance: 3, price: 180, num: 3 }].freeze
    PHASES = [{ name: '2', train_limit: 4, tiles: [:yellow], operating_rounds: 1 }].freeze

    def game_hexes
      return ISLE if @optional_rules.include?(:isle)
      return { white: { ['F9'] => '' } } if @optional_rules.include?(:pier)

      HEXES
    end

    def game_trains
      @optional_rules.include?(:isle) ? TRAINS.reject { |train| train[:name] == '3' } : TRAINS
    end
    """
    out = _imported(tmp_path, MAP + body)
    variants = block(out, "title")["variants"]
    assert [(each["name"], each["note"]) for each in variants.values()] == [
        ("The isle", "Played across the water")
    ]
    isle = load_title(out, variant="the-isle").title
    assert len(isle.maps[0].hexes) == 25
    assert [train.id for train in isle.trains] == ["2"]
    assert {hexagon.id for hexagon in load_title(out).title.maps[0].hexes} == {
        "B2",
        "B4",
        "C3",
        "C5",
        "D2",
        "D4",
    }


def test_a_market_that_code_makes_of_words(tmp_path: Path) -> None:
    body = """
    GAINS = [[0, 1], [2, 3]].freeze
    MARKET = [%w[60p 70], %w[50x 55e]].map.with_index do |row, at|
      row.map.with_index do |code, column|
        match = code.match(/(\\d*)([a-zA-Z]*)/)
        types = match[2].chars.map { |letter| Engine::SharePrice::TYPE_MAP[letter] }
        { price: match[1].to_i, types: types, info: GAINS[at][column] }
      end
    end.freeze
    """
    out = _imported(tmp_path, MAP + body)
    assert block(out, "market")["rows"] == [["60p", "70"], ["50x", "55e"]]


def test_trains_that_a_method_makes_of_their_names(tmp_path: Path) -> None:
    beside = """
    module Trains
      def self.def_train(name, price, plus_name, plus_price, num, **kwargs)
        cities, towns = plus_name.split('+').map(&:to_i)
        { name: name, distance: name.to_i, price: price, num: num,
          variants: [{ name: plus_name, price: plus_price,
                       distance: [{ 'nodes' => %w[city offboard], 'pay' => cities, 'visit' => cities },
                                  { 'nodes' => ['town'], 'pay' => towns, 'visit' => towns }] }] }.merge(kwargs).freeze
      end
      TRAINS = [def_train('2', 80, '2+1', 120, 7, rusts_on: '3'), def_train('3', 180, '3+2', 220, 6)].freeze
    end
    """
    trains = block(_imported(tmp_path, f"include Trains\n{MAP}", beside=beside), "trains")
    assert [face["reach"] for face in trains["3"]["faces"]] == [
        [{"stops": ["city", "town", "offboard"], "visit": 3, "pay": 3}],
        [
            {"stops": ["city", "offboard"], "visit": 3, "pay": 3},
            {"stops": ["town"], "visit": 2, "pay": 2},
        ],
    ]


def test_a_train_that_runs_to_a_kind_of_stop_of_the_game_s_own(tmp_path: Path) -> None:
    body = "TRAINS = [{ name: 'G', distance: [{ 'nodes' => ['barn'], 'pay' => 12, 'visit' => 12 }], price: 9, num: 2 }]"
    train = block(_imported(tmp_path, f"{MAP}\n{body}"), "trains")["G"]
    assert train["reach"] == [{"stops": ["city", "town", "offboard"], "visit": 12, "pay": 12}]
    assert "kind of stop that a train runs to (barn)" in train["$comment"]


def test_counts_of_trains_in_one_table(tmp_path: Path) -> None:
    body = """
    COUNTS = { '2' => 9, '3' => 7 }.freeze
    TRAINS = [{ name: '2', distance: 2, price: 80 }, { name: '3', distance: 3, price: 180 }].freeze
    def num_trains_map
      self.class::COUNTS
    end
    """
    trains = block(_imported(tmp_path, MAP + body), "trains")
    assert {name: train["count"] for name, train in trains.items()} == {"2": 9, "3": 7}


def test_tokens_that_name_hexes_are_homes(tmp_path: Path) -> None:
    body = "CORPORATIONS = [{ sym: 'A', name: 'Aa', tokens: ['B2', 'C3', 40], color: :red }].freeze"
    company = block(_imported(tmp_path, f"{MAP}\n{body}"), "companies")["A"]
    assert company["stations"] == [0, 0, 40]
    assert company["homes"] == [{"hex": "B2", "stop": 0}, {"hex": "C3", "stop": 0}]
    assert company["all_homes"] is True


def test_homes_of_companies_without_stations_and_off_cities(tmp_path: Path) -> None:
    body = """
    CORPORATIONS = [{ sym: 'A', name: 'Aa', tokens: [0, 40], coordinates: 'B4', color: :red }].freeze
    MINORS = [{ sym: '1', name: 'One', tokens: [], coordinates: %w[B2 C5], color: :blue }].freeze
    """
    companies = block(_imported(tmp_path, MAP + body), "companies")
    assert companies["A"]["homes"] == [{"hex": "B4"}]
    assert companies["1"]["homes"] == [{"hex": "B2", "stop": 0}, {"hex": "C5"}]
    assert companies["1"]["all_homes"] is True


def test_a_hex_that_is_blocked_twice_is_held_once(tmp_path: Path) -> None:
    body = """
    COMPANIES = [{ sym: 'P', name: 'Pp', value: 20, revenue: 5, abilities: [
      { type: 'blocks_hexes', hexes: %w[B4 C5 B4] }, { type: 'blocks_hexes', hexes: %w[C5] }] }].freeze
    """
    assert block(_imported(tmp_path, MAP + body), "privates")["P"]["blocks"] == ["B4", "C5"]


def test_limits_of_certificates_by_companies_before_players(tmp_path: Path) -> None:
    body = "CERT_LIMIT = { 10 => { 2 => 39, 3 => 26 }, 9 => { 2 => 35, 3 => 23 } }.freeze"
    players = block(_imported(tmp_path, f"{MAP}\n{body}"), "title")["players"]
    assert players["2"] == {"cash": 300, "certificate_limit": {"10": 39, "9": 35}}
    assert players["3"] == {"cash": 200, "certificate_limit": {"10": 26, "9": 23}}


def test_limits_of_trains_by_what_companies_become(tmp_path: Path) -> None:
    body = """
    CORPORATIONS = [{ sym: 'A', name: 'Aa', type: 'small', tokens: [0], color: :red }].freeze
    MINORS = [{ sym: 'C', name: 'Coal', tokens: [0], color: :black }].freeze
    COMPANIES = [{ sym: 'C', name: 'Coal', value: 20, revenue: 5, meta: { type: :coal } }].freeze
    PHASES = [
      { name: '2', train_limit: { small: 2, large: 4, coal: 1 }, tiles: [:yellow], operating_rounds: 99 },
      { name: '3', on: '3', train_limit: { large: 99 }, tiles: [:yellow], operating_rounds: 1 },
    ].freeze
    """
    out = _imported(tmp_path, MAP + body)
    companies, phases = block(out, "companies"), block(out, "phases")
    assert (companies["A"]["size"], companies["A"]["later_sizes"]) == ("small", ["large"])
    assert companies["C"]["size"] == "coal"
    assert phases["2"]["train_limits"] == {"small": 2, "large": 4, "coal": 1}
    assert phases["2"]["status"] == ["Operating rounds go on without a limit (99)."]
    assert (phases["3"]["train_limits"], phases["3"]["status"]) == (
        {},
        ["No limit of trains: large (99)."],
    )


def test_a_train_whose_sale_begins_two_phases_belongs_to_the_later(tmp_path: Path) -> None:
    body = """
    TRAINS = [
      { name: '2', distance: 2, price: 80, num: 3 }, { name: '3', distance: 3, price: 180, num: 2 },
    ].freeze
    PHASES = [
      { name: '1', train_limit: 4, tiles: [:yellow], operating_rounds: 1 },
      { name: '2', on: %w[2 3], train_limit: 4, tiles: [:yellow], operating_rounds: 1 },
      { name: '3', on: '3', train_limit: 4, tiles: %i[yellow green], operating_rounds: 2 },
    ].freeze
    """
    trains = block(_imported(tmp_path, MAP + body), "trains")
    found = {train_id: (train["starts"], train["colour"]) for train_id, train in trains.items()}
    assert found == {"2": ("2", "yellow"), "3": ("3", "green")}


def test_optional_rules_that_the_game_settles_itself(tmp_path: Path) -> None:
    body = """
    OPTIONAL_RULES = [{ sym: :south }, { sym: :north }].freeze
    NORTH = { white: { %w[B2] => 'city=revenue:0' } }.freeze
    SOUTH = { white: { %w[C3] => 'city=revenue:0', %w[C5] => '' } }.freeze
    def init_optional_rules(optional_rules)
      optional_rules = (optional_rules || []).map(&:to_sym)
      optional_rules << (@players.size > 2 ? :south : :north) if optional_rules.empty?
      @parts = {}
      @parts[1] = true if optional_rules.include?(:north)
      @parts[2] = true if optional_rules.include?(:south)
      raise OptionError, 'nothing is chosen' if @parts.keys.empty?

      optional_rules
    end

    def game_hexes
      return NORTH if @parts[1]

      SOUTH
    end
    """
    out = _imported(tmp_path, body)
    assert set(block(out, "map")["hexes"]) == {"C3", "C5"}
    assert "(--rule turns one on): south, north." in (out / "import-report.md").read_text(
        encoding="utf-8"
    )


def test_words_in_the_colour_of_their_ground_and_narrow_spaces(tmp_path: Path) -> None:
    body = "CORPORATIONS = [{ sym: 'A', name: \"A\u202fB\", tokens: [0], color: 'white', text_color: '#fffffe' }].freeze"
    company = block(_imported(tmp_path, f"{MAP}\n{body}"), "companies")["A"]
    assert company["name"] == "A B"
    assert "text_colour" not in company
    assert "colour of words that nobody could read" in company["$comment"]


NUMBERS = """
module Engine
  module Game
    class Base
      def num_trains(train)
        if train[:num] == 'unlimited'
          (train[:events] || []).filter_map { |event| event['when'] }.max || 1
        else
          train[:num]
        end
      end
    end
  end
end
"""


def test_trains_without_end_that_the_base_counts_for_the_depot(tmp_path: Path) -> None:
    body = """
    TRAINS = [
      { name: '2', distance: 2, price: 80, rusts_on: 'D', num: 6 }, { name: '6', distance: 6, price: 630, num: 2 },
      { name: 'D', distance: 999, price: 1100, num: 'unlimited' },
    ].freeze
    def num_trains(train)
      return super if train[:num] == 'unlimited'
      return super - 1 if train[:name] == '2'

      @optional_rules&.include?(:more) ? 3 : train[:num]
    end
    """
    trains = block(_imported(tmp_path, MAP + body, others={"base.rb": NUMBERS}), "trains")
    assert {name: (each["count"], each.get("unlimited")) for name, each in trains.items()} == {
        "2": (5, None),
        "6": (2, None),
        "D": (6, True),
    }
    assert trains["D"]["reach"] == [
        {"stops": ["city", "town", "offboard"], "visit": None, "pay": None}
    ]


def test_hashes_in_the_place_of_names_and_numbers(tmp_path: Path) -> None:
    body = """
    HASH = { 'B2' => { any: [{}] } }.freeze
    CORPORATIONS = [
      { sym: HASH, name: [HASH], tokens: [HASH, 40], shares: [HASH], coordinates: HASH, city: [HASH], color: HASH,
        destination_coordinates: [HASH], logo: HASH, abilities: [HASH, { type: HASH, hexes: [HASH], tiles: [HASH] }] },
      { sym: 'A', name: 'Aa', tokens: [0, 40], coordinates: ['B2', HASH], color: :red, type: HASH },
    ].freeze
    MINORS = [{ sym: HASH, tokens: HASH, coordinates: [[HASH]] }].freeze
    COMPANIES = [{ sym: [HASH], value: HASH, revenue: [HASH], meta: HASH,
                   abilities: [{ type: 'blocks_hexes', hexes: [HASH, 'B4'] }] }].freeze
    TRAINS = [{ name: '2', distance: [{ 'nodes' => [HASH], 'pay' => HASH }], price: HASH, num: HASH, rusts_on: [HASH],
                variants: [HASH], discount: { HASH => 3 }, events: [HASH] }].freeze
    PHASES = [{ name: '2', on: HASH, train_limit: { minor: HASH }, tiles: [HASH, :yellow], status: [HASH],
                operating_rounds: HASH }].freeze
    EVENTS_TEXT = { HASH => [HASH] }.freeze
    OPTIONAL_RULES = [{ sym: HASH }, HASH].freeze
    CERT_LIMIT = { 2 => HASH, 3 => { HASH => 2 } }.freeze
    BANK_CASH = HASH
    LOCATION_NAMES = { HASH => HASH, 'B2' => HASH }.freeze
    GAME_PUBLISHER = [HASH].freeze
    GAME_DESIGNER = HASH
    """
    out = _imported(
        tmp_path, f"{MAP.replace('} }', '}, HASH => { HASH => HASH, %w[B6] => HASH } }')}\n{body}"
    )
    companies = block(out, "companies")
    assert set(companies["A"]["stations"]) == {0, 40}
    assert companies["A"]["homes"] == [{"hex": "B2", "stop": 0}]
    assert [each["blocks"] for each in block(out, "privates").values()] == [["B4"]]
    assert set(block(out, "map")["hexes"]) >= {"B2", "B4", "C3"}
    assert (out / "import-report.md").is_file()


@pytest.mark.parametrize(
    ("name", "colour"),
    [
        ("papayawhip", "#ffefd5"),
        ("RebeccaPurple", "#663399"),
        ("dark_slate_blue", "#483d8b"),
        ("rgb(1, 2, 3)", "#010203"),
    ],
)
def test_colours_by_any_name_of_css(tmp_path: Path, name: str, colour: str) -> None:
    body = f"CORPORATIONS = [{{ sym: 'A', name: 'Aa', tokens: [0], color: '{name}' }}].freeze"
    assert block(_imported(tmp_path, f"{MAP}\n{body}"), "companies")["A"]["colour"] == colour


def test_edge_6_of_a_hex_is_edge_0(tmp_path: Path) -> None:
    code = "city=revenue:20;path=a:6,b:_0;path=a:3,b:_0;border=edge:6,type:water"
    made = block(
        _imported(tmp_path, f"HEXES = {{ yellow: {{ ['B2'] => '{code}' }} }}.freeze"), "map"
    )["hexes"]["B2"]
    assert made["track"] == [[0, "stop:0"], [3, "stop:0"]]
    assert made["borders"] == [{"edge": 0, "kind": "river"}]


ZOO = """
module Engine
  module Game
    module GZoo
      class Game < Game::Base
        PLAYER_RANGE = [2, 4].freeze
        TILES = { '57' => 2, '9' => 3 }.freeze
        STARTING_CASH = { 2 => 16, 3 => 12, 4 => 9 }.freeze
        CERT_LIMIT = { 2 => 12, 3 => 9, 4 => 7 }.freeze
        BANK_CASH = 99_999
        RISES = [[0, 1, 2], [0, 0, 1]].freeze
        MARKET = [%w[7 8 9p], %w[5 6x 7]].map.with_index do |row, at|
          row.map.with_index do |code, column|
            { price: code.to_i, types: code.end_with?('p') ? [:par] : [], info: RISES[at][column] }
          end
        end.freeze
        OPTIONAL_RULES = [{ sym: :base_2, short_name: 'Base 2', desc: 'With a second base' }].freeze

        def optional_hexes
          hexes = self.class::HEXES
          return hexes unless @optional_rules.include?(:base_2)

          hexes.to_h do |colour, by_places|
            others = by_places.transform_keys { |places| places - BASE_2.keys }
            BASE_2.each { |place, (code, ground)| others[[place]] = code if ground == colour }
            [colour, others]
          end
        end
      end
    end
  end
end
"""


def test_games_that_differ_from_a_parent_by_their_map_alone(tmp_path: Path) -> None:
    text = """
    module Engine
      module Game
        module GZooMapB
          class Game < GZoo::Game
            GAME_TITLE = 'Zoo, map B'
            LAYOUT = :flat
            HEXES = { gray: { %w[B3] => 'path=a:0,b:3' },
                      white: { %w[B1 C2 D1] => '', %w[C4] => 'city=revenue:0' } }.freeze
            BASE_2 = { 'C2' => ['town=revenue:10;path=a:0,b:_0', :gray] }.freeze
            CORPORATIONS = [{ sym: 'L', name: 'Lions', tokens: [0], coordinates: 'C4', color: :red }].freeze
          end
        end
      end
    end
    """
    for name, game in {
        "g_zoo/game.rb": ZOO,
        "g_zoo_map_b/game.rb": text,
        "base.rb": NUMBERS,
    }.items():
        path = tmp_path / "game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(game, encoding="utf-8")
    out = tmp_path / "out"
    import_title(tmp_path / "game" / "g_zoo_map_b", out)
    head = block(out, "title")
    assert (head["name"], head["players"]["4"]) == (
        "Zoo, map B",
        {"cash": 9, "certificate_limit": 7},
    )
    assert set(block(out, "map")["hexes"]) == {"B1", "B3", "C2", "C4", "D1"}
    assert block(out, "market")["rows"] == [["7", "8", "9p"], ["5", "6", "7"]]
    assert [variant["name"] for variant in head["variants"].values()] == ["Base 2"]
    based = load_title(out, variant="base-2").title.maps[0]
    assert {hexagon.id: len(hexagon.tile.stops) for hexagon in based.hexes}["C2"] == 1


def test_a_game_without_map_tiles_and_trains_is_printed(tmp_path: Path) -> None:
    body = """
    HEXES = {}.freeze
    TILES = {}.freeze
    TRAINS = [].freeze
    PHASES = [{ name: '1', on: '', train_limit: 0, tiles: [], operating_rounds: 1 }].freeze
    MARKET = [%w[0c 5 6 7 8 9 10p 11p 12p 14p 16p 18 20 22 24e]].freeze
    CORPORATIONS = [{ sym: 'J', name: 'Jupiter', tokens: [], color: :green, float_percent: 0 }].freeze
    COMPANIES = [{ sym: 'BME', name: 'Mountain Line', value: 1, revenue: 1, color: :red, stars: 1 }].freeze
    """
    out = _imported(tmp_path, body)
    assert not (out / "map.json").exists()
    assert [problem.code for problem in check(str(out)) if problem.severity.word == "error"] == []
    printed = json.loads(build(out).files["manifest.json"])["placements"]
    assert {piece["kind"] for piece in printed} >= {"market", "certificate", "private", "charter"}


def test_a_charter_has_room_for_the_homes_of_a_line(tmp_path: Path) -> None:
    places = ["B2", "B4", "C3", "C5", "D2", "D4"]
    body = f"""
    MINORS = [{{ sym: 'L', name: 'Line of the dale', tokens: [], color: '#ffe600',
                 coordinates: %w[{" ".join(places)}] }}].freeze
    LOCATION_NAMES = {{ 'B2' => 'Upper Dale', 'D4' => 'Lower Dale' }}.freeze
    """
    out = _imported(tmp_path, MAP + body)
    assert [home["hex"] for home in block(out, "companies")["L"]["homes"]] == places
    assert [str(problem) for problem in check(str(out)) if problem.code.startswith("LG")] == []


def test_bonuses_of_routes_are_read_or_named(tmp_path: Path) -> None:
    folder = _imported(
        tmp_path,
        """
        HEXES = {
          white: { %w[B2] => 'city=revenue:0' },
          red: {
            ['B4'] => 'offboard=revenue:yellow_20|brown_40,groups:E;icon=image:1846/30;path=a:1,b:_0;label=E',
            ['A1'] => 'offboard=revenue:yellow_20|brown_40;icon=image:1846/20;path=a:4,b:_0;label=W',
          },
        }.freeze
        TRAINS = [
          { name: '2', distance: 2, price: 100, num: 5 },
          { name: 'P', distance: [{ 'nodes' => %w[city offboard], 'pay' => 1, 'visit' => 1 }], price: 100, num: 5 },
        ].freeze
        PHASES = [
          { name: '2', train_limit: 4, tiles: [:yellow], operating_rounds: 1 },
        ].freeze
        REAL_PHASE_TO_REV_PHASE = { '2' => :brown }.freeze
        def pullman?(train) = train.name == 'P'
        def east_west_bonus(stops) = { revenue: 0 }
        def revenue_for(route, stops) = super + east_west_bonus(stops)[:revenue]
        def check_other(route) = nil
        """,
    )
    bonuses = block(folder, "bonuses")
    assert bonuses["east-west"]["pays"] == {"visits": [{"B4": 30}, {"A1": 20}]}
    assert bonuses["code"] == {"name": "routes by the game's code: revenue_for, check_other"}
    report = (folder / "import-report.md").read_text(encoding="utf-8")
    assert "does not count what the game's code decides: revenue_for, check_other" in report
    assert block(folder, "trains")["P"]["doubles"] == ["city", "offboard"]
    assert "doubles" not in block(folder, "trains")["2"]
    assert block(folder, "phases")["2"]["revenue"] == "brown"
    load_title(folder)


def test_words_of_programmers_are_printed_as_those_of_a_game(tmp_path: Path) -> None:
    body = """
    COMPANIES = [
      { sym: 'C1', name: 'CONCESSION: BR', value: 100, revenue: 10, desc: "Pays 2x to the owner's bank" },
      { sym: 'M1', name: 'MINOR: 1. Withy Railway', value: 100, revenue: 0, desc: 'Tiles on "IC" hexes are gray.' },
    ].freeze
    CORPORATIONS = [
      { sym: 'BR', name: 'Bree Railway', tokens: [0, 40], coordinates: 'B2', abilities: [
        { type: 'token', description: 'Reserved $40 token/$60 teleport on C3', hexes: ['C3'],
          price: 40, teleport_price: 60 }] },
      { sym: 'CR', name: 'Combe Railway', tokens: [0, 40], coordinates: 'B2', abilities: [
        { type: 'token', description: 'Reserved $40/$100 token', hexes: ['C3'], price: 40, teleport_price: 60 }] },
    ].freeze
    MINORS = [
      { sym: '1', name: 'Withy Railway', tokens: [0], coordinates: 'C3', color: '#237333', shares: [100],
        max_ownership_percent: 100, float_percent: 100 },
    ].freeze
    MARKET = [%w[50p 60y 70]].freeze
    MARKET_TEXT = { par: 'Par (Phases 1-3)', no_cert_limit: 'Not in the cert limit' }.freeze
    TRAINS = [{ name: '4H', distance: 4, price: 80, num: 3 }, { name: 'R6H', distance: 6, price: 350, num: 2 }].freeze
    STATUS_TEXT = { 'values' => ['Values', 'Gray locations use gray values'] }.freeze
    PHASES = [{ name: '1', train_limit: 4, tiles: [:yellow], operating_rounds: 1, status: ['values'] }].freeze
    """
    out = _imported(tmp_path, MAP + body)
    concession, minor = block(out, "privates").values()
    assert (concession["name"], concession["kind"]) == ("BR", "concession")
    assert concession["abilities"] == ["Pays 2 × to the owner’s bank."]
    assert (minor["name"], minor["class"]["en"]) == ("1. Withy Railway", "Minor company")
    assert minor["abilities"] == ["Tiles on “IC” hexes are grey."]
    companies = block(out, "companies")
    assert companies["BR"]["abilities"] == [
        "May place a station in C3 for $40, or for $60 without a connection."
    ]
    # Where the words have other amounts than the data, they stay.
    assert companies["CR"]["abilities"] == ["Reserved $40/$100 token."]
    assert not {"ownership_limit", "$comment"} & set(companies["1"])
    zones = block(out, "market")["zones"]
    assert {zone["name"] for zone in zones.values()} == {
        "Par (Phases 1–3)",
        "Not in the certificate limit",
    }
    assert [train["hexes"] for train in block(out, "trains").values()] == [4, 6]
    assert block(out, "phases")["1"]["status"] == ["Grey locations use grey values"]


def test_companies_have_the_loans_that_a_method_allows(tmp_path: Path) -> None:
    folder = _imported(
        tmp_path,
        MAP
        + """
        CORPORATIONS = [
          { sym: 'AB', name: 'A', tokens: [0], shares: [40, 20, 20, 20], type: 'major' },
          { sym: 'CD', name: 'C', tokens: [0], shares: [100], type: 'minor' },
        ].freeze

        def init_loans
          @loan_value = 50
          Array.new(9) { |id| Loan.new(id, @loan_value) }
        end

        def loan_value(_entity = nil)
          @loan_value
        end

        def maximum_loans(entity)
          entity.type == :major ? entity.total_shares : 2
        end
        """,
    )
    companies = block(folder, "companies")
    assert [companies[key]["loans"] for key in ("AB", "CD")] == [5, 2]
    assert block(folder, "title")["loan"] == 50
    export_title(str(folder), "18xx-games", tmp_path / "export", BuildOptions())
    (game,) = (tmp_path / "export" / GAMES).iterdir()
    import_title(game, tmp_path / "again")
    assert [block(tmp_path / "again", "companies")[key]["loans"] for key in ("AB", "CD")] == [5, 2]
    assert block(tmp_path / "again", "title")["loan"] == 50


def test_a_variant_that_is_off_lends_nothing(tmp_path: Path) -> None:
    body = """
        CORPORATIONS = [{ sym: 'AB', name: 'A', tokens: [0] }].freeze

        def init_loans
          Array.new(bonds? ? 1 : 0) { |id| Loan.new(id, 500) }
        end

        def bonds?
          false
        end

        def maximum_loans(_entity)
          1
        end
    """
    assert "loans" not in block(_imported(tmp_path, MAP + body), "companies")["AB"]


def test_cards_tell_when_privates_close_and_what_later_trains_bring(tmp_path: Path) -> None:
    folder = _imported(
        tmp_path,
        MAP
        + """
        CORPORATIONS = [{ sym: 'AB', name: 'A', tokens: [0] }].freeze
        COMPANIES = [
          { sym: 'P1', name: 'P1-Tram', value: 20, revenue: 5,
            abilities: [{ type: 'close', when: 'bought_train', corporation: 'AB' }] },
          { sym: 'P2', name: 'Mill', value: 20, revenue: 5,
            abilities: [{ type: 'close', on_phase: 'never', owner_type: 'player' }] },
        ].freeze
        TRAINS = [
          { name: '2', distance: 2, price: 80, num: 5,
            events: [{ 'type' => 'storm', 'when' => 3 }] },
        ].freeze
        EVENTS_TEXT = { 'storm' => ['Storm', 'A storm comes'] }.freeze
        """,
    )
    privates = block(folder, "privates")
    assert [(entry["name"], entry["closes"]) for entry in privates.values()] == [
        ("Tram", "when AB buys a train"),
        ("Mill", "never while a player owns it"),
    ]
    assert block(folder, "trains")["2"]["note"] == "A storm comes (train 3)."


def test_icons_of_amounts_are_drawn_as_them(tmp_path: Path) -> None:
    map_ = MAP.replace("'city=revenue:0'", "'city=revenue:0;icon=image:x/minus_10;icon=image:x/20'")
    folder = _imported(tmp_path, map_)
    icons = block(folder, "map")["hexes"]["B2"]["icons"]
    assert [icon["text"] for icon in icons] == ["–10", "20"]
    assert "without a picture" not in (folder / "import-report.md").read_text(encoding="utf-8")
