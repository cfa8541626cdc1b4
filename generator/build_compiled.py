"""The build hook that compiles `atlas/compiled*.c` where there is a C compiler, and draws the five
titles ahead where the libraries that Platelayer needs are installed.

Without a compiler, or with PLATELAYER_COMPILED=0, the wheel is the same for all systems and
everything in it is Python. With PLATELAYER_COMPILED=1 there is no wheel without the library. Run
this file to build the library in place.

With PLATELAYER_PREDRAWN=0 nothing is drawn; with PLATELAYER_PREDRAWN=1 the libraries are among the
requirements of the build, and there is no wheel without the faces.
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
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "generator" / "platelayer" / "atlas"
PREDRAWN = "PLATELAYER_PREDRAWN"
SOURCES = ("compiled.c", "compiled_chain.c", "compiled_check.c")  # as in atlas/layouts.py
FLAGS = ("-std=c11", "-O2", "-shared")


def flags_for(platform: str) -> tuple[str, ...]:
    """Return the flags of the compiler for a platform as sysconfig names it ("macosx-11.0-universal2"), so
    that the library is for exactly what the wheel's tag says."""
    system, *rest = platform.split("-")
    if system == "macosx":
        release, machine = rest
        machines = ("arm64", "x86_64") if machine == "universal2" else (machine,)
        return (
            *FLAGS,
            "-fPIC",
            f"-mmacosx-version-min={release}",
            *(word for each in machines for word in ("-arch", each)),
        )
    if system.startswith("win"):
        return (*FLAGS, "-DEXPORT=__declspec(dllexport)")
    return (*FLAGS, "-fPIC")


def tag_for(platform: str) -> str:
    """The tag of a wheel with the library: it is loaded by ctypes, so any Python will do."""
    return f"py3-none-{platform.replace('-', '_').replace('.', '_')}"


def build(into: Path = FOLDER) -> Path | None:
    """The library in a folder, built unless it is there; None where it is not wanted or there is no
    compiler.

    Raises RuntimeError where it is wanted by all means and cannot be built.
    """
    wanted, platform = os.environ.get("PLATELAYER_COMPILED"), sysconfig.get_platform()
    if wanted == "0":
        return None
    compiler = shlex.split(os.environ.get("CC") or ("clang" if sys.platform == "win32" else "cc"))
    sources = [FOLDER / name for name in SOURCES]
    digest = hashlib.sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
    target = into / f"_compiled_{digest[:12]}.so"
    said = f"there is no {compiler[0]}"
    if shutil.which(compiler[0]):
        if target.exists():
            return target
        part = target.with_suffix(f".{os.getpid()}")
        command = [*compiler, *flags_for(platform), "-o", str(part), *map(str, sources)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            part.replace(target)  # at once: other processes may be looking
            return target
        part.unlink(missing_ok=True)
        said = done.stderr
    if wanted == "1":
        raise RuntimeError(f"the compiled library could not be built: {said}")
    return None


def predraw(into: Path) -> Path | None:
    """The faces of the five titles in a folder; None where they are not wanted or cannot be drawn.

    Raises RuntimeError where they are wanted by all means and cannot be drawn.
    """
    wanted = os.environ.get(PREDRAWN)
    if wanted == "0":
        return None
    target = into / "predrawn.faces"
    command = [sys.executable, str(ROOT / "tools" / "predraw.py"), str(target)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return target
    if wanted == "1":
        raise RuntimeError(f"the faces could not be drawn: {done.stderr}")
    return None


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the library to a wheel, which is then for this system alone, but for every Python; and
    the faces."""

    def dependencies(self) -> list[str]:
        """Called by hatchling for what must be installed before."""
        wanted = self.target_name == "wheel" and os.environ.get(PREDRAWN) == "1"
        return list(self.metadata.core.dependencies) if wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds a wheel."""
        if self.target_name != "wheel":
            return
        if version == "editable":
            build()
            return
        # Never the one that lies in the tree: it may be for another machine than the wheel's.
        self._folder = TemporaryDirectory(prefix="platelayer-")
        if library := build(Path(self._folder.name)):
            build_data["force_include"][str(library)] = f"platelayer/atlas/{library.name}"
            build_data["pure_python"] = False
            build_data["tag"] = tag_for(sysconfig.get_platform())
        if faces := predraw(Path(self._folder.name)):
            build_data["force_include"][str(faces)] = f"platelayer/{faces.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called by hatchling when the wheel is there."""
        if folder := getattr(self, "_folder", None):
            folder.cleanup()


if __name__ == "__main__":
    print(build() or "no library was built: is there a C compiler?")
