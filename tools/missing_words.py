"""Fixed words that a shipped language lacks, in which it prints and shows English.

    python tools/missing_words.py

The exit status is 1 if there are any: contributors need not translate, but a release is complete.
"""

from __future__ import annotations

import json
import sys

from platelayer.foundation.languages import named
from platelayer.foundation.resources import asset_path


def missing_words() -> dict[str, list[str]]:
    """Return the names of the words that each language lacks ("cards/phase", "studio/undo"), by the
    language's code; without complete languages."""
    files = sorted(asset_path("languages").glob("*.json"))
    names = {
        path.stem: [
            f"{part}{name}"
            for key, part in (("words", ""), ("studio", "studio/"))
            for name, _ in named(json.loads(path.read_text(encoding="utf-8"))[key])
        ]
        for path in files
    }
    lacking = {
        code: [name for name in names["en"] if name not in own] for code, own in names.items()
    }
    return {code: words for code, words in lacking.items() if words}


def main() -> None:
    """Print them, a line each."""
    missing = missing_words()
    for code, words in missing.items():
        for word in words:
            sys.stdout.write(f"assets/languages/{code}.json lacks {word}\n")
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
