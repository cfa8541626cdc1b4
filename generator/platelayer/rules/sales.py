"""Which train a name refers to, and when each train is first sold."""

from __future__ import annotations

from platelayer.model.title import Title
from platelayer.model.train import Train


def trains_by_name(title: Title) -> dict[str, Train]:
    """Trains by what rusting and phases call them: ids, and names of faces (the first train with
    such a face)."""
    sold = dict(title.train_by_id)
    for train in title.trains:
        for face in train.faces:
            sold.setdefault(face.name, train)
    return sold


def sale_places(title: Title) -> dict[str, int]:
    """Places of the trains in the order of the definition, by id."""
    return {train.id: place for place, train in enumerate(title.trains)}


def sale_times(title: Title) -> dict[str, float]:
    """When each train is first sold, by id: its place among the trains; or, where all its faces are
    on sale from a phase, half a place after the train that begins the first of these phases (-0.5:
    from the start)."""
    places, trains = sale_places(title), trains_by_name(title)
    times: dict[str, float] = {}
    for train in title.trains:
        phases = [face.available_from for face in train.faces]
        times[train.id] = places[train.id]
        if None not in phases:
            begun = [title.phase_by_id[phase].begun_by for phase in phases if phase is not None]
            starts = [
                min((places[trains[name].id] + 0.5 for name in names), default=-0.5)
                for names in begun
            ]
            times[train.id] = min(starts)
    return times
