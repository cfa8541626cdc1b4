"""What a group prepares before an assembled map is laid: each thing with its sentences, for the
printed guide and the pages of a phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.atlas import AtlasBox, AtlasLog, Ground, Mode
from platelayer.model.title import Title

atlas_words = FixedWords("atlas")
card_words = FixedWords("cards")


class Task(Struct, frozen=True, kw_only=True):
    """One thing to prepare: its name and what to do."""

    head: str
    lines: tuple[str, ...]


def tasks_of(
    title: Title, log: AtlasLog, style: Style, *, companies: Sequence[str], blind: bool = False
) -> tuple[Task, ...]:
    """Everything that is prepared for a map, in order; `companies` are ids of those in play. With
    `blind` nothing is told that the draws decide: in a mode with stacks, which tiles and companies
    there are.

    Raises KeyError when the title has no map tiles, or not the mode.
    """
    if title.atlas is None:
        raise KeyError("atlas")
    hidden = blind and bool(title.atlas.mode_by_id[log.mode].stacks)
    setting = _Setting(title, log, style, companies=companies, hidden=hidden)
    lines = setting.hidden_tiles() if blind else setting.tiles()
    parts = (
        ("tiles", lines),
        ("overlays", setting.overlays(blind=blind)),
        ("trains", setting.trains()),
        ("track", setting.track()),
        ("cycles", setting.cycles()),
        ("destinations", setting.destinations()),
        ("charters", setting.charters()),
        ("cash", setting.cash()),
        ("order", setting.order()),
    )
    tasks = (Task(head=setting.say(f"{name}_head"), lines=tuple(lines)) for name, lines in parts)
    return tuple(task for task in tasks if task.lines)


class _Setting:
    """A map and its mode, and the sentences about each part of them."""

    def __init__(
        self, title: Title, log: AtlasLog, style: Style, *, companies: Sequence[str], hidden: bool
    ) -> None:
        assert title.atlas is not None, "tasks are of a title with map tiles"
        self.title, self.log, self.style = title, log, style
        self.box: AtlasBox = title.atlas
        self.mode: Mode = self.box.mode_by_id[log.mode]
        self.companies, self.hidden = companies, hidden

    def say(self, key: str, *parts: object) -> str:
        """One of the sentences by its key."""
        return self.style.words(atlas_words.table("setup_words")[key], *parts)

    def listed(self, parts: Sequence[str]) -> str:
        """A list of things."""
        return self.say("comma").join(parts)

    def counts(self, tiles: Counter[int]) -> str:
        """Numbers of map tiles in order, with how many of those that there are several of."""
        return self.listed(
            [
                f"{number}" if count == 1 else f"{number} ({count}×)"
                for number, count in sorted(tiles.items())
            ]
        )

    def tiles(self) -> Iterator[str]:
        """Which map tiles to fetch, and which to put back."""
        wanted = Counter(draw.tile for draw in self.log.placed)
        left = Counter({tile.number: tile.copies for tile in self.box.map_tiles}) - wanted
        yield self.say("fetch", wanted.total(), self.counts(wanted))
        if left:
            yield self.say("put_back", self.counts(left))
        if self.mode.stacks:
            yield self.say("dealt")

    def hidden_tiles(self) -> Iterator[str]:
        """Which map tiles may come up."""
        removed = Counter(dict(self.mode.removed))
        left = Counter({tile.number: tile.copies for tile in self.box.map_tiles}) - removed
        yield self.say("at_hand", self.counts(left))
        if removed:
            yield self.say("put_back", self.counts(removed))
        if self.mode.stacks:
            yield self.say("drawn")

    def overlays(self, *, blind: bool) -> Iterator[str]:
        """Capitals, blanks and what stands for them in the pile."""
        laid, blanks = len(self.log.overlays), len(self.log.blanks)
        if blind:
            yield self.say("hidden_overlays")
            return
        yield self.say("overlays", laid, blanks)
        if blanks > self.box.blank_overlays:
            yield self.say("too_few", self.box.blank_overlays, blanks - self.box.blank_overlays)
        yield self.say("projects")

    def trains(self) -> Iterator[str]:
        """The stack of trains with the cards of phases in it."""
        trains = [(number, count) for number, count in self.mode.trains if count]
        if not trains:
            return
        yield self.listed([self.say("train_count", number, count) for number, count in trains])
        phases = self.title.phase_by_id
        known = {number for number, _ in trains}
        cards = [
            card.id
            for card in self.title.pieces.phase_cards
            if any(
                train in known
                for phase in card.front
                if phase in phases
                for train in phases[phase].begun_by
            )
        ]
        yield self.say("stack", trains[0][0])
        if cards:
            yield self.say("phase_cards", self.listed(cards))

    def track(self) -> Iterator[str]:
        """The colours of track tiles that the trains in play can bring."""
        known = {number for number, count in self.mode.trains if count}
        reached = [
            phase
            for phase in self.title.phases
            if not phase.begun_by or known & set(phase.begun_by)
        ]
        colours = dict.fromkeys(colour for phase in reached for colour in phase.tiles)
        bridges = {entry.tile.colour for entry in self.title.tiles if entry.via is not None}
        if self.hidden or set(self.box.bridging) & set(self.companies):
            colours |= dict.fromkeys(sorted(bridges))
        if not colours:
            return
        if (
            set(colours)
            == {colour for phase in self.title.phases for colour in phase.tiles} | bridges
        ):
            yield self.say("track_all")
        else:
            names = card_words.table("colour")
            yield self.say(
                "track_some", self.listed([self.style.words(names[colour]) for colour in colours])
            )

    def cycles(self) -> Iterator[str]:
        """How long the game lasts, and whether trains are exported."""
        yield self.say("cycles", self.mode.cycles)
        yield self.say("export" if self.mode.exports else "no_export")

    def destinations(self) -> Iterator[str]:
        """The card with what destinations pay."""
        cards = self.title.pieces.destination_cards
        grounds = {
            hexagon.ground
            for draw in self.log.placed
            for hexagon in self.box.tile_by_number[draw.tile].hexes
        }
        if not cards:
            return
        if Ground.DESTINATION not in grounds and not self.hidden:
            yield self.say("no_destination")
            return
        yield self.say("choose_card", len(cards))
        amounts = " / ".join(step.printed for step in cards[0].revenue)
        if amounts and cards[0].note is not None:
            yield f"{amounts}: {self.style.words(cards[0].note)}"

    def charters(self) -> Iterator[str]:
        """Companies in play and how their charters lie."""
        known = self.title.company_by_id
        if not self.hidden:
            yield self.say(
                "in_play",
                self.listed([self.style.words(known[company].name) for company in self.companies]),
            )
        else:
            homeless = self.listed(
                [self.style.words(known[company].name) for company in self.box.homeless]
            )
            yield self.say("in_play_later")
            if homeless and self.mode.stack_homes:
                yield self.say(
                    "brings",
                    self.listed([str(number) for number in self.mode.stack_homes]),
                    homeless,
                )
        if self.mode.columns:
            yield self.say("columns", " + ".join(map(str, self.mode.columns)))

    def cash(self) -> Iterator[str]:
        """Starting cash by number of players."""
        yield self.listed(
            [
                self.say("cash_each", players, self.title.money(amount))
                for players, amount in self.mode.cash
            ]
        )

    def order(self) -> Iterator[str]:
        """Who begins."""
        if self.title.pieces.priority_cards:
            yield self.say("order", self.style.words(card_words("priority")))


def ground_word(ground: Ground, style: Style) -> str:
    """What a hex is, in a word."""
    return style.words(atlas_words.table("grounds").get(ground.value, Text.plain(ground.value)))
