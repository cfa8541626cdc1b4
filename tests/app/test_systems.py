"""Other systems as far as they can be had here: spawned processes, locales that are not UTF-8,
paths of any letters."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import product
from pathlib import Path, PureWindowsPath

import pytest

from looks.digests import TITLES
from often import often
from platelayer.definitions.titles import title_id
from platelayer.exchange.export import ExportOptions, export_title
from platelayer.exchange.importers import import_title
from platelayer.foundation.door import check_names, distinct, is_safe_path
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.build import build, read_options
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.write import write_all, write_new
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


# What Windows (and, of names, macOS) would refuse or confuse, as far as it can be tried anywhere


DEVICES = ("con", "PRN", "Aux", "nul", "COM1", "lpt9", "con.svg", "CONIN$")
GAMES = Path(__file__).resolve().parents[1] / "exchange" / "games"


@pytest.mark.parametrize("name", DEVICES)
def test_no_file_has_the_name_of_a_device(name: str) -> None:
    assert PureWindowsPath("C:/games", name).drive == "C:"
    assert not is_safe_path(name)
    assert is_safe_path(distinct(name, set()))
    assert title_id(name.partition(".")[0]) != name.lower()
    with pytest.raises(CannotRun, match="every system"):
        check_names([f"pictures/{name}"])


@pytest.mark.parametrize("name", ["C:x", "a\\b", "..\\x", "a ", "a.", "x:stream", "what?.svg"])
def test_no_file_has_a_name_that_is_a_path_of_windows(name: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="every system"):
        write_new(tmp_path / "new", {"a": b"", name: b""})
    assert not (tmp_path / "new").exists()


def test_names_that_differ_in_case_are_numbered_and_never_written(tmp_path: Path) -> None:
    taken: set[str] = set()
    names = [distinct(name, taken) for name in ("A", "a", "é", "e\u0301", "a~2", "B")]
    assert names == ["A", "a~2", "é", "e\u0301~2", "a~2~2", "B"]
    check_names(names)
    with pytest.raises(CannotRun, match=r"'A\.svg' and 'a\.svg' are one file"):
        write_all(tmp_path, {"A.svg": b"", "a.svg": b""})
    assert [*tmp_path.iterdir()] == []


@pytest.fixture(scope="module")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter with companies called CON and con."""
    folder = tmp_path_factory.mktemp("title") / "awkward"
    shutil.copytree(asset_path("starters", "small"), folder)
    companies = json.loads((folder / "companies.json").read_text("utf-8"))["companies"]
    renamed = dict(zip(companies, ("CON", "con"), strict=False))
    for path in folder.glob("*.json"):
        text = path.read_text("utf-8")
        for old, new in renamed.items():
            text = text.replace(f'"{old}"', f'"{new}"')
        path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("form", ["page", "files", "18xx-games", "tabletop-simulator"])
def test_exports_have_names_that_windows_takes(form: str, awkward: Path, tmp_path: Path) -> None:
    settings = {"files": ExportOptions(kinds=("svg",)), "tabletop-simulator": ExportOptions(dpi=20)}
    made = export_title(
        str(awkward),
        form,
        tmp_path,
        BuildOptions(only=("token",)) if form != "18xx-games" else BuildOptions(),
        settings.get(form, ExportOptions()),
    )
    names = [str(name) for name in made.files]
    assert any("con" in name and "~2" in name for name in names), names
    whole = b"".join((tmp_path / name).read_bytes() for name in names)
    shown = [name for name in names if "~2" in name and not name.endswith(".rb")]
    if form in ("page", "18xx-games"):
        assert all(Path(name).stem.encode() in whole for name in shown)


def test_pictures_of_a_print_have_names_that_windows_takes(awkward: Path) -> None:
    options = read_options("thegamecrafter", {"pieces": ("token:*",)})
    made = build(str(awkward), options)
    names = [name for name in made.files if name.endswith(".png")]
    assert any("token-con~2" in name for name in names), names
    check_names(made.files)


def _crlf(source: Path, into: Path) -> Path:
    into.mkdir()
    for path in source.iterdir():
        (into / path.name).write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return into


def test_files_with_the_line_ends_of_windows_are_the_same(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    strings = tmp_path / "lf" / "tiles.txt"
    strings.parent.mkdir()
    strings.write_bytes(
        b"# mine\nX1 yellow city=revenue:40;path=a:0,b:_0\nX2 green town=revenue:10\n"
    )
    pairs = [
        (strings, _crlf(strings.parent, tmp_path / "crlf") / "tiles.txt"),
        (GAMES / "g_18_mill", _crlf(GAMES / "g_18_mill", tmp_path / "g_18_mill")),
    ]
    for number, sources in enumerate(pairs):
        made = []
        for side, source in enumerate(sources):
            folder = tmp_path / f"{number}{side}" / "same"
            import_title(source, folder)
            made.append({path.name: path.read_bytes() for path in folder.glob("*.[jm]*")})
        assert made[0] == made[1]
    title = _crlf(asset_path("starters", "bare"), tmp_path / "bare")
    assert b"\r\n" in (title / "title.json").read_bytes()
    plain = build(str(asset_path("starters", "bare")))
    assert dict(build(str(title)).files) == dict(plain.files)


# Python -O, which leaves out assertions: the command finds and prints the same


@pytest.mark.parametrize("how", often(["--quick", "--no-cache"], "--quick"))
@pytest.mark.parametrize("title", often(TITLES, "18eu"))
def test_checks_find_the_same(title: str, how: str) -> None:
    folder = Path(__file__).parents[1] / "definitions/cases/reject/folder-all-at-once"
    words = ("-m", "platelayer", "check", title, folder, how, "--format", "json")
    plain, optimised = run_python(*words), run_python("-O", *words)
    assert plain.stderr == optimised.stderr == ""
    assert (optimised.returncode, optimised.stdout) == (plain.returncode, plain.stdout)
    assert optimised.returncode == 1


def test_prints_are_the_same_bytes(tmp_path: Path) -> None:
    for level in ("-B", "-O"):
        words = ("build", "18eu", "--only", "train,market", "-o", tmp_path / level)
        done = run_python(level, "-m", "platelayer", *words)
        assert done.returncode == 0, done.stderr
    plain, optimised = (sorted((tmp_path / level).rglob("*.*")) for level in ("-B", "-O"))
    assert [path.read_bytes() for path in plain] == [path.read_bytes() for path in optimised]
    assert len(plain) >= 3
