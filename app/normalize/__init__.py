"""Statements to norms, by rules."""
