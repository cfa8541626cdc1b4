"""Rules on phases: how they begin, tile colours and train limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.company import Company, CompanyKind
from platelayer.model.title import Title
from platelayer.rules.money_rules import paid_series
from platelayer.rules.rule import falls, rises, rule
from platelayer.rules.train_rules import sale_places, trains_by_name


@rule("PH01", "phase that nothing begins", reads=("phases/.", "trains"))
def phase_without_trigger(title: Title) -> Iterator[Problem]:
    """A phase after the first is not started by the first sale of any train, or is started by a
    train that has no cards.

    Wrong: a third phase with "on": null.

    Right: "on": "4"; "on": ["4", "4H"]; or "on": null and "begins": "Third set of operating
    rounds".

    Source: the first sale of a train begins the next phase; the first phase is in force from the
    start.
    """
    trains = trains_by_name(title)
    for index, phase in enumerate(title.phases):
        causes = [trains[name] for name in phase.begun_by]
        if (
            phase.begins is not None
            or any(train.printed for train in causes)
            or (index == 0 and not causes)
        ):
            continue
        if not causes:
            reason = "no train begins it; only the first phase may have none"
        else:
            reason = f'train "{causes[0].id}", which begins it, has no cards'
        yield Problem(
            pointer=join_pointer("phases", phase.id, "on"),
            about=phase.id,
            message=f"phase {phase.id} never begins: {reason}",
            hint='name a train ("on": "3"), or say what begins it ("begins": "...")',
        )


@rule("PH02", "phases out of order", reads=("phases", "trains"))
def phases_out_of_order(title: Title) -> Iterator[Problem]:
    """A phase begins with a train that is the same as, or is sold before, the one that begins the
    previous phase.

    Wrong: phases "3" on train "3", "5" on train "5", "4" on train "4".

    Right: phases in the order in which their trains are sold.

    Source: a phase replaces the one before it; cards and boards print them in order.
    """
    places, trains = sale_places(title), trains_by_name(title)
    latest, latest_phase = -1, ""
    for phase in title.phases:
        if phase.on is None:
            continue
        place = min(places[trains[name].id] for name in phase.begun_by)
        if place <= latest:
            opening = (
                "the same train"
                if place == latest
                else f'train "{phase.on}", which is sold earlier'
            )
            yield Problem(
                pointer=join_pointer("phases", phase.id, "on"),
                about=phase.id,
                message=f"phase {phase.id} comes after phase {latest_phase}, but begins with {opening}",
                hint="list phases in the order in which their trains are sold",
            )
        else:
            latest, latest_phase = place, phase.id


@rule("PH03", "train and phase disagree", reads=("phases", "trains/."))
def starts_disagree(title: Title) -> Iterator[Problem]:
    """According to a train, its first sale begins a phase, but according to the phase another train
    or none does; or a phase names a train that begins another phase.

    Wrong: train "4" with "starts": "4", and phase "4" with "on": "5".

    Right: phase "4" with "on": "4"; or no "starts".

    Source: `starts` of a train and `on` of a phase state the same fact, once for the card and once
    for the table of phases.
    """
    for train in title.trains:
        if train.starts is None or train.starts not in title.phase_by_id:
            continue
        phase = title.phase_by_id[train.starts]
        if not {train.id, *(face.name for face in train.faces)}.intersection(phase.begun_by):
            begun = " or ".join(f'train "{name}"' for name in phase.begun_by) or "nothing"
            # Where two phases begin with the same train, the phase is more likely to be wrong.
            shared = any(
                other is not phase and {*other.begun_by} & {*phase.begun_by}
                for other in title.phases
            )
            yield Problem(
                pointer=join_pointer("phases", phase.id, "on")
                if shared
                else join_pointer("trains", train.id, "starts"),
                about=train.id,
                message=f'train "{train.id}" says that it begins phase {phase.id}, which begins with {begun}',
                hint='make "starts" of the train and "on" of the phase agree',
            )


@rule("PH04", "tile colours out of order", reads=("colours", "phases/*/tiles"))
def colours_out_of_order(title: Title) -> Iterator[Problem]:
    """A phase withdraws a tile colour, or allows a colour before the one that precedes it in the
    title's order.

    Wrong: "tiles": ["yellow", "brown"], when the colours are yellow, green, brown.

    Right: "tiles": ["yellow", "green", "brown"].

    Source: tiles are upgraded colour by colour; a colour once allowed stays allowed.
    """
    before: set[str] = set()
    for phase in title.phases:
        own = [colour for colour in title.colours if colour in phase.tiles]
        lost = [
            colour for colour in title.colours if colour in before and colour not in phase.tiles
        ]
        skipped = [colour for colour in title.colours[: len(own)] if colour not in phase.tiles]
        if lost or skipped:
            breach = (
                f"allows {own[-1]} tiles without {', '.join(skipped)}"
                if skipped and own
                else f"no longer allows {', '.join(lost)} tiles"
            )
            yield Problem(
                pointer=join_pointer("phases", phase.id, "tiles"),
                about=phase.id,
                message=f"phase {phase.id} {breach}; the order is {', '.join(title.colours)}",
                hint="each phase repeats the colours of the one before",
            )
        before = before.union(own)


@rule("PH05", "train limit rises", Severity.WARNING, reads=("phases/+/train_limits",))
def rising_train_limit(title: Title) -> Iterator[Problem]:
    """A kind of company may own more trains in one phase than in a phase before.

    Wrong: {"major": 2} in phase 5, {"major": 3} in phase 6.

    Right: limits that fall or stay the same from phase to phase; a kind that no longer exists is
    left out.

    Source: in published titles train limits tighten, which is what forces companies to buy new
    trains.
    """
    limits = [{limit.who: limit.limit for limit in phase.train_limits} for phase in title.phases]
    for who in dict.fromkeys(who for each in limits for who in each):
        for at, other in rises([each.get(who) for each in limits]).items():
            phase, earlier = title.phases[at].id, title.phases[other].id
            yield Problem(
                pointer=join_pointer("phases", phase, "train_limits", who),
                about=phase,
                message=f"the train limit of {who} is {limits[at][who]} in phase {phase}, "
                f"but {limits[other][who]} in phase {earlier}",
                hint="limits fall or stay the same; one of the two may be a mistake",
            )


@rule(
    "PH08",
    "company without a train limit",
    Severity.WARNING,
    reads=("companies|privates/./kind", "companies|privates/./size", "phases/*/train_limits"),
)
def phase_without_limit(title: Title) -> Iterator[Problem]:
    """A phase gives no train limit for a kind of company that has one before and after it, or for
    majors, which stay to the end, after a phase that gives one. Kinds without a limit in early
    phases are formed later; minors and nationals without one in late phases are gone.

    Wrong: {"major": 3} in phase 4, between {"major": 4, "minor": 2} and {"major": 2, "minor": 1}.

    Right: {"major": 3, "minor": 1}.

    Source: phase cards and charters print a limit for each phase.
    """
    sorts: dict[tuple[str, ...], list[Company]] = {}
    for company in title.companies:
        if company.has_charter and company.train_limit is None:
            names = (company.size or "", *company.later_sizes, company.kind.value)
            sorts.setdefault(names, []).append(company)
    for names, companies in sorts.items():
        limited = [
            any(limit.who in names for limit in phase.train_limits) for phase in title.phases
        ]
        stays = companies[0].kind is CompanyKind.MAJOR
        for number, phase in enumerate(title.phases):
            if not limited[number] and any(limited[:number]) and (stays or any(limited[number:])):
                sort = names[0] or names[-1]
                yield Problem(
                    pointer=join_pointer("phases", phase.id, "train_limits"),
                    about=phase.id,
                    message=f"phase {phase.id} has no train limit for {sort} companies, unlike phases before it",
                    hint=f'add "{sort}": ... to its train limits',
                )


@rule(
    "PH09",
    "fewer operating rounds than before",
    Severity.WARNING,
    reads=("phases/+/operating_rounds",),
)
def falling_rounds(title: Title) -> Iterator[Problem]:
    """A phase has fewer operating rounds than a phase before it. Phases without operating rounds
    are not compared.

    Wrong: "operating_rounds" of 2, 3, 1 and 3.

    Right: 2, 3, 3 and 3.

    Source: in published titles, the number of operating rounds in a set never falls.
    """
    rounds = [phase.operating_rounds or None for phase in title.phases]
    for at, other in falls(rounds).items():
        yield Problem(
            pointer=join_pointer("phases", title.phases[at].id, "operating_rounds"),
            about=title.phases[at].id,
            message=f"the operating rounds of phase {title.phases[at].id} are {rounds[at]}, "
            f"but {rounds[other]} in phase {title.phases[other].id}",
            hint="one of the two may be a mistake",
        )


@rule(
    "PH10",
    "unknown key of revenue",
    Severity.WARNING,
    reads=("atlas", "companies", "maps", "phases/.", "pieces", "privates", "tiles"),
)
def unknown_revenue_key(title: Title) -> Iterator[Problem]:
    """The `revenue` of a phase is a key that no value of an off-board has, although the values have
    other keys.

    Wrong: "revenue": "blak", and values {"white": 20, "gray": 40, "black": 60}.

    Right: "revenue": "black".

    Source: off-boards print a value for each key; the phase card says which one is in force.
    """
    keys = {
        step.since
        for series in paid_series(title)
        for step in series.steps
        if step.since is not None
    }
    for phase in title.phases:
        if keys and phase.revenue is not None and phase.revenue not in keys | {*title.colours}:
            yield Problem(
                pointer=join_pointer("phases", phase.id, "revenue"),
                about=phase.id,
                message=f'no value has the key "{phase.revenue}" that phase {phase.id} puts in force',
                hint=suggestion(phase.revenue, keys) or f"values have {listed(sorted(keys))}",
            )


# The companies that a status is about, by its name; other statuses are about any.
_CONCERNS: dict[str, tuple[CompanyKind, ...]] = {
    "can_buy_companies": (CompanyKind.PRIVATE,),
    "can_buy_companies_from_other_players": (CompanyKind.PRIVATE,),
    "can_buy_companies_operation_round_one": (CompanyKind.PRIVATE,),
    "can_start_major": (CompanyKind.MAJOR,),
    "can_convert_concessions": (CompanyKind.CONCESSION,),
    "national_operates": (CompanyKind.NATIONAL,),
    "minor_limit_one": (CompanyKind.MINOR,),
    "minor_limit_two": (CompanyKind.MINOR,),
}


@rule(
    "PH06",
    "status that applies to nothing",
    Severity.WARNING,
    reads=("companies", "phases/./status", "privates"),
)
def idle_status(title: Title) -> Iterator[Problem]:
    """A phase has a status that applies to a kind of company that the title does not have.

    Wrong: "status": ["can_buy_companies"] in a title without private companies.

    Right: the same with private companies, or no such status.

    Source: `status` is printed on phase cards and player aids, where it would have no effect.
    """
    kinds = {company.kind for company in title.companies}
    for phase in title.phases:
        for index, status in enumerate(phase.status):
            name = status.term.rpartition("/")[2]
            lacking = [kind for kind in _CONCERNS.get(name, ()) if kind not in kinds]
            if lacking:
                yield Problem(
                    pointer=join_pointer("phases", phase.id, "status", index),
                    about=phase.id,
                    message=f'phase {phase.id} has the status "{name}", '
                    f"but the title has no {lacking[0].value} company",
                    hint="remove it, or add the companies",
                )


@rule(
    "PH07",
    "phase without operating rounds",
    Severity.WARNING,
    reads=("phases/*/on", "phases/*/operating_rounds"),
)
def phase_without_rounds(title: Title) -> Iterator[Problem]:
    """A phase has no operating rounds although others have, and the next phase begins with the sale
    of a train. Trains are bought in operating rounds, so the next phase never begins.

    Wrong: "operating_rounds" of 1, 0 and 2, where the third phase is "on": "4".

    Right: 1, 2 and 2; or 0 in every phase, if the round track shows them.

    Source: companies buy trains in their turns of operating rounds.
    """
    if not any(phase.operating_rounds for phase in title.phases):
        return
    for phase, following in pairwise(title.phases):
        if not phase.operating_rounds and following.begun_by:
            yield Problem(
                pointer=join_pointer("phases", phase.id, "operating_rounds"),
                about=phase.id,
                message=f"phase {phase.id} has no operating rounds, so the {following.on} that begins phase "
                f"{following.id} is never bought",
                hint='say how many there are ("operating_rounds": 1)',
            )
