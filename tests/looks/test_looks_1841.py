"""Every face of 1841. A file of its own: workers share tests by file."""

from itertools import chain

import pytest

from looks.every_face import EveryFace
from looks.faces import faces
from often import often
from platelayer.scene.flatten import flatten_scene

THE_RULEBOOKS = (
    "特許 史実会社 非史実会社 権利書 通常株 保有制限 未公開株 会社の金庫 公開市場 優先売買カード 市場価格トークン "
    "列車チャート 本社 起点 街 アペニー峠 アルプス峠 沼地 丘陵 盤外エリア 侵入不能なヘクスサイド 緊急資金調達 "
    "凍結された会社 Bayard"
)
THE_USUAL = "認可状 歴史会社 自由会社 プール 廃車 本拠地 町 優先権 株価 路線 会社シート"


class Test1841(EveryFace):
    title = "1841"

    @pytest.mark.parametrize("variant", [None, *often(["lite", "version-1", "version-1-lite"])])
    def test_japanese_pieces_have_the_words_of_the_rulebook(self, variant):
        """Its words (terms of §13 and of the pieces), and none of the usual ones in their place."""
        fronts = faces(self.title, "ja", variant).fronts
        pages = chain.from_iterable(fronts[key] for key in fronts if not key.startswith("tile:"))
        words = "".join(text.run.text for page in pages for text in flatten_scene(page)[1])
        for word in THE_RULEBOOKS.split():
            assert word in words, word
        for word in THE_USUAL.split():
            assert word not in words, word
