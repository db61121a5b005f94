"""What is refused, said so that either face can show it."""

from __future__ import annotations


class ServiceError(Exception):
    """A clear sentence for the person; no trace."""
