# frozen_string_literal: true

# A player of an exported game. `ruby bot.rb ENGINE FOLDER/g_name` plays it in a copy of the engine of 18xx.games, for
# each number of players: it auctions what is auctioned, founds companies and runs operating rounds, until in two of them
# a company had a train. It prints JSON: first a line with how many trains each company may own in each phase, and the
# tile strings that the engine does not read; then a line for each game with what was played, each train that was
# discarded, and the exception, if there was one.

require 'fileutils'
require 'json'
require 'set'
require 'time'
require 'tmpdir'

ROUNDS = 2
MOST_ACTIONS = 4000
MOST_COMPANIES = 4
PATIENCE = 20
TILES_TRIED = 40

# One game, played by rules of thumb, always the same.
class Bot
  attr_reader :played

  def initialize(game)
    @game = game
    @discards = []
    @counts = Hash.new(0)
    @rounds = []
    @ran = Set.new
    @floated = Set.new
  end

  def play
    MOST_ACTIONS.times do
      break if @game.finished || @rounds.size >= ROUNDS

      act
      raise @game.exception if @game.exception

      note
    end
  end

  def report
    {
      'rounds' => @rounds.size, 'floated' => @floated.to_a.sort, 'discards' => @discards, 'actions' => @counts.sort.to_h,
      'finished' => @game.finished, 'last' => @game.round.class.name.split('::').last,
      'sold' => @game.companies.map { |company| company.id if company.owner }.compact.size,
      'companies' => @game.companies.size,
    }
  end

  private

  # What an action has brought about.
  def note
    @floated |= @game.corporations.select(&:floated?).map(&:id)
    round = @game.round
    ended = @operating && @operating != round
    @rounds << @ran.size if ended && !@ran.empty?
    @ran.clear if ended
    @operating = round.is_a?(Engine::Round::Operating) ? round : nil
    @ran |= @game.corporations.reject { |company| company.trains.empty? }.map(&:id) if @operating
  end

  def act
    step = @game.round.active_step
    raise "#{@game.round.class} waits for nobody" unless step

    entity = step.current_entity
    possible = @game.round.actions_for(entity)
    raise "#{step.class} gives #{entity&.name} nothing to do" if possible.empty?

    action = chosen(step, entity, possible)
    raise "nothing to choose in #{step.class} for #{entity.name}: #{possible.join(', ')}" unless action

    @counts[action.type] += 1
    @game.process_action(action)
  end

  def chosen(step, entity, possible)
    order = %w[discard_train bid par buy_shares place_token lay_tile run_routes dividend buy_train]
    (order & possible).each do |kind|
      action = send(kind, step, entity)
      return action if action
    end
    return Engine::Action::Pass.new(entity) if possible.include?('pass')

    help(step, entity, possible)
  end

  # What has to be done and is not wanted: a share is sold for a train, or the player gives up.
  def help(step, entity, possible)
    player = entity.player
    bundle = @game.corporations.flat_map { |company| @game.sellable_bundles(player, company) }
                  .select { |shares| step.can_sell?(player, shares) }.min_by(&:price)
    return Engine::Action::SellShares.new(player, shares: bundle.shares, percent: bundle.percent) if bundle

    Engine::Action::Bankrupt.new(entity) if @game.round.actions_for(entity).include?('bankrupt') || possible.include?('bankrupt')
  end

  def discard_train(step, entity)
    train = step.trains(entity).min_by(&:price)
    @discards << { 'company' => entity.id, 'phase' => @game.phase.name, 'held' => entity.trains.size,
                   'limit' => @game.train_limit(entity), 'train' => train.name }
    Engine::Action::DiscardTrain.new(entity, train: train)
  end

  # The cheapest company, while half of the money stays for shares, or until all have passed for long.
  def bid(step, entity)
    company = step.available.first
    price = step.min_bid(company)
    patient = @counts['pass'] < PATIENCE * @game.players.size
    kept = patient ? @game.class::STARTING_CASH[@game.players.size] / 2 : 0
    most = [step.max_bid(entity, company), entity.cash - kept].min
    Engine::Action::Bid.new(entity, company: company, price: price) if price <= most
  end

  # A company is founded when all others float, at the highest price at which the players can float it.
  def par(step, entity)
    founded = @game.corporations.select(&:ipoed)
    return if founded.size >= MOST_COMPANIES || founded.any? { |company| !company.floated? }

    money = @game.players.sum(&:cash)
    @game.corporations.each do |company|
      next unless @game.can_par?(company, entity) && step.can_buy?(entity, company.shares.first&.to_bundle)

      shares = company.presidents_share.percent / company.share_percent
      needed = [company.percent_to_float / company.share_percent, shares].max
      price = step.get_par_prices(entity, company).sort_by(&:price)
                  .select { |par| par.price * shares <= entity.cash && par.price * needed * 2 <= money }.last
      return Engine::Action::Par.new(entity, corporation: company, share_price: price) if price
    end
    nil
  end

  def buy_shares(step, entity)
    @game.corporations.select(&:ipoed).sort_by { |company| company.floated? ? 1 : 0 }.each do |company|
      [company.ipo_shares, @game.share_pool.shares_of(company)].each do |shares|
        share = shares.select(&:buyable).min_by(&:percent)
        next unless share && step.can_buy?(entity, share.to_bundle)

        return Engine::Action::BuyShares.new(entity, shares: [share])
      end
    end
    nil
  end

  def place_token(step, entity)
    if step.respond_to?(:pending_token) && step.pending_token[:token]
      token = step.pending_token[:token]
      city = step.pending_token[:hexes].flat_map { |hex| hex.tile.cities }.find { |place| place.tokenable?(token.corporation, tokens: token, free: true) }
      return city && Engine::Action::PlaceToken.new(entity, city: city, slot: city.get_slot(token.corporation) || 0)
    end
    token = step.available_tokens(entity).min_by(&:price)
    return unless token && token.price * 4 <= entity.cash

    city = @game.graph.tokenable_cities(entity).first
    city && Engine::Action::PlaceToken.new(entity, city: city, slot: city.get_slot(entity))
  end

  # The first tile that may lie where the company's track leads.
  def lay_tile(step, entity)
    @game.graph.connected_hexes(entity).keys.compact.sort_by(&:id).each do |hex|
      next unless step.available_hex(entity, hex)
      next if @game.upgrade_cost(hex.tile, hex, entity, entity) > entity.cash / 4

      step.upgradeable_tiles(entity, hex).first(TILES_TRIED).each do |tile|
        tile.legal_rotations.each do |rotation|
          next unless extends?(entity, hex, tile, rotation)

          return Engine::Action::LayTile.new(entity, tile: tile, hex: hex, rotation: rotation)
        end
      end
    end
    nil
  end

  # What the engine's usual restriction of track takes for certain: new track where there was none, or a city on the
  # company's network that pays more or gets new track.
  def extends?(entity, hex, tile, rotation)
    return true if hex.tile.paths.empty?

    old, new = [hex.tile, tile].map { |laid| laid.cities.first if laid.cities.one? }
    return false unless old && new && @game.graph.connected_nodes(entity)[old]

    tile.rotate!(rotation)
    new.max_revenue != old.max_revenue || (tile.exits - hex.tile.exits).any?
  end

  # Each train on the best line of two stops from a station.
  def run_routes(_step, entity)
    taken = []
    routes = @game.route_trains(entity).filter_map do |train|
      best = lines(entity, train).reject { |route| (route.paths & taken).any? }.max_by(&:revenue)
      taken += best.paths if best
      best
    end
    routes.each { |route| route.routes = routes }
    routes.each { |route| route.clear_cache!(only_routes: true) }
    Engine::Action::RunRoutes.new(entity, routes: routes)
  end

  def lines(entity, train)
    nodes = @game.graph.connected_nodes(entity).keys
    starts = nodes.select { |node| node.city? && node.tokened_by?(entity) }
    starts.product(nodes).filter_map do |from, to|
      next if from == to

      route = Engine::Route.new(@game, @game.phase, train, connection_data: [])
      [from, to].each { |node| route.touch_node(node) }
      route.routes = [route]
      route.revenue.positive? ? route : nil
    rescue Engine::GameError
      nil
    end
  end

  def dividend(_step, entity)
    Engine::Action::Dividend.new(entity, kind: 'payout')
  end

  # The cheapest train of the bank, and a second one while there is money; where one must be bought, with the help of
  # the president.
  def buy_train(step, entity)
    return unless entity.operator? && step.room?(entity) && entity.trains.size < 2

    train = @game.depot.min_depot_train
    return unless train && step.buyable_trains(entity).include?(train)

    variant, price = step.buyable_train_variants(train, entity).map { |face| [face[:name], face[:price]] }.min_by(&:last)
    help = step.president_may_contribute?(entity) ? entity.owner.cash : 0
    return if variant.nil? || price > @game.buying_power(entity) + help
    return if entity.trains.one? && price * 4 > entity.cash

    Engine::Action::BuyTrain.new(entity, train: train, price: price, variant: variant)
  end
end

# How many trains each company may own in each phase, as the engine says while it lasts.
def limits(game)
  companies = game.corporations + game.minors
  game.class::PHASES.to_h do |phase|
    game.phase.next! unless game.phase.name == phase[:name]
    [phase[:name], companies.to_h { |company| [company.id, game.train_limit(company)] }]
  end
end

def started(mod, number)
  mod::Game.new((1..number).map { |index| "Player #{index}" }, id: 1)
end

# Reads which keys the engine asks for.
class Asked < Hash
  def [](key)
    (@asked ||= Set.new) << key
    super
  end

  def unasked
    keys - @asked.to_a
  end
end

# What the engine's own reader makes nothing of in a tile string.
def unread(code)
  cache = []
  code.split(';').filter_map do |part|
    type, words = part.split('=')
    fields = words&.include?(':') ? Asked[words.split(',').to_h { |field| field.split(':') }] : words || ''
    made = Array(Engine::Tile.part(type, fields, cache)).flatten
    ends = made.grep(Engine::Part::Path).flat_map { |path| [path.a, path.b] }
    ignored = fields.is_a?(Asked) && type != 'path' ? fields.unasked : []
    part if made.empty? || made.any?(&:nil?) || ends.any?(&:nil?) || !ignored.empty?
  end
end

# All tile strings of the game's map: of its hexes, of further maps, of tiles and of map tiles.
def strings(map)
  map.constants.flat_map do |name|
    value = map.const_get(name)
    case name.to_s
    when /\AHEXES/ then value.values.flat_map(&:values)
    when /TILES\z/ then value.values.map { |tile| tile['code'] || tile[:code] }
    else []
    end
  end
end

engine, source = ARGV.map { |path| File.expand_path(path) }
Dir.mktmpdir do |place|
  FileUtils.cp_r([File.join(engine, 'lib'), File.join(engine, 'shim')], place)
  folder = File.join(place, 'lib/engine/game', File.basename(source))
  FileUtils.cp_r(source, folder)
  $LOAD_PATH.unshift(File.join(place, 'shim'), File.join(place, 'lib'))
  ENV['ENGINE_LOG_LEVEL'] = '5'
  %w[deep_freeze debug jaro_winkler logger].each { |name| require "engine/#{name}" }
  require 'engine/game/base'
  before = Engine::Game.constants
  require File.join(folder, 'game')
  mod = (Engine::Game.constants - before).map { |name| Engine::Game.const_get(name) }
                                         .find { |known| known.is_a?(Module) && known.constants.include?(:Meta) }
  first, last = mod::Meta::PLAYER_RANGE
  codes = strings(mod::Map)
  puts JSON.generate('limits' => limits(started(mod, first)), 'strings' => codes.size,
                     'unread' => codes.flat_map { |code| unread(code) })
  (first..last).each do |number|
    line = { 'players' => number }
    begin
      game = started(mod, number)
      bot = Bot.new(game)
      bot.play
    rescue StandardError => e
      where = e.backtrace.first(6).map { |at| at.sub(place, '') }.join(' < ')
      line['error'] = "#{e.class}: #{e.message[0, 300]} (#{where})"
      line['log'] = game&.log.to_a.last(8).map(&:message)
    end
    line.merge!(bot.report) if bot
    puts JSON.generate(line)
  end
end
