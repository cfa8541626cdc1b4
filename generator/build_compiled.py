"""The build hook that compiles `atlas/compiled.c` where there is a C compiler.

Without one, or with PLATELAYER_COMPILED=0, the wheel is the same for all systems and everything in it is Python. Run
this file to build the library in place.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path(__file__).parent / "platelayer" / "atlas"
SOURCES = ("compiled.c", "compiled_chain.c", "compiled_check.c")  # as in atlas/library.py
FLAGS = ("-std=c11", "-O2", "-shared", "-fPIC")


def build(folder: Path = FOLDER) -> Path | None:
    """The library, built unless it is there; None where it cannot be built."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if os.environ.get("PLATELAYER_COMPILED") == "0" or sys.platform == "win32" or not shutil.which(compiler[0]):
        return None
    sources = [folder / name for name in SOURCES]
    digest = hashlib.sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
    target = folder / f"_compiled_{digest[:12]}.so"
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}")
        command = [*compiler, *FLAGS, "-o", str(part), *map(str, sources)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            part.unlink(missing_ok=True)
            return None
        part.replace(target)  # at once: other processes may be looking
    return target


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the library to a wheel, which is then for this system alone, but for every Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds a wheel."""
        if self.target_name != "wheel" or (library := build()) is None or version == "editable":
            return
        build_data["force_include"][str(library)] = f"platelayer/atlas/{library.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


if __name__ == "__main__":
    print(build() or "no library was built: is there a C compiler?")
