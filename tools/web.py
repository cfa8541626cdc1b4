"""The browser edition as one folder: the page, Platelayer, what it builds on, and Pyodide (make
web).

Everything comes from npm and PyPI, pinned by digests in generator/web/, and is kept in build/web.
Needs node and npm.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.resources import asset_path
from platelayer.model.manifest import build_manifest
from platelayer.render.svg import render_svg

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "generator" / "web"
PACKAGE = ROOT / "generator" / "platelayer"
TABLE = PACKAGE / "atlas" / "static"
BUILD = ROOT / "build" / "web"
OUTPUT = ROOT / "output" / "web"

SHELL = ("boot.js", "boot.css", "packs.js")
"""Files that stand in the folder as they are, beside index.html, the icon, files.json and sw.js."""
_WHEELS = (
    "--require-hashes", "--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.14",
    "--abi", "cp314", "--abi", "none", "--platform", "pyemscripten_2026_0_wasm32", "--platform", "any",
)  # fmt: skip
_UNUSED = (
    "reportlab/fonts", "reportlab/graphics", "reportlab/platypus", "budoux/models/th.json", "budoux/models/zh",
    "ensurepip", "idlelib", "lib2to3", "pydoc_data", "sqlite3", "test", "tkinter", "turtledemo", "unittest", "venv",
    "wsgiref", "xmlrpc", "_pyrepl",
)  # fmt: skip
"""Parts of libraries that nothing here imports."""
_ICON = "static/icon.svg"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self' data:; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)


class NotFetched(Exception):
    """Raised when something that the edition is made of cannot be had."""


def main(into: Path = OUTPUT) -> None:
    """Write the folder."""
    try:
        made = make(into)
    except NotFetched as error:
        raise SystemExit(str(error)) from error
    for path, size in made.items():
        sys.stdout.write(f"{size / 1e6:6.2f} MB  {path}\n")
    sys.stdout.write(f"{sum(made.values()) / 1e6:6.2f} MB  in {into}\n")


def make(into: Path) -> dict[str, int]:
    """The edition in a folder, which is emptied first; sizes of its packs by name."""
    pyodide, wheels = _fetched()
    site, library = BUILD / "site", BUILD / "library"
    for folder in (site, library):
        shutil.rmtree(folder, ignore_errors=True)
    for wheel in sorted(wheels.glob("*.whl")):
        _unzip(wheel, site)
    shutil.copytree(SOURCE / "stand_ins", site, dirs_exist_ok=True)
    _copy_package(site / "platelayer")
    _unzip(pyodide / "python_stdlib.zip", library)
    _run("node", str(SOURCE / "compile.mjs"), str(pyodide), str(site), str(library))
    archive, memory = _archive(library), BUILD / "memory"
    _run("node", str(SOURCE / "snapshot.mjs"), *map(str, (pyodide, archive, site, memory)))

    files = {f"python3.14/site-packages/{path}": data for path, data in _files(site).items()}
    japanese = {
        path: data for path, data in files.items() if path.endswith(".ttf") and "JP" in path
    }
    # The memory holds the modules that show a title; the rest waits, with what few titles need:
    # colour on presses, data of real places, faces for letters that the usual ones lack.
    rest = {
        path: data
        for path, data in files.items()
        if path.endswith((".pyc", ".icc", ".table", ".lzma", ".zlib"))
        or "/EBGaramondMore-" in path
        or "/FiraSans" in path
    }
    later = {
        "packs/library": {"python314.zip": archive.read_bytes()} | rest,
        "packs/japanese": japanese,
    }
    packs: dict[str, Mapping[str, bytes] | bytes] = {
        "packs/page": _page(),
        "packs/pyodide": _pyodide(pyodide),
        "packs/python": {path: data for path, data in files.items() if path not in rest | japanese},
        "packs/memory": memory.read_bytes(),
        **later,
    }
    shutil.rmtree(into, ignore_errors=True)
    (into / "packs").mkdir(parents=True)
    listed: list[dict[str, Any]] = []
    for name, members in packs.items():
        data = _pack(members)
        (into / f"{name}.gz").write_bytes(data)
        about: dict[str, Any] = {
            "path": name,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        if name not in ("packs/page", "packs/pyodide"):
            about["whole"] = True
        if name in later:
            files_of = later[name].items()
            about |= {"later": True, "files": [[path, len(data)] for path, data in files_of]}
        listed.append(about)
    _write_shell(into, listed, (pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    return {each["path"]: each["bytes"] for each in listed}


def starter_picture(language: str = "en", title: str = "") -> bytes:
    """The map of the start "small" as SVG, with a title for those who do not see it."""
    starter = load_title(asset_path("starters", "small")).title
    style = style_of(starter, load_theme("classic"), language)
    manifest = build_manifest(starter)
    board = draw_piece(starter, manifest, manifest.by_key["map:main"], style)[0]
    return render_svg(board, title=title)


def _fetched() -> tuple[Path, Path]:
    """The folders of Pyodide and of the wheels, fetched unless they are there as pinned."""
    npm, wheels = BUILD / "npm", BUILD / "wheels"
    pins = [
        SOURCE / name
        for name in ("package.json", "package-lock.json", "requirements.txt", ".npmrc")
    ]
    digest = hashlib.sha256(b"".join(pin.read_bytes() for pin in pins)).hexdigest()
    complete = BUILD / "fetched"
    if not complete.is_file() or complete.read_text() != digest:
        shutil.rmtree(BUILD, ignore_errors=True)
        npm.mkdir(parents=True)
        for pin in pins:
            shutil.copy(pin, npm)
        _run("npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", str(npm))
        _run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *_WHEELS,
             "--dest", str(wheels), "--requirement", str(SOURCE / "requirements.txt"))  # fmt: skip
        complete.write_text(digest)
    return npm / "node_modules" / "pyodide", wheels


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotFetched(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-2000:]}")


def _unzip(archive: Path, into: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            name = entry.filename
            if (
                not entry.is_dir()
                and not name.startswith(_UNUSED)
                and not name.endswith(("/RECORD", ".pyi", ".typed"))
            ):
                opened.extract(entry, into)


def _copy_package(into: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "static", "*.c", "*.h", "*.so", "py.typed")
    shutil.copytree(PACKAGE, into, ignore=ignored)
    for name in ("schemas", "assets"):
        shutil.copytree(
            ROOT / name, into / "shipped" / name, ignore=shutil.ignore_patterns("__pycache__")
        )


def _files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _page() -> dict[str, bytes]:
    """The studio's page, with this edition's line, the page for a phone, and the worker."""
    static = {
        f"static/{name}": data for name, data in _files(PACKAGE / "studio" / "static").items()
    }
    del static["static/index.html"], static[_ICON]
    own = {f"static/{name}": data for name, data in _files(SOURCE / "static").items()}
    own |= {f"static/table/{name}": data for name, data in _files(TABLE).items()}
    return (
        static | own | {name: (SOURCE / name).read_bytes() for name in ("worker.js", "python.js")}
    )


def _pyodide(folder: Path) -> dict[str, bytes]:
    names = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
    return {f"pyodide/{name}": (folder / name).read_bytes() for name in names}


def _archive(library: Path) -> Path:
    """Python's library, compiled, in one archive, which the packs compress."""
    archive = BUILD / "library.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as opened:
        for name, data in _files(library).items():
            opened.writestr(zipfile.ZipInfo(name), data)
    return archive


def _pack(files: Mapping[str, bytes] | bytes) -> bytes:
    """Files in one (generator/web/packs.js), or one by itself, the same bytes each time."""
    if isinstance(files, bytes):
        return gzip.compress(files, 9, mtime=0)
    index = json.dumps([[path, len(data)] for path, data in files.items()]).encode()
    data = struct.pack(">I", len(index)) + index + b"".join(files.values())
    return gzip.compress(data, 9, mtime=0)


def _words() -> dict[str, dict[str, str]]:
    """By language, what is said before the page is there."""
    texts = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ROOT / "assets" / "languages").glob("*.json")
    }
    words = {code: json.loads(text).get("studio", {}) for code, text in sorted(texts.items())}
    keys = [key for key in words["en"] if key.startswith("boot_")]
    return {
        code: {key: own.get(key, words["en"][key]) for key in keys} for code, own in words.items()
    }


def _write_shell(into: Path, packs: list[dict[str, Any]], lock: str) -> None:
    """What is fetched before the packs. The service worker knows all of it by digest, so a browser
    sees any change."""
    text = (PACKAGE / "studio" / "static" / "index.html").read_text(encoding="utf-8")
    changes = (
        ('<meta name="key" content="{key}">', f'<meta http-equiv="content-security-policy" content="{_POLICY}">'),
        ('href="{icon}"', 'href="icon.svg"'),
        ("{modules}\n", ""),
        ('<script type="module" src="static/js/main.js">', '<script type="module" src="boot.js">'),
        ("<body>", '<body>\n<div id="boot"><div class="last"><img src="start.svg" alt=""></div><progress max="1" value="0">'
                   '</progress><p role="status"></p></div>'),
        ("</head>", '<link rel="stylesheet" href="boot.css">\n</head>'),
        ('<link rel="stylesheet" href="static/', '<link rel="later" href="static/'),  # they come in a pack
    )  # fmt: skip
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"index.html of the studio has no {old}")
        text = text.replace(old, new)
    info = {**json.loads(lock), "packages": {}}
    shell = {
        "": text.encode(),
        "icon.svg": (PACKAGE / "studio" / _ICON).read_bytes(),
        "start.svg": starter_picture(),
        "files.json": json.dumps(
            {"packs": packs, "lock": json.dumps(info), "words": _words()}
        ).encode(),
        **{name: (SOURCE / name).read_bytes() for name in SHELL},
    }
    for name, data in shell.items():
        (into / (name or "index.html")).write_bytes(data)
    digests = {each["path"]: each["sha256"] for each in packs}
    worker = (SOURCE / "sw.js").read_text(encoding="utf-8")
    version = hashlib.sha256(repr(shell).encode() + worker.encode()).hexdigest()[:16]
    filled = f"const PACKS = {json.dumps(digests)}, SHELL = {json.dumps([*shell])}, VERSION = {json.dumps(version)};"
    empty = 'const PACKS = {}, SHELL = [], VERSION = "";'
    if empty not in worker:
        raise SystemExit("sw.js has no place for its packs")
    (into / "sw.js").write_text(worker.replace(empty, filled), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
