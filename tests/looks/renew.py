"""Contact sheets of pieces that have changed, before beside after; then the digests are updated.

    python tests/looks/renew.py [--since REVISION] [--keep] [TITLE ...]

"Before" is drawn by the code and definitions of a git revision, HEAD by default. --keep leaves the
digests as they are. The sheets are in build/looks/.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("titles", nargs="*", metavar="TITLE", help=f"default: {' '.join(TITLES)}")
    parser.add_argument("--since", default="HEAD", metavar="REVISION")
    parser.add_argument("--keep", action="store_true", help="leave the digests as they are")
    options = parser.parse_args()
    titles = options.titles or TITLES
    if unknown := set(titles) - set(TITLES):
        parser.error(f"no digests are kept of {', '.join(sorted(unknown))}")
    with ProcessPoolExecutor(min(len(titles), os.cpu_count() or 1)) as pool:
        now = dict(zip(titles, pool.map(drawn, titles), strict=True))
    was = {title: kept(title) for title in titles}
    # A title without digests is new: it has no "before".
    faces = [
        (title, *face) for title in titles if was[title] for face in changes(was[title], now[title])
    ]
    for old in SHEETS.glob("*.png"):
        old.unlink()
    if faces:
        _draw_sheets(options.since, faces)
    sys.stdout.write(
        f"{len(faces)} faces have changed{f': {SHEETS}/looks-01.png ...' if faces else ''}\n"
    )
    for title in () if options.keep else titles:
        keep(title, now[title])


def _draw_sheets(revision: str, faces: list[Face]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        trees = {"old": _tree(revision, Path(folder, "tree")), "new": ROOT}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, tree in trees.items():
                for title in {title for title, _, _ in faces}:
                    pool.submit(_draw, tree, title, faces, Path(folder, name))
        pairs = [
            (face, *(_picture(Path(folder, name, _file(face))) for name in trees)) for face in faces
        ]
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


def _file(face: Face) -> str:
    return "-".join(face).replace(":", "-") + ".png"


# Runs in a tree of any revision, so it uses the public interface alone.
_SCRIPT = """
import json, pathlib, sys
from platelayer import BuildOptions, PlatelayerError, draw, load
title = load(sys.argv[1])
for key, language, path in json.load(sys.stdin):
    try:
        picture = draw(title, key, BuildOptions(language=language))
    except PlatelayerError:
        continue
    pathlib.Path(path).write_bytes(picture.paint(".png", dpi=110))
"""


def _draw(tree: Path, title: str, faces: list[Face], folder: Path) -> None:
    """Draw those faces of a title that a tree has into a folder."""
    folder.mkdir(exist_ok=True)
    pieces = [
        (key, language, str(folder / _file((name, key, language))))
        for name, key, language in faces
        if name == title
    ]
    subprocess.run(
        [sys.executable, "-c", _SCRIPT, title],
        input=json.dumps(pieces),
        text=True,
        env=os.environ | {"PYTHONPATH": str(tree / "generator")},
        check=False,
        capture_output=True,
    )


def _picture(path: Path) -> Image.Image | None:
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
