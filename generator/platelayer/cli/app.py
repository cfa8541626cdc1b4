"""The `platelayer` command."""

from __future__ import annotations

import gc
import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from platelayer import __version__
from platelayer.cli.options import (
    NO_CACHE,
    TEXT_OR_JSON,
    completed,
    format_option,
    listed,
    output_option,
    print_options,
    title_argument,
)
from platelayer.cli.terminal import (
    EXIT_CLEAN,
    EXIT_COULD_NOT_RUN,
    EXIT_INTERRUPTED,
    EXIT_PROBLEMS,
    answer,
    be_verbose,
    echo,
    echo_problems,
    echo_written,
    emit,
    exit_after,
    prepare_streams,
    report,
    watch,
)
from platelayer.foundation.door import inside
from platelayer.foundation.problems import CannotRun, Interrupted, Problem, ProblemsFound
from platelayer.foundation.resources import MOST_ROWS, STARTS
from platelayer.foundation.text import counted
from platelayer.model.options import OPTIONS
from platelayer.pipeline.registry import COMMANDS, load_entry

if TYPE_CHECKING:
    from platelayer.cli.reports import CheckFormat, Format, UpgradesFormat


class _Command(click.Group):
    """The command as a whole. Commands of wings are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, sorted."""
        own = (name for name in COMMANDS if " " not in name)
        return sorted({*super().list_commands(ctx), *own})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            command = load_entry(COMMANDS[cmd_name])
            self.add_command(command)
            for words, entry in COMMANDS.items():
                if words.startswith(f"{cmd_name} "):
                    command.add_command(load_entry(entry))
        command = super().get_command(ctx, cmd_name)
        return command and _with_verbose(command)


def _with_verbose(command: click.Command) -> click.Command:
    """A command that takes --verbose, as do its own."""
    if _VERBOSE not in command.params:
        command.params.append(_VERBOSE)
    for child in command.commands.values() if isinstance(command, click.Group) else ():
        _with_verbose(child)
    return command


_VERBOSE = click.Option(
    ["-v", "--verbose"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=be_verbose,
    help="Say what is read, written, taken from the cache and skipped, with times.",
)


# Alternative spellings of tokens of the command line.
_SPELLED = {"colour": "color", "grey": "gray"}


@click.group(
    cls=_Command,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda word: _SPELLED.get(word, word),
    },
)
@click.version_option(__version__, prog_name="platelayer")
def cli() -> None:
    """Print, check and explore 18xx railway games.

    TITLE is the id of a title that comes with Platelayer (see `platelayer titles`), or the path of
    a folder or file.
    """


cli.params.append(_VERBOSE)


@cli.command()
@TEXT_OR_JSON
def titles(form: Format) -> None:
    """List the titles that come with Platelayer."""
    from platelayer.cli.reports import report_titles
    from platelayer.pipeline.load import list_titles

    report(report_titles(list_titles(), form), form)


@cli.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@TEXT_OR_JSON
def media(words: tuple[str, ...], form: Format) -> None:
    """List papers, sheets of labels, dies, cutters, sleeves, and products of shops.

    With words, list those that have them in their names: `platelayer media labels 7160`."""
    from platelayer.cli.reports import report_media
    from platelayer.pipeline.job import list_media

    listed = list_media(words)
    if not listed:
        raise CannotRun(f"there is no medium with {' and '.join(words)} in its name")
    report(report_media(listed, form), form)


@cli.command()
@title_argument("titles", nargs=-1, required=True, metavar="TITLE|FILE...")
@print_options("variant")
@format_option(
    *("json", "sarif", "github"),
    help="Output format: sarif (2.1.0) for code scanning, github for the log of a GitHub Action.",
)
@click.option(
    "--changed", is_flag=True, help="Skip files that do not belong to a title (for commit hooks)."
)
@click.option("--quick", is_flag=True, help="Skip the checks that draw the pieces (legibility).")
@click.option(
    "--accept",
    type=click.Choice(["box"]),
    help="First set the box contents to the counts of the definition.",
)
@NO_CACHE
def check(
    titles: tuple[str, ...], variant: str | None, form: CheckFormat, accept: str | None, **how: bool
) -> None:
    """Check title definitions and report every problem, including text that would be illegible in
    print.

    Any file in a title's folder stands for that title. A file with a position
    (platelayer.position/1) is checked against the upgrades, box and companies of its title.
    """
    from platelayer.cli.reports import CheckReport, report_check
    from platelayer.definitions.titles import titles_of
    from platelayer.foundation.cache import user_cache
    from platelayer.foundation.pool import available_processes
    from platelayer.pipeline.load import check as check_title
    from platelayer.pipeline.load import check_position, is_position, known_codes

    positions = [name for name in titles if is_position(name)]
    requested = titles_of(
        [name for name in titles if name not in positions], only_related=how["changed"]
    )
    for title in requested if accept else ():
        from platelayer.pipeline.scaffold import accept_box

        for count in accept_box(title):
            what = (
                count.key
                if count.variant is None
                else f"{count.key} of the variant {count.variant}"
            )
            echo(
                f"{count.file}: {what} {'' if count.before is None else f'{count.before} -> '}{count.now}",
                err=True,
            )
    cache = None if how["no_cache"] else user_cache()
    check_one = partial(
        check_title,
        variant=variant,
        quick=how["quick"],
        processes=available_processes(),
        cache=cache,
    )
    problems: list[Problem] = []
    with watch() as progress:
        for number, title in enumerate(requested):
            progress("titles", number, len(requested))
            problems += check_one(title)
    if cache:
        cache.trim()
    problems += [problem for position in positions for problem in check_position(position)]
    what = "file" if positions else "title"
    checked = CheckReport(
        problems=problems, checked=len(requested) + len(positions), codes=known_codes, what=what
    )
    report(report_check(checked, form), form)
    exit_after(problems)


@cli.command()
@title_argument()
@print_options("variant", "players", "money", "language")
@TEXT_OR_JSON
def manifest(title: str, language: str, form: Format, **given: Any) -> None:
    """List every piece a title prints, with counts."""
    from platelayer.cli.reports import report_manifest
    from platelayer.pipeline.load import read_manifest

    contents = read_manifest(title, language=language, **given)
    report(report_manifest(contents, form, language), form)


@cli.command()
@title_argument()
@print_options("variant")
@format_option(
    *("json", "svg", "dot"),
    help="Output format: a table, JSON, the upgrade chart as SVG, or a Graphviz graph.",
)
def upgrades(title: str, variant: str | None, form: UpgradesFormat) -> None:
    """List the legal tile upgrades and their rotations, from the tiles alone."""
    from platelayer.cli.reports import report_upgrades
    from platelayer.pipeline.draw import draw_upgrades
    from platelayer.pipeline.load import read_upgrades

    if form == "svg":
        emit(draw_upgrades(title, variant=variant))
    else:
        report(report_upgrades(*read_upgrades(title, variant=variant), form), form)


@cli.command()
@title_argument(metavar="TITLE|STRING")
@click.argument("piece", required=False, shell_complete=completed("piece"))
@output_option("path", "FILE.svg, .png or .pdf, or - for standard output", required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["svg", "png", "pdf"]),
    help="Format.  [default: by the name of the file; svg for -]",
)
@print_options(
    *("variant", "language", "theme", "money", "sizes", "color", "black", "intent", "cut"),
    *("spot_name", "spot_layer", "corner_mm", "position", "numbers"),
)
@click.option(
    "--dpi",
    type=click.IntRange(20, 1200),
    default=300,
    show_default=True,
    help="Resolution of a PNG.",
)
@click.option(
    "--bleed/--no-bleed", default=False, show_default=True, help="Show the bleed around the piece."
)
def draw(title: str, piece: str | None, path: Path, form: str | None, **given: Any) -> None:
    """Draw one piece as SVG, PNG or PDF.

    Example: `draw 18eu tile:57 -o 57.svg`. PIECE is kind:id as `manifest` lists it, or kind:id:back
    for its back. Instead of a title and a piece, you can give an 18xx.games tile string: `draw
    'city=revenue:40;path=a:0,b:_0' -o x.svg`. With --color cmyk, a PDF is in press colours, and a
    picture simulates them."""
    from platelayer.pipeline.draw import draw_to_file
    from platelayer.pipeline.job import BuildOptions

    dpi, bleed = given.pop("dpi"), given.pop("bleed")
    options = BuildOptions(**given)
    with watch():
        problems = draw_to_file(title, piece, path, options, form=form, dpi=dpi, bleed=bleed)
    echo_problems(problems)
    echo_written(path)
    exit_after(problems)


def _map_size(
    _context: click.Context, option: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,2})[xX×]([0-9]{1,2})", text.replace(" ", ""))
    first, second = map(int, found.groups()) if found else (0, 0)
    if not (1 <= first <= MOST_ROWS and 1 <= second <= MOST_ROWS):
        order = (
            "columns x rows, such as 12x9"
            if option.name == "hexes"
            else "rows x columns, such as 7x9"
        )
        raise click.BadParameter(
            f"{text!r} is not the size of a map; write {order}, at most {MOST_ROWS}x{MOST_ROWS}"
        )
    return first, second


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--start",
    type=click.Choice([*STARTS, "spreadsheet"]),
    help="Starting point: bare (only a map), small (a complete game with two companies and a minor), classic "
    "(eight companies, in the style of 1830) or spreadsheet (an Excel workbook).  "
    "[default: small, or bare with --size, --layout, --land, --companies or --tiles]",
)
@click.option("--name", help="Name of the title.")
@click.option(
    "--size",
    metavar="ROWSxCOLUMNS",
    callback=_map_size,
    help="Size of the map, e.g. 7x9, at most 40x40.  [default: 6x8]",
)
@click.option("--layout", type=click.Choice(("flat", "pointy")), help="Orientation of the hexes.")
@click.option(
    "--land",
    metavar="PLACE",
    help='A real place as the map, e.g. "47.6N 122.3W", Seattle or "Springfield, Illinois".',
)
@click.option(
    "--hexes",
    metavar="COLUMNSxROWS",
    callback=_map_size,
    help="Size of the map, columns first, e.g. 12x9.  [default with --land: 12x9]",
)
@click.option("--km", type=float, help="Width of a hex of a real place in km.  [default: 25]")
@click.option(
    "--turn", type=float, help="Degrees by which a real place is turned clockwise.  [default: 0]"
)
@click.option(
    "--companies", type=click.IntRange(0, 12), help="Number of companies, each with a home city."
)
@click.option("--tiles", metavar="BOX", help="Box of tiles: small, 1830, 1846, 1889 or 18EU.")
@click.option("--language", metavar="CODE", help="Language of the companies' names: en or ja.")
@click.option("--currency", help='Format of amounts, e.g. "£{}" or "{} Kč".')
@click.option(
    "--schemas", is_flag=True, help="Only update the editor schemas in an existing title's folder."
)
def new(
    folder: Path,
    start: str | None,
    size: tuple[int, int] | None,
    hexes: tuple[int, int] | None,
    schemas: bool,
    **given: Any,
) -> None:
    """Create a new title, ready to print, in a new folder.

    Examples: `new my-game --name "My Game" --size 7x9 --companies 6 --tiles 1830`, or a map of a real
    place with its cities: `new my-game --land Seattle --hexes 12x9 --km 25`.

    The folder includes schemas and settings, so that your editor completes and checks as you type, and a README that
    leads from the first map to the printed game.
    """
    from platelayer.pipeline.scaffold import NewTitle, new_title, renew_schemas

    if schemas:
        files = renew_schemas(folder)
    else:
        if size and hexes:
            raise click.UsageError("--size and --hexes both give the size of the map")
        rows, columns = size or (hexes[::-1] if hexes else (None, None))
        wanted = {key: value for key, value in given.items() if value is not None}
        files = new_title(folder, start or "", NewTitle(rows=rows, columns=columns, **wanted))
    echo(f"{folder}: {counted(len(files), 'file')}")
    if not schemas and start == "spreadsheet":
        path = inside(folder, files[0])
        echo(f"Edit {path}, then: platelayer check {shlex.quote(str(path))}")
    elif not schemas:
        echo(f"Read {folder / 'README.md'}, then: platelayer check {shlex.quote(str(folder))}")


@cli.command()
@title_argument()
@click.option(
    "--from",
    "first",
    metavar="COORDINATE",
    default="A1",
    show_default=True,
    help="What the first column and the first row are called: a letter and a number, or one of them.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
def renumber(title: str, first: str, dry_run: bool) -> None:
    """Renumber the hexes of a title of your own, from A1 by default.

    Hexes get other coordinates in all files of the title: on its maps, and wherever companies,
    rivers, upgrades, waivers or variants name them. Texts that mention a hex in words are listed."""
    from platelayer.pipeline.scaffold import renumber_title

    made = renumber_title(title, first, write=not dry_run)
    if not made.files:
        echo(f"{title}: the hexes are numbered from {first} already")
        return
    old, new = next(iter(made.names.items()))
    echo(
        f"{title}: {counted(len(made.names), 'hex', 'hexes')} renumbered ({old} to {new} ...), "
        f"{counted(made.count, 'name')} in {counted(len(made.files), 'file')}"
    )
    for place, words in made.prose:
        echo(f"{place.file}:{place.line}:{place.column} names a hex in words: {words}")


@cli.command()
@click.argument("code", required=False, shell_complete=completed("code"))
def explain(code: str | None) -> None:
    """Explain a problem code and how to fix the problem; without a code, list all codes."""
    from platelayer.pipeline.load import code_families
    from platelayer.pipeline.load import explain as explain_code

    if code is not None:
        answer(explain_code(code))
        return
    sections = (
        "\n".join((heading, *(f"  {code}  {entry.name}" for code, entry in codes.items())))
        for heading, codes in code_families().items()
    )
    answer("\n\n".join(sections))


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", "powershell"]), required=False)
@click.option("--print", "shown", is_flag=True, help="Print the line instead of adding it.")
def completion(shell: str | None, shown: bool) -> None:
    """Set up tab completion for SHELL, or for your current shell.

    This adds one line to its start-up file. It completes commands, options, titles, pieces
    (tile:5), variants, kinds, themes, profiles, layouts, sizes, papers, formats and codes."""
    from platelayer.cli.completion import install, line_for

    if shown:
        answer(line_for(shell))
        return
    path, line = install(shell)
    echo(f"{path}: added {line}" if line else f"{path} has it already")


@cli.command()
@title_argument()
@output_option("folder", "Output folder.", default=Path("output"), show_default=True)
@print_options(*(name for name, option in OPTIONS.items() if option.switches), by_profile=True)
@NO_CACHE
def build(title: str, folder: Path, no_cache: bool, **given: Any) -> None:
    """Print a title: PDF files and manifest.json into OUTPUT/<title>/.

    A title with errors is not printed. With --draft, everything that can be printed is printed,
    and the exit status is still 1.
    """
    from platelayer.foundation.cache import user_cache
    from platelayer.foundation.pool import available_processes
    from platelayer.pipeline.build import build as build_title
    from platelayer.pipeline.build import read_options

    options = read_options(given.pop("profile"), given)
    with watch() as progress:
        cache = None if no_cache else user_cache()
        pack = build_title(
            title, options, progress=progress, processes=available_processes(), cache=cache
        )
        paths = pack.write(folder)
    echo_problems(pack.problems)
    for change in pack.changes:
        if change.to_throw_away:
            echo(f"throw away {change.to_throw_away} x {change.key} ({change.what})")
    if options.since and not pack.changes:
        echo("nothing has changed")
    numbers = (len(paths), "file"), (pack.pages, "page"), (pack.pieces, "piece")
    echo(f"{folder / pack.title}: {', '.join(counted(*number) for number in numbers)}")
    if options.draft:
        echo(f"draft: the problems are listed in {folder / pack.title / 'findings.pdf'}")
        exit_after(pack.problems)


@cli.command()
@output_option("path", "FILE.pdf, or - for standard output", required=True)
@print_options("paper", "margin_mm")
@click.option(
    "--duplex",
    type=click.Choice(["long", "short"]),
    default="long",
    show_default=True,
    help="As for build.",
)
@click.option(
    "--lang",
    "language",
    metavar="CODE",
    default="en",
    show_default=True,
    help="Language of the page.",
)
def calibrate(path: Path, **given: Any) -> None:
    """Print a page to measure --offset, --back-offset, --scale-x and --scale-y for your printer."""
    from platelayer.pipeline.box import write_calibration

    write_calibration(path, **given)
    echo_written(path)


@cli.command()
@title_argument()
@output_option("path", "FILE.pdf, or - for standard output", required=True)
@click.option(
    "--form",
    type=click.Choice(["tuckbox", "two-piece"]),
    default="tuckbox",
    show_default=True,
    help="Kind of box.",
)
@click.option(
    "--only",
    metavar="KIND,...",
    callback=listed,
    help="Contents of the box.  [default: cards in a tuckbox, else everything]",
)
@click.option(
    "--without", metavar="KIND,...", callback=listed, help="Kinds of piece to leave out of the box."
)
@click.option(
    "--paper",
    metavar="PAPER",
    help="Sheets to print on; larger boxes come in parts.  [default: as large as each box]",
)
@print_options(
    "margin_mm", "variant", "players", "sizes", "color", "spot_name", "language", "theme"
)
def box(title: str, path: Path, form: str, paper: str | None, **given: Any) -> None:
    """Print boxes to cut out and fold, sized to hold the pieces of a title: a tuckbox for every 60
    cards, or a lid and a tray for everything."""
    from platelayer.pipeline.box import write_box
    from platelayer.pipeline.build import read_options

    words = write_box(title, path, read_options(None, given), form=form, paper=paper)
    echo_written(path, words.removeprefix("-: "))


# The `platelayer preflight` command.


@cli.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path)
)
@click.option(
    "--profile",
    default="home",
    show_default=True,
    metavar="NAME",
    shell_complete=completed("profile"),
    help="The limits that the files must meet: home, drivethrucards, thegamecrafter, offset, or a profile file.",
)
@TEXT_OR_JSON
def preflight(files: tuple[Path, ...], profile: str, form: Format) -> None:
    """Check finished PDF files, from Platelayer or any other program, as a print shop would.

    It checks page boxes, bleed, fonts, colours, ink, spot colours, pictures, transparency, sizes of
    text and lines, the safe zone, and content that does not belong in print. PNG pictures are
    checked too, if the shop accepts them.
    """
    from platelayer.cli.reports import CheckReport, report_check
    from platelayer.pipeline.load import known_codes
    from platelayer.pipeline.load import preflight as check_files

    with watch():
        problems = check_files(files, profile)
    report(
        report_check(
            CheckReport(problems=problems, checked=len(files), codes=known_codes, what="file"), form
        ),
        form,
    )
    exit_after(problems)


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process. Every foreseeable failure ends with a clear message and
    an exit status, never with a traceback. `arguments` defaults to those of the process."""
    prepare_streams()
    if "_PLATELAYER_COMPLETE" in os.environ:
        import platelayer.cli.completion  # noqa: F401 - its bash knows the colon of tile:57
    status = exit_status(arguments)
    try:
        sys.stdout.flush()
    except OSError as error:  # standard output is full, or its reader has closed it
        with suppress(OSError, ValueError):  # or Python reports it again on exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or _stop(
            f"platelayer: standard output: {error.strerror or error}", EXIT_COULD_NOT_RUN
        )
    gc.freeze()  # otherwise the final garbage collection takes 30 ms
    sys.exit(status)


# Note on the effect of errors, for commands that write files.
_WITHOUT = {
    "build": ": nothing was printed",
    "box": ": nothing was printed",
    "draw": ": nothing was drawn",
    "export": ": nothing was written",
    "import": ": nothing was written",
}


def exit_status(arguments: Sequence[str] | None) -> int:
    """Run the command. `arguments` defaults to those of the process."""
    try:
        return cli.main(arguments, prog_name="platelayer", standalone_mode=False) or EXIT_CLEAN
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else EXIT_COULD_NOT_RUN
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ProblemsFound as error:
        echo_problems(error.problems)
        errors = sum(1 for problem in error.problems if problem.severity.word == "error")
        words = sys.argv[1:] if arguments is None else arguments
        command = next((word for word in words if not word.startswith("-")), "")
        return _stop(counted(errors, "error") + _WITHOUT.get(command, ""), EXIT_PROBLEMS)
    except (click.Abort, Interrupted) as error:
        return _stop(f"platelayer: {str(error) or 'interrupted'}", EXIT_INTERRUPTED)
    except (CannotRun, MemoryError, OSError) as error:
        return _stop(f"platelayer: {_reason(error, arguments)}", EXIT_COULD_NOT_RUN)


def _reason(error: CannotRun | MemoryError | OSError, arguments: Sequence[str] | None) -> str:
    """Why the command could not run."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else ""
        return f"{file}{error.strerror or error}"
    # If the message starts with the name of an argument, replace it with the option of the command.
    message = str(error)
    command: click.Command = cli
    for word in sys.argv[1:] if arguments is None else arguments:
        if isinstance(command, click.Group):
            command = command.commands.get(word, command)
    switches = {
        str(param.name): max(param.opts, key=len)
        for param in command.params
        if isinstance(param, click.Option)
    }
    parts = (part.partition(": ") for part in message.split("; "))
    return "; ".join(switches.get(lead, lead) + colon + rest for lead, colon, rest in parts)


def _stop(message: str, status: int) -> int:
    echo(message, err=True)
    return status
