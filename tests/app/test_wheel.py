"""The wheel holds all it needs: built, unpacked elsewhere, it prints 18EU without the source tree."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_an_installed_wheel_prints_18eu(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        names = archive.namelist()
    assert "platelayer/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    command = [sys.executable, "-P", "-m", "platelayer", "build", "18eu", "-o", "out"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    value = json.loads((tmp_path / "out/18eu/manifest.json").read_text(encoding="utf-8"))
    assert value["totals"]["tile"] == 191
    where = [sys.executable, "-P", "-c", "import platelayer; print(platelayer.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    assert str(tmp_path) in found
