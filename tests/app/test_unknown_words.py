"""Every option that takes a word of a known list refuses any other, in one line that says what is
known."""

from __future__ import annotations

import click
import pytest

from platelayer.cli.app import cli, exit_status
from platelayer.cli.options import print_options
from platelayer.exchange.export import ExportOptions, export_title
from platelayer.foundation.problems import CannotRun
from platelayer.model.options import OPTIONS
from platelayer.pipeline.job import BuildOptions

WHOLE = {
    ("check",): ("18cz", "--quick"),
    ("manifest",): ("18cz",),
    ("new",): ("yours",),
    ("renumber",): ("mine",),
    ("upgrades",): ("18cz",),
    ("compare",): ("18cz", "18cz", "--pieces"),
    ("draw",): ("18cz", "tile:57", "-o", "x.svg"),
    ("import",): ("tiles.txt",),
    ("atlas", "new"): ("--mode", "long", "--no-draw", "-o", "out"),
    ("atlas", "check"): ("atlas.json",),
    ("atlas", "endings"): ("half.txt",),
    ("atlas", "survey"): ("--mode", "long", "--count", "1", "-o", "out"),
    ("atlas", "find"): ("--mode", "long", "--maps", "1"),
    ("atlas", "gallery"): ("--mode", "long", "-o", "x.svg"),
    ("box",): ("18cz", "-o", "x.pdf"),
    ("build",): ("18cz", "-o", "out"),
    ("calibrate",): ("-o", "x.pdf"),
    ("export",): ("lost-atlas", "--to", "files", "-o", "out"),
    ("preflight",): ("x.pdf",),
    ("position", "import"): ("game.json", "--title", "18cz"),
    ("position", "lay"): ("18cz", "position.json", "--tile", "57", "--at", "A1"),
    ("position", "moves"): ("18cz", "position.json", "--company", "A"),
    ("routes",): ("18cz", "--position", "position.json"),
    ("supply",): ("18cz",),
}
"""Commands with what they need."""

UNKNOWN = {
    "--variant": ("nosuch", '"bohemia", "moravia"'),
    "--lang": ("xx", '"en", "ja"'),
    "--theme": ("nosuch", '"low-ink"'),
    "--paper": ("nosuch", "letter"),
    "--media": ("avery-nosuch", "avery-L7160"),
    "--poster": ("nosuch", "letter"),
    "--profile": ("nosuch", '"offset"'),
    "--only": ("nosuch", None),
    "--without": ("nosuch", None),
    "--pieces": ("tile:5x", '"tile:5"'),
    "--layout": ("tiles=nosuch", "singles"),
    "--set": ("tiled.nosuch=7373", "overlap_mm"),
    "--size": ("tile=nosuch", "poker"),
    "new --size": ("nosuch", "7x9"),
    "--hexes": ("nosuch", "12x9"),
    "--land": ("nosuch place", "47.6N 122.3W"),
    "--tiles": ("nosuch", '"1846"'),
    "--language": ("nosuch", '"en", "ja"'),
    "--from": ("nosuch", None),
    "--to": ("nosuch", "tile-strings"),
    "--name": ("{nosuch}", "kind"),
    "--rule": ("nosuch", "18xx.games"),
    "--title": ("nosuch", '"lost-atlas"'),
    "--mode": ("nosuch", "micro3"),
    "--policy": ("nosuch", "compact"),
    "--where": ("nosuch > 3", "docs/atlas-measures.md"),
    "--best": ("nosuch", "docs/atlas-measures.md"),
    "--page": ("nosuch", "https://"),
    "--map": ("nosuch", "main"),
    "--bound": ("nosuch", None),
    "export --variant": ("nosuch", '"short"'),
    "--atlas": ("nosuch", "atlas.json"),
}
"""By option an unknown word, and something of what must be told."""

CHOICES = {name: option.choices for name, option in OPTIONS.items() if option.choices}
"""The words of options that take one of a few, or several."""

FREE = {
    "--position",
    "--company",
    "--tile",
    "--at",
    "--trains",
    "--spot-name",
    "--spot-layer",
    "--base-url",
    "--since",
    "--sheets",
    "new --name",
    "new --currency",
}
"""Options that take any name, address, currency or file."""


def commands(command: click.Command, path: tuple[str, ...] = ()):
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))
    else:
        yield path, command


WORDED = [
    (path, option.opts[-1])
    for path, command in commands(cli)
    for option in command.params
    if isinstance(option, click.Option)
    and not option.is_flag
    and (option.type is click.STRING or option.type.name == "name=value")
    and not FREE & {option.opts[-1], f"{path[-1]} {option.opts[-1]}"}
]


@pytest.mark.parametrize(
    ("path", "option"), WORDED, ids=[" ".join((*path, option)) for path, option in WORDED]
)
def test_an_unknown_word_is_refused(path, option, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if path == ("import",):
        (tmp_path / "tiles.txt").write_text("57=yellow", encoding="utf-8")
    if path == ("position", "import"):
        (tmp_path / "game.json").write_text('{"title": "18EU", "actions": []}', encoding="utf-8")
    if path == ("atlas", "endings"):
        (tmp_path / "half.txt").write_text(
            "3 D4 0" if option == "--mode" else "mode micro2\n3 D4 0", encoding="utf-8"
        )
    if path == ("renumber",):
        assert exit_status(["new", "mine", "--start", "bare"]) == 0
        capsys.readouterr()
    before = list(tmp_path.iterdir())
    word, told = UNKNOWN.get(f"{path[-1]} {option}") or UNKNOWN[option]
    # 18CZ has no map tiles.
    title = "lost-atlas" if option == "--atlas" else "18cz"
    whole = [arg.replace("18cz", title) for arg in WHOLE[path]]
    assert exit_status([*path, *whole, option, word]) in (1, 2)
    out = "".join(capsys.readouterr())
    (line,) = (
        each for each in out.splitlines() if word.rpartition("=")[2].split()[0].strip("{}") in each
    )
    assert told is None or told in line
    assert list(tmp_path.iterdir()) == before


def test_an_unknown_code_is_refused(capsys):
    assert exit_status(["explain", "UP99"]) == 2
    assert '"UP09"' in capsys.readouterr().err
    assert exit_status(["explain", ""]) == 2
    assert "`platelayer explain` lists all codes" in capsys.readouterr().err


@pytest.mark.parametrize("name", CHOICES)
def test_programs_are_told_of_a_word_that_an_option_does_not_take(name):
    word = ("nosuch",) if isinstance(getattr(BuildOptions(), name), tuple) else "nosuch"
    with pytest.raises(
        CannotRun, match=f"{name}: there is no 'nosuch'; use {', '.join(CHOICES[name])}"
    ):
        BuildOptions(**{name: word})


def test_programs_are_told_of_a_kind_of_picture_that_there_is_not(tmp_path):
    with pytest.raises(CannotRun, match="'gif'; use "):
        export_title(
            "18cz",
            "files",
            tmp_path / "out",
            BuildOptions(pieces=("tile:57",)),
            ExportOptions(kinds=("gif",)),
        )


# Options of a print on the command line: each that programs have, with the same default


def given(*arguments: str, names: tuple[str, ...] = tuple(OPTIONS), by_profile: bool = False):
    """The options that a command with these switches passes on."""

    @click.command()
    @print_options(*names, by_profile=by_profile)
    def command(**values: object) -> dict[str, object]:
        return values

    return command.main([*arguments], standalone_mode=False)


def test_build_has_a_switch_for_each_option_but_the_kind_of_output() -> None:
    switches = {
        switch
        for param in cli.get_command(click.Context(cli), "build").params
        for switch in param.opts
    }
    wanted = {f"--{switch}" for option in OPTIONS.values() for switch in option.switches}
    assert wanted <= switches
    assert [name for name, option in OPTIONS.items() if not option.switches] == ["output"]


def test_options_that_are_not_given_have_the_defaults_of_programs() -> None:
    assert BuildOptions(**given()) == BuildOptions()


def test_options_that_are_not_given_leave_the_choice_to_a_profile() -> None:
    assert {name for name, value in given(by_profile=True).items() if value is not None} == set()
    assert given("--only", ",", by_profile=True)["only"] is None


def test_values_become_what_programs_give() -> None:
    words = (
        "--only tile,train --copies 3 --money --layout tiles=die --size train=poker --cut spot "
        "--also svg --also dxf --corner 2 --offset 0.5,-1 --scale-y 1.01 --players 4 --lang ja"
    )
    assert BuildOptions(**given(*words.split())) == BuildOptions(
        only=("tile", "train"),
        copies=3,
        money=True,
        layouts=(("tiles", "die"),),
        sizes=(("train", "poker"),),
        cut="spot",
        also=("svg", "dxf"),
        corner_mm=2.0,
        offset_mm=(0.5, -1.0),
        scale=(1.0, 1.01),
        players=4,
        language="ja",
    )


@pytest.mark.parametrize("words", ["--copies 0", "--corner 16", "--cut zigzag", "--layout tiles"])
def test_values_out_of_bounds_are_refused(words: str) -> None:
    with pytest.raises(click.UsageError):
        given(*words.split())
