"""Other systems as far as they can be had here: spawned processes, locales that are not UTF-8,
paths of any letters."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from often import often
from processes import files_of, run_python

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SPAWNED = (
    "import multiprocessing; multiprocessing.set_start_method('spawn');"
    "from platelayer.foundation.workers import start_method; assert start_method() == 'spawn';"
    "from platelayer.__main__ import main; main()"
)
STRICT = (
    "import warnings; warnings.simplefilter('ignore', EncodingWarning);"
    "warnings.filterwarnings('error', category=EncodingWarning, module=r'platelayer');"
    "from platelayer.__main__ import main; main()"
)
ASCII = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
LOCALES = {
    "ascii": ASCII,
    "cp1252": {**ASCII, "PYTHONIOENCODING": "cp1252"},
    "utf-8": {"PYTHONUTF8": "1"},
}
FOLDERS = ("a title of mine", "タイトル", "Ångström & 'Söhne'")


@pytest.mark.parametrize(
    "words", ["build 18eu --only tile,train -o", "atlas new --mode short --seed 7 --no-png -o"]
)
def test_spawned_processes_make_the_same_files(platelayer, tmp_path: Path, words: str) -> None:
    command = ("-c", SPAWNED, *words.split(), "spawned")
    done = run_python(*command, cwd=tmp_path, PLATELAYER_PROCESSES="2")
    assert (done.returncode, done.stderr) == (0, "")
    assert platelayer(*words.split(), "plain").returncode == 0
    assert files_of(tmp_path / "spawned") == files_of(tmp_path / "plain")


def strictly(*words: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command so that a file opened in the encoding of the locale is an error."""
    command = ("-X", "warn_default_encoding", "-c", STRICT, *words)
    done = run_python(*command, cwd=cwd, PLATELAYER_PROCESSES="2", **environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.mark.parametrize(
    ("locale", "folder"), often(product(LOCALES, FOLDERS), ("cp1252", "タイトル"))
)
def test_any_locale_and_any_path(tmp_path: Path, locale: str, folder: str) -> None:
    home = tmp_path / folder
    for words in (
        ("new", home),
        ("check", home),
        ("build", home, "--lang", "ja", "-o", home / "出力"),
        ("draw", home, "map", "-o", home / "地図.svg"),
    ):
        done = strictly(*words, cwd=tmp_path, **LOCALES[locale])
        assert (done.returncode, done.stderr) == (0, ""), words
    title = home / "title.json"
    text = title.read_text(encoding="utf-8")
    title.write_text(text.replace("{", '{"größe": 1, ', 1), encoding="utf-8")
    found = strictly("check", home, cwd=tmp_path, **LOCALES[locale])
    assert found.returncode == 1
    assert "SC" in found.stdout


def test_themes_profiles_and_plans_lie_anywhere(tmp_path: Path) -> None:
    home = tmp_path / "設定 の 場所"
    home.mkdir()
    theme, profile, plan = home / "theme é.json", home / "profile é.json", home / "plan 版.json"
    shutil.copy(ASSETS / "themes" / "low-ink.json", theme)
    shutil.copy(ASSETS / "profiles" / "offset.json", profile)
    plan.write_text('{"documents": {"tokens": {"kinds": ["token"]}}}', encoding="utf-8")
    words = ("build", "18eu", "--only", "token", "-o", home, "--theme", theme, "--sheets", plan)
    done = strictly(*words, cwd=tmp_path, **ASCII)
    assert (done.returncode, done.stderr) == (0, "")
    words = ("preflight", home / "18eu" / "tokens.pdf", "--profile", profile)
    again = strictly(*words, cwd=tmp_path, **ASCII)
    assert again.returncode in (0, 1)
    assert "PF" in again.stdout or again.returncode == 0
