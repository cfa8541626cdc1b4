"""`check --accept box` writes the counts that the definition yields, and touches nothing else in the file."""

import json
import shutil

import pytest

from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.accept import accept_box
from platelayer.pipeline.check import check


@pytest.fixture
def mine(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(asset_path("starters", "small"), folder)
    return folder


def changed_lines(before, after):
    return [(one, other) for one, other in zip(before.splitlines(), after.splitlines(), strict=True) if one != other]


def test_only_the_counts_that_differ_change(mine):
    path = mine / "title.json"
    before = path.read_text(encoding="utf-8")
    box = json.loads(before)["pieces"]["box"]
    path.write_text(before.replace(f'"tile": {box["tile"]}', '"tile":   7'), encoding="utf-8", newline="")
    wrong = path.read_text(encoding="utf-8")
    assert [problem.code for problem in check(str(mine), quick=True)] == ["BX01"]
    assert accept_box(str(mine)).counts == (("tile", 7, box["tile"]),)
    ((old, new),) = changed_lines(wrong, path.read_text(encoding="utf-8"))
    assert new == old.replace("7", str(box["tile"]))
    assert check(str(mine), quick=True) == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_marks_stay(mine, end):
    path = mine / "title.json"
    text = path.read_text(encoding="utf-8").replace('"tile": ', '"tile": 1')
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", end).encode())
    assert accept_box(str(mine)).counts
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{")
    assert data.count(b"\r\n") == (data.count(b"\n") if end == "\r\n" else 0)
    assert check(str(mine), quick=True) == ()


def test_a_box_that_is_right_is_not_written(mine):
    stamp = (mine / "title.json").stat().st_mtime_ns
    assert accept_box(str(mine)).counts == ()
    assert (mine / "title.json").stat().st_mtime_ns == stamp


@pytest.mark.parametrize("pieces", [{}, {"priority_cards": 1, "number_cards": [1, 2]}])
@pytest.mark.parametrize("indent", [2, 4, None])
def test_a_box_is_added_where_there_is_none(mine, pieces, indent):
    path = mine / "title.json"
    value = json.loads(path.read_text(encoding="utf-8")) | {"pieces": pieces}
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False), encoding="utf-8")
    accepted = accept_box(str(mine))
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["pieces"].pop("box") == {key: now for key, _, now in accepted.counts}
    assert after == value
    assert all(before is None for _, before, _ in accepted.counts)
    assert check(str(mine), quick=True) == ()


def test_other_errors_come_first(mine):
    path = mine / "companies.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"major"', '"majr"'), encoding="utf-8")
    with pytest.raises(ProblemsFound, match="SC04"):
        accept_box(str(mine))


def test_shipped_titles_stay_as_they_are():
    with pytest.raises(CannotRun, match="comes with Platelayer"):
        accept_box("18eu")


def test_the_command_tells_what_it_wrote(mine, platelayer):
    path = mine / "title.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"tile": ', '"tile": 1'), encoding="utf-8")
    assert platelayer("check", mine, "--quick").returncode == 1
    done = platelayer("check", mine, "--quick", "--accept", "box")
    assert done.returncode == 0
    assert "tile 139 -> 39" in done.stderr
