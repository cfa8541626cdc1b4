"""Upgrade options of a title, and the graph of what may replace what."""

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, field

from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen, grouped
from platelayer.model.described import LETTERS, ColourName, Distinct, Id, Parsed, Several
from platelayer.model.tile import IconName, Letters, TerrainKind

# Prefix of a map hex's coordinates where tiles and hexes are named together: `hex:D4`.
HEX = "hex:"


# Not part of a Meta, which would compile it, for 7 ms.
_SOURCE = Parsed({"type": "string", "pattern": f"^(hex:)?[{LETTERS}][{LETTERS}._+/-]{{0,80}}$"})


_ON_A_SECOND_MAP = "On a second map that shares coordinates with the first: hex:map/D4."
_A_SOURCE = f"A tile or a hex. {_ON_A_SECOND_MAP}"


class AddedStops(Frozen, kw_only=True):
    """Changes to stops in upgrades to one colour. Example: {"colour": "green", "label": "B-V",
    "cities": 1}."""

    colour: Annotated[ColourName, 'Colour of the tile that is laid. Example: "green".']
    label: Annotated[
        Letters | None,
        "Label of the tile that is laid. If left out: it applies to tiles without a label, or to the tiles of `tiles`.",
    ] = None
    tiles: Annotated[
        tuple[Id, ...],
        Distinct(100, "Number of a tile of the title.", least=1),
        'Numbers of the only tiles that it applies to, whatever their labels. Example: ["981", "991"].',
    ] = ()
    cities: Annotated[
        int,
        Meta(ge=-9, le=9),
        "Number of extra cities; if negative, how many fewer there are because several become one.",
    ] = 0
    towns: Annotated[
        int,
        Meta(ge=-9, le=9),
        "Number of extra towns; if negative, how many fewer there are because several become one.",
    ] = 0


class GroundColour(Frozen, kw_only=True):
    """A colour, and the hexes that take it: those with one of the kinds of terrain or one of the
    labels."""

    colour: Annotated[ColourName, 'Colour of the tiles. Example: "blue".']
    terrain: Annotated[
        tuple[TerrainKind, ...],
        Distinct(10, "A kind of terrain as on the map."),
        'Kinds of terrain of the hexes. Example: ["water"].',
    ] = ()
    labels: Annotated[
        tuple[Letters, ...],
        Distinct(30, "Letters of a label, as on tiles and hexes."),
        'Labels of the hexes. Example: ["SX", "BY"], 18CZ\'s places for red home tiles.',
    ] = ()


class GrantedUpgrade(Frozen, kw_only=True):
    """Upgrades that a title's rules allow by name. Example: {"from": ["3", "58"], "to": ["5",
    "6"]}."""

    sources: Annotated[
        tuple[
            Annotated[
                str,
                Meta(title='a tile number, or a hex such as "hex:D4"'),
                _SOURCE,
                _A_SOURCE,
            ],
            ...,
        ],
        Distinct(200, least=1),
        'What is replaced: tiles by number, and hexes as hex:D4. Example: ["4", "hex:D4"].',
    ] = field(name="from")
    to: Annotated[
        tuple[Id, ...],
        Distinct(200, "Number of a tile of the title.", least=1),
        'Numbers of the tiles that may replace it. Example: ["57"].',
    ]


class UpgradeChain(Frozen, kw_only=True):
    """A row of the official upgrade table."""

    name: Annotated[Text, 'What the row is for. Example: "Y cities".']
    steps: Annotated[
        tuple[
            Annotated[
                tuple[Id, ...],
                Several(40, "Number of a tile of the title.", least=1),
                "Tiles of one colour.",
            ],
            ...,
        ],
        Several(9, least=1),
        'Tile numbers by colour in order. Example: [["57"], ["14", "15"], ["611"], ["513"]].',
    ]


class UpgradeOptions(Frozen, kw_only=True, cache_hash=True):
    """A title's own rules of upgrading."""

    chains: Annotated[
        tuple[UpgradeChain, ...],
        Several(60),
        "The upgrade table as the rulebook prints it.",
    ] = ()
    merging_labels: Annotated[
        tuple[Letters, ...],
        Distinct(30, "Letters of a label, as on tiles and hexes."),
        "Labels whose cities may merge in an upgrade: several old cities become one new city with slots "
        'for all their stations. Example: ["B-V"] where tile 584 makes one city of three.',
    ] = ()
    merging_towns: Annotated[
        tuple[ColourName, ...],
        Distinct(9, "Colour of the tile that is laid."),
        "Tile colours in whose upgrades towns may merge: several old towns become one new town. Example: "
        '["green"] where a green town follows two yellow ones.',
    ] = ()
    added: Annotated[
        tuple[AddedStops, ...],
        Several(
            30,
            'What changes in upgrades to one colour. Example: {"colour": "green", "label": "B-V", "cities": 1}.',
        ),
        "Stops that appear or disappear in an upgrade. If left out: the number of cities and towns stays the same.",
    ] = ()
    kept_icons: Annotated[
        tuple[IconName, ...],
        Distinct(20, "Name of an icon, as on tiles and hexes."),
        "Icons that are kept: a tile with the icon replaces only hexes and tiles that have it, and a tile "
        'without it only those that do not. Example: ["capital", "mine", "port"].',
    ] = ()
    edge_only_icons: Annotated[
        tuple[IconName, ...],
        Distinct(20, "Name of an icon, as on tiles and hexes."),
        "Icons of hexes and tiles on which only track to the edges of the hex must be kept: their stops "
        'may move, and track between stops is not compared. Example: ["mine"].',
    ] = ()
    fixed_rotation: Annotated[
        tuple[Id, ...],
        Distinct(100, "Number of a tile of the title."),
        'Tiles that are laid on the map as drawn, at rotation 0. Example: ["601"].',
    ] = ()
    never_upgraded: Annotated[
        tuple[
            Annotated[
                str,
                Meta(title='a colour, a tile number, or a hex such as "hex:D4"'),
                _SOURCE,
                f"A colour, a tile or a hex. {_ON_A_SECOND_MAP}",
            ],
            ...,
        ],
        Distinct(100),
        "What is never upgraded although the next colour exists: colours, tiles by number, hexes of the "
        'map as hex:D4. Example: ["hex:D4", "721"].',
    ] = ()
    grounds: Annotated[
        tuple[GroundColour, ...],
        Several(
            9,
            "A colour, and the hexes that take it: those with one of the kinds of terrain or one of the labels.",
        ),
        "Ground with its own tile colour: hexes of these kinds without a tile take only tiles of that colour, which "
        'cannot be laid anywhere else. Example: [{"colour": "blue", "terrain": ["water"]}] for bridges.',
    ] = ()
    connection: Annotated[
        Literal["track", "value", "city", "any"],
        "What a company must reach on the tile that it lays: new track; new track, or a stop that pays more than "
        'before ("value"); new track, or a city; or any track. Example: "any" in 18CZ.',
    ] = "value"
    granted: Annotated[
        tuple[GrantedUpgrade, ...],
        Several(
            200,
            'Upgrades that the rules allow by name. Example: {"from": ["3", "58"], "to": ["5", "6"]}.',
        ),
        "Upgrades beyond the common rules: a label gained or changed, a town that becomes a city, fewer towns, a tile "
        "of the same colour. Of old track, only what leads to the edges of the hex must be kept.",
    ] = ()


# The rules of a title without options of its own.
COMMON_RULES = UpgradeOptions()


class Upgrade(Frozen, kw_only=True):
    """`to` may replace `source` (a tile number, or `hex:D4`) when turned by any of `rotations` (x
    60 degrees clockwise) while `source` is at rotation 0. `via` names the only ability that may lay
    it."""

    source: str
    to: str
    rotations: tuple[int, ...]
    via: str | None = None

    @property
    def from_hex(self) -> bool:
        """True when it is the first tile on a map hex."""
        return self.source.startswith(HEX)


class UpgradeGraph(Frozen, kw_only=True, dict=True):
    """Every pair with at least one rotation: map hexes first, then tiles, each in the title's
    order."""

    title: str
    variant: str | None
    pairs: tuple[Upgrade, ...]

    @cached_property
    def by_source(self) -> dict[str, list[Upgrade]]:
        """Pairs by what is replaced."""
        return grouped((pair.source, pair) for pair in self.pairs)

    @cached_property
    def by_tile(self) -> dict[str, list[Upgrade]]:
        """Pairs by the tile that replaces."""
        return grouped((pair.to, pair) for pair in self.pairs)

    @cached_property
    def tile_pairs(self) -> tuple[Upgrade, ...]:
        """Pairs of a tile and a tile."""
        return tuple(pair for pair in self.pairs if not pair.from_hex)
