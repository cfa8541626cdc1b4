"""Entry point of the command."""

import gc

# Number of new objects after which the garbage collector searches for cycles. The objects of a build
# are modules, definitions and pictures, which live to the end; searching them takes a tenth of its
# time.
_MADE_BEFORE_A_LOOK = 1_000_000


def main() -> None:
    """Run the command."""
    gc.set_threshold(_MADE_BEFORE_A_LOOK)
    from platelayer.cli.app import run

    run()


if __name__ == "__main__":
    main()
