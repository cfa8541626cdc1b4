"""Pieces that look otherwise than they did, before and after side by side on contact sheets; the
digests renewed.

    python tests/looks/renew.py [--since REVISION] [--keep]

"Before" is drawn by the code and the definitions of a revision of git, HEAD unless told otherwise.
With --keep the digests stay as they are: a look and nothing else. The sheets lie in build/looks/.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "generator")]

from looks.digests import TITLES, changes, drawn, keep, kept  # noqa: E402 - the folders must be known first

SHEETS = ROOT / "build" / "looks"
CELL, HEAD, GAP, COLUMNS, ROWS = (430, 300), 18, 10, 2, 5
INK, PAPER, NONE = "#202020", "#ffffff", "#dddddd"

Face = tuple[str, str, str]
"""Title, `kind:id` with perhaps `:back`, language."""


def main() -> None:
    """Compare, draw, renew."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--since", default="HEAD", metavar="REVISION")
    options.add_argument("--keep", action="store_true", help="leave the digests as they are")
    asked = options.parse_args()
    now = {title: drawn(title) for title in TITLES}
    was = {title: kept(title) for title in TITLES}
    # A title that is kept for the first time has nothing to stand beside.
    faces = [
        (title, *face) for title in TITLES if was[title] for face in changes(was[title], now[title])
    ]
    for old in SHEETS.glob("*.png"):
        old.unlink()
    if faces:
        _draw_sheets(asked.since, faces)
    sys.stdout.write(
        f"{len(faces)} faces look otherwise{f': {SHEETS}/looks-01.png ...' if faces else ''}\n"
    )
    for title in () if asked.keep else TITLES:
        keep(title, now[title])


def _draw_sheets(revision: str, faces: list[Face]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        before = _tree(revision, Path(folder, "tree"))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            olds = pool.map(lambda face: _picture(before, face, Path(folder)), faces)
            news = pool.map(lambda face: _picture(ROOT, face, Path(folder)), faces)
            pairs = list(zip(faces, olds, news, strict=True))
    SHEETS.mkdir(parents=True, exist_ok=True)
    size = COLUMNS * ROWS
    for number, start in enumerate(range(0, len(pairs), size), 1):
        _sheet(pairs[start : start + size]).save(SHEETS / f"looks-{number:02}.png")


def _tree(revision: str, folder: Path) -> Path:
    """The files of a revision, in a folder."""
    words = ["git", "archive", "--format=zip", revision]
    archive = subprocess.run(words, cwd=ROOT, check=True, capture_output=True).stdout
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        opened.extractall(folder)
    return folder


def _picture(tree: Path, face: Face, folder: Path) -> Image.Image | None:
    """A face as that tree draws it, by its own command; None where it has none."""
    title, key, language = face
    path = folder / f"{tree.name}-{abs(hash(face))}.png"
    words = ["draw", title, key, "-o", str(path), "--lang", language, "--dpi", "110"]
    command = [sys.executable, "-m", "platelayer", *words]
    subprocess.run(
        command,
        env=os.environ | {"PYTHONPATH": str(tree / "generator")},
        check=False,
        capture_output=True,
    )
    if not path.exists():
        return None
    with Image.open(path) as picture:
        return ImageOps.contain(picture.convert("RGBA"), CELL)


def _sheet(pairs: list[tuple[Face, Image.Image | None, Image.Image | None]]) -> Image.Image:
    """Rows of before and after."""
    wide, high = 2 * CELL[0] + 3 * GAP, CELL[1] + HEAD + GAP
    sheet = Image.new("RGB", (COLUMNS * wide, ROWS * high), PAPER)
    pen = ImageDraw.Draw(sheet)
    for number, (face, old, new) in enumerate(pairs):
        x, y = number % COLUMNS * wide + GAP, number // COLUMNS * high
        pen.text((x, y + 3), " ".join(face), fill=INK)
        for picture in (old, new):
            pen.rectangle((x - 1, y + HEAD - 1, x + CELL[0], y + HEAD + CELL[1]), outline=NONE)
            if picture is not None:
                sheet.paste(picture, (x, y + HEAD), picture)
            x += CELL[0] + GAP
    return sheet


if __name__ == "__main__":
    main()
