"""The best routes of companies in a position, in words, as JSON, as a map, and as a proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import ValidationError, convert, json, to_builtins
from msgspec.structs import replace

from platelayer.definitions.source import read_as
from platelayer.definitions.titles import load_position, position_text
from platelayer.foundation.door import NotRead, parse_json, read_json
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.problems import CannotRun, ProblemsFound, has_errors
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.position import Position
from platelayer.model.title import RevenueBonus, Title
from platelayer.pipeline.load import (
    Reference,
    find,
    language_notes,
    problems_of,
    title_of,
)
from platelayer.play.network import Engine, Network, engines_of, network_of
from platelayer.play.proof import Case, Refused, Shown, verify
from platelayer.play.report import listing_pdf
from platelayer.play.runs import Best, Run, best_runs, bits_of

if TYPE_CHECKING:
    from platelayer.pipeline.draw import Picture

_words = FixedWords("routes")

# Largest proof that is read.
_MOST_BYTES = 16 * 1024 * 1024


class Proof(Frozen, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A file that proves the income of one company: the position with the trains, the runs, and the
    cases by which no others earn more."""

    format: Literal["platelayer.proof/1"]
    position: dict[str, Any]
    company: str
    trains: tuple[str, ...]
    total: int
    runs: tuple[Shown | None, ...]
    case: Case


class Income(Frozen, kw_only=True):
    """The best routes of one company with its `trains`, as positions name them. `best` has a run
    for each, and a proof if the search has ended."""

    company: str
    trains: tuple[str, ...]
    engines: tuple[Engine, ...]
    network: Network
    best: Best

    @property
    def car(self) -> int | None:
        """The number of the car that runs with another train."""
        if self.best.carrier is None:
            return None
        return next(number for number, engine in enumerate(self.engines) if engine.car)

    @property
    def doubled(self) -> tuple[int, int]:
        """The place that pays twice by the car, and the number of the train with which it runs."""
        assert self.car is not None
        assert self.best.carrier is not None
        run, kinds = self.best.runs[self.best.carrier], self.engines[self.car].doubles
        places = [
            p for p in (run.places if run else ()) if self.network.places[p].kind.value in kinds
        ]
        return max(places, key=lambda place: self.network.places[place].value), self.best.carrier

    def shown(self, run: Run) -> Shown:
        """A run as stops and sides by name."""
        stops = (self.network.places[place] for place in run.places)
        return Shown(
            stops=tuple((stop.hex, stop.stop) for stop in stops),
            sides=tuple(
                tuple(self.network.names[side] for side in bits_of(chain.sides))
                for chain in run.chains
            ),
            value=run.value,
        )


class Routes(Frozen, kw_only=True):
    """The incomes of companies in a position. `title` has the position's variant applied."""

    title: Title
    position: Position
    incomes: tuple[Income, ...]
    language: str = "en"

    @property
    def tongue(self) -> Tongue:
        """Its language, with the title's terms."""
        return Tongue(self.language, dict(self.title.terms))

    def _stop(self, income: Income, place: int) -> str:
        """A stop: the name of its hex with what it pays."""
        stop = income.network.places[place]
        hexagon = self.title.map_of(self.position).by_id[stop.hex]
        name = hexagon.tile.name.get(self.language) if hexagon.tile.name else stop.hex
        return f"{name} {stop.value}" if stop.value else name

    def income_words(self, income: Income) -> Iterator[str]:
        """A line for a company, and one for each of its trains."""
        best, money, tongue = income.best, self.title.money, self.tongue
        key = "most" if best.proof is not None else "found"
        yield tongue.say(_words(key), income.company, money(best.total), money(best.bound))
        for number, (train, run) in enumerate(zip(income.trains, best.runs, strict=True)):
            if number == income.car:
                doubled, carrier = income.doubled
                yield "  " + tongue.say(
                    _words("with"), train, self._stop(income, doubled), income.trains[carrier]
                )
                continue
            stops = [self._stop(income, place) for place in run.places] if run else []
            way = " – ".join(stops) or tongue.say(_words("stays"))
            yield "  " + tongue.say(_words("train"), train, way, money(run.value if run else 0))

    @property
    def _untold(self) -> list[RevenueBonus]:
        return [table for table in self.title.bonuses if table.pays is None]

    @property
    def not_counted(self) -> tuple[str, ...]:
        """Tables of bonuses that are not counted, in words."""
        tables = (table.name.get(self.language) for table in self._untold)
        return tuple(self.tongue.say(_words("bonus"), name) for name in tables)

    @property
    def text(self) -> str:
        """All incomes, the highest first, with what is not counted."""
        lines = [line for income in self.incomes for line in self.income_words(income)]
        if not self.incomes:
            lines.append(self.tongue.say(_words("none")))
        return "\n".join((*lines, *self.not_counted)) + "\n"

    @property
    def json(self) -> str:
        """The same as JSON."""
        incomes = [
            {
                "company": income.company,
                "total": income.best.total,
                "proven": income.best.proof is not None,
                "at_most": income.best.bound,
                "runs": [
                    {"train": train, **(to_builtins(income.shown(run)) if run else {"value": 0})}
                    for train, run in zip(income.trains, income.best.runs, strict=True)
                ],
            }
            for income in self.incomes
        ]
        data = {
            "title": self.title.id,
            "incomes": incomes,
            "not_counted": [table.id for table in self._untold],
        }
        return json.format(json.encode(data), indent=1).decode() + "\n"

    def proof(self) -> bytes:
        """The proof of the only company. Raises CannotRun for several, and where there is none."""
        if len(self.incomes) != 1:
            raise CannotRun("company: a proof is of one company; name it")
        (income,) = self.incomes
        if income.best.proof is None:
            raise CannotRun(
                f"nothing is proven yet: {income.company} earns {income.best.total} to {income.best.bound}; "
                "give the search more seconds"
            )
        proof = Proof(
            format="platelayer.proof/1",
            position=parse_json(position_text(self.position), dict, name="position.json"),
            company=income.company,
            trains=income.trains,
            total=income.best.total,
            runs=tuple(income.shown(run) if run else None for run in income.best.runs),
            case=income.best.proof,
        )
        return json.format(json.encode(proof), indent=1) + b"\n"

    def pdf(self, *, theme: str, paper: str = "a4") -> bytes:
        """The incomes of all companies to print, with the map in play. Raises CannotRun for an unknown
        theme, ProblemsFound for an unknown paper."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.drawing.boards.sheets import draw_map
        from platelayer.drawing.kit.style import style_of
        from platelayer.imposition.listing import Entry, Listing
        from platelayer.model.position import InPlay

        style = style_of(self.title, complete_theme(theme), self.language)
        entries = []
        for income in self.incomes:
            first, *words = self.income_words(income)
            entries.append(Entry(first, " · ".join(line.strip() for line in words)))
        shown = replace(self.title, in_play=InPlay(position=self.position))
        listing = Listing(
            stem="routes",
            heading="routes heading",
            intro=" ".join(self.not_counted) or self.tongue.say(_words("counted")),
            entries=entries,
            pictures=[draw_map(shown, self.title.map_of(self.position).id, style)],
        )
        return listing_pdf(self.title, listing, style, paper)

    def picture(self, *, theme: str) -> Picture:
        """The map in play with the runs of the only company. Raises CannotRun for several."""
        from platelayer.play.routes_map import routes_map

        if len(self.incomes) != 1:
            raise CannotRun("company: a map shows the routes of one company; name it")
        return routes_map(self, self.incomes[0], theme=theme)


def routes(
    reference: Reference,
    source: str | Path,
    *,
    company: str | None = None,
    trains: Sequence[str] = (),
    seconds: float = 2.0,
    language: str = "en",
    variant: str | None = None,
) -> Routes:
    """The most that companies can earn with their trains in a position, in money, with the runs that
    earn it and a proof that none earn more.

    `source` is a file of a position. Without a `company`, all that have trains there; `trains`
    replace those of the company in the file. The search for one company ends after about `seconds`,
    with the best found and a bound above it. What abilities pay is not counted.

    Raises ProblemsFound for files with errors and for a position that cannot be, CannotRun for what
    the title or the position does not have.
    """
    title, position = position_of(reference, source, company, language, variant)
    return routes_of(
        title, position, company=company, trains=trains, seconds=seconds, language=language
    )


def routes_of(
    title: Title,
    position: Position,
    *,
    company: str | None,
    trains: Sequence[str],
    seconds: float,
    language: str,
) -> Routes:
    """The most that companies can earn in a position without problems, as `routes` does for a file.
    Raises CannotRun."""
    owned = dict(position.trains)
    if trains and company is None:
        raise CannotRun("company: name the one that runs these trains")
    if company is not None:
        owned = {company: tuple(trains) or owned.get(company, ())}
        if not owned[company]:
            raise CannotRun(f"trains: {company} has none in the position; name some")
    incomes = [_income(title, position, each, run, seconds) for each, run in owned.items()]
    incomes.sort(key=lambda income: -income.best.total)
    return Routes(title=title, position=position, incomes=tuple(incomes), language=language)


def position_of(
    reference: Reference,
    source: str | Path,
    company: str | None,
    language: str,
    variant: str | None = None,
) -> tuple[Title, Position]:
    """A title with the variant of a position, or with this one for a position that names none, and
    the position of a file. Raises ProblemsFound for files with errors and for a position that
    cannot be, CannotRun for a position of another title or variant, a company or a language that the
    title does not have."""
    title = find(reference, variant=variant).title
    language_notes(title, language)
    loaded = load_position(Path(source))
    position = loaded.position
    if variant is None and position.variant is not None:
        title = find(reference, variant=position.variant).title
    for own, other in ((position.title, title.id), (position.variant, title.variant)):
        if own not in (None, other):
            raise CannotRun(f"position: the file is a position of {own}, not of {other}")
    position = replace(position, variant=title.variant)
    problems = problems_of(title, loaded)
    if has_errors(problems):
        raise ProblemsFound(problems)
    if company is not None and company not in title.company_by_id:
        hint = suggestion(company, title.company_by_id, most=3)
        raise CannotRun(f'company: there is no company "{company}"{hint and "; " + hint}')
    return title, position


def _income(
    title: Title, position: Position, company: str, trains: tuple[str, ...], seconds: float
) -> Income:
    network = network_of(title, position, company)
    engines = _engines(title, company, trains)
    best = best_runs(network, engines, seconds=seconds)
    return Income(company=company, trains=trains, engines=engines, network=network, best=best)


def _engines(title: Title, company: str, trains: Iterable[str]) -> tuple[Engine, ...]:
    known = title.faces_by_name
    for train in trains:
        if train not in known:
            hint = suggestion(train, known, most=3)
            raise CannotRun(f'trains: there is no train "{train}"{hint and "; " + hint}')
    return engines_of(title, company, trains)


def verify_proof(path: Path) -> str:
    """Verify the proof in a file, and return what it proves as a sentence. The title is in the file's
    folder, in a folder beside it, or a shipped one. Raises CannotRun for a file that is no proof, and
    for one that does not prove what it says."""
    try:
        data = read_json(path, dict, _MOST_BYTES)
        proof = convert(data, Proof)
    except NotRead as error:
        raise CannotRun(str(error)) from error
    except ValidationError as error:
        raise CannotRun(f"{path}: this is no proof of routes: {error}") from error
    # The position as a file of its own beside the proof.
    beside = path.absolute().with_name("position.json")
    with read_as({beside: json.encode(proof.position).decode()}):
        loaded = load_position(beside, str(path))
    position = loaded.position
    title = find(title_of(path, position), variant=position.variant).title
    problems = problems_of(title, loaded)
    if has_errors(problems):
        raise ProblemsFound(problems)
    if proof.company not in title.company_by_id:
        raise CannotRun(f'{path}: {title.id} has no company "{proof.company}"')
    network = network_of(title, position, proof.company)
    engines = _engines(title, proof.company, proof.trains)
    try:
        verify(network, engines, proof.runs, proof.total, proof.case)
    except Refused as error:
        raise CannotRun(f"{path}: this proves nothing: {error}") from error
    trains = ", ".join(proof.trains)
    return f"{title.id}: {proof.company} earns {proof.total} with {trains}, and no runs earn more"
