"""Entry point of the command."""

import gc

# Of 700 objects, as usual, nearly all are modules and definitions, which live to the end: 13 ms
# of a build.
_MADE_BEFORE_A_LOOK = 50_000


def main() -> None:
    """Run the command."""
    gc.set_threshold(_MADE_BEFORE_A_LOOK)
    from platelayer.cli.app import run

    run()


if __name__ == "__main__":
    main()
