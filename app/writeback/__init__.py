"""Writing back: marking, striking or replacing a losing statement in its note, shown first and undoable."""
