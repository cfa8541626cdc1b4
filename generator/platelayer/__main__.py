"""Entry point of the command."""

import gc

from platelayer.foundation.ending import end_clearly, end_without_memory, is_lack_of_memory

_MADE_BEFORE_A_LOOK = 50_000
"""Of 700 objects, as usual, nearly all are modules and definitions, which live to the end: 13 ms of
a build."""


def main() -> None:
    """Run the command. Its modules are imported once it is settled how the process ends."""
    end_clearly()
    gc.set_threshold(_MADE_BEFORE_A_LOOK)
    try:
        from platelayer.cli.app import run
    except Exception as error:
        if is_lack_of_memory(error):
            end_without_memory()
        raise
    run()


if __name__ == "__main__":
    main()
