"""Strategies: which member of a conflict to keep. What a person's own resolver needs is named here."""

from app.strategies.api import Contradiction, Member, Resolution, ResolveContext

__all__ = ["Contradiction", "Member", "Resolution", "ResolveContext"]
