"""Conflicts in words: how people are told what is in doubt."""
