"""The command line: ``maxmargin cluster data.csv -k 3 -o labels.csv``."""

import os
import sys
import warnings


def main() -> None:
    """Run the command ``maxmargin``; what it needs is imported only now."""
    try:
        _prepare_streams()
        if not sys.warnoptions:  # warnings are for programmers; the command tells what matters
            warnings.simplefilter("ignore")
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


def _prepare_streams() -> None:
    """Let printing never fail: streams may be closed, or lack a character such as "−"."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
