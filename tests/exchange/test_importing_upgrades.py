"""What an imported title says of upgrading: from its tiles, and from what its source decides in
code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_ruby")

from exchange.corpus import block
from platelayer.definitions.titles import load_title
from platelayer.exchange.imported import Imported
from platelayer.exchange.importers import import_title
from platelayer.exchange.losses import Losses
from platelayer.exchange.settling import _put_labels
from platelayer.rules.graph import spots, upgrade_graph

BASE = """
module Engine
  module Game
    class Base
      def upgrades_to?(from, to, special = false, selected_company: nil)
        return false unless upgrades_to_correct_color?(from, to, selected_company: selected_company)
        return false unless from.paths_are_subset_of?(to.paths)
        return true if special
        return false unless upgrades_to_correct_label?(from, to)

        upgrades_to_correct_city_town?(from, to)
      end

      def upgrades_to_correct_color?(from, to, selected_company: nil)
        Engine::Tile::COLORS.index(to.color) == (Engine::Tile::COLORS.index(from.color) + 1)
      end

      def upgrades_to_correct_label?(from, to)
        from.label == to.label
      end

      def upgrades_to_correct_city_town?(from, to)
        return false if from.towns.size != to.towns.size

        from.cities.size == to.cities.size
      end
    end
  end
end
"""
ROW = "path=a:0,b:_0;path=a:3,b:_0"


def _game(
    tmp_path: Path,
    tiles: dict[str, tuple[str, str]],
    hexes: dict[str, dict[str, str]],
    code: str = "",
) -> Path:
    """A title imported from a game with a few tiles and hexes, on a field of plain ones, and some
    methods."""
    plain = " ".join(
        f"{column}{row}" for column in "BCDEFGH" for row in range(2 - ord(column) % 2, 13, 2)
    )
    used = {place for by_place in hexes.values() for place in by_place}
    plain = " ".join(each for each in plain.split() if each not in used)
    told = ", ".join(
        f"'{name}' => "
        + (count if not string else f"{{ 'count' => 1, 'color' => '{count}', {string} }}")
        for name, (count, string) in (
            {"7": ("9", ""), "8": ("9", ""), "9": ("9", "")} | tiles
        ).items()
    )
    drawn = ", ".join(
        f"{colour}: {{ "
        + ", ".join(f"['{place}'] => '{string}'" for place, string in by_place.items())
        + " }"
        for colour, by_place in {**hexes, "white": {**hexes.get("white", {}), "%w": ""}}.items()
    ).replace("['%w'] => ''", f"%w[{plain}] => ''")
    text = f"""
    module Engine
      module Game
        module GDale
          class Game < Game::Base
            LAYOUT = :flat
            TILES = {{ {told} }}.freeze
            HEXES = {{ {drawn} }}.freeze
            PHASES = [{{ name: '2', train_limit: 2, tiles: %i[yellow green brown gray], operating_rounds: 1 }}].freeze
            {code}
          end
        end
      end
    end
    """
    (tmp_path / "game" / "g_dale").mkdir(parents=True)
    (tmp_path / "game" / "base.rb").write_text(BASE, encoding="utf-8")
    (tmp_path / "game" / "g_dale" / "game.rb").write_text(text, encoding="utf-8")
    import_title(tmp_path / "game" / "g_dale", tmp_path / "out")
    return tmp_path / "out"


def _code(string: str, **more: str) -> str:
    return ", ".join(
        [f"'code' => '{string}'", *(f"'{key}' => {value}" for key, value in more.items())]
    )


def _waived(folder: Path) -> list[str]:
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    return [f"{each['code']} {each.get('at', '*')}" for each in head.get("waivers", ())]


def _reached(folder: Path, place: str) -> set[str]:
    return {
        name
        for spot in spots(load_title(str(folder)).title)
        if spot.hexagon.id == place
        for name in spot.alone
    }


def test_a_label_that_no_tile_of_the_first_colour_has_applies_from_the_first_that_has_it(
    tmp_path: Path,
) -> None:
    tiles = {
        "5": ("2", ""),
        "57": ("2", ""),
        "Y1": ("green", _code(f"city=revenue:40,slots:2;{ROW};label=Y")),
    }
    out = _game(
        tmp_path, tiles, {"white": {"D6": "city=revenue:0;label=Y", "F6": "city=revenue:0"}}
    )
    assert block(out, "map")["hexes"]["D6"]["labels"] == [{"text": "Y", "since": "green"}]
    assert _reached(out, "D6") == {"5", "57", "Y1"}
    assert _reached(out, "F6") == {"5", "57"}
    assert _waived(out) == []


def test_a_future_label_takes_the_place_of_the_label(tmp_path: Path) -> None:
    tiles = {
        "Y0": ("yellow", _code(f"city=revenue:30;{ROW};label=Y")),
        "Y1": ("green", _code(f"city=revenue:40,slots:2;{ROW};label=Y")),
        "K1": ("brown", _code(f"city=revenue:60,slots:2;{ROW};label=K")),
    }
    out = _game(
        tmp_path,
        tiles,
        {"white": {"D6": "city=revenue:0;label=Y;future_label=label:K,color:brown"}},
    )
    assert _reached(out, "D6") == {"Y0", "Y1", "K1"}
    assert _waived(out) == []


def test_a_tile_for_one_place_gives_the_place_its_label(tmp_path: Path) -> None:
    tiles = {"57": ("2", ""), "A1": ("green", _code(f"city=revenue:40,slots:2;{ROW};label=Aug"))}
    code = """
    def upgrades_to?(from, to, special = false, selected_company: nil)
      return to.name == 'A1' if from.color == :yellow && from.hex.name == 'D6'

      super
    end
    """
    out = _game(tmp_path, tiles, {"white": {"D6": "city=revenue:0", "F6": "city=revenue:0"}}, code)
    hexes = block(out, "map")["hexes"]
    assert hexes["D6"]["labels"] == [{"text": "Aug", "since": "green"}]
    assert "labels" not in hexes["F6"]
    assert _reached(out, "D6") == {"57", "A1"}
    assert _waived(out) == []


def test_towns_that_appear_by_the_rules_of_the_game(tmp_path: Path) -> None:
    two = "town=revenue:10;town=revenue:10;path=a:0,b:_0;path=a:3,b:_0;path=a:1,b:_1;path=a:2,b:_1"
    tiles = {"4": ("2", ""), "T2": ("green", _code(two))}
    hexes = {"white": {"D6": "town=revenue:0"}}
    code = """
    def upgrades_to_correct_city_town?(from, to)
      return true if from.towns.size == 1 && to.towns.size == 2

      super
    end
    """
    out = _game(tmp_path, tiles, hexes, code)
    assert block(out, "upgrades")["granted"] == [{"from": ["4"], "to": ["T2"]}]
    assert [pair.to for pair in upgrade_graph(load_title(str(out)).title).by_source["4"]] == ["T2"]
    assert _waived(out) == []


def test_without_a_rule_in_the_game_the_finding_is_accepted_and_says_where_to_look(
    tmp_path: Path,
) -> None:
    tiles = {"57": ("2", ""), "A1": ("green", _code(f"city=revenue:40,slots:2;{ROW};label=Aug"))}
    code = "def legal_tile_rotation?(*)\nsuper\nend"
    out = _game(tmp_path, tiles, {"white": {"D6": "city=revenue:0"}}, code)
    assert _waived(out) == ["UP01 A1"]
    report = (out / "import-report.md").read_text(encoding="utf-8")
    assert "UP01: green tile A1 cannot replace anything" in report
    assert "See legal_tile_rotation? in g_dale/game.rb:10." in report


def test_many_findings_of_one_kind_are_accepted_together(tmp_path: Path) -> None:
    tiles = {
        f"Z{n}": ("green", _code(f"city=revenue:{n}0,slots:2;{ROW};label=Z{n}"))
        for n in range(1, 7)
    }
    out = _game(tmp_path, {"57": ("2", ""), **tiles}, {"white": {"D6": "city=revenue:0"}})
    assert _waived(out) == ["UP01 *"]
    report = (out / "import-report.md").read_text(encoding="utf-8")
    assert "- UP01, 6 times: " in report
    assert all(f"  - green tile Z{n} cannot replace anything" in report for n in range(1, 7))


def test_tiles_with_a_label_of_their_own_colour_lie_on_hexes_with_it(tmp_path: Path) -> None:
    tiles = {
        "57": ("2", ""),
        "H1": ("red", _code("city=revenue:30,slots:2;path=a:0,b:_0;label=SX")),
    }
    out = _game(tmp_path, tiles, {"white": {"D6": "label=SX"}})
    upgrades = block(out, "upgrades")
    assert upgrades["grounds"] == [{"colour": "red", "labels": ["SX"]}]
    assert upgrades["added"] == [{"colour": "red", "label": "SX", "cities": 1}]
    assert _reached(out, "D6") == {"H1"}


def test_printed_hexes_for_which_there_is_no_tile_stay(tmp_path: Path) -> None:
    tiles = {"57": ("2", ""), "619": ("2", "")}
    out = _game(
        tmp_path,
        tiles,
        {"yellow": {"D6": f"city=revenue:30;{ROW};label=Hull"}, "white": {"F6": "city=revenue:0"}},
    )
    assert block(out, "upgrades")["never_upgraded"] == ["hex:D6"]
    assert "No tile of the box fits on D6: they stay as printed." in (
        out / "import-report.md"
    ).read_text(encoding="utf-8")
    assert _waived(out) == []


def test_a_tile_that_only_shows_what_lies_on_another_is_left_out(tmp_path: Path) -> None:
    hidden = _code("offboard=revenue:10,hide:1;path=a:0,b:3", hidden="true")
    out = _game(tmp_path, {"9": ("2", ""), "9coal": ("yellow", hidden)}, {})
    assert set(block(out, "tiles")) == {"7", "8", "9"}
    assert "Tile 9 stands for 9coal, too" in (out / "import-report.md").read_text(encoding="utf-8")


def test_a_town_becomes_a_city_where_the_game_says_so(tmp_path: Path) -> None:
    tiles = {"4": ("2", ""), "57": ("2", ""), "15": ("1", "")}
    code = """
    def upgrades_to?(from, to, special = false, selected_company: nil)
      return to.name == '57' if from.name == '4' && to.cities.size == 1
      super
    end
    """
    out = _game(tmp_path, tiles, {"white": {"D6": "town=revenue:0", "F6": "city=revenue:0"}}, code)
    assert block(out, "upgrades")["granted"] == [{"from": ["4"], "to": ["57"]}]
    graph = upgrade_graph(load_title(str(out)).title)
    assert [(pair.to, pair.rotations) for pair in graph.by_source["4"]] == [("57", (0, 3))]
    assert _reached(out, "D6") == {"4", "57", "15"}


def test_a_rule_about_places_is_asked_about_each(tmp_path: Path) -> None:
    tiles = {
        "57": ("2", ""),
        "4": ("2", ""),
        "Y1": ("yellow", _code(f"city=revenue:40;{ROW};label=Y")),
    }
    code = """
    OPEN = %w[D6 F6].freeze
    def upgrades_to?(from, to, special = false, selected_company: nil)
      return true if to.name == 'Y1' && OPEN.include?(from.hex.id) && from.color == :white
      super
    end
    """
    hexes = {
        "white": {
            "D6": "city=revenue:0",
            "F6": "city=revenue:0",
            "D10": "city=revenue:0",
            "F10": "town=revenue:0",
        }
    }
    out = _game(tmp_path, tiles, hexes, code)
    assert block(out, "upgrades")["granted"] == [{"from": ["hex:D6", "hex:F6"], "to": ["Y1"]}]
    assert _reached(out, "D6") == {"57", "Y1"}
    assert _reached(out, "D10") == {"57"}


def test_rules_of_a_late_phase_and_towns_that_vanish(tmp_path: Path) -> None:
    tiles = {"4": ("2", ""), "57": ("2", ""), "24": ("1", "")}
    code = """
    def upgrades_to?(from, to, special = false, selected_company: nil)
      return @phase.tiles.include?(:gray) && @phase.available?('2') if from.name == '4' && to.name == '57'
      return true if from.name == '4' && to.name == '24'
      super
    end
    """
    out = _game(tmp_path, tiles, {"white": {"D6": "town=revenue:0"}}, code)
    assert block(out, "upgrades")["granted"] == [{"from": ["4"], "to": ["57", "24"]}]
    assert _reached(out, "D6") == {"4", "57", "24"}


def test_a_game_may_lay_tiles_on_hexes_of_other_colours(tmp_path: Path) -> None:
    code = """
    def upgrades_to_correct_color?(from, to, selected_company: nil)
      return to.color == :yellow if from.color == :gray
      super
    end
    """
    hexes = {
        "gray": {"D6": "", "F6": "path=a:0,b:3", "F8": "town=revenue:0"},
        "red": {"H6": "offboard=revenue:20;path=a:0,b:_0"},
    }
    out = _game(tmp_path, {"4": ("2", "")}, hexes, code)
    assert block(out, "map")["hexes"]["D6"] == {"ground": "ground.slate"}
    assert block(out, "map")["hexes"]["F6"]["colour"] == "gray"
    assert block(out, "upgrades")["granted"] == [{"from": ["hex:F6"], "to": ["9"]}]
    assert _reached(out, "D6") == {"7", "8", "9"}
    assert _reached(out, "F6") == {"9"}
    assert _reached(out, "F8") == {"4"}


def test_code_and_tables_put_tiles_on_hexes(tmp_path: Path) -> None:
    label = "city=revenue:30;path=a:0,b:_0;label="
    tiles = {
        "X1": ("yellow", _code(f"{label}X")),
        "X1s": ("yellow", _code(f"{label}X", hidden="true")),
        "X2": ("yellow", _code(f"{label}Y")),
        "X3": ("yellow", _code(f"{label}Z")),
    }
    code = """
    TILE_FOR_HEX = { 'D6' => ['X1s', 2], 'F6' => %w[X2 X9], 'H6' => 'X1', 'nowhere' => 'X2' }.freeze

    def setup
      hex_by_id('H6').lay(tile_by_id('X3-0').rotate!(2))
    end
    """
    cities = {"D6": "city=revenue:0", "F6": "city=revenue:0", "H6": "town=revenue:0"}
    out = _game(tmp_path, tiles, {"white": cities | {"H8": "city=revenue:0"}}, code)
    assert block(out, "upgrades")["granted"] == [
        {"from": ["hex:D6"], "to": ["X1"]},
        {"from": ["hex:F6"], "to": ["X2"]},
    ]


def test_an_ability_lays_its_tile_on_the_hexes_that_it_names(tmp_path: Path) -> None:
    tiles = {
        "X1": ("yellow", _code("town=revenue:30;path=a:0,b:_0;path=a:3,b:_0;label=M")),
        "X2": ("yellow", _code("city=revenue:30;path=a:0,b:_0;label=L")),
    }
    code = """
    COMPANIES = [{ name: 'Mine', sym: 'M', value: 20, revenue: 5, abilities: [
      { type: 'tile_lay', hexes: %w[D6 F6 H6], tiles: ['X1'], when: 'track', count: 1 },
      { type: 'tile_lay', hexes: %w[D6], tiles: %w[7 8 9 X2], when: 'track', count: 1 },
    ] }].freeze
    """
    hexes = {"white": {"D6": "", "F6": "town=revenue:0", "H6": "city=revenue:0"}}
    out = _game(tmp_path, tiles, hexes, code)
    assert block(out, "upgrades")["granted"] == [{"from": ["hex:D6", "hex:F6"], "to": ["X1"]}]
    assert block(out, "tiles")["X1"]["via"] == "Mine"


def test_an_ability_lays_its_tile_on_any_hex_as_the_rules_allow_its_owner(tmp_path: Path) -> None:
    """The game's own rules know the owner, and the tiles that it keeps in a variable."""
    six = ";".join(f"path=a:{edge},b:_0" for edge in range(6))
    tiles = {
        "4": ("2", ""),
        "57": ("2", ""),
        "X3": ("gray", _code(f"town=revenue:30;{six}")),
        "C1": ("green", _code(f"city=revenue:50;{six};label=K")),
    }
    code = """
    COMPANIES = [
      { name: 'Boom', sym: 'P1', value: 20, revenue: 5,
        abilities: [{ type: 'tile_lay', hexes: [], tiles: ['X3'], when: 'track' }] },
      { name: 'Crusher', sym: 'P2', value: 20, revenue: 5,
        abilities: [{ type: 'tile_lay', hexes: [], tiles: %w[7 8 9], when: 'track' }] },
    ].freeze

    def setup
      @company_towns ||= @tiles.select { |tile| tile.name.start_with?('C') }
    end

    def upgrades_to?(from, to, special = false, selected_company: nil)
      return selected_company&.id == 'P1' if to.name == 'X3'
      return true if @company_towns.map(&:name).include?(to.name) && from.color == :white

      super
    end
    """
    hexes = {"white": {"D6": "town=revenue:0", "F6": "city=revenue:0"}}
    out = _game(tmp_path, tiles, hexes, code)
    graph = upgrade_graph(load_title(str(out)).title)
    assert {pair.source for pair in graph.by_tile["X3"]} >= {"4", "9", "hex:D6"}
    assert "57" not in {pair.source for pair in graph.by_tile["X3"]}
    assert _reached(out, "D6") == {"4", "7", "8", "9", "X3", "C1"}
    assert _reached(out, "F6") == {"57", "C1"}


def test_events_lay_tiles_with_the_label_of_a_hex_that_no_other_tile_fits(tmp_path: Path) -> None:
    city = f"city=revenue:30,slots:2;{ROW};label=SP"
    tiles = {"S1": ("gray", _code(city)), "S2": ("gray", _code(city.replace("30", "40")))}
    out = _game(tmp_path, tiles, {"gray": {"D6": city.replace("30", "20")}})
    assert block(out, "upgrades")["granted"] == [
        {"from": ["hex:D6"], "to": ["S1", "S2"]},
        {"from": ["S1"], "to": ["S2"]},
    ]


def test_tiles_of_an_optional_rule_that_is_off_are_left_out_by_name(tmp_path: Path) -> None:
    tiles = {"57": ("2", ""), "B1": ("yellow", _code(f"city=revenue:40;{ROW}"))}
    code = """
    def optional_tiles
      @tiles.reject! { |tile| tile.id.start_with?('B') } unless @optional_rules.include?(:beginner)
    end
    """
    out = _game(tmp_path, tiles, {"white": {"D6": "city=revenue:0"}}, code)
    assert "B1" not in block(out, "tiles")
    report = (out / "import-report.md").read_text(encoding="utf-8")
    assert 'Tiles "B1" are not in the box: the game removes them for these rules.' in report


def test_a_pass_is_a_city_to_the_rules_of_a_game(tmp_path: Path) -> None:
    tiles = {
        "57": ("2", ""),
        "P1": ("yellow", _code(f"pass=revenue:20,size:1;{ROW}")),
        "P2": ("green", _code(f"pass=revenue:40,size:1;{ROW};path=a:1,b:_0")),
        "14": ("2", ""),
    }
    code = """
    def upgrades_to?(from, to, special = false, selected_company: nil)
      size = from.cities.any?(&:pass?) ? from.cities[0].size : 0
      return false if size != (to.cities.any?(&:pass?) ? to.cities[0].size : 0)

      super
    end
    """
    hexes = {"white": {"D6": "pass=revenue:0,size:1", "F6": "city=revenue:0"}}
    out = _game(tmp_path, tiles, hexes, code)
    assert _reached(out, "D6") == {"P1", "P2"}
    assert _reached(out, "F6") == {"57", "14"}


def test_a_tile_of_the_catalogue_that_a_game_draws_turned_is_its_own(tmp_path: Path) -> None:
    tiles = {
        "58": ("yellow", _code("town=revenue:10;path=a:2,b:_0;path=a:4,b:_0")),
        "4": ("yellow", _code("town=revenue:10;path=a:0,b:_0;path=a:3,b:_0")),
    }
    out = _game(tmp_path, tiles, {"white": {"D6": "town=revenue:0"}})
    assert block(out, "tiles")["4"] == 1
    assert sorted(block(out, "tiles")["58"]["tile"]["track"]) == [[2, "stop:0"], [4, "stop:0"]]


def test_labels_that_change_and_tracks_that_would_be_lost(tmp_path: Path) -> None:
    tiles = {
        "57": ("2", ""),
        "K1": ("green", _code(f"city=revenue:40;{ROW};path=a:1,b:_0;label=K")),
        "K2": ("green", _code("city=revenue:40;path=a:0,b:_0;path=a:1,b:_0;label=K")),
    }
    code = """
    def upgrades_to_correct_label?(from, to)
      return true if to.label.to_s == 'K' && from.cities.size == 1

      super
    end
    """
    out = _game(
        tmp_path,
        tiles,
        {"white": {"D6": "city=revenue:0"}, "yellow": {"F6": f"city=revenue:20;{ROW}"}},
        code,
    )
    graph = upgrade_graph(load_title(str(out)).title)
    assert [pair.to for pair in graph.by_source["57"]] == ["K1"]
    assert [pair.to for pair in graph.by_source["hex:F6"]] == ["K1"]


def test_labels_that_one_step_has_put_are_met_by_the_next() -> None:
    """A hex that has a label from a colour on gets a second one, or the same from another
    colour."""
    hexagon = {"labels": ["A", {"text": "Y", "since": "green"}, {"text": "Z", "since": "brown"}]}
    imported = Imported(
        head={}, maps={"main": {"hexes": {"B2": hexagon}}}, blocks={}, losses=Losses()
    )
    _put_labels(imported, {("main", "B2"): {"Z": "green", "X": "brown"}})
    assert imported.maps["main"]["hexes"]["B2"]["labels"] == [
        "A",
        {"text": "Y", "since": "green"},
        {"text": "Z", "since": "green"},
        {"text": "X", "since": "brown"},
    ]
