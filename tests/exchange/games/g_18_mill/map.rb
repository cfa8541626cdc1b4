# frozen_string_literal: true

module Engine
  module Game
    module G18Mill
      module Map
        LAYOUT = :flat

        TILES = {
          '8' => 'unlimited',
          '9' => 6,
          '57' => 3,
          '14' => 2,
          'M1' => {
            'count' => 1,
            'color' => 'green',
            'code' => 'city=revenue:50,slots:2;path=a:0,b:_0;path=a:3,b:_0;path=a:1,b:_0;label=M',
          },
        }.freeze

        LOCATION_NAMES = { 'B2' => 'Millbrook', 'D2' => 'Weir', 'A3' => 'The Coast' }.freeze

        HEXES = {
          white: {
            %w[B4 C1 C5] => '',
            ['C3'] => 'upgrade=cost:40,terrain:mountain|water;border=edge:2,type:impassable',
            ['D4'] => 'town=revenue:0;town=revenue:0;upgrade=cost:20,terrain:water',
            %w[D2 E3] => 'city',
          },
          yellow: {
            ['B2'] => 'city=revenue:30;path=a:0,b:_0;path=a:3,b:_0;label=M',
          },
          red: {
            ['A3'] => 'offboard=revenue:yellow_20|brown_50;path=a:4,b:_0;path=a:5,b:_0',
          },
          gray: {
            ['E1'] => 'town=revenue:10;path=a:0,b:_0;path=a:5,b:_0',
          },
        }.freeze
      end
    end
  end
end
