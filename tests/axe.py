"""Barriers on pages for people with disabilities, by axe-core."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gate import skip_unless_gate

ROOT = Path(__file__).resolve().parents[1]
AXE = "axe-core@4.14.1"
AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
_RUN = (
    "async () => (await axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})).violations"
    ".flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html.slice(0, 200)}`))"
)


def barriers(page: Any) -> list[str]:
    """Breaches of WCAG 2.1 at level AA on the page that is open."""
    page.evaluate(_script())
    return list(page.evaluate(_RUN))


@cache
def _script() -> str:
    """The text of axe-core, fetched once into build/axe. Skips where npm cannot fetch it."""
    if not shutil.which("npm"):
        skip_unless_gate("needs npm (Debian: apt-get install npm)")
    folder = ROOT / "build/axe"
    path = folder / "node_modules/axe-core/axe.min.js"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--silent", AXE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot fetch {AXE}: {done.stderr[-500:]}")
    text = path.read_bytes()
    assert hashlib.sha256(text).hexdigest() == AXE_SHA256
    return text.decode()
