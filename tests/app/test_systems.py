"""Other systems as far as they can be had here: spawned processes, locales that are not UTF-8,
paths of any letters."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from often import often

ROOT = Path(__file__).resolve().parents[2]
_SPAWN = (
    "import multiprocessing, sys; multiprocessing.set_start_method('spawn');"
    "from platelayer.foundation.pool import start_method; assert start_method() == 'spawn';"
    "from platelayer.__main__ import main; main()"
)
_LOCALES = {
    "ascii": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "cp1252": {
        "PYTHONIOENCODING": "cp1252",
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
    },
    "utf-8": {"PYTHONUTF8": "1"},
}
_FOLDERS = ("a title of mine", "タイトル", "Ångström & 'Söhne'")
_STRICT = (
    "import warnings; warnings.simplefilter('ignore', EncodingWarning);"
    "warnings.filterwarnings('error', category=EncodingWarning, module=r'platelayer');"
    "from platelayer.__main__ import main; main()"
)


def _run(
    *words: object, program: str = "", cwd: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    start = ("-c", program) if program else ("-m", "platelayer")
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT / "generator"),
        "PLATELAYER_PROCESSES": "2",
        **more,
    }
    strict = ("-X", "warn_default_encoding") if program == _STRICT else ()
    command = [sys.executable, *strict, *start, *map(str, words)]
    done = subprocess.run(
        command,
        check=False,
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_spawned_processes_print_the_same_bytes(tmp_path: Path) -> None:
    for name, program in (("spawned", _SPAWN), ("plain", "")):
        done = _run(
            "build", "18eu", "--only", "tile,train", "-o", name, program=program, cwd=tmp_path
        )
        assert (done.returncode, done.stderr) == (0, "")
    assert _files(tmp_path / "spawned") == _files(tmp_path / "plain")


def test_spawned_processes_make_the_same_map(tmp_path: Path) -> None:
    for name, program in (("spawned", _SPAWN), ("plain", "")):
        done = _run(
            "atlas",
            "new",
            "--mode",
            "short",
            "--seed",
            "7",
            "-o",
            name,
            program=program,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, "")
    assert _files(tmp_path / "spawned") == _files(tmp_path / "plain")


@pytest.mark.parametrize(
    ("locale", "folder"), often(product(_LOCALES, _FOLDERS), ("cp1252", "タイトル"))
)
def test_any_locale_and_any_path(tmp_path: Path, locale: str, folder: str) -> None:
    home, more = tmp_path / folder, _LOCALES[locale]
    made = _run("new", home, cwd=tmp_path, program=_STRICT, **more)
    assert (made.returncode, made.stderr) == (0, "")
    checked = _run("check", home, cwd=tmp_path, program=_STRICT, **more)
    assert checked.returncode == 0, checked.stdout
    built = _run(
        "build", home, "--lang", "ja", "-o", home / "出力", cwd=tmp_path, program=_STRICT, **more
    )
    assert (built.returncode, built.stderr) == (0, "")
    drawn = _run(
        "draw", home, "map", "-o", home / "地図.svg", cwd=tmp_path, program=_STRICT, **more
    )
    assert (drawn.returncode, drawn.stderr) == (0, "")
    title = home / "title.json"
    title.write_text(
        title.read_text(encoding="utf-8").replace("{", '{"größe": 1, ', 1), encoding="utf-8"
    )
    found = _run("check", home, cwd=tmp_path, program=_STRICT, **more)
    assert found.returncode == 1
    assert "SC" in found.stdout


def test_themes_profiles_and_plans_lie_anywhere(tmp_path: Path) -> None:
    home = tmp_path / "設定 の 場所"
    home.mkdir()
    for kind, name in (("themes", "low-ink"), ("profiles", "offset")):
        shutil.copy(ROOT / "assets" / kind / f"{name}.json", home / f"{kind} é.json")
    (home / "plan 版.json").write_text(
        '{"documents": {"tokens": {"kinds": ["token"]}}}', encoding="utf-8"
    )
    done = _run(
        *(
            "build",
            "18eu",
            "--only",
            "token",
            "-o",
            home / "out",
            "--theme",
            home / "themes é.json",
        ),
        *("--sheets", home / "plan 版.json"),
        cwd=tmp_path,
        program=_STRICT,
        **_LOCALES["ascii"],
    )
    assert (done.returncode, done.stderr) == (0, "")
    again = _run(
        *("preflight", home / "out" / "18eu" / "tokens.pdf", "--profile", home / "profiles é.json"),
        cwd=tmp_path,
        program=_STRICT,
        **_LOCALES["ascii"],
    )
    assert again.returncode in (0, 1)
    assert "PF" in again.stdout or again.returncode == 0
