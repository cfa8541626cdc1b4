"""Sealed guides for several tables of a tournament."""

from __future__ import annotations

import io
from subprocess import run

import pikepdf
import pytest

from platelayer.atlas.make import AtlasOptions, make_map

OPTIONS = {"mode": "micro2", "seed": 9081726354, "png": False}


def pages_of(data: bytes) -> list[str]:
    """The text of each page."""
    found = run(["pdftotext", "-", "-"], input=data, capture_output=True, check=True).stdout
    return found.decode().split("\f")[:-1]


def test_each_table_has_its_own_sheets_and_covers_keep_the_map_secret() -> None:
    made = make_map(AtlasOptions(**OPTIONS, tables=3))
    pages = pages_of(made.files["tables.pdf"])
    guide = pages_of(made.files["guide.pdf"])
    each = 1 + len(guide) + (len(guide) + 1) % 2
    assert each % 2 == 0
    assert len(pages) == 3 * each
    for table in range(3):
        cover, *inside = pages[table * each : (table + 1) * each]
        assert f"TABLE {table + 1}" in cover.upper()
        assert str(OPTIONS["seed"]) not in cover
        assert made.code not in cover.replace("\n", "")
        assert str(OPTIONS["seed"]) in inside[0]
    # The guide is in the file once.
    with pikepdf.open(io.BytesIO(made.files["tables.pdf"])) as pdf:
        forms = [
            each
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"
        ]
    assert len(forms) < 3 + 2 * len(guide) + 2


@pytest.mark.parametrize(("players", "seats"), [(None, 4), (3, 3)])
def test_a_slip_has_a_line_for_each_player(players: int | None, seats: int) -> None:
    options = OPTIONS | {"mode": "short"}
    made = make_map(AtlasOptions(**options, tables=1, players=players))
    cover = pages_of(made.files["tables.pdf"])[0]
    lines = cover.partition("Rank")[2].partition("Start")[0].split()
    assert lines == [str(seat) for seat in range(1, seats + 1)]


def test_without_tables_there_is_no_such_file() -> None:
    assert "tables.pdf" not in make_map(AtlasOptions(**OPTIONS)).files
