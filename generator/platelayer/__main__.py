"""Where the command begins."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command. Its modules are read within, so that Ctrl-C in the first moments ends in a line too."""
    try:
        from platelayer.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("platelayer: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
