"""Options of a print on the command line: each that programs have, with the same default."""

from __future__ import annotations

import click
import pytest

from platelayer.cli.app import cli
from platelayer.cli.options import print_options
from platelayer.model.options import OPTIONS
from platelayer.pipeline.job import BuildOptions


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
