"""The documents as a site, English with Japanese below it (make site).

The sources are the documents as they are. Links out of docs/ become links to the repository; the
wall of tiles, the format and a page for each title are made here. A document without a Japanese
version is shown in English, and says so.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title, starter_files
from platelayer.drawing.hex.tile import hex_items
from platelayer.drawing.kit.style import Style
from platelayer.exchange.export import export_title
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.resources import title_ids
from platelayer.model.gamemap import COS_30, Layout, corner_points
from platelayer.model.tile import Tile
from platelayer.pipeline.job import BuildOptions
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Group, Scene, polygon_path, translation
from platelayer.studio.worker import link_of
from web import starter_picture

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
THEME = DOCS / "site"
BUILD = ROOT / "build" / "site"
OUTPUT = ROOT / "output" / "site"

LANGUAGES = {"en": "English", "ja": "日本語"}
NAV: tuple[tuple[Mapping[str, str], tuple[tuple[str, str, str], ...]], ...] = (
    (
        {"en": "Learn", "ja": "始める"},
        (
            ("index.md", "Platelayer", "Platelayer"),
            ("readme.md", "Overview", "概要"),
            ("getting-started.md", "Your first title", "はじめに"),
            ("changelog.md", "Changes", "変更履歴"),
        ),
    ),
    (
        {"en": "Gallery", "ja": "ギャラリー"},
        (
            ("titles.md", "Games", "ゲーム"),
            ("gallery.md", "On the table", "卓上の様子"),
            ("atlas-gallery.md", "Lost Atlas maps", "ロスト・アトラスのマップ"),
            ("catalogue.md", "Tiles", "タイルカタログ"),
        ),
    ),
    (
        {"en": "How to", "ja": "使い方"},
        (
            ("printing.md", "Print a game", "ゲームを印刷する"),
            ("printing-home.md", "Print at home", "自宅で印刷する"),
            ("printing-cutter.md", "Cut with a machine", "カッティングマシンで切る"),
            ("printing-die.md", "Cut with a die", "抜き型を使う"),
            ("printing-shop.md", "Order from a shop", "業者に頼む"),
            ("preflight.md", "Check any PDF", "PDF を検査する"),
            ("studio.md", "Write a title in the studio", "スタジオで書く"),
            ("browser.md", "Use it in the browser", "ブラウザ版を使う"),
            ("checking.md", "Check a title", "タイトルを検査する"),
            ("compare.md", "Compare two versions", "2 つの定義を比べる"),
            ("importing.md", "Bring a game from elsewhere", "ゲームを取り込む"),
            ("exporting.md", "Take a game elsewhere", "ゲームを書き出す"),
            ("positions.md", "Draw a map in play", "対局中のマップを描く"),
            ("routes.md", "Find the best routes", "最適な路線を求める"),
            ("supply.md", "See which tiles run out", "足りないタイルを調べる"),
            ("atlas.md", "Make a Lost Atlas map", "ロスト・アトラスのマップを作る"),
            ("themes.md", "Change the look", "見た目を変える"),
            ("python.md", "Use it from Python", "Python から使う"),
        ),
    ),
    (
        {"en": "Reference", "ja": "資料"},
        (
            ("spreadsheet.md", "In a spreadsheet", "表計算で作る"),
            ("definitions.md", "Definitions", "定義"),
            ("format.md", "Every field", "全項目"),
            ("words.md", "Words", "語の一覧"),
            ("options.md", "Options of a print", "印刷の全オプション"),
            ("rules.md", "Rules", "全ルール"),
            ("atlas-measures.md", "Measures of a map", "マップの測定値"),
            ("formats.md", "Formats for programs", "プログラム用の形式"),
            ("where.md", "Where is ...?", "コードのどこに？"),
        ),
    ),
    (
        {"en": "Explanation", "ja": "解説"},
        (
            ("upgrades.md", "Upgrades", "アップグレード"),
            ("colour.md", "Colour", "色"),
            ("atlas-method.md", "How maps are made", "マップの作り方"),
        ),
    ),
)
"""The pages in order: file, name in English, name in Japanese."""
BELOW = {
    "rules.md": [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.glob("rules/*.md"))]
}
"""Pages below another, named by their headings."""
PAGES = [each for _, pages in NAV for page, _, _ in pages for each in (page, *BELOW.get(page, ()))]

WORDS = {
    "fallback": ("", "このページはまだ英語だけです。"),
    "about": (
        "Print, check and assemble 18xx railway games.",
        "18xx鉄道ゲームを印刷・検査・生成する。",
    ),
    "tiles": ("The tile catalogue", "タイルカタログ"),
    "tiles_intro": (
        "All {} standard tiles, drawn by Platelayer from their topology.",
        "標準タイル全{}種。すべてPlatelayerが線路の構成から描いたものです。",
    ),
    "search": (
        "Number, colour, label, revenue, city or town",
        "番号・色・記号・収益・都市・町で探す",
    ),
    "shown": ("{} tiles", "{}枚"),
    "tile": ("Tile {}", "タイル{}"),
    "track": ("track", "線路"),
    "games": ("Games", "ゲーム"),
    "games_intro": (
        "These come with Platelayer. `platelayer export TITLE --to page -o DIR` makes such a page of any title.",
        "付属のゲームです。`platelayer export TITLE --to page -o DIR`で、どのゲームからも同じページを作れます。",
    ),
    "whole": ("The map and every piece", "マップとすべてのコンポーネント"),
    "try": ("Try it", "試す"),
    "trial": (
        "Edit this small game here, in the studio. Python itself runs in the page (15 MB, fetched once). "
        "Nothing is sent anywhere.",
        "この小さなゲームを、スタジオでそのまま編集できます。Pythonがページの中で動きます（初回だけ15 MBを取得）。"
        "何も送信されません。",
    ),
    "start": ("Start", "開始"),
    "apart": ("Open it in a tab of its own", "別のタブで開く"),
    "small": ("The map of a small game", "小さなゲームのマップ"),
    "light": ("Light", "ライト"),
    "dark": ("Dark", "ダーク"),
    "auto": ("As the system", "システムに合わせる"),
}
FORMAT_INTRO = """\
# Every field of the format

Made from the [JSON schemas](../schemas) by which your editor completes and checks what you type.
[Definitions](definitions.md) explains how they go together. Fields with * are required.
"""
_FILES = (
    "title", "map", "tiles", "tile", "title-tiles", "companies", "privates", "trains", "phases", "market", "pieces",
    "upgrades", "bonuses", "aids", "map-tiles", "sizes", "art", "theme", "sheet", "profile", "media", "common",
)  # fmt: skip
"""Schemas that people write by."""
_TILE_MM = 38.1
_LINK = re.compile(r"(?:(?<!!)\[([^\[\]]*))?\]\(([^)\s#]*)(#[^)\s]*)?\)")
"""A link, with its text if that holds no brackets; or the end of one, or of a picture."""
_FILE = re.compile(r"^(```\w+) ([\w.]+)$", re.MULTILINE)
"""The beginning of a code block with the name of its file."""


class Site(Struct, frozen=True, kw_only=True):
    """One language of the site: its code, where it is prepared, and where the repository is; with a
    `trial` where the browser edition is part of it."""

    language: str
    source: Path
    repository: str
    trial: bool = False

    def words(self, key: str) -> str:
        """Words of the site itself."""
        return WORDS[key][list(LANGUAGES).index(self.language)]


def main(into: Path = OUTPUT, edition: Path | None = None) -> None:
    """Write the site, with the browser edition that is in a folder. Raises mkdocs.exceptions.Abort
    for a link that leads nowhere."""
    into = into.resolve()  # mkdocs takes it from the place of its settings
    shutil.rmtree(into, ignore_errors=True)
    shutil.rmtree(BUILD, ignore_errors=True)
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    for language in LANGUAGES:
        site = Site(
            language=language,
            source=BUILD / language,
            repository=urls["Source"],
            trial=edition is not None,
        )
        prepare(site)
        build(site, into if language == "en" else into / language)
    if edition is not None:
        shutil.copytree(edition, into / "try")


def prepare(site: Site) -> None:
    """The folder that mkdocs reads."""
    shutil.copytree(THEME, site.source, ignore=shutil.ignore_patterns("partials"))
    shutil.copytree(
        DOCS / "pictures", site.source / "pictures", ignore=shutil.ignore_patterns("catalogue-*")
    )
    made = {
        "catalogue.md": catalogue(site),
        "format.md": rewritten(site, FORMAT_INTRO + fields(), DOCS),
        "titles.md": titles(site),
    }
    (site.source / "rules").mkdir()
    for page in PAGES:
        text = made.get(page) or document(site, page)
        if page == "index.md":
            head, bar, tasks = text.partition("\n|")
            text = f"---\nhide: [navigation, toc]\n---\n{head}{trial(site) if site.trial else ''}{bar}{tasks}"
        (site.source / page).write_text(text, encoding="utf-8")


def sources(page: str) -> tuple[Path, Path]:
    """A page in English and in Japanese; the second may not exist."""
    if page == "readme.md":
        return ROOT / "README.md", ROOT / "README.ja.md"
    return ROOT / "CHANGELOG.md" if page == "changelog.md" else DOCS / page, DOCS / "ja" / page


def document(site: Site, page: str) -> str:
    """The text of a page in the site's language, or in English with a line that says so."""
    english, own = sources(page)
    if site.language == "en":
        return rewritten(site, english.read_text("utf-8"), english.parent)
    if own.exists():
        return rewritten(site, own.read_text("utf-8"), own.parent)
    head, _, rest = rewritten(site, english.read_text("utf-8"), english.parent).partition("\n")
    return f'{head}\n\n!!! note ""\n    {site.words("fallback")}\n{rest}'


def rewritten(site: Site, text: str, folder: Path) -> str:
    """A document whose links lead to pages of the site, or to the repository. A place within a page
    that has another text in this language is left out, because its headings have other names."""

    def link(found: re.Match[str]) -> str:
        target, place = found[2], found[3] or ""
        if not target or target.startswith(("http:", "https:", "mailto:")):
            return found[0]
        path = (folder / target).resolve()
        address = _address(site, path)
        translated = (
            site.language != "en" and path == sources(address)[0] and sources(address)[1].exists()
        )
        if folder == DOCS / "rules" and "://" not in address:
            address = posixpath.relpath(address, "rules")
        if translated and folder == DOCS / "ja" and found[1]:
            return f'<a href="../{address.removesuffix(".md")}.html{place}" hreflang="en">{found[1]}</a>'
        text = "" if found[1] is None else f"[{found[1]}"
        return f"{text}]({address}{'' if translated else place})"

    return _LINK.sub(link, _FILE.sub(r'\1 title="\2"', text))


def _address(site: Site, path: Path) -> str:
    if path in (ROOT / "README.md", ROOT / "README.ja.md"):
        return "readme.md"
    if path == ROOT / "CHANGELOG.md":
        return "changelog.md"
    if path.parent == DOCS / "ja":
        return path.name
    if path.is_relative_to(DOCS) and path.suffix == ".md":
        return path.relative_to(DOCS).as_posix()
    if path.is_relative_to(DOCS / "pictures"):
        return path.relative_to(DOCS).as_posix()
    kind = "tree" if path.is_dir() else "blob"
    return f"{site.repository}/{kind}/main/{path.relative_to(ROOT).as_posix()}"


def trial(site: Site) -> str:
    """The browser edition on the home page: a picture of a starter until it is there, and the
    starter in its address."""
    picture = starter_picture(site.language, site.words("small"))
    (site.source / "pictures" / "trial.svg").write_bytes(picture)
    files = {
        name: data.decode()
        for name, data in starter_files("my-game", "small").items()
        if not name.startswith(".")
    }
    above = "" if site.language == "en" else "../"
    address = f"{above}try/index.html#title={link_of('my-game', files)}"
    apart, named, start = (escape(site.words(key)) for key in ("apart", "try", "start"))
    button = (
        f'<button type="button" class="md-button md-button--primary" data-address="{address}" '
        f'data-title="{named}" hidden>{start}</button>'
    )
    image = f'<img src="pictures/trial.svg" alt="{escape(site.words("small"))}">'
    return (
        f"\n## {named}\n\n{site.words('trial')}\n\n"
        f'<div class="trial">{image}{button}<p role="status"></p></div>\n\n'
        f'<a href="{address}" target="_blank">{apart}</a>\n'
    )


def catalogue(site: Site) -> str:
    """The wall of tiles; writes their pictures. A script finds tiles by what is said of them."""
    style = Style(theme=load_theme("classic"), language=site.language)
    colours = FixedWords("cards").table("colour")
    tiles = catalogue_tiles()
    (site.source / "tiles").mkdir()
    groups: dict[str, list[Tile]] = {}
    for tile in tiles:
        groups.setdefault(tile.colour, []).append(tile)
    lines = [f"# {site.words('tiles')}", site.words("tiles_intro").format(len(tiles))]
    search, shown = escape(site.words("search")), escape(site.words("shown"))
    lines.append(
        f'<p class="wall-search" hidden><input type="search" id="wall-search" placeholder="{search}" '
        f'aria-label="{search}" autocomplete="off"><output for="wall-search" data-words="{shown}"></output></p>'
    )
    for colour, members in groups.items():
        figures = "\n".join(tile_figure(site, tile, style) for tile in members)
        lines += [
            f"## {style.words(colours[colour]).capitalize()}",
            f'<div class="wall">\n{figures}\n</div>',
        ]
    return "\n\n".join(lines) + "\n"


def tile_figure(site: Site, tile: Tile, style: Style) -> str:
    """A tile of the wall."""
    name = site.words("tile").format(tile.id)
    said = list(said_of(site, tile, style))
    width = _TILE_MM / COS_30
    outline = polygon_path(corner_points(Layout.FLAT, _TILE_MM))
    items = hex_items(tile, Layout.FLAT, _TILE_MM, style, rim=True)
    drawn = Group(items=items, matrix=translation(width / 2, _TILE_MM / 2), clip=outline)
    scene = Scene(key=tile.id, width_mm=width, height_mm=_TILE_MM, items=(drawn,), label=name)
    picture = f"tiles/{tile.id}.svg"
    (site.source / picture).write_bytes(render_svg(scene, title=name))
    told = ": ".join([name, ", ".join(said)])
    return (
        f'<figure id="tile-{escape(tile.id)}" data-words="{escape(" ".join([tile.id, *said]).lower())}">'
        f'<img src="{quote(picture)}" width="104" height="90" loading="lazy" alt="{escape(told)}">'
        f"<figcaption>{escape(tile.id)}</figcaption></figure>"
    )


def said_of(site: Site, tile: Tile, style: Style) -> Iterator[str]:
    """What one may look for a tile by: colours, stops, revenue, labels."""
    cards = FixedWords("cards")
    yield from (
        style.words(cards.table("colour")[colour])
        for colour in (tile.colour, tile.stripes)
        if colour
    )
    kinds = [stop.kind.value for stop in tile.stops]
    for kind in dict.fromkeys(kinds):
        word = (
            cards.table("stops").get(kind) if site.language != "en" else None
        )  # English has the plural there
        many = f" × {kinds.count(kind)}" if kinds.count(kind) > 1 else ""
        yield f"{style.words(word) if word else kind}{many}"
    if not kinds and tile.track:
        yield site.words("track")
    yield from dict.fromkeys(
        str(step.value) for stop in tile.stops for step in stop.revenue if step.value
    )
    yield from (label.text for label in tile.labels)


def titles(site: Site) -> str:
    """The list of games; writes the page of each."""
    lines = [f"# {site.words('games')}", site.words("games_intro")]
    for reference in title_ids():
        title = load_title(reference).title
        style = Style(theme=load_theme("classic"), language=site.language)
        folder = site.source / "titles" / title.id
        export_title(reference, "page", folder, BuildOptions(language=site.language))
        name = " ".join(style.words(title.name).split())
        address = f"titles/{title.id}/index.html"
        said = [
            *([style.words(title.subtitle)] if title.subtitle else []),
            *map(style.words, title.credits),
        ]
        lines += [
            f"## {name}",
            *(" ".join(line.split()) for line in said),
            f"[![{name}](pictures/gallery-{title.id}.webp)]({address})",
            f"[{site.words('whole')}]({address})",
        ]
    return "\n\n".join(lines) + "\n"


def fields() -> str:
    """Every field of the files that people write, from the schemas."""
    lines = []
    for name in _FILES:
        schema = json.loads((ROOT / f"schemas/{name}.schema.json").read_text("utf-8"))
        lines.append(f"## {schema['title'].removeprefix('Platelayer: ').capitalize()}")
        lines.append(_plain(schema.get("description", "")))
        for part, node in {"": schema, **schema.get("$defs", {})}.items():
            table = list(_rows(node))
            if not table or (not part and len(table) == 1 and "$defs" in schema):
                continue
            if part not in ("", "block", name):
                lines.append(f"### {part.replace('_', ' ').capitalize()}")
                lines.append(_plain(node.get("description", "")))
            lines.append("\n".join(["| field | value | meaning |", "|---|---|---|", *table]))
    return "\n" + "\n\n".join(filter(None, lines)) + "\n"


def _rows(node: Mapping[str, Any]) -> Iterator[str]:
    for field, value in node.get("properties", {}).items():
        if not field.startswith("$"):
            needed = "" if field not in node.get("required", ()) else " *"
            yield f"| `{field}`{needed} | {_cell(_value(value))} | {_cell(_plain(value.get('description', '')))} |"


def _value(node: Mapping[str, Any]) -> str:
    """What a field may hold, in a few words."""
    if "title" in node:
        told = _plain(node["title"])
    elif "enum" in node:
        told = ", ".join(f"`{json.dumps(each)}`" for each in node["enum"])
    elif "const" in node:
        told = f"`{json.dumps(node['const'])}`"
    elif "$ref" in node:
        told = node["$ref"].rpartition("/")[2].replace("_", " ")
    elif node.get("type") == "array" and isinstance(node.get("items"), dict):
        told = f"list of {_value(node['items'])}"
    elif "anyOf" in node or "oneOf" in node:
        told = " or ".join(_value(each) for each in node.get("anyOf") or node["oneOf"])
    else:
        kind = node.get("type", "any value")
        told = kind if isinstance(kind, str) else " or ".join(kind)
    return told + (f", default `{json.dumps(node['default'])}`" if "default" in node else "")


def _plain(text: str) -> str:
    return re.sub(r"([\\*<\[\]{}_~^])", r"\\\1", text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def build(site: Site, into: Path) -> None:
    """The pages, by mkdocs. A warning stops it."""
    from mkdocs.commands.build import build as build_pages
    from mkdocs.config import load_config
    from pymdownx.slugs import slugify

    at = site.source.with_suffix(".yml")  # YAML holds JSON
    at.write_text(json.dumps(settings(site, into)), encoding="utf-8")
    contents = {"toc": {"slugify": slugify(case="lower"), "permalink": True}}
    config = load_config(
        str(at), markdown_extensions=["admonition", "tables", "pymdownx.superfences", contents]
    )
    config.plugins.on_startup(command="build", dirty=False)
    build_pages(config)
    config.plugins.on_shutdown()


def settings(site: Site, into: Path) -> dict[str, Any]:
    """What mkdocs is told."""
    column = 1 + list(LANGUAGES).index(site.language)
    schemes = (
        ("(prefers-color-scheme)", None, "material/brightness-auto", "light"),
        ("(prefers-color-scheme: light)", "default", "material/brightness-7", "dark"),
        ("(prefers-color-scheme: dark)", "slate", "material/brightness-4", "auto"),
    )
    return {
        "site_name": "Platelayer",
        "site_description": site.words("about"),
        "site_dir": str(into),
        "docs_dir": str(site.source),
        "use_directory_urls": False,
        "strict": True,
        "theme": {
            "name": "material",
            "custom_dir": str(THEME),
            "language": site.language,
            "font": False,
            "favicon": "icon.svg",
            "logo": "icon.svg",
            "features": [
                "navigation.tabs", "navigation.indexes", "navigation.top", "navigation.footer", "content.code.copy",
                "search.highlight", "search.suggest", "toc.follow",
            ],
            "palette": [
                {
                    "media": media,
                    **({"scheme": scheme, "primary": "custom", "accent": "custom"} if scheme else {}),
                    "toggle": {"icon": icon, "name": site.words(following)},
                }
                for media, scheme, icon, following in schemes
            ],
        },
        "plugins": [{"search": {"lang": list(dict.fromkeys(("en", site.language)))}}],
        "extra": {
            "generator": False,
            "alternate": [{"name": name, "link": "./", "lang": code} for code, name in LANGUAGES.items()],
        },
        "extra_css": ["site.css"],
        "extra_javascript": ["site.js"],
        "validation": {
            "nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"},
            "links": dict.fromkeys(("anchors", "not_found", "absolute_links", "unrecognized_links"), "warn"),
        },
        "nav": [
            {
                section[site.language]: [
                    {each[column]: [each[0], *BELOW[each[0]]] if each[0] in BELOW else each[0]}
                    for each in pages
                ]
            }
            for section, pages in NAV
        ],
    }  # fmt: skip


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
