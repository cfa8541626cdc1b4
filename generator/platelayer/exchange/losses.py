"""What an import could not keep, counted by feature."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

_MOST_PLACES = 12


class Losses(Struct, kw_only=True):
    """What was lost, by feature and place, in the order found; `read` says what was made of the source, `assumed` what
    was decided for it, `unread` what stands in it and could not be read."""

    lost: dict[str, dict[str, int]] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def lose(self, feature: str, place: str) -> str:
        """Count a loss. Returns the feature, for a comment beside what is left."""
        places = self.lost.setdefault(feature, {})
        places[place] = places.get(place, 0) + 1
        return feature

    def comments(self, place: str) -> Comments:
        """Losses at one place."""
        return Comments(self, place)

    def assume(self, words: str) -> None:
        """Note a decision, once."""
        if words not in self.assumed:
            self.assumed.append(words)

    @property
    def count(self) -> int:
        """How many losses there are."""
        return sum(number for places in self.lost.values() for number in places.values())


class Comments:
    """Losses at one place, and the comment that says them there."""

    def __init__(self, losses: Losses, place: str) -> None:
        self.losses, self.place = losses, place
        self._said: list[str] = []

    def lose(self, feature: str, detail: str = "") -> None:
        """Count a loss, and remember what it was."""
        self.losses.lose(feature, self.place)
        said = f"{feature} ({detail})" if detail else feature
        if said not in self._said:
            self._said.append(said)

    def lose_present(self, features: Mapping[str, object]) -> None:
        """Count the features that are there."""
        for feature, there in features.items():
            if there:
                self.lose(feature)

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    @property
    def comment(self) -> dict[str, str]:
        """`$comment` for what lies at the place, where there is anything to say."""
        return {"$comment": f"Not imported: {'; '.join(self._said)}."[:3900]} if self._said else {}


def loss_table(losses: Losses, escaped: Callable[[str], str]) -> Iterator[str]:
    """What was lost as a table in Markdown, by feature; `escaped` makes words safe for a cell."""
    yield from ("| What | How often | Where |", "| --- | ---: | --- |")
    for feature, places in sorted(losses.lost.items()):
        shown = ", ".join([*places][:_MOST_PLACES])
        more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
        yield f"| {escaped(feature)} | {sum(places.values())} | {escaped(shown)}{more} |"


def report_lines(losses: Losses, *, name: str, source: str, accepted: list[str]) -> str:
    """The report of an import as Markdown."""
    lines = [f"# Import of {name}", "", f"From {source}.", "", "## Imported", ""]
    lines += [f"- {what}: {number}" for what, number in losses.read.items()]
    if losses.lost:
        lines += ["", "## Not imported", "", "Each stays in the definition as a `$comment` where it belongs.", ""]
        lines += loss_table(losses, lambda words: words.replace("|", "\\|"))
    for heading, intro, entries in (
        ("Could not be read", "Only running the program would tell these; write them in by hand.", losses.unread),
        ("Decided", "What the source leaves open, and what was taken.", losses.assumed),
        ("Accepted findings", "Rules that the title breaks as the source has it. Each is waived in title.json; remove "
         "a waiver when you have settled it.", accepted),
    ):  # fmt: skip
        if entries:
            lines += [
                "",
                f"## {heading}",
                "",
                intro,
                "",
                *(entry if entry.startswith("  ") else f"- {entry}" for entry in entries),
            ]
    return "\n".join(lines) + "\n"
