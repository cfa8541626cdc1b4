"""The independent check of maps.

The check shares only the types and the geometry of the model with the assembler: it replays the
draws from the rules alone. A hex is a single whole number, so finding a neighbour takes one
addition.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence

from platelayer.atlas.land import MIN_CONTACT, Land, key_of
from platelayer.foundation.problems import Problem, Problems
from platelayer.foundation.suggestions import counted
from platelayer.model.map_tiles import (
    HAND,
    NEIGHBOURS,
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    Mode,
    ProjectDraw,
    TileDraw,
    axial_name,
)

# Hexes from the first tile beyond which a tile cannot touch it through any others of a box.
FAR = 1000


def check_log(
    box: AtlasBox,
    log: AtlasLog,
    *,
    name: Callable[[Axial], str] = axial_name,
    finished: bool = True,
) -> tuple[Problem, ...]:
    """Check a map; the problems are in the order of the file, and none if the rules can give it.

    A map from a table (`algorithm` "hand") need not have its draws in order: some order must exist
    in which every tile touches those before it, and projects are only counted. `name` names hexes
    in messages. A map that is not `finished` may lack tiles, capitals and blanks.
    """
    mode = box.mode_by_id.get(log.mode)
    if mode is None:
        known = ", ".join(box.mode_by_id)
        message = f"there is no mode {log.mode!r}; modes are {known}"
        return (Problem("AT01", message, pointer="/mode"),)
    return tuple(_Check(box, mode, log, name, finished=finished).run())


class _Check:
    """Rules for one log; `pointers` are those of its draws, by identity, since equal draws may be
    listed twice."""

    def __init__(
        self,
        box: AtlasBox,
        mode: Mode,
        log: AtlasLog,
        name: Callable[[Axial], str],
        *,
        finished: bool,
    ) -> None:
        self.box, self.mode, self.log = box, mode, log
        self.name, self.finished = name, finished
        self.pointers = {id(draw): f"/draws/{index}" for index, draw in enumerate(log.draws)}
        self.by_hand = log.algorithm == HAND
        self.land = Land()

    def run(self) -> Problems:
        """All rules in turn."""
        yield from self.numbers()
        yield from self.supply()
        yield from self.stack()
        if self.by_hand:
            yield from self.lay_in_some_order()
            yield from self.count_projects()
        else:
            yield from self.pile()
            yield from self.replay()
        yield from self.whole()
        if self.finished:
            yield from self.blanks()

    def problem(self, code: str, draw: Draw, message: str, hint: str = "") -> Problem:
        """Problem of one draw."""
        piece = (
            f"tile {draw.tile}"
            if isinstance(draw, TileDraw)
            else f"capital project {draw.capital_project}"
        )
        words = f"draw {draw.draw}, {piece}: {message}"
        return Problem(code, words, hint, pointer=self.pointers[id(draw)])

    # What was in the pile
    # -------------------------------------------------------------------------------------------

    def numbers(self) -> Problems:
        """AT19, AT05: numbers of draws, and rotations."""
        for expected, draw in enumerate(self.log.draws, start=1):
            if draw.draw != expected and not self.by_hand:
                yield self.problem("AT19", draw, f"this is draw {expected} of the file")
            if isinstance(draw, TileDraw) and draw.rotation not in range(6):
                yield self.problem(
                    "AT05", draw, f"rotation {draw.rotation}; only 0 to 5 are allowed"
                )

    def supply(self) -> Problems:
        """AT02, AT03, AT04: tiles and copies."""
        seen: Counter[tuple[int, int]] = Counter()
        removed = dict(self.mode.removed)
        in_play = {
            tile.number: tile.copies - removed.get(tile.number, 0) for tile in self.box.map_tiles
        }
        for draw in self.log.placed:
            copies = in_play.get(draw.tile, 0)
            if draw.tile not in in_play:
                yield self.problem("AT02", draw, "the box has no such map tile")
            elif not copies:
                yield self.problem(
                    "AT02", draw, f"this tile stays in the box in mode {self.mode.id}"
                )
            elif not 1 <= draw.copy <= copies:
                message = f"copy {draw.copy}; mode {self.mode.id} has {copies} of this tile, copies 1 to {copies}"
                yield self.problem("AT02", draw, message)
            elif seen[draw.tile, draw.copy]:
                yield self.problem("AT03", draw, f"copy {draw.copy} has already been laid")
            seen[draw.tile, draw.copy] += 1
        if not self.mode.stacks and self.finished:
            left = [
                f"{number}" if count == 1 else f"{number} (copy {copy})"
                for number, count in in_play.items()
                for copy in range(1, count + 1)
                if not seen[number, copy]
            ]
            if left:
                message = f"map tiles never laid: {', '.join(left)}"
                yield Problem("AT04", message, pointer="/draws")

    def stack(self) -> Problems:
        """AT15: the stack of a micro game."""
        mode, stack = self.mode, self.log.stack
        if stack is not None and not 1 <= stack <= mode.stacks:
            none = f"mode {mode.id} has no stacks"
            allowed = f"1 to {mode.stacks} are allowed" if mode.stacks else none
            yield Problem("AT15", f"stack {stack}; {allowed}", pointer="/stack")
        if not mode.stacks:
            return
        if stack is None and not self.by_hand:
            message = (
                f"mode {mode.id} uses one of {mode.stacks} stacks; the file does not say which"
            )
            yield Problem("AT15", message, pointer="")
        dealt = Counter(
            mode.deals_as_home(self.box.tile_by_number[draw.tile]) for draw in self.known()
        )
        homes = "tiles with homes"
        if mode.stack_homes:
            homes += f" and {', '.join(map(str, mode.stack_homes))}"
        for kind, words, wanted in (
            (True, homes, mode.homes_per_stack),
            (False, "other tiles", mode.tiles_used - mode.homes_per_stack),
        ):
            if dealt[kind] > wanted or (self.finished and dealt[kind] != wanted):
                message = f"{words}: {dealt[kind]}; a stack of mode {mode.id} has {wanted}"
                yield Problem("AT15", message, pointer="/draws")

    def known(self) -> Iterable[TileDraw]:
        """Draws of tiles that the box has."""
        return (draw for draw in self.log.placed if draw.tile in self.box.tile_by_number)

    def pile(self) -> Problems:
        """AT11: each piece once from the top, then deferred projects as they went to the bottom."""
        size = self.mode.tiles_used
        if not size:
            removed = sum(copies for _, copies in self.mode.removed)
            size = sum(tile.copies for tile in self.box.map_tiles) - removed
        first_round = size + self.mode.capital_projects
        bottom: deque[int] = deque()
        seen = set()
        for index, draw in enumerate(self.log.draws):
            if isinstance(draw, TileDraw):
                if index >= first_round:
                    message = f"the pile has {first_round} pieces; after those only deferred projects come up"
                    yield self.problem("AT11", draw, message)
                continue
            number = draw.capital_project
            if index < first_round:
                if number in seen:
                    message = f"it can come up again only after all {first_round} pieces of the pile have been drawn"
                    yield self.problem("AT11", draw, message)
            elif not bottom:
                yield self.problem("AT11", draw, "the pile is empty")
            elif draw.overlay_at is None:
                message = (
                    "only projects were left in the pile: this one comes up once a city is free"
                )
                yield self.problem("AT11", draw, message)
            elif (due := bottom.popleft()) != number:
                message = f"capital project {due} is next from the bottom of the pile"
                yield self.problem("AT11", draw, message)
            seen.add(number)
            if draw.overlay_at is None:
                bottom.append(number)

    # How it was laid
    # ------------------------------------------------------------------------------------------------

    def replay(self) -> Problems:
        """AT06 to AT10, AT12, AT18: draw by draw."""
        cities: dict[Axial, bool] = {}  # basic cities laid so far; True if they have an overlay
        laid: set[int] = set()
        drawn = set()
        sound = True
        for draw in self.log.draws:
            if isinstance(draw, ProjectDraw):
                yield from self.lay_overlay(draw, cities, laid)
                drawn.add(draw.capital_project)
                continue
            if (tile := self.box.tile_by_number.get(draw.tile)) is None:
                sound = False
                continue
            problems = list(self.lay_tile(draw, tile, count=sound))
            sound = sound and all(problem.code == "AT18" for problem in problems)
            yield from problems
            cities |= {
                place: False
                for place, hexagon in self.box.laid(draw)
                if hexagon.ground is Ground.CITY
            }
        wanted = self.mode.capital_projects
        if len(drawn) != wanted:
            message = f"{len(drawn)} capital projects were drawn; mode {self.mode.id} has {wanted}"
            yield Problem("AT12", message, pointer="/draws")
        free = sum(not taken for taken in cities.values())
        if free and (left := sorted(drawn - laid)):
            names = ", ".join(map(str, left))
            message = f"capital project {names} was never laid, although {free} basic cities could take it"
            yield Problem("AT12", message, pointer="/draws")

    def lay_tile(self, draw: TileDraw, tile: MapTile, *, count: bool) -> Problems:
        """AT06, AT07, AT08, AT18: one tile, laid even with problems; with `count`, also the number
        of its alternatives."""
        places = draw.hexes
        land = self.land
        if land.first is not None and draw.at.steps_to(land.first) > FAR:
            yield self.problem("AT07", draw, f"{self.name(draw.at)} is far from everything else")
            return
        keys = [key_of(place) for place in places]
        borders = tuple(hexagon.ground is Ground.BORDER for hexagon in tile.hexes)
        if count:
            wanted = land.alternatives(tile)
            if draw.alternatives != wanted:
                message = f"{draw.alternatives} alternatives; by the rules there should be {wanted}"
                yield self.problem("AT18", draw, message)
        if covered := [place for place, key in zip(places, keys, strict=True) if key in land.owner]:
            others = ", ".join(
                f"{self.name(place)} of tile {land.owner[key_of(place)]}" for place in covered
            )
            yield self.problem("AT06", draw, f"lies on {others}")
        contact = sum(land.contact(key) for key in keys)
        if contact < MIN_CONTACT and land.owner:
            message = (
                f"touches earlier tiles along {contact} edges; at least {MIN_CONTACT} are needed"
            )
            yield self.problem("AT07", draw, message)
        for place, key, is_border in zip(places, keys, borders, strict=True):
            if is_border and (touched := land.contact(key)):
                hexes = counted(touched, "hex", "hexes")
                message = f"its border at {self.name(place)} touches {hexes} of other tiles; it may touch none"
                yield self.problem("AT08", draw, message)
            if near := land.borders_beside(key):
                numbers = ", ".join(f"tile {number}" for number in near)
                message = f"{self.name(place)} touches the border of {numbers}"
                yield self.problem("AT08", draw, message)
        land.lay(draw.tile, places, borders)

    def lay_overlay(self, draw: ProjectDraw, cities: dict[Axial, bool], laid: set[int]) -> Problems:
        """AT09, AT10, AT12: one project, whose overlay is then laid."""
        number, place = draw.capital_project, draw.overlay_at
        in_play = self.mode.capital_projects * max(1, self.mode.stacks)
        in_play = min(self.box.capital_projects, in_play)
        if not 1 <= number <= in_play:
            message = f"mode {self.mode.id} has capital projects 1 to {in_play}"
            yield self.problem("AT12", draw, message)
        if number in laid:
            yield self.problem("AT12", draw, "its overlay has already been laid")
        free = [city for city, taken in cities.items() if not taken]
        if place is None:
            if free:
                message = (
                    f"{len(free)} basic cities could take it, for example {self.name(free[0])}"
                )
                yield self.problem("AT10", draw, message)
            return
        hint = "no basic city is free: the project is deferred"
        if free:
            hint = f"free: {', '.join(map(self.name, free))}"
        if place not in cities:
            message = f"{self.name(place)} is not a basic city of an earlier tile"
            yield self.problem("AT09", draw, message, hint)
        elif cities[place]:
            yield self.problem("AT09", draw, f"{self.name(place)} already has an overlay", hint)
        else:
            cities[place] = True
        laid.add(number)

    # Typed in by hand
    # -----------------------------------------------------------------------------------------------

    def lay_in_some_order(self) -> Problems:
        """AT06, AT07, AT08 for a map whose order of draws is unknown.

        What a tile may touch only grows as others are laid, so laying whatever can be laid until
        nothing can finds an order from a given first tile if there is one; every tile is tried as
        the first.
        """
        draws = [draw for draw in self.known() if draw.rotation in range(6)]
        whole = Land()
        for draw in draws:
            if whole.first is not None and draw.at.steps_to(whole.first) > FAR:
                yield self.problem(
                    "AT07", draw, f"{self.name(draw.at)} is far from everything else"
                )
                continue
            self.land = whole
            problems = self.lay_tile(draw, self.box.tile_by_number[draw.tile], count=False)
            yield from (problem for problem in problems if problem.code in {"AT06", "AT08"})
        self.land = whole
        for draw in never_reached(draws):
            message = f"touches other tiles along too few edges in every order; at least {MIN_CONTACT} are needed"
            yield self.problem("AT07", draw, message)

    def count_projects(self) -> Problems:
        """AT09, AT12 for a map whose order of draws is unknown."""
        cities = {
            place: False
            for draw in self.known()
            for place, hexagon in self.box.laid(draw)
            if hexagon.ground is Ground.CITY
        }
        laid: set[int] = set()
        overlays = [
            d for d in self.log.draws if isinstance(d, ProjectDraw) and d.overlay_at is not None
        ]
        for draw in overlays:
            yield from self.lay_overlay(draw, cities, laid)
        wanted = min(self.mode.capital_projects, len(cities))
        if len(overlays) > wanted or (self.finished and len(overlays) != wanted):
            message = (
                f"{len(overlays)} capital overlays; mode {self.mode.id} lays {wanted} on this map"
            )
            yield Problem("AT12", message, pointer="/draws")

    # The finished map
    # -----------------------------------------------------------------------------------------------

    def whole(self) -> Problems:
        """AT16: one piece."""
        parts = self.land.parts()
        if len(parts) > 1:
            smallest = min(parts, key=len)
            numbers = ", ".join(
                str(number) for number in sorted({self.land.owner[key] for key in smallest})
            )
            message = f"the map is in {len(parts)} separate pieces; one of them has tiles {numbers}"
            yield Problem("AT16", message, pointer="/draws")

    def blanks(self) -> Problems:
        """AT13, AT14: blanks on the empty places beside homes."""
        log = self.log
        land = self.land
        places: dict[Axial, None] = {}
        for draw in self.known():
            for home, hexagon in self.box.laid(draw):
                if hexagon.ground is Ground.HOME:
                    near = (home + step for step in NEIGHBOURS)
                    places |= dict.fromkeys(at for at in near if land.takes_blank(key_of(at)))
        seen = set()
        for index, place in enumerate(log.blanks):
            if place in places and place not in seen:
                seen.add(place)
                continue
            key = key_of(place)
            if place in seen:
                reason = "there is one already"
            elif key in land.owner:
                reason = f"tile {land.owner[key]} is there"
            elif borders := land.borders_beside(key):
                reason = f"it touches the border of tile {borders[0]}"
            else:
                reason = "there is no home beside it"
            message = f"a blank at {self.name(place)}: {reason}"
            yield Problem("AT13", message, pointer=f"/blanks/{index}")
        missing = [place for place in places if place not in seen]
        limit = log.blank_limit
        wanted = len(places) if limit is None else min(limit, len(places))
        if len(seen) < wanted:
            names = ", ".join(map(self.name, missing))
            message = f"{counted(len(seen), 'blank')} where there should be {wanted}; empty spaces: {names}"
            yield Problem("AT14", message, pointer="/blanks")
        elif len(seen) > wanted:
            message = f"{counted(len(seen), 'blank')}; the map was made with at most {limit}"
            yield Problem("AT13", message, pointer="/blanks")


def never_reached(draws: Sequence[TileDraw]) -> list[TileDraw]:
    """The fewest tiles that no order reaches, whichever tile comes first; none if there is an
    order.

    A tile's contacts only grow as others are laid, so repeatedly laying everything that can be laid
    finds an order from a given first tile if there is one.
    """
    owner = {place: index for index, draw in enumerate(draws) for place in draw.hexes}
    touching: list[Counter[int]] = [Counter() for _ in draws]
    for place, index in owner.items():
        for step in NEIGHBOURS:
            if (other := owner.get(place + step, index)) != index:
                touching[index][other] += 1
    fewest = list(draws)
    for first in range(len(draws)):
        reached, left, laid = {first}, dict.fromkeys(range(len(draws))), [first]
        del left[first]
        while laid:
            laid = [
                index
                for index in left
                if sum(touching[index][other] for other in reached) >= MIN_CONTACT
            ]
            reached.update(laid)
            for index in laid:
                del left[index]
        if len(left) < len(fewest):
            fewest = [draws[index] for index in left]
        if not left:
            break
    return fewest
