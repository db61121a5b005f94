"""The story read oldest first: arcs over threads."""
