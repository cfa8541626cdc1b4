"""`check --accept box` writes the counts that the definition yields, and touches nothing else in
the file."""

import json
import shutil

import pytest

from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.load import check
from platelayer.pipeline.scaffold import accept_box


@pytest.fixture
def mine(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(asset_path("starters", "small"), folder)
    return folder


def changed_lines(before, after):
    return [
        (one, other)
        for one, other in zip(before.splitlines(), after.splitlines(), strict=True)
        if one != other
    ]


def test_only_the_counts_that_differ_change(mine):
    path = mine / "title.json"
    before = path.read_text(encoding="utf-8")
    box = json.loads(before)["pieces"]["box"]
    path.write_text(
        before.replace(f'"tile": {box["tile"]}', '"tile":   7'), encoding="utf-8", newline=""
    )
    wrong = path.read_text(encoding="utf-8")
    assert [problem.code for problem in check(str(mine), quick=True)] == ["BX01"]
    (count,) = accept_box(str(mine))
    assert (count.key, count.before, count.now, count.variant) == ("tile", 7, box["tile"], None)
    ((old, new),) = changed_lines(wrong, path.read_text(encoding="utf-8"))
    assert new == old.replace("7", str(box["tile"]))
    assert check(str(mine), quick=True) == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_marks_stay(mine, end):
    path = mine / "title.json"
    text = path.read_text(encoding="utf-8").replace('"tile": 39,', '"tile": 139,')
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", end).encode())
    assert accept_box(str(mine))
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{")
    assert data.count(b"\r\n") == (data.count(b"\n") if end == "\r\n" else 0)
    assert check(str(mine), quick=True) == ()


def test_a_box_that_is_right_is_not_written(mine):
    stamp = (mine / "title.json").stat().st_mtime_ns
    assert accept_box(str(mine)) == ()
    assert (mine / "title.json").stat().st_mtime_ns == stamp


@pytest.mark.parametrize("pieces", [{}, {"priority_cards": 1, "number_cards": [1, 2, 3, 4]}])
@pytest.mark.parametrize("indent", [2, 4, None])
def test_a_box_is_added_where_there_is_none(mine, pieces, indent):
    path = mine / "title.json"
    value = json.loads(path.read_text(encoding="utf-8")) | {"pieces": pieces}
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False), encoding="utf-8")
    counts = accept_box(str(mine))
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["pieces"].pop("box") == {each.key: each.now for each in counts}
    assert after == value
    assert all(each.before is None for each in counts)
    assert check(str(mine), quick=True) == ()


FEWER = {"tiles": {"57": None}}


@pytest.mark.parametrize(
    ("patch", "declared"),
    [
        (FEWER, {}),
        (FEWER | {"pieces": {"priority_cards": 1}}, {}),
        (FEWER | {"pieces": {"box": {"charter": 9}}}, {"charter": 9}),
        (FEWER | {"pieces": {"box": {"tile": 99, "charter": 9}}}, {"tile": 99, "charter": 9}),
    ],
    ids=["no pieces", "pieces without a box", "a box without the count", "a box with it"],
)
@pytest.mark.parametrize("indent", [2, None])
def test_what_differs_in_a_variant_is_written_there(mine, patch, declared, indent):
    path = mine / "title.json"
    value = json.loads(path.read_text(encoding="utf-8")) | {
        "variants": {"less": {"name": "Less", "patch": patch}}
    }
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False), encoding="utf-8")
    box = value["pieces"]["box"]
    counts = {each.key: (each.before, each.variant) for each in accept_box(str(mine))}
    wanted = {
        key: (count, "less")
        for key, count in (box | declared).items()
        if key in ("tile", *declared)
    }
    assert counts.items() >= wanted.items()
    after = json.loads(path.read_text(encoding="utf-8"))
    now = after["variants"]["less"]["patch"]["pieces"].pop("box")
    assert {key for key, (_, variant) in counts.items() if variant} <= set(now)
    assert after["pieces"]["box"] == box
    assert not [each for each in check(str(mine), quick=True) if each.code == "BX01"]


def test_a_title_and_its_variant_are_both_brought_up_to_date(mine):
    path = mine / "title.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["pieces"]["box"]["tile"] += 100
    value["variants"] = {
        "less": {"name": "Less", "patch": FEWER},
        "least": {"name": "L", "includes": ["less"], "patch": {}},
    }
    path.write_text(json.dumps(value), encoding="utf-8")
    assert [(each.key, each.variant) for each in accept_box(str(mine)) if each.key == "tile"] == [
        ("tile", None),
        ("tile", "less"),
    ]
    assert not [each for each in check(str(mine), quick=True) if each.code == "BX01"]


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
    path.write_text(
        path.read_text(encoding="utf-8").replace('"tile": 39', '"tile": 139'), encoding="utf-8"
    )
    assert platelayer("check", mine, "--quick").returncode == 1
    done = platelayer("check", mine, "--quick", "--accept", "box")
    assert done.returncode == 0
    assert "tile 139 -> 39" in done.stderr
