"""Options that several commands share, as decorators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from platelayer.model.options import OPTIONS, PrintOption

Command = TypeVar("Command", bound=Callable[..., Any])


def completed(name: str) -> Callable[..., Any]:
    """Words for a parameter as a shell completes it, by a name in cli/completion.py."""

    def complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Any:
        from platelayer.cli.completion import complete

        # click does not read arguments if an option before the cursor still lacks its value.
        title = {"title": ctx.args[0]} if ctx.args else {}
        return complete(name, title | {k: v for k, v in ctx.params.items() if v}, incomplete)

    return complete


def title_argument(name: str = "title", **how: Any) -> Callable[[Command], Command]:
    """An argument that names a title."""
    return click.argument(name, shell_complete=completed(name), **how)


def format_option(*others: str, help: str = "Output format.") -> Callable[[Command], Command]:  # noqa: A002 - as click's
    """The option of a report's format: text, or one of some others."""
    choice = click.Choice(["text", *others])
    return click.option(
        "--format", "form", type=choice, default="text", show_default=True, help=help
    )


def output_option(name: str, help: str, **how: Any) -> Callable[[Command], Command]:  # noqa: A002 - as click's
    """The option -o of a command that writes a file or a folder."""
    file = click.Path(path_type=Path)
    return click.option("-o", "--output", name, type=file, help=help, **how)


TEXT_OR_JSON = format_option("json")
NO_CACHE = click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")


class Named(click.ParamType):  # type: ignore[type-arg]
    """A name and its value, "tiles=singles"."""

    name = "name=value"

    def __init__(self, example: str) -> None:
        self._example = example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """The name and its value; a usage error for anything else."""
        if isinstance(value, tuple):
            return value
        name, equals, given = str(value).partition("=")
        if not (name.strip() and equals and given.strip()):
            self.fail(f"{value!r} is not of the form {self._example}", param, ctx)
        return name.strip(), given.strip()


_PAIR = re.compile(r"([+-]?\d+(?:\.\d+)?) ?, ?([+-]?\d+(?:\.\d+)?)")


class Pair(click.ParamType):  # type: ignore[type-arg]
    """Two lengths in mm, "0.5,-0.3"."""

    name = "x,y"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """The pair; a usage error for anything else."""
        if isinstance(value, tuple):
            return value
        pair = _PAIR.fullmatch(str(value).strip())
        if pair is None:
            self.fail(f"{value!r} is not a pair of lengths in mm such as 0.5,-0.3", param, ctx)
        return float(pair[1]), float(pair[2])


class Words(click.Choice):  # type: ignore[type-arg]
    """Words of a choice, one or several with commas between them."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The words; a usage error for one that there is not."""
        return tuple(super(Words, self).convert(word, param, ctx) for word in str(value).split(","))


_RANGES: dict[type, Any] = {int: click.IntRange, float: click.FloatRange}


def listed(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """The words of a list with commas, as the callback of an option."""
    return tuple(filter(None, (value or "").split(",")))


def print_options(*names: str, by_profile: bool = False) -> Callable[[Command], Command]:
    """Options of a print by name, with their defaults. Where a profile has defaults of its own
    (`by_profile`), an option that the user does not give is None, or left out."""

    def decorate(command: Command) -> Command:
        # Decorators apply in reverse order, so the last one is listed first by click.
        for name in reversed(names):
            for option in reversed([*_switches(OPTIONS[name], by_profile=by_profile)]):
                command = option(command)
        return command

    return decorate


def _switches(option: PrintOption, *, by_profile: bool) -> Iterator[Callable[[Command], Command]]:
    """The switch of an option, or those for its parts."""
    plain, bounds, several = option.plain, option.bounds, isinstance(option.default, tuple)
    default = None if by_profile else option.default
    how: dict[str, Any] = {"type": str, "metavar": option.mark.metavar, "default": default}
    if plain is bool:
        how |= {"type": None, "is_flag": True}
    elif option.pairs:
        how |= {"type": Named(option.mark.example), "multiple": True}
    elif option.choices and several:
        how |= {
            "type": Words(option.choices),
            "multiple": True,
            "callback": lambda _ctx, _param, value: tuple(dict.fromkeys(chain(*value))),
        }
    elif option.choices:
        how["type"] = click.Choice(option.choices)
    elif plain in _RANGES:
        how["type"] = _RANGES[plain](bounds.ge, bounds.le) if bounds else plain
    elif get_args(plain) == (float, float):
        how["type"] = Pair()
    elif several:
        how |= {"callback": listed, "default": None}
    if by_profile and several:
        read = how.get("callback", lambda _ctx, _param, value: value)
        how["callback"] = lambda ctx, param, value: read(ctx, param, value) or None
    if "type" in how and not isinstance(how["type"], click.Choice):
        how["shell_complete"] = completed(option.name)  # click completes choices itself
    if option.mark.forms:
        how["callback"] = lambda ctx, _param, value: _one_of_forms(ctx, option, value)
    for position, (switch, words) in enumerate(option.switches.items()):
        if form := option.mark.forms.get(switch):
            keep = partial(_form, option)
            yield click.option(
                f"--{switch}",
                metavar=form[0],
                expose_value=False,
                is_eager=True,
                callback=keep,
                help=words,
            )
        elif option.mark.switches:
            how = {"type": float, "callback": _part(option, position), "expose_value": False}
            yield click.option(f"--{switch}", help=words, **how)
        else:
            shown = f"  [default: {option.default_words}]" if option.default_words else ""
            yield click.option(f"--{switch}", option.name, help=words + shown, **how)


def _form(
    option: PrintOption, ctx: click.Context, param: click.Parameter, value: str | None
) -> None:
    """Keep the value of an option in another of its forms."""
    if value is not None:
        ctx.meta[option.name] = f"{param.name}={value}"


def _one_of_forms(ctx: click.Context, option: PrintOption, value: str | None) -> str | None:
    """The value of an option in whichever form it is given; a usage error for two."""
    other = ctx.meta.get(option.name)
    if value is not None and other is not None:
        switches = " and ".join(f"--{switch}" for switch in option.switches)
        raise click.UsageError(f"{switches} exclude each other")
    return value or other


def _part(option: PrintOption, position: int) -> Callable[..., None]:
    """The callback of a part of a pair, which is given as a whole if any part of it is."""

    def keep(ctx: click.Context, _param: click.Parameter, value: float | None) -> None:
        if value is not None:
            parts = [*ctx.params.get(option.name, option.default)]
            parts[position] = value
            ctx.params[option.name] = tuple(parts)

    return keep
