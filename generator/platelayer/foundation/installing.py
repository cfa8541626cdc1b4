"""The way Platelayer was installed, and so the command that adds more to it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

import msgspec

if TYPE_CHECKING:
    from importlib.metadata import Distribution

# What can be installed with Platelayer; `platelayer[all]` is all of it.
EXTRAS = ("cluster", "import", "spreadsheet", "studio")


def to_install(wanted: str) -> str:
    """The command that adds an extra ("platelayer[studio]") or another distribution, for the tool
    by which Platelayer was installed. Extras that are there stay."""
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
    if any(
        part.startswith("archive-v") for part in prefix.parts
    ):  # uvx: an environment in uv's cache
        return f"{_line('uvx', *([] if extra else ['--with', wanted]), ours)} ..."
    checkout = _checkout_of(platelayer) if platelayer and extra else None
    return _line(
        *_pip_install(), *(["-e", f"{checkout}[{','.join(extra)}]"] if checkout else [wanted])
    )


def _line(*words: str) -> str:
    """Words as they are typed."""
    return " ".join(words if os.name == "nt" else map(shlex.quote, words))


def _pip_install() -> list[str]:
    """Command of this environment's pip: by its name, if that name starts this one."""
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
    """The extras of which everything is installed."""
    needs = (
        re.match(r"""([\w.-]+).*\bextra == ['"](\w+)['"]""", need)
        for need in platelayer.requires or ()
    )
    missing = {need[2] for need in needs if need and need[2] in EXTRAS and not _installed(need[1])}
    return set(EXTRAS) - missing


def _checkout_of(platelayer: Distribution) -> Path | None:
    """The folder in which Platelayer is worked on, if it is installed from there in place."""
    origin = msgspec.json.decode(platelayer.read_text("direct_url.json") or "{}")
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return Path(url2pathname(urlsplit(origin["url"]).path))
