"""Belie reads a Markdown vault as a story and shows where it contradicts itself."""

__version__ = "0.1.0"
