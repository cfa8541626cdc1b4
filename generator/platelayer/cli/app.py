"""The `platelayer` command."""
def main() -> None:
    """Run."""
