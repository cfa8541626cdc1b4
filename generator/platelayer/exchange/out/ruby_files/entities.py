"""Companies as Ruby constants."""

from __future__ import annotations

from platelayer.exchange.out.ruby_files.literals import Keywords, Literal, Symbol
from platelayer.exchange.out.ruby_files.names import Names
from platelayer.model.company import Company, CompanyKind
from platelayer.model.tile import StopKind
from platelayer.model.title import Title

Constants = dict[str, Literal]
_PRIVATE = (CompanyKind.PRIVATE, CompanyKind.CONCESSION)


def entities(names: Names) -> Constants:
    """COMPANIES (privates), CORPORATIONS and MINORS: minors without shares."""
    companies = names.title.companies
    privates = [each for each in companies if each.kind in _PRIVATE]
    minors = [each for each in companies if each.kind is CompanyKind.MINOR and _is_whole(each)]
    others = [each for each in operating(names.title) if each not in minors]
    return {
        "COMPANIES": [_private(names, each) for each in privates],
        "CORPORATIONS": [_operating(names, each) for each in others],
        "MINORS": [_operating(names, each) for each in minors],
    }


def logo_name(title: Title, company: Company) -> str:
    """What the logo of a company is called, without its ending."""
    return f"{title.id}/{company.id}"


def operating(title: Title) -> list[Company]:
    """Companies with a logo: all but privates and concessions."""
    return [each for each in title.companies if each.kind not in _PRIVATE]


def _is_whole(company: Company) -> bool:
    return not company.certificates or company.owned_whole


def _private(names: Names, company: Company) -> Literal:
    comments = names.comments(company.ref)
    incomes = [step.value for step in company.incomes]
    found = Keywords(sym=names.companies[company.ref], name=names.words(company.name), value=company.value or 0)
    if company.value is None:
        comments.lose("price of a private company, which has none")
    found["revenue"] = incomes if len(incomes) > 1 else company.income or 0
    for field in ("min_price", "max_price", "min_players"):
        amount = getattr(company, field)
        if amount is not None:
            found[field] = amount
    if company.discount:
        found["discount"] = company.discount
    if company.kind is CompanyKind.CONCESSION:
        found["type"] = Symbol("concession")
    elif company.size is not None:
        found["type"] = Symbol(company.size)
    found |= _said(names, company)
    found["color"] = company.colour
    found["text_color"] = company.text_colour
    for field, what in (("closes", "when a private company closes"), ("used", "words on the back of a card")):
        if getattr(company, field) is not None:
            comments.lose(what)
    if company.certificates and not company.owned_whole:
        comments.lose("shares of a private company")
    return found


def _operating(names: Names, company: Company) -> Literal:
    comments = names.comments(company.ref)
    symbol = names.companies[company.ref]
    found = Keywords(sym=symbol, name=names.words(company.name), logo=logo_name(names.title, company))
    kind = "" if company.kind is CompanyKind.MAJOR else company.kind.value
    if company.size is not None:
        if kind == "national":
            comments.lose("size of a national company", company.size)
        else:
            if kind and not _is_whole(company):
                comments.lose("kind of a company that has a size", kind)
            kind = company.size
    if kind:
        found["type"] = kind
    if not _is_whole(company):
        found["shares"] = _shares(company)
        reserved = [each for each in company.certificates if each.reserved and not each.director]
        if any(each.reserved and each.director for each in company.certificates):
            comments.lose("reserved director's certificate")
        if reserved:
            found["reserved_shares"] = [each.percent for each in reserved for _ in range(each.count)]
            found["ipo_shares"] = found.pop("shares")
        if company.float_percent is not None:
            found["float_percent"] = company.float_percent
    found["tokens"] = [price or 0 for price in company.stations]
    found |= _homes(names, company)
    found |= _said(names, company)
    found["color"] = company.colour
    found["text_color"] = company.text_colour
    for what, there in (
        ("price of a company that is bought whole", company.value is not None),
        ("price of a station that the map shows", None in company.stations),
        ("prices at places of a charter", bool(company.token_places)),
        ("cost of a formation", bool(company.formation_cost)),
        ("order of a minor", company.order is not None),
        ("train limit of one company", company.train_limit is not None),
        ("type of a company in words", company.class_name is not None),
        ("second name of a company", company.second_name is not None),
    ):
        if there:
            comments.lose(what)
    return found


def _shares(company: Company) -> list[int]:
    """Percentages, the director's certificate first, without others that are reserved."""
    own = [each for each in company.certificates if each.director or not each.reserved]
    ordered = sorted(own, key=lambda each: not each.director)
    return [each.percent for each in ordered for _ in range(each.count)]


def _homes(names: Names, company: Company) -> Keywords:
    comments = names.comments(company.ref)
    found = Keywords()
    places = [home.hex for home in company.homes]
    cities = [_city(names, home.hex, home.stop) for home in company.homes]
    if places:
        found["coordinates"] = places[0] if len(places) == 1 else places
    if any(city is not None for city in cities):
        numbers = [city or 0 for city in cities]
        found["city"] = numbers[0] if len(numbers) == 1 else numbers
    if len(places) > 1:
        comments.lose("all homes at once" if company.all_homes else "choice among homes", ", ".join(places))
    if company.destination is not None:
        found["destination_coordinates"] = company.destination.hex
    return found


def _city(names: Names, printed: str, stop: int | None) -> int | None:
    """The number of a stop among the cities and passes of its hex."""
    hexagon = next((gamemap.by_id[printed] for gamemap in names.title.maps if printed in gamemap.by_id), None)
    cities = hexagon.tile.stops_of(StopKind.CITY, StopKind.PASS) if hexagon is not None else ()
    return cities.index(stop) if stop in cities else None


def _said(names: Names, company: Company) -> Keywords:
    """What a company may do, in words, and the hexes it blocks."""
    found = Keywords()
    texts = [names.words(each) for each in company.abilities]
    if texts:
        found["desc"] = " ".join(texts)
        names.comments(company.ref).lose("ability, which is words alone")
    reserved = [
        hexagon.id for gamemap in names.title.maps for hexagon in gamemap.hexes if company.ref in hexagon.reserved
    ]
    blocked = list(dict.fromkeys([*company.blocks, *reserved]))
    if blocked:
        owner = {"owner_type": "player"} if company.kind in _PRIVATE else {}
        found["abilities"] = [Keywords(type="blocks_hexes", **owner, hexes=blocked)]
    return found
