"""Start Tableside: `python -m assistant`, and the installed command `tableside`."""

import sys


def main() -> int:
    """Run the command line and return the exit code."""
    from assistant.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
