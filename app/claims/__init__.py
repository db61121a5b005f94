"""Claims: their ids, the notes they come from, and what became of each when a note changed."""
