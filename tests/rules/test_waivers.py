"""Waivers: what they hide, what they tell, and what the check of a title and of its variants makes
of them."""

import json
from pathlib import Path

import pytest

from packs import build
from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import ProblemsFound, Severity
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check
from platelayer.rules.rule import run_rules

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
