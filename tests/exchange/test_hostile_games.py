"""Games that would keep an import busy, fill the memory or lead it elsewhere: it ends soon, with
all that it can read, and says by name what it leaves out; or it is refused in one line that names
the file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from limited import bring
from often import crossed, often

pytest.importorskip("tree_sitter_ruby")

HEAD = "module Engine\nmodule Game\nmodule G18X\nclass Game < Game::Base\n"
TAIL = "\nend\nend\nend\nend\n"
PLAIN = """
CURRENCY_FORMAT_STR = '£%s'
BANK_CASH = 2000
LAYOUT = :pointy
HEXES = { white: { %w[A1 A3] => '', ['B2'] => 'city=revenue:0' },
          yellow: { ['C3'] => 'city=revenue:20;path=a:0,b:_0' } }
TILES = { '5' => 2, '57' => 2, '14' => 1 }
CORPORATIONS = [{ sym: 'D', name: 'Dale', tokens: [0, 40], coordinates: 'B2' }]
PHASES = [{ name: '2', train_limit: 4, tiles: [:yellow] },
          { name: '3', on: '3', train_limit: 3, tiles: %i[yellow green] }]
TRAINS = [{ name: '2', distance: 2, price: 80, num: 4, rusts_on: '3' }, { name: '3', distance: 3, price: 180, num: 3 }]
MARKET = [%w[50 60p 70]]
"""


def game(lines: str, *, plain: str = PLAIN) -> str:
    return f"{HEAD}{plain}{lines}{TAIL}"


def put(folder: Path, text: str | bytes, name: str = "game.rb") -> Path:
    source = folder / "engine" / "game" / "g_18_x"
    path = source / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return source


# What costs too much in one place is left out by name, and the rest is there.

PLACES = {
    "an empty loop": "loop {}",
    "a loop that never ends": "while true\nend",
    "a loop over an empty body": "for i in (1..90_000)\nfor j in (1..90_000)\nend\nend",
    "a huge number of turns": "(1000**30).each {}",
    "many times": "(10**15).times {}",
    "times within times": "90_000.times { 90_000.times { } }",
    "squares": "x = 3\n100.times { x = x * x }\nx",
    "a power": "7 ** (10**12)",
    "digits of squares": "x = 3\n60.times { x = x * x }\nx.to_s",
    "a list of itself twice": "a = [1]\n60.times { a = [a, a] }\na",
    "a list of itself twice, flat": "a = [1]\n60.times { a = [a, a] }\na.flatten",
    "a list in itself": "a = []\na << a\na",
    "a list in itself, flat": "a = []\na << a\na.flatten",
    "a list in itself as a key": "a = []\na << a\n{ a => 1 }",
    "a list filled after": "a = []\nb = a\n30.times { b = [b, b] }\n900.times { a << 1 }\nb.flatten.size",
    "a list doubled": "a = [1]\n90.times { a = a + a }\na",
    "a list spread twice": "a = [1]\n90.times { a = [*a, *a] }\na",
    "a list concatenated with itself": "a = [1]\n90.times { a.concat(a) }\na",
    "a text doubled": "a = 'abc'\n90.times { a = a + a }\na",
    "a text doubled in a text": "a = 'abc'\n90.times { a = \"#{a}#{a}\" }\na",
    "a text times": "'abc' * 900_000_000",
    "a text times times": "a = 'abc'\n30.times { a = a * 2000 }\na",
    "a text that replaces": "a = 'aaaa'\n40.times { a = a.gsub('a', 'aaaa') }\na",
    "a wide format": "'%3000000000d' % 1",
    "a long format": "'%0.2000000000f' % 1.5",
    "many wide formats": "format('%9000d' * 100_000, *([1] * 100_000))",
    "a width among the values": "format('%*d', 3_000_000_000, 1)",
    "a text filled": "'a'.rjust(4_000_000_000)",
    "a huge range": "(1..10**12).to_a",
    "a range of ranges": "(1..9_000).flat_map { |a| (1..9_000).to_a }",
    "a product": "a = (1..9_000).to_a\na.product(a)",
    "combinations": "(1..60).to_a.combination(30).to_a",
    "windows": "(1..9_000).each_cons(4_000).to_a",
    "a sum of lists": "([[1] * 900] * 90_000).sum([])",
    "a fold": "(1..90_000).inject([]) { |a, b| a + [b] }",
    "a join": "(['a' * 60_000] * 90_000).join('b' * 60_000)",
    "a list joined by times": "(['a'] * 90_000) * ('b' * 6_000_000)",
    "a difference": "a = (1..90_000).to_a\na - a.reverse",
    "a list that loses its first": "a = (1..90_000).to_a\na.shift until a.empty?\n90_000.times { a.unshift(1) }\na",
    "a method that calls itself": "itself_again(1)",
    "a method that calls itself twice": "twice(60)",
    "nested lists": "[" * 900 + "]" * 900,
    "nested hashes": "{ a: " * 900 + "1" + " }" * 900,
    "a long sum": " + ".join(["1"] * 3000),
    "a negative number of times": "90_000.times { 'a' * -900_000_000 }\n9_000_000.times { }",
    "a number of times that is none": "'a' * (Float::INFINITY - Float::INFINITY)\nloop {}",
}  # fmt: skip
MORE = (
    "\ndef itself_again(x)\nitself_again(x)\nend\ndef twice(x)\ntwice(x - 1) + twice(x - 1)\nend\n"
)


@pytest.mark.parametrize("ruby", often(PLACES, *list(PLACES)[::7]))
def test_what_costs_too_much_in_one_place_is_left_out_by_name(tmp_path: Path, ruby: str) -> None:
    ended = bring(put(tmp_path, game(f"{MORE}def game_companies\n{ruby}\nend")), tmp_path / "out")
    assert ended.status == 0, ended.errors
    assert ended.seconds < 6
    assert "companies: `" in ended.report
    assert "(g_18_x/game.rb:" in ended.report
    assert "- hexes: 4\n" in ended.report
    assert "- trains: 2\n" in ended.report


def test_a_place_that_takes_too_many_steps_says_so(tmp_path: Path) -> None:
    ended = bring(put(tmp_path, game("def game_companies\nloop {}\nend")), tmp_path / "out")
    assert (
        "- companies: `game_companies` (g_18_x/game.rb:17): working it out takes more than 300,000 steps, or is nested "
        "too deeply\n"
    ) in ended.report


@pytest.mark.parametrize(
    "ruby",
    often(
        {
            "lists": "[[1] * 90] * 900",
            "long texts": "['a' * 60_000] * 60",
            "a long list": "a = (1..90_000).to_a\n[a] * 90_000",
        },
        "lists",
    ),
)
def test_more_values_than_a_game_has_are_left_out_by_name(tmp_path: Path, ruby: str) -> None:
    ended = bring(put(tmp_path, game(f"def game_companies\n{ruby}\nend")), tmp_path / "out")
    assert ended.status == 0, ended.errors
    assert ended.seconds < 6
    assert (
        "- companies: `game_companies` (g_18_x/game.rb:17): it has more than 20,000 values, or more than 40 levels\n"
    ) in ended.report


def test_many_places_that_cost_too_much_use_up_one_budget(tmp_path: Path) -> None:
    keys = ("tiles", "trains", "market", "companies")
    lines = "".join(f"def game_{key}\nloop {{}}\nend\n" for key in keys)
    ended = bring(put(tmp_path, game(lines)), tmp_path / "out")
    assert ended.status in (0, 1), ended.errors
    assert ended.seconds < 8
    for key in keys:
        assert f"`game_{key}` (g_18_x/game.rb:" in ended.report


@pytest.mark.parametrize(
    "name",
    often(
        ["upgrades_to?", "legal_tile_rotation?", "upgrades_to_correct_label?"],
        "legal_tile_rotation?",
    ),
)
def test_rules_of_upgrading_without_end_are_asked_once(tmp_path: Path, name: str) -> None:
    asks = "def upgrades_to?(from, to, *)\nlegal_tile_rotation?(1) || upgrades_to_correct_label?(from, to)\nend\n"
    lines = f"{asks if name != 'upgrades_to?' else ''}def {name}(*)\nloop {{}}\nend\n"
    tiles = {
        f"X{number}": f"label=X{number};city=revenue:40;path=a:0,b:_0;path=a:3,b:_0"
        for number in range(60)
    }
    own = ", ".join(
        f"'{key}' => {{ 'count' => 1, 'color' => 'green', 'code' => '{code}' }}"
        for key, code in tiles.items()
    )
    plain = PLAIN.replace("'14' => 1", own)
    ended = bring(put(tmp_path, game(lines, plain=plain)), tmp_path / "out")
    assert ended.status == 0, ended.errors
    assert ended.seconds < 8
    assert ended.report.count("- upgrades: `upgrades_to?` (g_18_x/game.rb:") == 1


def test_instance_variables_of_a_long_text_are_found_in_one_pass(tmp_path: Path) -> None:
    lines = "x = 1\n" * 50_000
    asked = "\n".join(f"a << @v{number}" for number in range(300))
    text = game(f"def setup\n{lines}end\ndef game_companies\na = []\n{asked}\na\nend")
    ended = bring(put(tmp_path, text), tmp_path / "out")
    assert ended.status == 0, ended.errors
    assert ended.seconds < 6


WALKS = {
    "transform_values": "h.transform_values { |x| h[h.size] = 1 }",
    "map": "h.map { |k, v| h.delete(k) }",
    "each_key": "h.each_key { |x| h[x.to_s + 'a'] = 1 }",
    "select": "h.select { |k, v| h[[k]] = 1 }",
    "to_h": "h.to_h { |k, v| h[k.to_s * 2] = 1\n[k, v] }",
    "transform_keys": "h.transform_keys { |x| h[[x]] = 1 }",
}


@pytest.mark.parametrize("work", often(WALKS, "map", "to_h"))
def test_a_hash_that_changes_while_it_is_walked(tmp_path: Path, work: str) -> None:
    text = game(f"def game_companies\nh = {{ 'a' => 1, 'b' => 2 }}\n{work}\nend")
    ended = bring(put(tmp_path, text), tmp_path / "out")
    assert ended.status == 0, ended.errors


@pytest.mark.parametrize("written", ['"\\u{dfff}"', "'a\\ud800'"])
def test_half_of_a_surrogate_pair_is_no_text(tmp_path: Path, written: str) -> None:
    ended = bring(
        put(tmp_path, game(f"def game_companies\n[{{ sym: 'M', name: {written} }}]\nend")),
        tmp_path / "out",
    )
    assert ended.status in (0, 1), ended.errors
    for path in (tmp_path / "out").glob("*.json"):
        path.read_text("utf-8")


NESTED = "".join(f"class A{n}\n" for n in range(3000)) + "end\n" * 3000
TWICE = "a = [1]\n60.times { a = [a, a] }"


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
@pytest.mark.parametrize("name", [b"g_18_\xff", b"18\xff.json", b"18\xff.txt"])
def test_names_of_files_may_be_any_bytes(tmp_path: Path, name: bytes) -> None:
    source = tmp_path / os.fsdecode(name)
    if source.suffix == ".json":
        source.write_text('{"info": {"title": "X"}}', "utf-8")
    elif source.suffix == ".txt":
        source.write_text("X1 yellow city=revenue:20;path=a:0,b:_0\n", "utf-8")
    else:
        source.mkdir()
        (source / "game.rb").write_text(game("GAME_SUBTITLE = rand(6)\n"), "utf-8")
        (source / os.fsdecode(b"\xff.rb")).write_text("X = 1\n", "utf-8")
    ended = bring(source, tmp_path / "out")
    assert ended.status in (0, 1), ended.errors
    assert "From " in ended.report


# What no parser or reader should be given is refused, with file, line and limit.

REFUSED: dict[str, tuple[str | bytes, str]] = {
    "brackets": ("X = 1\n" + "(" * 2_000_000, "g_18_x"),
    "words in words": ("\nX = " + "%w(" * 50_000, "g_18_x/game.rb: reading it "),
    "a list of itself twice, as words": (game(f"def game_companies\n{TWICE}\na.to_s\nend"), "10 seconds"),
    "lists in lists": ("X = " + "[" * 900_000 + "]" * 900_000, "g_18_x"),
    "classes in classes": (NESTED, "g_18_x/game.rb:13: no game has modules"),
    "a large file": (b" " * (2 * 1024 * 1024 + 1), "g_18_x/game.rb: this file is too large; at most 2 MB are read"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            *given,
            marks=[pytest.mark.slow] * ("words" in name or name == "lists in lists"),
            id=name,
        )
        for name, given in REFUSED.items()
    ],
)
def test_a_file_that_is_too_much_is_refused_in_one_line(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    ended = bring(put(tmp_path, text), tmp_path / "out")
    assert ended.status == 2, ended.errors
    assert ended.errors.startswith("platelayer: ")
    assert said in ended.errors
    assert len(ended.errors.splitlines()) == 1
    assert len(ended.errors) < 500
    assert ended.seconds < 14
    assert not (tmp_path / "out").exists()


# Neighbours.


@pytest.mark.parametrize(
    "value",
    ["begin\nloop {}\nend", "begin\nbreak 5\nend"],
)
def test_a_catalogue_that_cannot_be_read_is_named(tmp_path: Path, value: str) -> None:
    text = f"module Engine\nmodule Config\nmodule Tile\nYELLOW = {value}\nend\nend\nend\n"
    source = put(tmp_path, game(""))
    (tmp_path / "engine" / "config").mkdir()
    (tmp_path / "engine" / "config" / "tile.rb").write_text(text, "utf-8")
    ended = bring(source, tmp_path / "out")
    assert ended.status == 0, ended.errors
    assert "- tiles: `" in ended.report
    assert "(config/tile.rb:4)" in ended.report


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _out(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _lost(path: Path) -> None:
    path.symlink_to(path.parent / "nothing")


def _round(path: Path) -> None:
    path.symlink_to(path)


ODD: dict[str, tuple[Callable[[Path], None], str]] = {
    "a pipe": (_fifo, "this is not a regular file"),
    "an endless device": (_endless, "this is a link that leads out of its folder"),
    "a link out": (_out, "this is a link that leads out of its folder"),
    "a link to nothing": (_lost, "there is no such file"),
    "a link to itself": (_round, "this file cannot be read"),
}
NEIGHBOURS = {
    "game.rb": "engine/game/g_18_x/game.rb",
    "another file of the game": "engine/game/g_18_x/trains.rb",
    "a file in a folder of the game": "engine/game/g_18_x/more/trains.rb",
    "the base": "engine/game/base.rb",
    "the catalogue": "engine/config/tile.rb",
    "a parent": "engine/game/g_18_mother/game.rb",
    "a picture": "public/logos/18_x/D.svg",
}


@pytest.mark.parametrize(("place", "kind"), crossed(NEIGHBOURS.values(), ODD))
def test_only_regular_files_of_the_game_are_read(tmp_path: Path, place: str, kind: str) -> None:
    make, words = ODD[kind]
    text = game("include G18Mother::Map").replace("name: 'Dale',", "name: 'Dale', logo: '18_x/D',")
    source = put(tmp_path / "lib", text)
    path = tmp_path / ("" if place.startswith("public") else "lib") / place
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path)
    ended = bring(source, tmp_path / "out")
    if place.startswith("public"):  # the game is read without its picture
        assert (ended.status, "| logo | 1 | D |" in ended.report) == (0, True)
        assert not [*(tmp_path / "out").rglob("*.svg")]
        return
    assert ended.status == 2, ended.report
    assert words in ended.errors
    assert len(ended.errors.splitlines()) == 1
    assert Path(place).name in ended.errors
    assert not (tmp_path / "out").exists()


# Game files of 18xx-maker, and lists of tiles.

MAKER = {
    "very nested lists": ("[" * 400_000, "nested too deeply"),
    "a large number": (
        '{"info": {"title": "X"}, "bank": ' + "9" * 40 + "}",
        ".json:1: a number has 40 digits",
    ),
    "half a character as a key": (
        '{"info": {"title": "X"},\n\n"\\uDE00": 1}',
        ".json:3: half of a surrogate pair",
    ),
    "very many values": ('{"info": {"title": "X"}, "bank": [' + "1," * 300_000 + "1]}", "values"),
    "no UTF-8": (b'{"info": {"title": "\xff"}}', "this is not UTF-8 text"),
}


@pytest.mark.parametrize(("text", "said"), MAKER.values(), ids=MAKER)
def test_game_files_of_18xx_maker_that_no_one_makes(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    source = tmp_path / "game.json"
    source.write_bytes(text.encode() if isinstance(text, str) else text)
    ended = bring(source, tmp_path / "out")
    assert ended.status == 2, ended.errors
    assert said in ended.errors
    assert len(ended.errors.splitlines()) == 1
    assert len(ended.errors) < 400
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "make"), [("game.json", _fifo), ("tiles.txt", _endless)])
def test_single_files_are_regular_too(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / name)
    ended = bring(tmp_path / name, tmp_path / "out")
    assert ended.status == 2
    assert "is not a regular file" in ended.errors


def test_a_catalogue_of_18xx_maker_is_a_regular_file_of_its_folder(tmp_path: Path) -> None:
    tiles = tmp_path / "src" / "data" / "tiles"
    tiles.mkdir(parents=True)
    (tmp_path / "games").mkdir()
    (tiles / "yellow.json").symlink_to("/etc/passwd")
    source = tmp_path / "games" / "x.json"
    source.write_text('{"info": {"title": "X"}}', "utf-8")
    ended = bring(source, tmp_path / "out")
    assert ended.status == 2
    assert "yellow.json: this is a link that leads out of its folder" in ended.errors
