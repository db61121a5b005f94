"""What ends a command with a message and exit code 2."""

from __future__ import annotations

from app.services.errors import ServiceError


class CommandError(ServiceError):
    """Refused because of how the command was called, or what it was called for."""
