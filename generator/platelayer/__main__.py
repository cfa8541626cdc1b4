"""Entry point of the command."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command. Its modules are imported inside, so that even an early Ctrl-C ends with one line."""
    try:
        from platelayer.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("platelayer: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
