"""The house in order: sizes, licences, and documents that name what there is."""

import json
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from font_metrics import measure_font
from often import often
from platelayer.scene.fonts import face_names

ROOT = Path(__file__).resolve().parents[2]


def required(extra="", name="platelayer"):
    """Names of the distributions that an installation with an extra needs, without ourselves."""
    found, wanted = set(), [(name, extra)]
    while wanted:
        name, extra = wanted.pop()
        for line in distribution(name).requires or ():
            need = Requirement(line)
            if (
                need.marker is None or need.marker.evaluate({"extra": extra})
            ) and need.name not in found:
                found.add(canonicalize_name(need.name))
                wanted += [(need.name, each) for each in ("", *need.extras)]
    return found


def megabytes(names):
    """The size of distributions, compiled as pip does or not."""
    files = (file.locate() for name in names for file in distribution(name).files or ())
    return sum(file.stat().st_size for file in files if file.exists()) / 1e6


def test_a_plain_installation_is_small():
    """With what is ours, which an editable installation does not list."""
    ours = [
        path
        for part in ("assets", "schemas", "generator/platelayer")
        for path in (ROOT / part).rglob("*")
    ]
    own = (
        sum(path.stat().st_size for path in ours if path.is_file() and path.suffix != ".pyc") / 1e6
    )
    assert "reportlab" in required()
    assert megabytes(required()) + own < 100
    assert not required() & {"numpy", "dask", "distributed", "ezdxf", "fonttools"}
    assert megabytes(required("studio") - required()) < 8
    assert megabytes(required("import") - required()) < 8


def test_every_font_has_its_licence_beside_it():
    fonts = ROOT / "assets" / "fonts"
    for path in fonts.glob("*.ttf"):
        family = path.stem.split("-")[0]
        assert (
            "SIL OPEN FONT LICENSE"
            in (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8").upper()
        ), path.name


@pytest.mark.parametrize("name", often(face_names(), *face_names()[::4]))
def test_metrics_are_those_of_the_fonts(name):
    fonts = ROOT / "assets" / "fonts"
    written = json.loads((fonts / "metrics" / f"{name}.json").read_text(encoding="utf-8"))
    assert measure_font(fonts / f"{name}.ttf") == written


def test_no_metrics_without_a_font():
    assert {path.stem for path in (ROOT / "assets" / "fonts" / "metrics").iterdir()} == set(
        face_names()
    )


def test_architecture_numbers_the_stages_of_the_pipeline():
    import platelayer.pipeline

    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    stages = [
        line.split()[1]
        for line in (platelayer.pipeline.__doc__ or "").splitlines()
        if line[:1].isdigit()
    ]
    assert len(stages) >= 7
    places = [text.index(f"{number}. **{stage}**") for number, stage in enumerate(stages, start=1)]
    assert places == sorted(places)
