"""What the installed command runs. Nothing is imported here that `belie --version` has no use for."""

import sys

from app import __version__


def entry() -> None:
    if sys.argv[1:] == ["--version"]:
        print(f"belie {__version__}")
        return
    from app.cli.main import entry

    entry()
