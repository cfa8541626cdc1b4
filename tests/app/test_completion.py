"""Words that the tab key completes, in bash as it is and as other shells ask for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from platelayer.cli.completion import SHELLS, complete
from platelayer.definitions.themes import load_theme
from platelayer.pipeline.scaffold import new_title


def words(name: str, begun: str = "", **given: object) -> list[str]:
    return [item.value for item in complete(name, given, begun)]


def test_titles_and_what_is_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert words("title", "18") == ["1824", "1841", "18cz", "18eu"]
    assert words("variant", title="lost-atlas") == ["short", "micro3", "micro2"]
    assert "tile:57" in words("piece", "tile:5", title="18eu")
    assert words("piece", "train:3", title="18eu") == ["train:3", "train:3-option"]
    monkeypatch.chdir(tmp_path)
    new_title(Path("my-game"))
    assert words("piece", "map", title="my-game") == ["map:main"]
    # A path that is no shipped title is completed as a file; of a title that is not there, nothing is known.
    assert [item.type for item in complete("title", {}, "my-")] == ["file"]
    assert words("variant", title="no-such-title") == []
    assert words("variant") == []


def test_lists_are_completed_after_their_last_comma() -> None:
    assert words("only", "tile,tok") == ["tile,token"]
    assert words("pieces", "tile:57,train:5", title="18eu") == ["tile:57,train:5"]


def test_words_of_options_are_those_that_the_command_knows() -> None:
    themes = words("theme")
    assert {"classic", "colour-blind", "low-ink"} <= {*themes}
    assert all(load_theme(theme) for theme in themes)
    assert "offset" in words("profile")
    assert "tiles=singles" in words("layouts", "tiles=s")
    assert "train=poker" in words("sizes", "train=p")
    assert words("paper", "a3") == ["a3", "a3-plus"]
    assert words("code", "BX") == ["BX01"]
    assert "tabletop-simulator" in words("export_format")
    assert words("policy") == ["uniform", "compact", "best", "even"]
    assert words("spot_name") == []
    assert [item.type for item in complete("since", {}, "out")] == ["file"]
    assert words("mode", "micro") == ["micro3", "micro2"]
    assert {"en", "ja"} <= {*words("language")}


BASH = pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")


def typed(line: str, tmp_path: Path) -> list[str]:
    """Completions of a line by bash itself, with the cursor at its end."""
    script = f"""
        eval "$(_PLATELAYER_COMPLETE=bash_source platelayer)"
        COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; COMPREPLY=()
        compopt() {{ echo "compopt $*"; }}
        _platelayer_completion platelayer
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@BASH
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("platelayer man", ["manifest"]),
        ("platelayer build 18c", ["18cz"]),
        # Bash's own words end at a colon and at "=": it replaces what is after them.
        ("platelayer draw 18eu tile:20", ["201", "202"]),
        ("platelayer build 18eu --only tile,tok", ["tile,token"]),
        ("platelayer build 18cz --variant b", ["bohemia"]),
        ("platelayer build 18eu --layout tiles=sin", ["singles"]),
        ("platelayer build my-", ["compopt", "-o", "default"]),
    ],
)
def test_bash_completes(line: str, completed: list[str], tmp_path: Path) -> None:
    assert typed(line, tmp_path) == completed


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "powershell"])
def test_one_command_installs_it_once_and_keeps_the_rest(
    shell: str, platelayer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ZDOTDIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    path = (
        tmp_path / {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}[shell]
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = "# caf\xe9\r\nalias ll='ls -l'".encode("latin-1")
    path.write_bytes(mine)
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    line = platelayer("completion", "--print").stdout
    assert f"{shell}_source platelayer" in line
    assert platelayer("completion").returncode == 0
    assert path.read_bytes() == mine + b"\n" + line.encode()
    assert "already" in platelayer("completion", shell).stdout
    assert path.read_bytes() == mine + b"\n" + line.encode()


def test_a_powershell_that_names_no_profile_is_said(
    platelayer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pwsh"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    done = platelayer("completion", "powershell")
    assert done.returncode == 2
    assert "does not name its $PROFILE" in done.stderr


def test_an_unknown_shell_is_asked_for(platelayer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/tcsh")
    done = platelayer("completion")
    assert done.returncode == 2
    assert "bash, zsh, fish, powershell" in done.stderr
