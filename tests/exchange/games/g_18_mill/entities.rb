# frozen_string_literal: true

module Engine
  module Game
    module G18Mill
      module Entities
        COMPANIES = [
          {
            sym: 'BC',
            name: 'Barge Company',
            value: 20,
            revenue: 5,
            desc: 'Blocks C1 while a player owns it.',
            abilities: [{ type: 'blocks_hexes', owner_type: 'player', hexes: ['C1'] }],
          },
        ].freeze

        CORPORATIONS = [
          {
            sym: 'MB',
            name: 'Millbrook Railway',
            logo: '18_mill/MB',
            tokens: [0, 40, 80],
            coordinates: 'B2',
            color: '#237333',
            float_percent: 60,
          },
          {
            sym: 'W&S',
            name: 'Weir & Stream',
            logo: '18_mill/WS',
            tokens: [0, 40],
            coordinates: 'D2',
            color: '#d81e3e',
            float_percent: 60,
          },
        ].freeze
      end
    end
  end
end
