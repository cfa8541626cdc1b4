"""Upgrade charts of whatever tiles there are: long numbers, many labels and values, very many
upgrades."""

from __future__ import annotations

import string

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.charts.upgrade_chart import upgrade_chart_pages
from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import Severity
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import HEX, Label, RevenueStep, Upgrade, UpgradeGraph
from platelayer.model.title import Title
from platelayer.scene.legibility import check_legibility
from shipped import shipped

PAGE_MM = 254.0
"""The highest page that A4 and Letter hold."""
SHIPPED = ("18eu", "1824", "1841", "18cz", "lost-atlas")
COLOURS = ("yellow", "green", "brown", "gray")


@st.composite
def charts(draw: st.DrawFn) -> tuple[Title, UpgradeGraph]:
    """A title with 2 to 200 tiles, each like one of a shipped title with another number, other
    labels and values; and upgrades at random, few or very many."""
    base = shipped(draw(st.sampled_from(SHIPPED)))
    random = draw(st.randoms(use_true_random=False))
    count, longest = (
        draw(st.sampled_from((2, 5, 20, 60, 200))),
        draw(st.sampled_from((3, 4, 8, 20, 40))),
    )
    labels, steps = draw(st.sampled_from((0, 1, 2, 6))), draw(st.integers(1, 4))
    top, most = draw(st.sampled_from((90, 990, 99_999))), draw(st.sampled_from((1, 3, 20, 150)))
    via = draw(
        st.none()
        | st.sampled_from(("Mail contract", "A power of many words " * 40)).map(Text.plain)
    )
    ids = [
        f"{number}{''.join(random.choices(string.ascii_uppercase + string.digits, k=longest))}"[
            :longest
        ]
        for number in range(count)
    ]
    tiles = []
    for number, each in enumerate(ids):
        entry = base.tiles[number % len(base.tiles)]
        stops = tuple(
            replace(
                stop,
                revenue=tuple(
                    RevenueStep(random.randint(0, top), colour) for colour in COLOURS[:steps]
                ),
            )
            if stop.revenue
            else stop
            for stop in entry.tile.stops
        )
        texts = (
            "".join(random.choices("ABMW", k=random.randint(1, 4)))
            for _ in range(random.randint(0, labels))
        )
        tile = replace(
            entry.tile, id=each, labels=tuple(Label(text=text) for text in texts), stops=stops
        )
        tiles.append(replace(entry, tile=tile, via=random.choice((None, via))))
    hexes = [HEX + each.tile.id for gamemap in base.maps[:1] for each in gamemap.hexes]
    pairs = tuple(
        Upgrade(source=source, to=to, rotations=(0,))
        for source in (*hexes, *ids)
        for to in random.sample(ids, min(count, random.randint(0, most)))
        if to != source
    )
    title = replace(base, tiles=tuple(tiles), upgrades=replace(base.upgrades, chains=()))
    return title, UpgradeGraph(title=title.id, variant=None, pairs=pairs)


def unread(title: Title, graph: UpgradeGraph, language: str) -> list[str]:
    """What nobody can read on the pages of a chart, and which of them are too high."""
    style = Style(theme=load_theme("classic"), language=language)
    pages = upgrade_chart_pages(title, build_manifest(title), graph, style)
    problems = [problem for page in pages for problem in check_legibility(page)]
    high = [
        f"{page.key} is {page.height_mm} mm high"
        for page in pages
        if page.height_mm > PAGE_MM + 0.01
    ]
    return [*high, *(str(problem) for problem in problems if problem.severity is Severity.ERROR)]


languages = st.sampled_from(("en", "ja"))
some = settings(
    max_examples=6,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)


@some
@given(chart=charts(), language=languages)
def test_charts_of_any_tiles_can_be_read(chart: tuple[Title, UpgradeGraph], language: str) -> None:
    assert unread(*chart, language)[:20] == []


@pytest.mark.slow
@settings(some, max_examples=1000)
@given(chart=charts(), language=languages)
def test_charts_of_very_many_tiles_can_be_read(
    chart: tuple[Title, UpgradeGraph], language: str
) -> None:
    assert unread(*chart, language)[:20] == []
