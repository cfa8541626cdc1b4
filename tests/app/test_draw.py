"""Pictures of single pieces: what could not be read on one is told, as it would stop a build."""

import json
import shutil

import pytest

from platelayer.foundation.resources import asset_path


@pytest.fixture
def long_name(tmp_path):
    """The starter with a name that is too long for its smallest cards."""
    folder = shutil.copytree(asset_path("starter"), tmp_path / "long")
    title = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    title["name"] = "W" * 60
    (folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
    return folder


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_words_that_run_off_a_card_are_told_and_can_be_looked_at(suffix, long_name, platelayer):
    done = platelayer("draw", long_name, "number-card:1", "-o", f"card.{suffix}")
    assert done.returncode == 1
    assert "error LG03 number-card:1: " in done.stderr
    assert "nothing was" not in done.stderr
    assert done.stdout == f"card.{suffix}\n"
    assert (long_name.parent / f"card.{suffix}").stat().st_size > 1000
    built = platelayer("build", long_name, "--only", "number-card", "-o", "out")
    assert built.returncode == 1
    told = [line for line in done.stderr.splitlines() if " LG" in line]
    assert set(told) <= set(built.stderr.splitlines())


def test_backs_are_held_to_the_same(long_name, platelayer, tmp_path):
    done = platelayer("draw", long_name, "tile:57:back", "-o", "back.svg")
    assert done.returncode == 1
    assert "error LG03 tile:57:back: " in done.stderr
    assert (tmp_path / "back.svg").stat().st_size > 1000


@pytest.mark.parametrize("piece", ["tile:57", "map", "train:3", "train:3:back", "certificate:BNR-10", "upgrade-chart"])
def test_what_can_be_read_is_drawn_without_a_word(piece, platelayer):
    done = platelayer("draw", "18eu", piece, "-o", "piece.svg")
    assert (done.returncode, done.stderr) == (0, "")
