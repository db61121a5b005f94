"""Forks: what if it had been decided otherwise, in a store of its own."""
