"""`check` in four formats, of titles named in any way: what each format's own document asks for."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest

from platelayer.cli.reports import CheckReport, github_lines, report_check, sarif_log
from platelayer.definitions.titles import titles_of
from platelayer.foundation.problems import Code, Problem, Severity

ROOT = Path(__file__).resolve().parents[2]

PROBLEMS = (
    Problem(
        code="SC01",
        message="50 % of it: bad",
        file="a,b/c%d:e.json",
        line=3,
        column=7,
        pointer="/bank",
        hint="no",
    ),
    Problem(
        code="GL01", severity=Severity.WARNING, message="pale", file="x.json", line=1, column=1
    ),
    Problem(code="RF09", severity=Severity.NOTE, message="no file"),
)
CODES = {
    "GL01": Code("missing glyph", "Take another."),
    "SC01": Code("wrong type", "Wrong: 1. Right: 2."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A title with one error in its second line, and a file in a folder below it."""
    (tmp_path / "my title" / "parts").mkdir(parents=True)
    (tmp_path / "my title/title.json").write_text(
        '{"format": "platelayer.title/1",\n  "bank": "100"}', "utf-8"
    )
    (tmp_path / "my title/parts/map.json").write_text("{}", "utf-8")
    return tmp_path / "my title"


# GitHub: docs.github.com, workflow commands; the escapes of actions/toolkit's command.ts


def test_github_commands_escape_what_would_end_them() -> None:
    assert github_lines(PROBLEMS) == (
        "::error file=a%2Cb/c%25d%3Ae.json,line=3,col=7,title=SC01::50 %25 of it: bad (hint: no)",
        "::warning file=x.json,line=1,col=1,title=GL01::pale",
        "::notice title=RF09::no file",
    )


def test_a_github_command_is_one_line() -> None:
    (line,) = github_lines(
        [Problem(code="SC01", message="one\r\ntwo", file="a\nb.json", line=1, column=1)]
    )
    assert "\n" not in line
    assert "\r" not in line


def test_github_names_files_from_the_working_folder(platelayer, folder) -> None:
    done = platelayer("check", folder, "--format", "github", cwd=folder.parent)
    assert done.returncode == 1
    assert "::error file=my title/title.json,line=2,col=11,title=SC01::" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 title checked: 3 errors"


# SARIF 2.1.0


def hold_to_sarif(log: dict) -> None:
    """The required properties of the SARIF 2.1.0 standard, by its sections, as far as our logs
    go."""
    assert log["version"] == "2.1.0"  # 3.13.2
    assert isinstance(log["runs"], list)  # 3.13.4
    for run in log["runs"]:
        driver = run["tool"]["driver"]  # 3.14.6, 3.18.2
        assert driver["name"]  # 3.19.8
        assert re.fullmatch(r"[0-9]+(\.[0-9]+){1,3}.*", driver["version"])
        ids = [rule["id"] for rule in driver["rules"]]  # 3.49.3
        assert len(set(ids)) == len(ids)
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"]  # 3.12.3: a message has text
            assert rule["help"]["text"]
            assert re.fullmatch(r"[A-Z][A-Za-z0-9]+", rule["name"])
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # 3.14.17
        for result in run["results"]:
            assert result["level"] in ("none", "note", "warning", "error")  # 3.27.10
            assert result["message"]["text"]  # 3.27.11
            if "ruleIndex" in result:  # 3.27.6
                assert ids[result["ruleIndex"]] == result["ruleId"]
            for location in result.get("locations", ()):
                physical = location["physicalLocation"]
                uri = physical["artifactLocation"]["uri"]  # 3.4.3
                assert re.fullmatch(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+", uri)  # RFC 3986
                assert urlsplit(uri).scheme in ("", "file")
                assert ".." not in uri.split("/")
                region = physical.get("region", {"startLine": 1, "startColumn": 1})
                assert region["startLine"] >= 1  # 3.30.5
                assert region["startColumn"] >= 1  # 3.30.6


def test_sarif_has_what_the_standard_requires() -> None:
    log = sarif_log(PROBLEMS, CODES)
    hold_to_sarif(log)
    first, second, third = log["runs"][0]["results"]
    assert (first["ruleId"], first["level"], first["message"]["text"]) == (
        "SC01",
        "error",
        "50 % of it: bad (hint: no)",
    )
    physical = first["locations"][0]["physicalLocation"]
    assert unquote(physical["artifactLocation"]["uri"]) == "a,b/c%d:e.json"
    assert physical["region"] == {"startLine": 3, "startColumn": 7}
    assert (second["level"], second["ruleIndex"]) == ("warning", 0)
    assert third == {"ruleId": "RF09", "level": "note", "message": {"text": "no file"}}


def test_sarif_names_files_relatively_or_by_file_uri(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)

    def uri(file: str) -> str:
        log = sarif_log([Problem(code="SC01", message="x", file=file, line=1, column=1)], CODES)
        hold_to_sarif(log)
        return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"][
            "uri"
        ]

    assert uri("titles/x/map.json") == "titles/x/map.json"
    assert uri(str(tmp_path / "my title" / "map.json")) == "my%20title/map.json"
    assert uri("./x/../karte ü.json") == "karte%20%C3%BC.json"
    assert uri("a:b.json") == "./a%3Ab.json"
    assert uri("../beside.json") == (tmp_path.parent / "beside.json").as_uri()


def test_sarif_of_a_real_check(platelayer, folder) -> None:
    done = platelayer("check", folder, "--format", "sarif", cwd=folder.parent)
    log = json.loads(done.stdout)
    hold_to_sarif(log)
    assert {result["ruleId"] for result in log["runs"][0]["results"]} == {"SC01", "SC03"}
    known = {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert {"FI01", "JS01", "SC01", "RF01", "LG01", "SH01"} <= known


def test_sarif_of_a_clean_check(platelayer) -> None:
    done = platelayer("check", "18eu", "--quick", "--format", "sarif")
    assert done.returncode == 0
    log = json.loads(done.stdout)
    hold_to_sarif(log)
    assert [result for result in log["runs"][0]["results"] if result["level"] == "error"] == []


# text


def test_styled_text_says_the_same_as_plain_text() -> None:
    text = report_check(CheckReport(problems=PROBLEMS, checked=2, codes=dict), "text")
    assert text != click.unstyle(text)
    assert click.unstyle(text).splitlines() == [
        "a,b/c%d:e.json:3:7 error SC01 50 % of it: bad (hint: no)",
        "x.json:1:1 warning GL01 pale",
        "note RF09 no file",
        "2 titles checked: 1 error, 1 warning, 1 note",
    ]


def on_a_terminal(folder: Path, **environment: str) -> str:
    """What `check` writes to a terminal."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "platelayer", "check", str(folder)]
    environment = {"PYTHONPATH": str(ROOT / "generator"), "TERM": "xterm", **environment}
    with subprocess.Popen(command, stdout=follower, stderr=follower, env=environment) as running:
        os.close(follower)
        written = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # Linux says so when the other side is closed
                break
            if not part:
                break
            written += part
        assert running.wait() == 1
    os.close(leader)
    return written.decode()


def test_colour_on_a_terminal_only(platelayer, folder) -> None:
    assert "\x1b[31m" in on_a_terminal(folder)
    assert "\x1b" not in on_a_terminal(folder, NO_COLOR="1")
    assert "\x1b" not in platelayer("check", folder).stdout


# which titles


def test_any_file_of_a_folder_stands_for_its_title(folder, monkeypatch) -> None:
    files = [str(folder / name) for name in ("parts/map.json", "title.json", "parts/../title.json")]
    assert titles_of([*files, str(folder)]) == (str(folder),)
    monkeypatch.chdir(folder.parent)
    assert titles_of(["my title/parts/map.json", "my title", "my title/"]) == ("my title",)
    monkeypatch.chdir(folder / "parts")
    assert titles_of(["map.json"]) == ("..",)


def test_a_schema_beside_a_title_is_no_title(tmp_path, platelayer) -> None:
    """The commit hook is given every JSON file that `new` writes."""
    platelayer("new", "mine")
    files = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json")]
    assert "mine/.platelayer/schemas/title.schema.json" in files
    assert (
        platelayer("check", "--quick", "--changed", *files).stdout
        == "1 title checked: no problems\n"
    )


def test_a_title_in_one_file_stands_for_itself_wherever_it_lies(folder) -> None:
    other = folder / "other.json"
    other.write_text('{"format": "platelayer.title/1" broken', "utf-8")
    assert titles_of([str(other)]) == (str(other),)


def test_files_of_no_title_are_kept_or_passed_over(folder) -> None:
    stray = folder.parent / "package.json"
    stray.write_text("{}", "utf-8")
    missing = str(folder / "missing.json")
    assert titles_of([str(stray), "18eu", "nosuch", missing]) == (
        str(stray),
        "18eu",
        "nosuch",
        missing,
    )
    assert titles_of([str(stray), str(folder / "parts/map.json")], only_related=True) == (
        str(folder),
    )


def test_check_counts_each_title_once(platelayer, folder) -> None:
    done = platelayer("check", "parts/map.json", "title.json", ".", cwd=folder)
    assert done.stdout.splitlines()[-1] == "1 title checked: 3 errors"
    assert done.stdout.splitlines()[-2].startswith("title.json:2:11 error SC01 ")


@pytest.mark.parametrize("number", [0, 1])
def test_the_commit_hooks_run_what_they_say(platelayer, folder, number) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entry = re.findall(r"^  entry: platelayer (.*)$", hooks, re.MULTILINE)[number]
    shutil.copy(ROOT / "pyproject.toml", folder.parent / "unrelated.json")
    assert platelayer(*entry.split(), "unrelated.json", cwd=folder.parent).returncode == 0
    done = platelayer(
        *entry.split(), "unrelated.json", "my title/parts/map.json", cwd=folder.parent
    )
    assert done.returncode == 1
    assert "my title/title.json:2:11 error" in done.stdout
