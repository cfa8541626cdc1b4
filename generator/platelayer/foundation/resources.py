"""The installation: shipped files, and the command to install more. Only this module knows where
schemas/ and assets/ are. They are our own, so they are read without checks."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.json import decode

if TYPE_CHECKING:
    from importlib.metadata import Distribution


_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def _root() -> Path:
    """Return the folder that holds `schemas` and `assets`: inside an installed wheel, else the root
    of the source tree."""
    installed = _PACKAGE / "shipped"
    return installed if installed.is_dir() else _PACKAGE.parent.parent


def schema_path(name: str) -> Path:
    """Return the path of a shipped JSON Schema, e.g. `schema_path("title")` ->
    .../schemas/title.schema.json."""
    return _root() / "schemas" / f"{name}.schema.json"


def schema_paths() -> tuple[Path, ...]:
    """Return the paths of all shipped JSON Schemas, sorted by name."""
    return tuple(sorted((_root() / "schemas").glob("*.schema.json")))


def asset_path(*parts: str) -> Path:
    """Return the path of a shipped asset, e.g. `asset_path("fonts", "metrics.json")`."""
    return _root().joinpath("assets", *parts)


def shipped_bytes(path: Path) -> bytes:
    """Return the bytes of a shipped file."""
    return path.read_bytes()


def shipped_json(path: Path) -> Any:
    """Return the value of a shipped JSON file. Tests check these files; a run does not."""
    return decode(path.read_bytes())


def asset_bytes(*parts: str) -> bytes:
    """Return the bytes of a shipped asset."""
    return shipped_bytes(asset_path(*parts))


def asset_json(*parts: str) -> Any:
    """Return the value of a shipped asset, e.g. `asset_json("liveries.json")`."""
    return shipped_json(asset_path(*parts))


# Sizes of a new title, each a folder of assets/starters: only a map, a small game, a game like
# 1830.
STARTS = ("bare", "small", "classic")
# Maximum rows and columns of the map of a new title.
MOST_ROWS = 40


def title_ids() -> tuple[str, ...]:
    """Return the ids of the shipped titles, sorted."""
    folder = asset_path("titles")
    return tuple(sorted(path.parent.name for path in folder.glob("*/title.json")))


def title_path(title_id: str) -> Path:
    """Return the folder of a shipped title."""
    return asset_path("titles", title_id)


def predrawn_path() -> Path:
    """Return the path of the predrawn faces, which a wheel has and a checkout may have."""
    return _PACKAGE / "predrawn.faces"


def drawing_files() -> Iterator[tuple[str, str]]:
    """Yield the name and path of every shipped file, except titles, that affects drawing and
    judging. The names are the same in a wheel and in the source tree, and sorted."""
    # A wheel has its assets within the package, a source tree has them beside it.
    folders = sorted(map(str, (_PACKAGE, _root())), key=len, reverse=True)
    names = {}
    for path in shipped_files():
        folder = next(folder for folder in folders if path.startswith(folder))
        name = path[len(folder) + 1 :].replace(os.sep, "/")
        if name.startswith(_DRAWS) and name.endswith((".json", ".py", ".toml")):
            names[name] = path
    yield from sorted(names.items())


# Files that affect what is drawn: `drawing`, all it may import, the checks, and assets.
_DRAWS = (
    *("assets/", "drawing/", "foundation/", "model/", "rules/", "scene/", "pipeline/faces.py"),
)


def shipped_files() -> list[str]:
    """Return the paths of all our code, schemas and assets except titles, sorted."""
    folders = [str(_PACKAGE), str(_root() / "schemas"), str(_root() / "assets")]
    files = []
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders += () if entry.name in _NOT_SHIPPED else (entry.path,)
                else:
                    files.append(entry.path)
    return sorted(files)


_NOT_SHIPPED = ("__pycache__", "titles", "static")


# Optional dependencies; `platelayer[all]` installs them all.
EXTRAS = ("cluster", "import", "spreadsheet", "studio")


def to_install(wanted: str) -> str:
    """Return the command that adds an extra ("platelayer[studio]") or another distribution, for the
    tool with which Platelayer was installed. Installed extras are kept."""
    found = re.fullmatch(r"platelayer\[(\w+)\]", wanted)
    extra = {found[1]} if found else set()
    platelayer = _installed("platelayer")
    extras = ",".join(sorted(extra | (_extras_of(platelayer) if platelayer else set())))
    ours = f"platelayer[{extras}]" if extras else "platelayer"
    prefix = Path(sys.prefix)
    if (prefix / "uv-receipt.toml").is_file():
        return _line("uv", "tool", "install", ours, *([] if extra else ["--with", wanted]))
    if (prefix / "pipx_metadata.json").is_file():
        return _line(
            "pipx", *(["install", "--force", ours] if extra else ["inject", "platelayer", wanted])
        )
    # uvx creates its environment in uv's cache.
    if any(part.startswith("archive-v") for part in prefix.parts):
        return f"{_line('uvx', *([] if extra else ['--with', wanted]), ours)} ..."
    checkout = _checkout_of(platelayer) if platelayer and extra else None
    return _line(
        *_pip_install(), *(["-e", f"{checkout}[{','.join(extra)}]"] if checkout else [wanted])
    )


def _line(*words: str) -> str:
    """Return words as one types them in a shell."""
    import shlex

    return " ".join(words if os.name == "nt" else map(shlex.quote, words))


def _pip_install() -> list[str]:
    """Return the command that installs packages into this environment: "pip install" if that is
    this environment's pip."""
    import shutil

    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return ["pip", "install"]
    if find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    return ["uv", "pip", "install", "--python", sys.executable]


def _installed(name: str) -> Distribution | None:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _extras_of(platelayer: Distribution) -> set[str]:
    """Return the extras whose requirements are all installed."""
    needs = (
        re.match(r"""([\w.-]+).*\bextra == ['"](\w+)['"]""", need)
        for need in platelayer.requires or ()
    )
    missing = {need[2] for need in needs if need and need[2] in EXTRAS and not _installed(need[1])}
    return set(EXTRAS) - missing


def _checkout_of(platelayer: Distribution) -> Path | None:
    """Return the source folder if Platelayer is installed from it in editable mode."""
    # Imports in 20 ms, as they load HTTP and e-mail.
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    origin = decode(platelayer.read_text("direct_url.json") or "{}")
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return Path(url2pathname(urlsplit(origin["url"]).path))
