"""Entry point of the command."""

from platelayer.foundation.ending import end_clearly, end_without_memory, is_lack_of_memory


def main() -> None:
    """Run the command. Its modules are imported once it is settled how the process ends."""
    end_clearly()
    try:
        from platelayer.cli.app import run
    except Exception as error:
        if is_lack_of_memory(error):
            end_without_memory()
        raise
    run()


if __name__ == "__main__":
    main()
