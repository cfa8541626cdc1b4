"""Waivers: what they hide, what they tell, and what the check of a title and of its variants makes
of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from packs import build
from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.titles import load_title
from platelayer.foundation.cache import Cache
from platelayer.foundation.problems import ProblemsFound, Severity
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check, judge
from platelayer.rules.rule import (
    MOST_LISTED,
    Rule,
    Watched,
    at_fault,
    copies,
    falls,
    rises,
    run_rules,
)
from platelayer.rules.text_rules import located_texts

HERE = Path(__file__).parent
REASON = {"en": "Laid by the palace.", "ja": "宮殿が敷く。"}
WAIVER = {"code": "UP01", "at": "582", "reason": REASON}
UNREACHED = {"tiles": {"582": 1}}


@pytest.fixture
def title_file(tmp_path):
    def write(*patches):
        value = json.loads((HERE / "base.json").read_text(encoding="utf-8"))
        for patch in patches:
            value = merge_patch(value, patch)
        path = tmp_path / "title.json"
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
        return path

    return write


def stated(path):
    return [
        (problem.code, problem.severity.word, problem.message)
        for problem in check(str(path), quick=True)
    ]


def test_a_finding_is_an_error_located_in_the_file(title_file):
    path = title_file(UNREACHED)
    (problem,) = check(str(path), quick=True)
    assert (problem.code, problem.severity) == ("UP01", Severity.ERROR)
    assert problem.pointer == "/tiles/582"
    assert problem.about == WAIVER["at"]
    assert '"582": 1' in path.read_text(encoding="utf-8").splitlines()[problem.line - 1]


def test_a_waived_finding_is_a_note_with_the_reason(title_file):
    ((code, severity, message),) = stated(title_file(UNREACHED, {"waivers": [WAIVER]}))
    assert (code, severity) == ("UP01", "note")
    assert message.endswith("(waived: Laid by the palace.)")


def test_a_waiver_hides_its_own_place_alone(title_file):
    codes = stated(title_file(UNREACHED, {"tiles": {"216": 1}, "waivers": [WAIVER]}))
    assert [(code, severity) for code, severity, _ in codes] == [
        ("UP01", "note"),
        ("UP01", "error"),
    ]


def test_an_unused_waiver_is_a_warning_that_names_what_there_is(title_file):
    path = title_file(UNREACHED, {"waivers": [WAIVER, WAIVER | {"at": "tile 582"}]})
    unused = [problem for problem in check(str(path), quick=True) if problem.code == "RW01"]
    assert [problem.severity for problem in unused] == [Severity.WARNING]
    assert unused[0].pointer == "/waivers/1"
    assert unused[0].hint == 'UP01 has findings about "582"'


def test_a_waiver_of_an_unknown_code_is_an_error(title_file):
    codes = stated(title_file({"waivers": [WAIVER | {"code": "UP99"}]}))
    assert [(code, severity) for code, severity, _ in codes] == [("RW02", "error")]


def test_a_waiver_that_a_variant_alone_needs_is_no_problem(title_file):
    variants = {"variants": {"palace": {"name": "Palace", "patch": UNREACHED}}}
    ((code, severity, message),) = stated(title_file(variants, {"waivers": [WAIVER]}))
    assert (code, severity) == ("UP01", "note")
    assert message.endswith("(in the variant palace)")


def test_a_waiver_that_no_variant_needs_is_reported_once(title_file):
    variants = {"variants": {"rich": {"name": "Rich", "patch": {"bank": 9000}}}}
    ((code, severity, _),) = stated(title_file(variants, {"waivers": [WAIVER]}))
    assert (code, severity) == ("RW01", "warning")


def test_an_error_of_a_variant_does_not_hide_those_of_another(title_file):
    patch = {"companies": {"NR": {"homes": [{"hex": "Z99"}]}}}
    variants = {
        "variants": {"a": {"name": "A", "patch": patch}, "b": {"name": "B", "patch": UNREACHED}}
    }
    assert {code for code, _, _ in stated(title_file(variants))} == {"RF02", "UP01"}


def test_errors_of_rules_stop_a_build(title_file, tmp_path):
    path = title_file(UNREACHED)
    with pytest.raises(ProblemsFound, match="UP01"):
        build(str(path), tmp_path / "out", BuildOptions(only=("tile",)))
    assert not (tmp_path / "out").exists()


def test_waived_errors_do_not_stop_a_build(title_file, tmp_path):
    path = title_file(UNREACHED, {"waivers": [WAIVER]})
    result = build(str(path), tmp_path / "out", BuildOptions(only=("tile",)))
    assert result.problems == ()


def test_every_shipped_title_is_free_of_errors_and_of_open_warnings():
    assert [
        problem for problem in check("18eu", quick=True) if problem.severity is not Severity.NOTE
    ] == []


def test_findings_come_in_the_order_of_their_codes():
    title = load_title(HERE / "base.json").title
    codes = [judged.code for judged in run_rules(title)]
    assert codes == sorted(codes)


def test_a_finding_names_the_place_that_waives_it(title_file):
    (problem,) = check(str(title_file(UNREACHED)), quick=True)
    assert problem.words.endswith('; waive at "582")')
    assert problem.as_json["waiver"] == {"code": "UP01", "at": "582"}


def test_what_cannot_be_waived_names_no_waiver(title_file):
    stated = check(
        str(title_file(UNREACHED, {"waivers": [WAIVER, WAIVER | {"at": "57"}]})), quick=True
    )
    assert {problem.code for problem in stated} == {"UP01", "RW01"}
    assert all(
        problem.as_json["waiver"] is None and "waive at" not in problem.words for problem in stated
    )


@pytest.mark.parametrize(
    ("waiver", "waived"),
    [
        ({"code": "UP01"}, True),
        ({"code": "UP*"}, True),
        ({"code": "UP*", "at": "5*2"}, True),
        ({"code": "UP01", "at": "*2*"}, True),
        ({"code": "UP01", "at": "58"}, False),
        ({"code": "UP01", "at": "8*"}, False),
        ({"code": "TL*"}, False),
    ],
)
def test_wildcards(title_file, waiver, waived):
    found = stated(title_file(UNREACHED, {"waivers": [{"reason": REASON, **waiver}]}))
    assert [(code, severity) for code, severity, _ in found if code == "UP01"] == [
        ("UP01", "note" if waived else "error")
    ]
    assert ("RW01" in {code for code, _, _ in found}) is not waived


# Findings of rules are kept until something changes that these rules have read, and no longer


TESTS = Path(__file__).parents[1]
TITLES = ("18eu", "18cz", "lost-atlas", str(TESTS / "field"), str(TESTS / "land"))
# Edits that leave a title in which rules can look up what it refers to.
EDITS = 30


def edited(value: Any, dice: Random) -> Any:
    """A value with something in it changed."""
    if isinstance(value, Struct):
        name = dice.choice(value.__struct_fields__)
        return replace(value, **{name: edited(getattr(value, name), dice)})
    if isinstance(value, tuple) and value:
        at = dice.randrange(len(value))
        kept = [*value[:at], *value[at + 1 :]]
        match dice.randrange(8):
            case 0:
                return tuple(kept)
            case 1:
                return (*kept, value[at])
        return (*value[:at], edited(value[at], dice), *value[at + 1 :])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + dice.choice((-20, -1, 1, 10, 300))
    if isinstance(value, str) and value.startswith("#"):
        return f"#{dice.randrange(1 << 24):06x}"
    return value if value is None or not isinstance(value, str) else f"{value}{dice.choice('ab')}"


def found(title: Title, cache: Cache | None = None) -> Sequence[Any] | str:
    """Findings of the rules, or the exception of one that looks up what is not there."""
    try:
        return run_rules(title, (), cache)
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("name", TITLES)
def test_no_edit_leaves_a_finding_that_is_not_true_any_more(name: str, tmp_path: Path) -> None:
    judge(load_title(name))  # lets rules measure what is drawn
    title, dice, cache, done = load_title(name).title, Random(name), Cache(tmp_path), 0
    ever, always = set[str](), set(map(str, run_rules(title)))
    while done < EDITS:
        other = edited(title, dice)
        fresh = found(replace(other))
        if other == title or isinstance(fresh, str):
            continue
        assert found(other, cache) == fresh
        title, done = other, done + 1
        ever |= set(map(str, fresh))
        always &= set(map(str, fresh))
    assert ever - always, "edits change what is found"


def test_only_rules_that_have_read_it_look_at_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, cache = load_title("18eu").title, Cache(tmp_path)
    run_rules(title, (), cache)
    asked = []
    check = Rule.check
    monkeypatch.setattr(
        Rule, "check", lambda self, title: asked.append(self.code) or check(self, title)
    )
    first, *others = title.trains
    run_rules(replace(title, trains=(replace(first, faces=first.faces * 2), *others)), (), cache)
    assert {"TR03", "TR04"} <= set(asked)
    assert not {"UP01", "CO08", "PC04"} & set(asked)


def test_what_was_worked_out_once_counts_as_read_by_all_that_use_it() -> None:
    title = load_title("18eu").title
    watched = Watched.of(title)
    reads, whole = watched.reads_of(located_texts)
    assert whole == located_texts(title)
    again, _ = watched.reads_of(located_texts)
    assert again == reads >= {"trains", "companies"}
    assert watched.reads_of(lambda each: each.train_by_id)[0] == {"trains"}
    assert watched.reads_of(lambda each: each.train_by_id)[0] == {"trains"}
    with pytest.raises(TypeError):
        hash(watched)


def test_a_damaged_entry_is_found_anew(tmp_path: Path) -> None:
    title, cache = load_title("18eu").title, Cache(tmp_path)
    fresh = run_rules(replace(title), (), cache)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert run_rules(replace(title), (), cache) == fresh


# Series that should rise, and the entries that are named where they do not


values = st.lists(st.integers(0, 50) | st.none(), max_size=12)


@given(values)
def test_without_the_faults_a_series_rises(series: list[int | None]) -> None:
    faults = falls(series)
    rest = [value for at, value in enumerate(series) if at not in faults and value is not None]
    assert rest == sorted(rest)
    for at, other in faults.items():
        one, against = series[at], series[other]
        assert one is not None
        assert against is not None
        assert (at < other and one > against) or (at > other and one < against)


@given(values)
def test_falling_is_rising_turned_round(series: list[int | None]) -> None:
    assert bool(rises(series)) == bool(falls(series[::-1]))


@given(st.lists(st.integers(1, 1000), min_size=4, max_size=12, unique=True), st.data())
def test_one_entry_that_is_far_too_high_is_named_alone(
    series: list[int], data: st.DataObject
) -> None:
    series.sort()
    at = data.draw(st.integers(0, len(series) - 3))
    series[at] = 10_000
    assert falls(series) == {at: at + 1}


def test_examples() -> None:
    assert falls([100, 1800, 300, 450]) == {1: 2}
    assert falls([100, 200, 30, 500]) == {2: 1}
    assert rises([500, 35, 260, 240]) == {1: 2}
    assert falls([40, 7]) == {1: 0}
    assert falls([0, None, 100, 40]) == {3: 2}
    assert at_fault([(0, 1), (1, 2)]) == {1: 0}
    assert list(copies([("a", 1), ("b", 2), ("a", 3), ("a", 4)])) == [(3, 1), (4, 1)]


def test_a_long_series_turned_round() -> None:
    assert len(falls(list(range(400, 0, -1)))) == 399


# Titles of which one rule finds more than anybody reads


def with_hexes(folder: Path, count: int, **more: Any) -> Path:
    """A title with so many hexes that no track reaches a neighbour on (MP01, an error each)."""
    hexes = {
        f"A{2 * number + 1}": {"stops": [{"kind": "city"}], "track": [[2, "stop:0"]]}
        for number in range(count)
    }
    board = {"name": "Long", "layout": "flat", "coordinates": {"letters_on": "x"}, "hexes": hexes}
    title = {
        "format": "platelayer.title/1",
        "id": "long",
        "name": "Long",
        "maps": {"main": board},
        **more,
    }
    path = folder / "title.json"
    path.write_text(json.dumps(title), encoding="utf-8")
    return path


def found_many(path: Path, code: str) -> list[Any]:
    return [each for each in run_rules(load_title(path).title) if each.code == code]


def test_as_many_as_can_be_read_are_reported(tmp_path: Path) -> None:
    assert len(found_many(with_hexes(tmp_path, MOST_LISTED), "MP01")) == MOST_LISTED


def test_the_rest_is_counted_and_as_severe(tmp_path: Path) -> None:
    judged = found_many(with_hexes(tmp_path, MOST_LISTED + 7), "MP01")
    assert len(judged) == MOST_LISTED + 1
    assert judged[-1].message == "7 more findings of this rule are not listed"
    assert {each.severity for each in judged} == {Severity.ERROR}


def test_a_waiver_of_one_that_is_not_listed_is_used(tmp_path: Path) -> None:
    last = f"A{2 * MOST_LISTED + 11}"
    waiver = {"code": "MP01", "at": last, "reason": "Meant so."}
    path = with_hexes(tmp_path, MOST_LISTED + 6, waivers=[waiver])
    assert found_many(path, "RW01") == []
    assert found_many(path, "MP01")[-1].severity is Severity.ERROR
