"""Answers to the page for a phone: legal places, and half-laid maps."""

import pytest

from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.lines import log_of
from platelayer.atlas.phone import answer
from platelayer.atlas.view import TableRequest
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.model.map_tiles import Axial, TileDraw, tile_hexes

BOX = shipped_box()


def ask(**request):
    return answer(TableRequest(**request), "en")


def looks(tile: int, at, rotation: int) -> dict[object, object]:
    hexes = BOX.tile_by_number[tile].hexes
    return dict(zip(tile_hexes(at, rotation), hexes, strict=True))


@pytest.mark.parametrize(("mode", "seed"), [("micro2", 4711), ("short", 9)])
def test_the_places_of_a_tile_are_those_that_it_could_be_drawn_to(mode, seed):
    log, draws = assemble(BOX, mode, seed=seed), []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            places = ask(mode=mode, draws=draws, tile=draw.tile)["places"]
            ways = [looks(draw.tile, Axial(*way[:2]), way[2]) for place in places for way in place]
            assert looks(draw.tile, draw.at, draw.rotation) in ways
            if draws:
                assert len(ways) == draw.alternatives
            draws.append((draw.tile, *draw.at, draw.rotation))
        elif draw.overlay_at is not None:
            assert draw.overlay_at in ask(mode=mode, draws=draws)["cities"]
            draws.append((0, *draw.overlay_at, 0))
    whole = ask(mode=mode, draws=draws)
    assert "left" not in whole
    assert {tuple(at) for at in whole["blanks"]} == {*log.blanks}
    assert whole["size_cm"][0] > 0


def test_a_half_laid_map_is_finished_and_its_code_gives_it_again():
    draws = [
        (draw.tile, *draw.at, draw.rotation) for draw in assemble(BOX, "micro3", seed=3).placed
    ]
    half = ask(mode="micro3", draws=draws[:9])
    assert half["wanted"] == 7
    assert ask(code=half["code"])["draws"] == half["draws"] == draws[:9]
    whole = ask(mode="micro3", draws=draws[:9], then="finish")
    assert whole["draws"][:9] == draws[:9]
    assert check_log(BOX, log_of(BOX, whole["code"])) == ()
    assert whole["after"].keys() == {"", "3"}


def test_every_ending_is_named_as_by_its_code():
    draws = [
        (draw.tile, *draw.at, draw.rotation) for draw in assemble(BOX, "micro2", seed=4711).placed
    ]
    for ending in ask(mode="micro2", draws=draws[:-1], then="endings")["endings"][:4]:
        whole = ask(mode="micro2", draws=ending["draws"])
        assert ask(code=whole["code"]) == whole


def test_of_very_many_endings_some_are_drawn():
    draws = [
        (draw.tile, *draw.at, draw.rotation) for draw in assemble(BOX, "micro2", seed=4711).placed
    ]
    found = ask(mode="micro2", draws=draws[:-3], then="endings")
    assert found["more_than"] == 1500
    assert 250 < found["ways"] <= 300
    fairest = [ending["fairness"] for ending in found["endings"]]
    assert fairest == sorted(fairest, reverse=True)
    for ending in found["endings"]:
        assert ending["draws"][:8] == draws[:-3]
        assert "left" not in ask(mode="micro2", draws=ending["draws"])
    assert found == ask(mode="micro2", draws=draws[:-3], then="endings")


def test_a_dead_end_is_seen():
    draws = [
        (7, 0, 0, 0),
        (25, 1, 2, 3),
        (24, -2, 3, 5),
        (28, 3, -1, 2),
    ]  # four borders shut all off
    half = ask(mode="micro2", draws=draws)
    assert not any(fits for _, _, fits in half["left"])
    assert ask(mode="micro2", draws=draws, tile=10)["places"] == []


def test_what_the_rules_forbid_is_refused():
    with pytest.raises(ProblemsFound):
        ask(mode="micro2", draws=[(12, 0, 0, 0), (13, 9, 9, 0)])
    with pytest.raises(CannotRun):
        ask(mode="micro2", draws=[(99, 0, 0, 0)])
    with pytest.raises(CannotRun):
        ask(mode="micro2", draws=[], tile=99)
    with pytest.raises(ProblemsFound):
        ask(code="1zzzz")
