"""What ends a command with a message and exit code 2."""

from __future__ import annotations


class CommandError(Exception):
    """A clear sentence for the person; no trace."""
