"""Words of a title are words in every language that they leave for, whatever they look like:
nothing of a title is code in a Ruby file, a part of a tile string, a formula in a table, or a mark
in a report."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from platelayer.definitions.titles import load_title
from platelayer.exchange.export import FORMATS, ExportOptions, export_title
from platelayer.exchange.losses import Comments, Losses, safe_id, safe_size
from platelayer.exchange.tile_strings import hex_string, read_tile, tile_string
from platelayer.exchange.writers.pictures import cell, pieces_csv
from platelayer.exchange.writers.ruby import (
    GAMES,
    Keywords,
    Symbol,
    Words,
    boards,
    entities,
    game,
    game_files,
    markdown,
    meta,
    module_name,
    names_of,
    written,
)
from platelayer.foundation.resources import asset_path, schema_paths
from platelayer.foundation.text import Text
from platelayer.model.described import ID
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions

HOSTILE = (
    "'", '"', "\\", "\\'", "`", "#{$ran = 1}", "#$0", "#@x", "'; $ran = 1; '", '"; $ran = 1; "',
    "', $ran: ($ran = 1), '", "a': 1, b: ($ran = 1), c: '", "\n", "\r\n", "\n=begin\n", "\n=end\n", "\n__END__\n",
    "<<~X", "<<X\n", "%w[", "]", "[", "{", "}", ")", "%(", "#", "# ", "\x00", "\x1b[31m", "\x85", "\u2028", "\u2029",
    "\u202e", "\ufeff", "\u00ad", "?", "end", "nil", ":", "=>", "=", "=1+1", "+1", "-1", "@SUM(1)", "\t=1", "＝1",
    ";", ",", "|", "_", "city=revenue:40", ";path=a:0,b:1", "|x", "<script>", "](x)", "*", "~", "é", "小会社", " ",
)  # fmt: skip
words = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=4), min_size=1, max_size=4).map(
    "".join
)
words = words.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text))


def renamed(value: Any, name: Callable[[str], str]) -> Any:
    """A model with another name for each of its strings."""
    if isinstance(value, Text):
        return msgspec.structs.replace(
            value, forms=tuple((code, name(text)) for code, text in value.forms)
        )
    if type(value) is str:
        return name(value)
    if isinstance(value, msgspec.Struct):
        fields = {each: renamed(getattr(value, each), name) for each in value.__struct_fields__}
        return msgspec.structs.replace(value, **fields)
    if isinstance(value, tuple):
        inner = [renamed(each, name) for each in value]
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    return value


@cache
def plain(reference: str) -> Title:
    return load_title(reference).title


TITLES = (str(asset_path("starters", "small")), "18eu", "lost-atlas")
starters = st.sampled_from(TITLES)


recipes = st.tuples(starters, st.lists(words, min_size=1, max_size=8))
"""A title, and what the words of it end in."""


def hostile_title(reference: str, endings: list[str]) -> Title:
    """A title all of whose names, ids, sizes, groups and words end in something hostile, the same
    everywhere."""
    known: dict[str, str] = {}
    return renamed(
        plain(reference),
        lambda text: known.setdefault(text, text + endings[len(known) % len(endings)]),
    )


def constants(title: Title) -> dict[str, Any]:
    """What the Ruby files of a title should say."""
    names = names_of(title, "en")
    return {**meta(names), **boards(names), **entities(names), **game(names)}


def as_data(value: Any) -> Any:
    """A literal as JSON can hold it: symbols as strings, hashes as pairs."""
    if isinstance(value, Mapping):
        return [[as_data(key), as_data(each)] for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [as_data(each) for each in value]
    return str(value) if isinstance(value, str) else value


def read_back(folder: Path, name: str) -> dict[str, Any]:
    """The constants of exported files, as our own reader takes them."""
    from platelayer.exchange.ruby.evaluate import Evaluator
    from platelayer.exchange.ruby.library import Library

    library = Library(folder=folder)
    library.read_folder(folder)
    evaluator = Evaluator(library, name, {})
    known = [each for module in library.modules.values() for each in module.constants]
    return {each: evaluator.constant(each) for each in known}


def write_to(folder: Path, title: Title) -> Path:
    """The Ruby files of a title; returns their folder."""
    for name, data in game_files(title, "en").items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (made,) = (folder / GAMES).iterdir()
    return made


@settings(max_examples=20)
@given(recipes)
def test_our_reader_finds_the_same_values_and_no_code(
    tmp_path_factory: pytest.TempPathFactory, recipe: tuple[str, list[str]]
) -> None:
    pytest.importorskip("tree_sitter_ruby")
    title = hostile_title(*recipe)
    folder = write_to(tmp_path_factory.mktemp("ruby"), title)
    found = read_back(folder, f"Engine::Game::{module_name(title.id)}::Game")
    wanted = constants(title)
    assert set(found) == set(wanted)
    for name, value in wanted.items():
        assert as_data(found[name]) == as_data(value), name


RUBY = """
require 'json'
module Engine
  module Game
    module Meta; end
    class Base
      def self.include_meta(meta) = include(meta)
    end
  end
end
def data(value)
  case value
  when Hash then value.map { |key, each| [data(key), data(each)] }
  when Array then value.map { |each| data(each) }
  when Symbol then value.to_s
  else value
  end
end
found = ARGV.map do |folder|
  %w[meta map entities game].each { |name| load "#{folder}/#{name}.rb" }
  own = Engine::Game.constants.find { |each| each.start_with?('G') }
  game = Engine::Game.const_get(own).const_get(:Game)
  all = game.constants.sort.to_h { |each| [each.to_s, data(game.const_get(each))] }
  Engine::Game.send(:remove_const, own)
  all
end
puts JSON.generate([found, $ran])
"""


@pytest.mark.skipif(
    shutil.which("ruby") is None, reason="ruby (Debian's package ruby): Ruby itself reads the files"
)
@settings(max_examples=3)
@given(st.lists(recipes, min_size=20, max_size=20))
def test_ruby_itself_finds_the_same_values_and_runs_nothing(
    tmp_path_factory: pytest.TempPathFactory, recipe: list[tuple[str, list[str]]]
) -> None:
    titles = [hostile_title(*each) for each in recipe]
    place = tmp_path_factory.mktemp("ruby")
    folders = []
    for number, title in enumerate(titles):
        folder = write_to(place / str(number), title)
        for name in (
            "game",
            "meta",
            "entities",
            "map",
        ):  # what they require is loaded in the order of the script
            path = folder / f"{name}.rb"
            path.write_bytes(
                re.sub(rb"(?m)^require_relative .*\n", b"", path.read_bytes(), count=9)
            )
        folders.append(str(folder))
    done = subprocess.run(["ruby", "-W0", "-e", RUBY, *folders], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found, ran = json.loads(done.stdout)
    assert ran is None
    assert found == [
        {name: as_data(value) for name, value in sorted(constants(title).items())}
        for title in titles
    ]


literals = st.recursive(
    st.none() | st.booleans() | st.integers(-99_999, 99_999) | words | words.map(Symbol),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(words, max_size=9).map(Words),
        st.dictionaries(words, inner, max_size=4),
        st.dictionaries(words, inner, max_size=4).map(Keywords),
        st.dictionaries(st.lists(words, min_size=1, max_size=3).map(tuple), inner, max_size=3),
    ),
    max_leaves=9,
)


@settings(max_examples=100)
@given(literals)
@example({"a": Keywords({"b': (1), 'c": Words(["]", "x y"])})})
def test_a_literal_is_one_expression(value: Any) -> None:
    pytest.importorskip("tree_sitter_ruby")
    from tree_sitter import Language, Parser
    from tree_sitter_ruby import language

    code = written(value, 8, room=10)
    tree = Parser(Language(language())).parse(f"X = {code}\n".encode())
    assert not tree.root_node.has_error, code
    assert len(tree.root_node.named_children) == 1
    assert not set(_kinds(tree.root_node)) & {
        "interpolation",
        "call",
        "identifier",
        "comment",
        "heredoc_beginning",
    }
    assert not [
        char for char in code if unicodedata.category(char) in ("Cc", "Zl", "Zp") and char != "\n"
    ]
    assert not [char for char in code if unicodedata.bidirectional(char) in TURNS]


TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""What turns the text of a file round, so that people read other code than runs."""


def _kinds(node: Any) -> Iterator[str]:
    yield node.type
    for child in node.children:
        yield from _kinds(child)


def shape(string: str) -> list[tuple[str, list[str]]]:
    """The parts of a tile string, without the words that a title may choose."""
    parts, refused = read_tile(string)
    assert not refused
    return [(part.kind, sorted({*part.fields} - {"groups", "symbol"})) for part in parts]


@settings(max_examples=30)
@given(words, starters)
def test_words_are_no_parts_of_tile_strings(ending: str, reference: str) -> None:
    title = plain(reference)
    for tile in [entry.tile for entry in title.tiles]:
        other = tile_string(with_words(tile, ending), Comments(Losses(), "tile"))
        assert shape(other) == shape(tile_string(tile, Comments(Losses(), "tile")))
        assert other.isprintable() or not ending.isprintable()
        assert len(other.splitlines()) <= 1
    for gamemap in title.maps:
        for hexagon in gamemap.hexes:
            changed = msgspec.structs.replace(hexagon, tile=with_words(hexagon.tile, ending))
            assert shape(hex_string(changed, Comments(Losses(), "hex"))) == shape(
                hex_string(hexagon, Comments(Losses(), "hex"))
            )


def with_words(tile: Tile, ending: str) -> Tile:
    """A tile with hostile labels, groups and symbols."""
    return msgspec.structs.replace(
        tile,
        labels=tuple(
            msgspec.structs.replace(each, text=each.text + ending) for each in tile.labels
        ),
        stops=tuple(
            msgspec.structs.replace(
                each,
                groups=tuple(group + ending for group in each.groups),
                symbol=each.symbol and each.symbol + ending,
            )
            for each in tile.stops
        ),
    )


def test_what_a_tile_string_has_no_place_for_is_said() -> None:
    tile = plain("18eu").tile_by_id["57"].tile
    losses = Losses()
    tile_string(
        msgspec.structs.replace(tile, labels=(msgspec.structs.replace(_label(), text="a;b"),)),
        Comments(losses, "x"),
    )
    assert [*losses.lost] == ["sign that separates parts of a tile string"]


def _label() -> Any:
    return next(entry.tile.labels[0] for entry in plain("18eu").tiles if entry.tile.labels)


@given(st.lists(words, min_size=1, max_size=5))
def test_no_cell_of_a_table_is_a_formula_and_none_is_lost(names: list[str]) -> None:
    title = plain(TITLES[0])
    pieces = build_manifest(title).pieces[: len(names)]
    rows = list(
        csv.DictReader(io.StringIO(pieces_csv(title, zip(pieces, names, strict=False)), newline=""))
    )
    assert [row["id"] for row in rows] == [piece.id for piece in pieces]
    for row, name in zip(rows, names, strict=False):
        assert row["name"].lstrip()[:1] not in ("=", "+", "-", "@", "＝", "＋", "－", "＠")
        assert row["name"] in (name, f"'{name}")
        assert (row["name"] == name) == (cell(name) == name)


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "'=1", " =HYPERLINK(1)", "＝1"]
)
def test_a_formula_has_an_apostrophe_before_it(name: str) -> None:
    assert cell(name) == f"'{name}"


@pytest.mark.parametrize("name", ["Praha", "'s Gravenhage", "10-share", "a=b", "1+1", "– 3 –"])
def test_other_words_are_cells_as_they_are(name: str) -> None:
    assert cell(name) == name


@given(words)
def test_words_in_a_report_are_one_line_without_marks(text: str) -> None:
    shown = markdown(text)
    assert len(shown.splitlines()) <= 1
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*\[\]<>|~&]", shown)
    assert re.sub(r"\\(.)", r"\1", shown).removeprefix("\\") == " ".join(text.split()).removeprefix(
        "\\"
    )


@given(words)
def test_an_import_gives_ids_that_the_schema_takes(text: str) -> None:
    (path,) = (path for path in schema_paths() if path.name == "common.schema.json")
    pattern = json.loads(path.read_text(encoding="utf-8"))["$defs"]["id"]["pattern"]
    assert pattern == f"^{ID}$"
    assert re.fullmatch(pattern, safe_id(text))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("東山", "東山"), ("ガタン・ゴトン鉄道", "ガタン-ゴトン鉄道"), ("Ж/д Москва", "Ж-д-Москва"),
        ("Société Générale", "Societe-Generale"), ("Ｂ＆Ｏ", "B-O"), ("57+½", "57+.5"), ("「山」線", "山-線"),
        ("が", "が"), ("🚂", "x"), ("-·-", "x"), ("3×2", "3-2"),
    ],
)  # fmt: skip
def test_ids_keep_letters_of_every_script(name: str, expected: str) -> None:
    assert safe_id(name) == expected
    assert safe_id(unicodedata.normalize("NFD", name)) == expected


@given(words)
def test_an_import_gives_sizes_that_the_schema_takes(text: str) -> None:
    (path,) = (path for path in schema_paths() if path.name == "common.schema.json")
    pattern = json.loads(path.read_text(encoding="utf-8"))["$defs"]["size"]["pattern"]
    size = safe_size(text)
    assert size == "" or re.fullmatch(pattern, size)


MARKUP = "</svg><script>x()</script>\"'&amp;]]>--> \\u0027 =1"
"""Words with the marks of XML, HTML, JSON and scripts, in letters that every face has."""


@pytest.fixture(name="marked", scope="module")
def _marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter, whose names hold marks of other languages."""
    folder = tmp_path_factory.mktemp("marked") / "mine"
    shutil.copytree(asset_path("starters", "small"), folder)
    path = folder / "companies.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    for company in value["companies"].values():
        company["name"] = f"={company['name']} {MARKUP}"
    path.write_text(json.dumps(value), encoding="utf-8")
    title = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    (folder / "title.json").write_text(json.dumps(title | {"name": MARKUP}), encoding="utf-8")
    return folder


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_holds_words_with_marks_and_is_the_same_every_time(
    form: str, marked: Path, tmp_path: Path
) -> None:
    if form == "bookkeeping":
        pytest.importorskip("openpyxl")
    kinds = {"kinds": ("svg",)} if "kinds" in FORMATS[form].heeds else {}
    small = {"dpi": 30} if "dpi" in FORMATS[form].heeds else {}
    some = () if FORMATS[form].whole else ("map", "token:NVR*", "charter:NVR")
    if form == "tile-strings":
        some = ("map",)
    options = BuildOptions(pieces=some), ExportOptions(**kinds, **small)
    for folder in ("one", "two"):
        assert export_title(str(marked), form, tmp_path / folder, *options)
    one, two = (sorted((tmp_path / name).rglob("*.*")) for name in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    told = ""
    for path in one:
        if path.suffix == ".svg":
            root = ElementTree.fromstring(path.read_bytes())
            assert not {each.tag.rpartition("}")[2] for each in root.iter()} & {
                "script",
                "a",
                "foreignObject",
            }
            told += " ".join(
                filter(None, [*root.itertext(), *(str(each.attrib) for each in root.iter())])
            )
        elif path.suffix == ".json":
            told += str(json.loads(path.read_text(encoding="utf-8")))
        elif path.suffix == ".csv":
            rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
            assert all(len(row) == len(rows[0]) for row in rows)
            assert any(row[2].startswith("'=North Valley Railway </svg>") for row in rows)
        elif path.suffix == ".html":
            page = path.read_text(encoding="utf-8")
            assert "<script" not in page
            assert escape(MARKUP) in page
        elif path.suffix == ".md":
            assert "<script" not in path.read_text(encoding="utf-8").replace("\\<", "")
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                (control,) = (name for name in archive.namelist() if name.endswith(".json"))
                text = archive.read(control).decode()
            assert not set(text) & {"'", "\\"}
            json.loads(text)
    if form in ("files", "tabletop-simulator"):
        assert "<script>x()</script>" in told
