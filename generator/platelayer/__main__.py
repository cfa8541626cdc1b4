"""`python -m platelayer` runs the command."""

from platelayer.cli.app import main

if __name__ == "__main__":
    main()
