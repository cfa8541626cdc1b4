"""The stages from a definition to files, in order.

1 definitions   JSON -> schema check -> Title            (definitions)
2 rules         Title -> problems, graph of upgrades     (rules)
3 manifest      Title -> every piece and its count       (model)
4 drawing       piece -> Scene                           (drawing)
5 legibility    Scene -> problems                        (scene)
6 sheets        Scenes and counts -> pages, placements   (imposition)
7 render        pages -> PDF; Scene -> SVG, PNG, PDF     (render)
8 preflight     finished bytes -> problems               (preflight)
9 files         bytes -> disk, all or nothing
"""
