"""What to type where something is missing, by the way in which Platelayer was installed."""

import os
import shlex
import shutil
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from platelayer.foundation import resources
from platelayer.foundation.resources import EXTRAS, to_install

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="quotes of POSIX shells")


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Makes an installation: its environment's folder, the file that a tool leaves there, what else
    is installed."""

    def make(*, sign="", folder="venv", others=(), origin=None):
        prefix = tmp_path / folder
        (prefix / "bin").mkdir(parents=True)
        if sign:
            (prefix / sign).touch()
        requires = [
            "click>=8.1",
            "tree-sitter>=0.23; extra == 'import'",
            'uvicorn>=0.30; extra == "studio"',
        ]
        requires += ["dask[distributed]>=1; extra == 'cluster'", "pytest>=8; extra == 'test'"]
        requires += ["openpyxl>=3.1; extra == 'spreadsheet'"]
        ours = SimpleNamespace(requires=requires, read_text=lambda _: origin)

        def distribution(name):
            if name not in ("platelayer", *others):
                raise PackageNotFoundError(name)
            return ours

        monkeypatch.setattr("importlib.metadata.distribution", distribution)
        monkeypatch.setattr(sys, "prefix", str(prefix))
        monkeypatch.setattr(sys, "executable", str(prefix / "bin/python"))
        monkeypatch.setattr(shutil, "which", lambda _: str(prefix / "bin/pip"))
        return prefix

    return make


@pytest.mark.parametrize(
    ("place", "extra", "package"),
    [
        ({}, "pip install 'platelayer[import]'", "pip install x-reader"),
        (
            {"sign": "uv-receipt.toml", "others": ("uvicorn",)},
            "uv tool install 'platelayer[import,studio]'",
            "uv tool install 'platelayer[studio]' --with x-reader",
        ),
        (
            {"sign": "pipx_metadata.json", "others": ("dask",)},
            "pipx install --force 'platelayer[cluster,import]'",
            "pipx inject platelayer x-reader",
        ),
        (
            {"folder": "archive-v0/la51"},
            "uvx 'platelayer[import]' ...",
            "uvx --with x-reader platelayer ...",
        ),
    ],
)
def test_each_way_has_its_command(installed, place, extra, package):
    installed(**place)
    assert to_install("platelayer[import]") == extra
    assert to_install("x-reader") == package


def test_pip_is_that_of_the_environment(installed, monkeypatch):
    prefix = installed()
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/pip")
    assert (
        to_install("platelayer[studio]")
        == f"{prefix}/bin/python -m pip install 'platelayer[studio]'"
    )
    monkeypatch.setattr(resources, "find_spec", lambda _: None)
    assert (
        to_install("platelayer[studio]")
        == f"uv pip install --python {prefix}/bin/python 'platelayer[studio]'"
    )


def test_a_checkout_stays_one(installed):
    origin = '{"dir_info": {"editable": true}, "url": "file:///home/a%20b/platelayer"}'
    installed(origin=origin)
    command = to_install("platelayer[studio]")
    assert shlex.split(command) == ["pip", "install", "-e", "/home/a b/platelayer[studio]"]


def test_from_a_folder_that_is_not_installed(installed, monkeypatch):
    installed()

    def distribution(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", distribution)
    assert to_install("platelayer[cluster]") == "pip install 'platelayer[cluster]'"


def test_all_is_everything_that_can_be_added():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["all"] == [
        "platelayer[import,spreadsheet,studio,cluster]"
    ]
    assert set(EXTRAS) == {"import", "spreadsheet", "studio", "cluster"}
    of_the_checkout = {"all", "test", "studio-test", "dev", "release", "site"}
    assert set(project["optional-dependencies"]) - of_the_checkout == set(EXTRAS)
