"""A seed in, one damaged or hostile game of another program out: the same seed, the same game."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from damage import Damage, Random, damage_json, damage_text

from exchange import corpus

DOCS = Path(__file__).resolve().parents[2] / "docs" / "importing.md"
GAME, BASE, TILES = "g_18_x", "base.rb", "../config/tile.rb"


@cache
def sound_games() -> tuple[dict[str, str], ...]:
    """Files of sound games of 18xx.games by their path beside other games: that of the
    documentation first, then those of the corpus where there is one."""
    told = DOCS.read_text("utf-8")
    dale = {
        f"{GAME}/{name}": re.findall(
            rf"<!-- g_18_dale/{name} -->\n```\w*\n(.*?)```\n", told, re.DOTALL
        )[0]
        for name in ("map.rb", "game.rb")
    }
    found = [dale | {BASE: _BASE, TILES: _TILES}]
    for folder in corpus.ruby_games():
        files = {
            f"{GAME}/{path.name}": path.read_text("utf-8") for path in sorted(folder.glob("*.rb"))
        }
        found.append(files | {BASE: _BASE, TILES: _TILES})
    return tuple(found)


_BASE = (
    "module Engine\nmodule Game\nclass Base\nBANK_CASH = 5000\nLAYOUT = :pointy\nend\nend\nend\n"
)
_TILES = """module Engine
module Config
module Tile
YELLOW = { '57' => 'city=revenue:20;path=a:0,b:_0;path=a:_0,b:3', '9' => 'path=a:0,b:3' }.freeze
GREEN = { '14' => 'city=revenue:30,slots:2;path=a:0,b:_0;path=a:1,b:_0;path=a:3,b:_0;path=a:4,b:_0' }.freeze
end
end
end
"""


@cache
def sound_files() -> tuple[str, ...]:
    """Sound game files of 18xx-maker: our own first, then those of the corpus where there is
    one."""
    own = {
        "info": {"title": "18X", "subtitle": "Y", "designer": "Z", "orientation": "horizontal", "currency": "$#"},
        "players": [{"number": 3, "certLimit": 12, "capital": 400}, {"number": 4, "certLimit": 10, "capital": 300}],
        "bank": 6000,
        "map": {
            "hexes": [
                {"color": "plain", "cities": [{"size": 2, "companies": [{"label": "D"}]}], "hexes": ["A2", "C2"]},
                {"color": "yellow", "track": [{"side": 1, "type": "gentle"}], "hexes": ["B3"]},
                {"color": "offboard", "offBoardRevenue": {"revenues": [{"color": "yellow", "value": 30}]},
                 "offBoardTrack": [{"side": 2}], "names": [{"name": "Far"}], "hexes": ["A4"]},
                {"terrain": [{"type": "river", "cost": 40}], "towns": [{}], "values": [{"value": 10}], "hexes": ["B1"]},
            ]
        },
        "companies": [{"name": "Dale", "abbrev": "D", "color": "red", "tokens": ["Free", "$40"]}],
        "privates": [{"name": "Mine", "price": 20, "revenue": 5, "description": "Blocks B1."}],
        "trains": [{"name": "2", "price": 80, "quantity": 3}, {"name": "3", "price": 180, "quantity": 3}],
        "phases": [{"name": "2", "limit": 4, "tiles": "yellow"}, {"name": "3", "limit": 3, "tiles": "green"}],
        "rounds": [{"name": "SR"}, {"name": "OR 1"}],
        "stock": {"type": "2D", "market": [[50, 60, {"value": 70, "par": True}], [40, 50, 60]]},
        "tiles": {"57": 2, "X1": {"quantity": 1, "color": "green", "cities": [{"size": 2}]}},
    }  # fmt: skip
    return (json.dumps(own), *(path.read_text("utf-8") for path in corpus.maker_games()))


# --- Ruby
# -------------------------------------------------------------------------------------------------------------

_VALUES = (
    "nil", "true", "-1", "0", "1e999", "9" * 30, "9" * 5000, "2 ** 62", "10 ** 40", "''", "'x'", '"\\ud800"', "'é' * 9",
    "'a' * 90_000", "'a' * 9_000_000_000", "[]", "{}", "[[]]", "[nil] * 5000", "{ nil => nil }", "{ [1, [2]] => {} }",
    "rand(6)", "Time.now", "loop {}", "(10**9).times {}", "'%999999999d' % 1", "(1..90_000).to_a", "('A'..'ZZZ').to_a",
    "%w[A1 A2 A3]", "%w[A1 A2] * 900", "[" * 300 + "]" * 300, "{ a: " * 200 + "1" + "}" * 200, "-> { 1 }", ":s", "1.5",
    "Float::INFINITY", "0.0 / 0.0", "(-8) ** 0.5", "@players", "@nothing", "self", "super", "return", "break", "next",
    "UNKNOWN", "Engine::Tile::COLORS", "(a = []) << a", "(a = {})[:a] = a", "[1].map { |x| break x }", "'a'.upto('zz')",
    "/(a+)+$/", "<<~TEXT\n  a\nTEXT\n", "%i[a b]", "'a' 'b'", "self.class::HEXES", "game_hexes", "1.fdiv(0)", "5 / 0",
    "{ 'count' => 'unlimited', 'color' => 'pink', 'code' => 'city=revenue:0' }", "'city=revenue:0;path=a:0,b:_0'",
    "'offboard=revenue:yellow_0|brown_99999999;path=a:9,b:_9'", "'label=;upgrade=cost:x;border=edge:99'", "'\n' * 900",
)  # fmt: skip
_LINES = (
    "def game_tiles\nloop {}\nend", "def game_hexes\nsuper.merge(super)\nend", "def upgrades_to?(*)\nloop {}\nend",
    "def upgrades_to?(from, to, *)\nfrom.name.size > rand(3)\nend", "def location_name(x)\nx * 900\nend",
    "def num_trains(train)\ntrain[:num] * 10**9\nend", "HEXES = HEXES.merge(HEXES)", "HEXES = { white: HEXES }",
    "COMPANIES = [COMPANIES] * 60", "CORPORATIONS = CORPORATIONS * 300", "TRAINS = TRAINS * 900", "include Map\n" * 30,
    "def game_trains\na = TRAINS\n60.times { a = [a, a] }\na\nend", "TILES = TILES.to_h { |k, v| [k * 900, v] }",
    "def game_phases\nPHASES.each { |x| PHASES << x }\nend", "class Game < Game\nend", "module X\nmodule Y",
    "MARKET = [MARKET.flatten] * 90", "def game_market\nMARKET.map { |x| x * 99 }\nend", "end", "end end", "class A",
    "x = <<~A\n", "=begin", "__END__", "%w(" * 900, "(" * 9000, "'", '"#{', "begin\n" * 900, "if true\n" * 900,
    "def setup\n@a = @b\n@b = @a\nend", "def game_companies\n@a.b.c(*@d, &:e)\nend", "PLAYER_RANGE = [2, 10**6]",
    "CURRENCY_FORMAT_STR = '%s%s%s'", "GAME_TITLE = \"\\u{1F600}\\x00\\e[31m\"", "LAYOUT = :flat",
)  # fmt: skip
_TOKEN = re.compile(r"'[^'\n]*'|\b\d[\d_]*\b|\[[^]\[\n]*\]|%w\[[^]]*\]|\{[^{}\n]*\}")
_WORD = re.compile(r"\b[A-Za-z_]+\b[?!]?|=>|[-+*/%&|<>=!~.]+")


def _value(rng: Random, text: str) -> tuple[str, str]:
    spots = list(_TOKEN.finditer(text))
    if not spots:
        return text, "nothing to replace"
    spot, value = rng.choice(spots), rng.choice(_VALUES)
    return text[: spot.start()] + value + text[spot.end() :], f"{spot[0][:20]!r} = {value[:30]!r}"


def _swapped(rng: Random, text: str) -> tuple[str, str]:
    """A literal becomes another one of the file."""
    spots = list(_TOKEN.finditer(text))
    if len(spots) < 2:
        return text, "nothing to swap"
    one, other = rng.choice(spots), rng.choice(spots)
    return text[: one.start()] + other[0] + text[
        one.end() :
    ], f"{one[0][:20]!r} = {other[0][:20]!r}"


def _word(rng: Random, text: str) -> tuple[str, str]:
    """A name or operator becomes another one of the file."""
    spots = list(_WORD.finditer(text))
    if not spots:
        return text, "no words"
    one, other = rng.choice(spots), rng.choice(spots)
    return text[: one.start()] + other[0] + text[one.end() :], f"{one[0]} -> {other[0]}"


def _line(rng: Random, text: str) -> tuple[str, str]:
    lines = text.split("\n")
    at, act = rng.randrange(len(lines)), rng.choice(("gone", "doubled", "many", "moved"))
    line = lines.pop(at)
    if act != "gone":
        lines[at:at] = [line] * {"doubled": 2, "many": rng.choice((40, 400)), "moved": 0}[act]
    if act == "moved":
        lines.insert(rng.randrange(len(lines) + 1), line)
    return "\n".join(lines), f"line {at + 1} {act}"


def _inserted(rng: Random, text: str) -> tuple[str, str]:
    """A line of ours in the class."""
    lines, line = text.split("\n"), rng.choice(_LINES)
    inside = [at for at, each in enumerate(lines) if re.match(r"\s*(class|module) ", each)] or [0]
    lines.insert(rng.choice(inside) + 1, line)
    return "\n".join(lines), f"inserted {line[:30]!r}"


def _constant(rng: Random, text: str) -> tuple[str, str]:
    """A whole constant becomes something else."""
    names = re.findall(r"^\s*([A-Z_]{3,}) = ", text, re.MULTILINE)
    if not names:
        return _inserted(rng, text)
    name, value = rng.choice(names), rng.choice(_VALUES)
    lines = text.split("\n")
    last = max(at for at, each in enumerate(lines) if re.match(rf"\s*{name} = ", each))
    lines.insert(last, f"{name} = {value}\n{name}_BEFORE = \\")
    return "\n".join(lines), f"{name} = {value[:30]!r}"


_ACTS: tuple[Callable[[Random, str], tuple[str, str]], ...] = (
    _value, _value, _value, _swapped, _swapped, _word, _word, _line, _line, _inserted, _inserted, _constant,
)  # fmt: skip


def damaged_game(seed: int) -> Damage:
    """A game of 18xx.games with one to five pieces of damage; now and then in its bytes."""
    rng = random.Random(seed)
    games = sound_games()
    files = dict(games[0] if rng.random() < 0.4 else rng.choice(games))
    damage = Damage(seed=seed, kind="ruby", files={}, main=GAME)
    for _ in range(rng.randint(1, 5)):
        name = rng.choice([*files, *(name for name in files if name.startswith(GAME))])
        files[name], done = rng.choice(_ACTS)(rng, files[name])
        damage.done.append(f"{name}: {done}")
    damage.files = {name: text.encode() for name, text in files.items()}
    if rng.random() < 0.2:
        damage_text(rng, damage, rng.choice(sorted(damage.files)))
    return damage


def damaged_maker(seed: int) -> Damage:
    """A game file of 18xx-maker with one to four pieces of damage."""
    rng = random.Random(seed)
    files = sound_files()
    text = files[0] if rng.random() < 0.4 else rng.choice(files)
    damage = Damage(seed=seed, kind="maker", files={"game.json": text.encode()}, main="game.json")
    for _ in range(rng.randint(1, 4)):
        damage_json(rng, damage, "game.json")
    if rng.random() < 0.2:
        damage_text(rng, damage, "game.json")
    return damage
