"""The wheel holds all it needs: built, unpacked elsewhere, it prints every title without the source tree."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder to work in, and a function that runs Python there with the wheel's package and nothing of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    environment = {"PATH": os.defpath, "HOME": str(elsewhere), "PYTHONPATH": str(folder / "site")}

    def run(*words):
        command = [sys.executable, "-P", *map(str, words)]
        done = subprocess.run(command, check=False, cwd=elsewhere, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout + done.stderr

    return elsewhere, run


def test_an_installed_wheel_prints_18eu(installed):
    folder, run = installed
    assert str(folder.parent / "site") in run("-c", "import platelayer; print(platelayer.__file__)")
    names = {path.relative_to(folder.parent / "site").as_posix() for path in (folder.parent / "site").rglob("*")}
    assert "platelayer/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    run("-m", "platelayer", "build", "18eu", "-o", "out")
    value = json.loads((folder / "out/18eu/manifest.json").read_text(encoding="utf-8"))
    assert value["totals"]["tile"] == 191


def test_without_a_compiler_nothing_is_built():
    """The wheel is then the same for all systems."""
    command = [sys.executable, ROOT / "generator/build_compiled.py"]
    environment = {**os.environ, "CC": "no-such-compiler"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == "no library was built: is there a C compiler?\n"


@pytest.mark.slow
def test_a_wheel_without_a_compiler_makes_the_same_maps(installed, tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "CC": "no-such-compiler"}, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    assert not list((tmp_path / "site").rglob("*.so"))
    _, run = installed
    tables = []
    for site in (tmp_path / "site", None):
        folder = tmp_path / f"survey-{site is None}"
        words = ("-m", "platelayer", "atlas", "survey", "--mode", "micro3", "--count", 30, "--workers", 0, "-o", folder)
        if site is None:
            run(*words)
        else:
            command = [sys.executable, "-P", *map(str, words)]
            environment = {"PATH": os.defpath, "PYTHONPATH": str(site)}
            subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
        tables.append((folder / "maps.csv").read_bytes())
    assert tables[0] == tables[1]


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
            whole = {kind: fronts.count(kind) for kind in ("tile", "certificate", "train", "token", "charter")}
            assert whole == {kind: counts[kind] for kind in whole}
            pdfs = sorted((out / title).glob("*.pdf"))
            assert "no problems" in run("-m", "platelayer", "preflight", *pdfs)
            for pdf in pdfs:
                silent("qpdf", "--check", pdf)
    for pdf in sorted((folder / "ja-a4" / title).glob("*.pdf")):
        said = silent("gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dPDFSTOPONWARNING", "-sDEVICE=nullpage", pdf)
        assert said == ""


def silent(*command):
    """What a program of the system says that finds nothing wrong."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_source_archive_holds_what_its_tests_need(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)  # not in the first releases of 3.11
        opened.extractall(tmp_path)
    (tree,) = (path for path in tmp_path.iterdir() if path.is_dir())
    environment = {"PATH": os.defpath, "PYTHONPATH": str(tree / "generator")}
    for words in (["--collect-only"], ["tests/app/test_docs.py", "tests/app/test_house.py", "tests/foundation"]):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        done = subprocess.run(command, check=False, cwd=tree, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-4000:]
