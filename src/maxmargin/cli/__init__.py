"""The command line: ``maxmargin cluster data.csv -k 3 -o labels.csv``."""

import sys


def main() -> None:
    """Run the command ``maxmargin``; what it needs is imported only now."""
    try:
        from maxmargin.cli.main import run

        sys.exit(run(sys.argv[1:]))
    except ImportError as error:
        if error.name not in ("click", "rich"):
            raise
        needed = f'maxmargin: the command line needs {error.name}: pip install "maxmargin[cli]".'
        print(needed, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:  # before the command itself could answer
        sys.exit(130)
