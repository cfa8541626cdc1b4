"""A game of 18xx.games of our own with a map of 150 hexes, as its two Ruby files."""

from __future__ import annotations

COLUMNS, ROWS = 15, 10
_OUTSIDE = {"A1": "a:5", "A19": "a:4", "O1": "a:1", "O19": "a:2"}
_HOMES = ("C5", "M5", "C15", "M15", "H10")


def _places() -> list[str]:
    """Coordinates of a field of flat hexes, column by column."""
    return [
        f"{chr(ord('A') + column)}{2 * row + 1 + column % 2}"
        for column in range(COLUMNS)
        for row in range(ROWS)
    ]


def _code(number: int, place: str) -> tuple[str, str]:
    """Colour and contents of a hex."""
    if place in _OUTSIDE:
        return "red", f"offboard=revenue:yellow_20|green_30|brown_50;path={_OUTSIDE[place]},b:_0"
    if place in _HOMES:
        return "yellow", "city=revenue:20;path=a:0,b:_0;path=a:3,b:_0;label=V"
    if number % 11 == 3:
        return "white", "city=revenue:0"
    if number % 7 == 2:
        return "white", "town=revenue:0"
    if number % 13 == 5:
        return (
            "white",
            f"upgrade=cost:{40 + 10 * (number % 4)},terrain:{('mountain', 'water', 'hill')[number % 3]}",
        )
    return "white", ""


def _map() -> str:
    groups: dict[str, dict[str, list[str]]] = {}
    names: dict[str, str] = {}
    for number, place in enumerate(_places()):
        colour, code = _code(number, place)
        groups.setdefault(colour, {}).setdefault(code, []).append(place)
        if "city" in code or "offboard" in code:
            names[place] = f"Vale {number}"
    hexes = "\n".join(
        f"    {colour}: {{\n"
        + "".join(f"      %w[{' '.join(places)}] => '{code}',\n" for code, places in codes.items())
        + "    },"
        for colour, codes in groups.items()
    )
    named = ", ".join(f"'{place}' => '{name}'" for place, name in names.items())
    tiles = ", ".join(
        f"'{tile}' => {count}"
        for tile, count in (("7", 8), ("8", 20), ("9", 20), ("57", 9), ("58", 9))
    )
    return f"""module Engine::Game::G18Vale
module Map
  LAYOUT = :flat
  TILES = {{ {tiles}, '14' => 6, '15' => 6, '63' => 4 }}.freeze
  LOCATION_NAMES = {{ {named} }}.freeze
  HEXES = {{
{hexes}
  }}.freeze
end
end
"""


def _game() -> str:
    colours = ("#237333", "#b3261e", "#1b5fa8", "#7a4b94", "#c77f0a")
    companies = ",\n".join(
        f"    {{ sym: 'V{home}', name: 'Vale & {home}', tokens: [0, 40], coordinates: '{home}', color: '{colour}' }}"
        for home, colour in zip(_HOMES, colours, strict=True)
    )
    return f"""require_relative 'map'

module Engine::Game::G18Vale
class Game < Game::Base
  include Map
  GAME_TITLE = '18Vale'
  PLAYER_RANGE = [3, 5].freeze
  CURRENCY_FORMAT_STR = '£%s'
  BANK_CASH = 9000
  STARTING_CASH = {{ 3 => 600, 4 => 480, 5 => 400 }}.freeze
  CERT_LIMIT = {{ 3 => 20, 4 => 16, 5 => 13 }}.freeze
  MARKET = [%w[60 65p 70p 80 90 100 110 120 140 160], %w[50 60 65p 70 80 90 100 110 120 140]].freeze
  PHASES = [
    {{ name: '2', train_limit: 4, tiles: [:yellow], operating_rounds: 1 }},
    {{ name: '3', on: '3', train_limit: 4, tiles: %i[yellow green], operating_rounds: 2 }},
    {{ name: '5', on: '5', train_limit: 2, tiles: %i[yellow green brown], operating_rounds: 3 }},
  ].freeze
  TRAINS = [
    {{ name: '2', distance: 2, price: 80, num: 6 }},
    {{ name: '3', distance: 3, price: 180, num: 5 }},
    {{ name: '5', distance: 5, price: 450, num: 9 }},
  ].freeze
  CORPORATIONS = [
{companies}
  ].freeze
end
end
"""


FILES = {"map.rb": _map(), "game.rb": _game()}
