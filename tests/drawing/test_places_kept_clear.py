"""Places for what people lay on pieces: as large as they are declared, and empty but for a ghost."""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops, ImageDraw

from exchange.corpus import imported
from platelayer.drawing.boards.bank_board import draw_bank_board
from platelayer.drawing.boards.market import draw_market
from platelayer.drawing.boards.sheets import draw_revenue_chart, draw_round_track
from platelayer.drawing.company.charter import draw_charter
from platelayer.drawing.kit.surfaces import token_mm
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.model.company import Company
from platelayer.model.kinds import piece_size
from platelayer.model.manifest import most_trains, notes_bay, track_marker_mm, train_card
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.render.scenes import PAINTERS
from platelayer.scene.shapes import IDENTITY, Group, Item, Matrix, Scene, apply, multiply
from shipped import shipped

GAMES = Path(__file__).parents[1] / "exchange" / "games"
IMPORTED = ("g_18_mill", "18Ford.json")
_DPI, _TOKENS = 72, ("token", "marker")
_DARK = 130
"""Of a channel: what words and lines differ from the ground of a board, and zones do not."""
GHOST = 0.1 * 255 + 2
"""Of a channel: what a ghost differs from its ground, and rounding."""


class Place(NamedTuple):
    """Room on a piece for so many of a thing that people lay there, each of this size in mm."""

    thing: str
    width_mm: float
    height_mm: float
    count: int = 1


def charter_places(title: Title, company: Company) -> tuple[Place, ...]:
    """Places on the charter of a company: for its tokens, trains and notes."""
    token = piece_size(title, "token", company.id).width_mm
    wide, tall = train_card(title)
    notes, trains = notes_bay(title, company), most_trains(title, company)
    tokens = len(company.token_places or company.stations)
    return (
        Place(thing="token", width_mm=token, height_mm=token, count=tokens),
        Place(thing="train", width_mm=wide, height_mm=tall, count=trains),
        Place(thing="money", width_mm=notes.width_mm, height_mm=notes.height_mm),
    )


class Spot(NamedTuple):
    """A place on a face, in mm."""

    thing: str
    left: float
    top: float
    right: float
    bottom: float


def spots(items: Iterable[Item], matrix: Matrix = IDENTITY) -> Iterator[Spot]:
    """The places among some items."""
    for item in items:
        if isinstance(item, Group):
            inner = multiply(matrix, item.matrix)
            if item.place is not None:
                assert item.box is not None
                (x, y), (right, bottom) = apply(inner, item.box[:2]), apply(inner, item.box[2:])
                yield Spot(item.place, x, y, right, bottom)
            yield from spots(item.items, inner)


def darkest(picture: Image.Image, spot: Spot, place: Place) -> int:
    """How much the ink below a thing that lies in the middle of a place differs from its commonest
    ground."""
    k, wide, tall = _DPI / MM_PER_INCH, place.width_mm, place.height_mm
    x, y = (spot.left + spot.right) / 2, (spot.top + spot.bottom) / 2
    box = (x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
    cut = picture.crop(
        (*(math.ceil(k * side) for side in box[:2]), *(int(k * side) for side in box[2:]))
    )
    colours = cut.getcolors(cut.width * cut.height)
    assert colours is not None
    ground = Image.new("RGB", cut.size, max(colours)[1])
    differs = ImageChops.difference(cut, ground)
    mask = Image.new("L", cut.size, 255)
    if spot.thing in _TOKENS:
        mask = Image.new("L", cut.size)
        ImageDraw.Draw(mask).ellipse((1, 1, cut.width - 2, cut.height - 2), fill=255)
    return max(
        high
        for band in differs.split()
        for _, high in [ImageChops.multiply(band, mask).getextrema()]
    )


def painted(scene: Scene) -> Image.Image:
    picture = PAINTERS[".png"](scene, label="", dpi=_DPI, bleed=False)
    return Image.open(io.BytesIO(picture)).convert("RGB")


def wrong(title: Title, company: Company, scene: Scene) -> list[str]:
    """What is wrong with the places of a charter."""
    found = defaultdict(list)
    for spot in spots(scene.items):
        found[spot.thing].append(spot)
    problems = []
    for place in charter_places(title, company):
        drawn = found[place.thing]
        if len(drawn) != place.count:
            problems.append(f"{len(drawn)} places for {place.count} x {place.thing}")
        problems += [
            f"{place.thing} has {spot.right - spot.left:.1f} x {spot.bottom - spot.top:.1f} mm"
            for spot in drawn
            if spot.right - spot.left < place.width_mm - 0.01
            or spot.bottom - spot.top < place.height_mm - 0.01
        ]
    picture = painted(scene)
    problems += [
        f"ink in a place for {place.thing}: {ink}"
        for place in charter_places(title, company)
        for spot in found[place.thing]
        if (ink := darkest(picture, spot, place)) > GHOST
    ]
    return [f"{company.id}: {problem}" for problem in problems]


def all_wrong(source: str | Path, language: str) -> list[str]:
    read, _, style = read_to_print(source, BuildOptions(language=language))
    title = read.title
    charters = [company for company in title.companies if company.has_charter]
    assert charters
    return [
        problem
        for company in charters
        for problem in wrong(title, company, draw_charter(title, company.id, style))
    ]


def test_nothing_is_printed_where_trains_notes_and_tokens_lie_on_charters() -> None:
    assert all_wrong("lost-atlas", "en") == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("source", ["18eu", "1841", "1824", "18cz", "lost-atlas", *IMPORTED])
def test_nothing_is_printed_there_on_charters_of_any_title(source: str, language: str) -> None:
    found = all_wrong(imported(GAMES / source) if source in IMPORTED else source, language)
    assert found == []


@pytest.mark.parametrize("title_id", ["18eu", "1841"])
def test_nothing_is_printed_where_cards_lie_on_bank_boards(title_id: str) -> None:
    """Of a fan, cards lie over the edges of those below: what shows of each is as empty."""
    read, _, style = read_to_print(title_id, BuildOptions(language="ja"))
    scene = draw_bank_board(read.title, "bank", style)
    picture, found = painted(scene), [*spots(scene.items)]
    assert len(found) >= 8
    for spot in found:
        line = [other.right for other in found if other.top == spot.top]
        shows = min([spot.right - spot.left, *(b - a - 1.2 for a, b in pairwise(line) if b > a)])
        slot = spot._replace(left=spot.right - shows)
        place = Place(thing=spot.thing, width_mm=shows - 2, height_mm=spot.bottom - spot.top - 2)
        assert darkest(picture, slot, place) <= GHOST, spot


def test_charters_of_titles_without_sizes_have_room_for_notes() -> None:
    title = read_to_print(imported(GAMES / "18Ford.json"), BuildOptions())[0].title
    bays = [notes_bay(title, company) for company in title.companies if company.has_charter]
    assert bays
    assert {(bay.width_mm, bay.height_mm) for bay in bays} == {(65.0, 22.0)}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("title_id", ["18eu", "1841", "1824", "18cz", "lost-atlas"])
def test_no_words_or_lines_are_printed_where_markers_lie_on_boards(
    title_id: str, language: str
) -> None:
    """Zones of a market may part a place by two colours of ground: they are not as dark as ink."""
    read, _, style = read_to_print(title_id, BuildOptions(language=language))
    title = read.title
    drawn = {
        "token": [draw_market(title, "market", style)],
        "marker": [draw_round_track(title, "rounds", style)] if title.pieces.rounds else [],
    }
    if title.pieces.revenue_chart is not None:
        drawn["token"].append(draw_revenue_chart(title, "revenue", style))
    found = []
    for thing, scenes in drawn.items():
        across = token_mm(title) if thing == "token" else track_marker_mm(title)
        place = Place(thing=thing, width_mm=across, height_mm=across)
        for scene in scenes:
            picture = painted(scene)
            marks = [spot for spot in spots(scene.items) if spot.thing == thing]
            assert len(marks) >= 5
            found += [(scene.key, spot) for spot in marks if darkest(picture, spot, place) > _DARK]
    assert found == []


@pytest.mark.parametrize("title_id", ["18eu", "1841", "1824", "18cz", "lost-atlas"])
def test_every_charter_of_the_five_titles_has_room_for_notes(title_id: str) -> None:
    title = shipped(title_id)
    for company in title.companies:
        if company.has_charter:
            *_, notes = charter_places(title, company)
            assert (notes.thing, notes.width_mm, notes.height_mm) == ("money", 65, 22), company.id
