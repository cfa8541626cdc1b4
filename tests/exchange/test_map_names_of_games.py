"""Names on the maps of all games of other programs: legible, apart from each other, on no line of their
own colour."""

from __future__ import annotations

import pytest

from beside import needs
from exchange import corpus
from platelayer.drawing.boards.sheets import draw_map
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.scene.legibility import check_legibility

_OLD = sorted((corpus.FOLDER / "18xx-maker-old").glob("*.json"))
_CODES = ("LG04", "LG05", "LG10", "LG19", "LG20")


@pytest.mark.slow
@needs("corpus")
@pytest.mark.parametrize(
    "source", [*corpus.ruby_games(), *corpus.maker_games(), *_OLD], ids=lambda source: source.name
)
def test_all_names_of_its_maps_can_be_read(source):
    title = corpus.imported(source)
    loaded, _, style = read_to_print(str(title), BuildOptions())
    found = [
        str(problem)
        for gamemap in loaded.title.maps
        for problem in check_legibility(draw_map(loaded.title, gamemap.id, style))
        if problem.code in _CODES
    ]
    assert found == []
