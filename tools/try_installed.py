"""Whether the installed Platelayer works, tried without this tree: it prints 18EU and makes random
maps.

python tools/try_installed.py              # whichever wheel it came in
python tools/try_installed.py --compiled   # one with the compiled library, which makes the maps that Python makes
python tools/try_installed.py --pure       # one without
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import platelayer
from platelayer.atlas.assemble import assemble
from platelayer.atlas.compiled import compiled
from platelayer.atlas.layouts import library
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.build import shipped_box

SEEDS = range(5)


def try_maps() -> None:
    """The compiled library, if there is one, makes the maps that the modules in Python make."""
    box = shipped_box()
    for mode in ("micro2", "long"):
        logs = [assemble(box, mode, seed=seed, policy="compact") for seed in SEEDS]
        wanted = [Surveyor(box).measure(log) for log in logs]
        core = compiled(box, mode, "compact", None)
        assert core is None or [each.values() for each in core.rows(SEEDS, check=True)] == wanted, (
            mode
        )


def try_print() -> int:
    """18EU is printed, with as many tiles as its box has; the number of files."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-P", "-m", "platelayer", "build", "18eu", "-o", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        manifest = json.loads((Path(folder) / "18eu/manifest.json").read_text(encoding="utf-8"))
        assert manifest["totals"]["tile"] == 191
        return len(manifest["files"])


def main() -> None:
    """All of it, said in one line."""
    tree, home = Path(__file__).resolve().parents[1], Path(platelayer.__file__).resolve()
    assert not home.is_relative_to(tree / "generator"), f"{home} is not installed"
    has = library() is not None
    assert not ("--compiled" in sys.argv and not has), (
        "the compiled library is missing, or is for another system"
    )
    assert not ("--pure" in sys.argv and has), "there is a compiled library"
    try_maps()
    files = try_print()
    maps = "compiled" if has else "made in Python"
    sys.stdout.write(
        f"Platelayer {platelayer.__version__} works: {files} files of 18EU; random maps are {maps}\n"
    )


if __name__ == "__main__":
    main()
