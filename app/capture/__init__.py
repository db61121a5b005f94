"""Guarded capture: a statement typed by the person is judged, written to their inbox, and read from there."""
