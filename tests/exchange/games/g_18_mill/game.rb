# frozen_string_literal: true

require_relative 'entities'
require_relative 'map'

module Engine
  module Game
    module G18Mill
      class Game < Game::Base
        include Entities
        include Map

        GAME_TITLE = '18Mill'
        PLAYER_RANGE = [2, 4].freeze
        CURRENCY_FORMAT_STR = '$%s'
        BANK_CASH = 4000
        STARTING_CASH = { 2 => 400, 3 => 300, 4 => 240 }.freeze
        CERT_LIMIT = { 2 => 14, 3 => 11, 4 => 9 }.freeze
        MARKET = [%w[60 67 75p 82 90 100], %w[50 60 67p 75 82], %w[40 50 60p 67]].freeze

        PHASES = [
          { name: '2', train_limit: 3, tiles: [:yellow], operating_rounds: 1 },
          { name: '3', on: '3', train_limit: 2, tiles: %i[yellow green], operating_rounds: 2 },
        ].freeze

        TRAINS = [
          { name: '2', distance: 2, price: 80, num: 5 },
          { name: '3', distance: 3, price: 180, num: 4 },
        ].freeze
      end
    end
  end
end
