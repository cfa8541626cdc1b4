"""Ruby data read as syntax: literals, constants, methods of plain data; everything else is said,
never run."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_ruby")

from platelayer.exchange.ruby.evaluate import Evaluator
from platelayer.exchange.ruby.game import ANY_ORDER, TooMuch, budget, readable, unread_in
from platelayer.exchange.ruby.library import Library

GAME = "Engine::Game::G18X::Game"


def _evaluator(folder: Path, body: str, **others: str) -> Evaluator:
    games = folder / "game"
    for name, text in {"g_18_x/game.rb": body, **others}.items():
        path = games / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    library = Library(folder=games / "g_18_x")
    library.read_folder(library.folder)
    return Evaluator(library, GAME, {"@optional_rules": [], "@players": [None] * 3})


def _game(lines: str, *, parent: str = "Game::Base", more: str = "") -> str:
    return f"module Engine\nmodule Game\nmodule G18X\n{more}\nclass Game < {parent}\n{lines}\nend\nend\nend\nend\n"


@pytest.mark.parametrize(
    ("ruby", "value"),
    [
        ("[1, -2, 3_000, 2.5, nil, true]", [1, -2, 3000, 2.5, None, True]),
        ("%w[A1 B2] + %i[x y]", ["A1", "B2", "x", "y"]),
        ("{ a: 1, 'b' => 2, :c => 3, 4 => :d }", {"a": 1, "b": 2, "c": 3, 4: "d"}),
        ("{ %w[A1 B2] => 'city' }", {("A1", "B2"): "city"}),
        ("'it''s' ' one'", "its one"),
        (r"'it\'s'", "it's"),
        (r'"a\tb\u00e9#{1 + 1}"', "a\tbé2"),
        ("'a' \\\n 'b'", "ab"),
        ("<<~TEXT.strip\n    one\n      two\n  TEXT", "one\n  two"),
        ("(1..3).to_a", [1, 2, 3]),
        ("('A'..'C').to_a", ["A", "B", "C"]),
        ("{ a: { b: 1 } }.merge({ c: 2 }).freeze", {"a": {"b": 1}, "c": 2}),
        ("[[1, 2], [3, 4]].map { |a, b| a + b }", [3, 7]),
        ("{ 'x' => 1, 'y' => 2 }.map { |k, v| [k, v * 10] }.to_h", {"x": 10, "y": 20}),
        ("%w[a b].each_with_index.map { |x, i| x + i.to_s }", ["a0", "b1"]),
        ("Array.new(3) { |i| i * 2 }", [0, 2, 4]),
        ("[{ n: 1 }, { n: 2 }].map(&:dup).reject { |x| x[:n] == 1 }", [{"n": 2}]),
        ("[*1..2, *%w[a]]", [1, 2, "a"]),
        ("{ **{ a: 1 }, b: 2 }", {"a": 1, "b": 2}),
        ("1 > 2 ? 'yes' : 'no'", "no"),
        ('Range.new(3, 11).step(4).map { |x| "A#{x}" }', ["A3", "A7", "A11"]),
        ("3.downto(1).map { |i| i }", [3, 2, 1]),
        ("('A8'..'B0').to_a", ["A8", "A9", "B0"]),
        ("[1, 2, 3, 4].each_slice(2).map(&:sum)", [3, 7]),
        ("[1, 2, 3].inject(:+)", 6),
        ("[1, 2, 3, 4].partition(&:even?)", [[2, 4], [1, 3]]),
        ("[3, 1, 2].sort { |a, b| b <=> a }", [3, 2, 1]),
        ("[1, 2, 3][1..]", [2, 3]),
        ("[1, 2, 3][0...-1]", [1, 2]),
        ("[1, 2].insert(1, 9).map! { |x| x + 1 }", [2, 10, 3]),
        ("{ %w[A1 A2] => 'x' }.transform_keys { |c| c - %w[A1] }", {("A2",): "x"}),
        ("{ a: { b: 1 } }.deep_merge({ a: { c: 2 } })", {"a": {"b": 1, "c": 2}}),
        ("[{}, [], 'a', 1].map { |x| x.is_a?(Hash) }", [True, False, False, False]),
        (
            "[5, 6].each_with_object(Hash.new { |h, k| h[k] = [] }) { |x, h| h[x] << x }",
            {5: [5], 6: [6]},
        ),
        ("'A12'[/\\d+/] + 'x-y'.gsub(/-/, '+')", "12x+y"),
        ("format('%02d', 3)", "03"),
        ("%w[a b].each_with_index.with_object({}) { |(x, i), h| h[x] = i }", {"a": 0, "b": 1}),
        ("0x10 + 1_000", 1016),
    ],
)
def test_literals_and_methods_of_plain_data(tmp_path: Path, ruby: str, value: object) -> None:
    assert _evaluator(tmp_path, _game(f"X = {ruby}")).constant("X") == value


def test_constants_come_from_modules_parents_and_the_base(tmp_path: Path) -> None:
    parent = _game("TRAINS = [1]\nTEXT = { a: 1 }.freeze", more="").replace("G18X", "G18Mother")
    base = (
        "module Engine\nmodule Game\nclass Base\nBANK = 5\nTEXT = { z: 0 }.freeze\nend\nend\nend\n"
    )
    game = _game(
        "include Map\nTEXT = G18Mother::Game::TEXT.merge('b' => 2).freeze",
        parent="G18Mother::Game",
        more="module Map\nTILES = { '57' => ONE }.freeze\nONE = 1\nend",
    )
    found = _evaluator(tmp_path, game, **{"g_18_mother/game.rb": parent, "base.rb": base})
    assert found.constant("TILES") == {"57": 1}
    assert found.constant("TRAINS") == [1]
    assert found.constant("BANK") == 5
    assert found.constant("TEXT") == {"a": 1, "b": 2}


def test_a_constant_may_build_on_that_of_its_parent_by_its_own_name(tmp_path: Path) -> None:
    base = "module Engine\nmodule Game\nclass Base\nTEXT = { a: 1 }.freeze\nend\nend\nend\n"
    found = _evaluator(tmp_path, _game("TEXT = TEXT.merge(b: 2)"), **{"base.rb": base})
    assert found.constant("TEXT") == {"a": 1, "b": 2}


def test_methods_that_put_data_together(tmp_path: Path) -> None:
    found = _evaluator(
        tmp_path,
        _game("""
        def game_tiles
          tiles = { '57' => 1 }
          tiles['57'] += 2 if @players.size > 2
          tiles['X'] = 9 if @optional_rules.include?(:more)
          %w[8 9].each { |name| tiles[name] = 4 }
          case @players.size
          when 1, 2 then tiles.delete('8')
          else tiles['58'] = 1
          end
          return tiles unless tiles.empty?

          nil
        end
        """),
    )
    assert found.call("game_tiles") == {"57": 3, "8": 4, "9": 4, "58": 1}


@pytest.mark.parametrize(
    ("ruby", "value"),
    [
        ("a = 0\nwhile a < 3\na += 1\nend\na", 3),
        ("a = []\nfor i in 1..5\nnext if i == 2\nbreak if i == 4\na << i\nend\na", [1, 3]),
        ("a = 0\nloop do\na += 1\nbreak if a > 3\nend\na", 4),
        ("case 'ab'\nwhen /^b/ then 1\nwhen String then 2\nend", 2),
        ("h = { p: %w[a b] }\nh[:p] -= ['a']\nh", {"p": ["b"]}),
        (
            "l = [{ s: 'A' }, { s: 'B' }]\nl.find { |c| c[:s] == 'B' }[:t] = 1\nl",
            [{"s": "A"}, {"s": "B", "t": 1}],
        ),
        ("s = +''\ns << 'a'\ns << 'b'\ns", "ab"),
        ("self.class.const_get(:GIVEN)", [7, 8]),
        ("self.class.named", "n"),
        ("@scenario['map'] + scenario['map']", "EWEW"),
        ("a = [1, 2]\na.any? { |x| x > 1 } && a.none? && a.one? { |x| x == 2 }", False),
        ("a = { p: 1, q: nil }\na.compact.merge(p: 2) { |_, old, new| old + new }", {"p": 3}),
        ("a = [3, 1]\na.unshift(9, 8).rotate!.min(2)", [1, 3]),
        ("%w[a b].each_with_index.map { |x, i| x * i }.inject(:+)", "b"),
    ],
)
def test_loops_cases_and_what_is_set_up_before(tmp_path: Path, ruby: str, value: object) -> None:
    around = """
    GIVEN = [7, 8].freeze
    class << self
      def named
        'n'
      end
    end
    def init_optional_rules(rules)
      @scenario = scenario_for(rules)
      rules
    end
    def scenario_for(_rules)
      @players.size == 3 ? { 'map' => 'EW' } : {}
    end
    """
    assert _evaluator(tmp_path, _game(f"{around}def x\n{ruby}\nend")).call("x") == value


def test_of_what_is_drawn_by_lot_all_is_taken_and_said(tmp_path: Path) -> None:
    game = _game(
        "A = %w[x y z].freeze\ndef x\nA.sort_by { rand }.take(2).sort + A.shuffle.first(1)\nend"
    )
    found = _evaluator(tmp_path, game)
    assert found.call("x") == ["x", "y", "z"] * 2
    assert [each.what for each in found.drawn] == [
        "A.sort_by { rand }.take(2)",
        "A.shuffle.first(1)",
    ]


def test_of_an_order_left_to_chance_one_is_taken_and_said(tmp_path: Path) -> None:
    """However the engine makes its random numbers."""
    body = """
    VALUES = [[20, 30], [40, 50]].freeze
    def rand
      @rand = (1_103_515_245 * @rand + 12_345) % 2_147_483_647
    end
    def x
      drawn = VALUES.sort_by { rand }
      "yellow_#{drawn[1][0]}|brown_#{drawn[1][1]}"
    end
    """
    found = _evaluator(tmp_path, _game(body))
    assert found.call("x") == "yellow_40|brown_50"
    assert {(each.what, each.why) for each in found.drawn} == {("drawn[1]", ANY_ORDER)}


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "a*a*a*b", "(?<x>a)", "(a)\\1", "[" + "a" * 70 + "]"]
)
def test_patterns_that_may_take_for_ever_are_not_tried(tmp_path: Path, pattern: str) -> None:
    found = _evaluator(tmp_path, _game(f"X = '{'a' * 60}'.match?(/{pattern}/)")).constant("X")
    assert list(unread_in(found))


def test_super_and_default_arguments(tmp_path: Path) -> None:
    game = _game(
        "include Map\ndef names(first = 'a', last: 'z')\nsuper + [first, last]\nend",
        more="module Map\ndef names(*)\n['m']\nend\nend",
    )
    assert _evaluator(tmp_path, game).call("names") == ["m", "a", "z"]


def test_what_is_no_data_is_said_with_its_line_and_the_rest_is_kept(tmp_path: Path) -> None:
    found = _evaluator(
        tmp_path, _game("X = {\n  a: 1,\n  b: rand(6),\n  c: [2, Time.now, `ls`],\n}")
    ).constant("X")
    unread = list(unread_in(found))
    assert [(each.what, each.file, each.line) for each in unread] == [
        ("rand(6)", "g_18_x/game.rb", 8),
        ("Time.now", "g_18_x/game.rb", 9),
        ("`ls`", "g_18_x/game.rb", 9),
    ]
    assert readable(found) == {"a": 1, "c": [2]}


@pytest.mark.parametrize(
    "ruby",
    [
        "system('touch x')",
        "File.write('x', '1')",
        "eval('1 + 1')",
        "require 'json'",
        "Kernel.exit",
        "self.class.instance_eval { 1 }",
        "Object.const_get(:File)",
        "[1].map(&method(:puts))",
        "__FILE__",
        "->(x) { x }.call(1)",
    ],
)
def test_nothing_is_run(tmp_path: Path, ruby: str) -> None:
    found = _evaluator(tmp_path, _game(f"X = {ruby}")).constant("X")
    assert list(unread_in(found))
    assert not readable(found)
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


@pytest.mark.parametrize(
    "ruby",
    [
        "def x\nx\nend",
        "def x\ny\nend\ndef y\nx\nend",
        "def x\nwhile true\n1\nend\nend",
        "def x\nloop { 1 }\nend",
        "def x\n(1..9000).flat_map { |a| (1..9000).map { |b| a * b } }\nend",
    ],
)
def test_what_goes_on_and_on_ends(tmp_path: Path, ruby: str) -> None:
    budget.begin(50_000)
    with pytest.raises((TooMuch, RecursionError)):
        _evaluator(tmp_path, _game(ruby)).call("x")
    budget.begin()
