"""What else holds for a private company: prices, changing income, players; told below its abilities."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.model.title import Title
from platelayer.scene.breaks import join_parts

words = FixedWords("companies")
shared = FixedWords("cards")


def private_terms(title: Title, company: Company, style: Style) -> tuple[str, ...]:
    """A paragraph with a sentence for each of these that a company has; none where it has none."""
    told = join_parts([*_prices(title, company, style), *_incomes(title, company, style), *_players(company, style)])
    return (told,) if told else ()


def _prices(title: Title, company: Company, style: Style) -> Iterator[str]:
    if company.discount and company.value is not None:
        yield style.words(words("discounted"), title.money(company.value - company.discount))
    least, most = (None if each is None else title.money(each) for each in (company.min_price, company.max_price))
    if least is not None and most is not None:
        yield style.words(words("price_range"), least, most)
    elif least is not None:
        yield style.words(words("price_from"), least)
    elif most is not None:
        yield style.words(words("price_up_to"), most)


def _incomes(title: Title, company: Company, style: Style) -> Iterator[str]:
    for step in company.incomes[1:]:
        amount, since = title.money(step.value), step.since or ""
        if since in shared.table("colour"):
            yield style.words(words("income_from"), amount, style.words(shared.table("colour")[since]))
        else:
            yield style.words(words("income_from_phase"), amount, since)


def _players(company: Company, style: Style) -> Iterator[str]:
    if company.min_players is not None:
        yield style.words(words("with_players"), company.min_players)
