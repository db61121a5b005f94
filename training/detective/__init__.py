"""Tuning the language model to read threads."""
