"""Runs over a vault: index it, compare what changed, let models read, in a worker process."""
