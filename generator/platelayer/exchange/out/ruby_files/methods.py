"""Methods of a game, without which the engine of 18xx.games would not play it from the start.

They are the same for every title: whatever a title says is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.exchange.out.ruby_files.constants import KINDS, PRIVATE, kinds_of_types, operating
from platelayer.model.title import Title

_NO_AUCTION = """\
# There is no private company to auction.
def init_round
  stock_round
end"""

_HOMES = """\
# A company with several homes chooses one of them, a company without a home any city with a free place.
def home_token_locations(corporation)
  homes = Array(corporation.coordinates).map { |id| hex_by_id(id) }.compact
  homes = hexes if homes.empty?
  open = homes.select { |hex| hex.tile.cities.any? { |city| city.tokenable?(corporation, free: true) } }
  open unless open.empty?
end"""

_OPERATING = """\
# The engine's own, with the step that places a home where there is a choice.
def operating_round(round_num)
  Engine::Round::Operating.new(self, [
    Engine::Step::Bankrupt,
    Engine::Step::Exchange,
    Engine::Step::HomeToken,
    Engine::Step::SpecialTrack,
    Engine::Step::BuyCompany,
    Engine::Step::Track,
    Engine::Step::Token,
    Engine::Step::Route,
    Engine::Step::Dividend,
    Engine::Step::DiscardTrain,
    Engine::Step::BuyTrain,
    [Engine::Step::BuyCompany, { blocks: true }],
  ], round_num: round_num)
end"""

_LIMIT = """\
# A type of company without a limit has that of its kind; in a phase without one, that of the next phase that has one.
def train_limit(entity)
  return super unless @phase.current[:train_limit].is_a?(Hash)

  phases = [@phase.current, *@phase.future, *@phase.previous.reverse]
  limits = phases.map { |phase| phase[:train_limit] }.select { |limit| limit.is_a?(Hash) }
  limits.filter_map { |limit| limit[entity.type] || limit[KIND] }.first || 99
end"""

_FREE = """\
# A train that costs nothing is paid for with nothing, which the engine would refuse.
def buy_train(operator, train, price = nil)
  super(operator, train, (price || train.price).zero? ? :free : price)
end"""


def methods(title: Title) -> Iterator[str]:
    """The methods that a title needs, as Ruby."""
    if not any(company.kind in PRIVATE for company in title.companies):
        yield _NO_AUCTION
    kinds = kinds_of_types(title)
    if kinds or _limits_have_gaps(title):
        yield (
            _LIMIT.replace("KIND", f"{KINDS}[entity.type]")
            if kinds
            else _LIMIT.replace(" || limit[KIND]", "")
        )
    if any(face.price == 0 for train in title.trains for face in train.faces):
        yield _FREE
    yield _HOMES
    yield _OPERATING


def _limits_have_gaps(title: Title) -> bool:
    """Some kind of company has a train limit in some phases alone, or in none."""
    limited = [{limit.who for limit in phase.train_limits} for phase in title.phases]
    if not any(limited):
        return False
    known = set.union(*limited)
    return any(those != known for those in limited) or any(
        company.kind.value not in known and company.size not in known
        for company in operating(title)
    )
