"""Detection: who meets whom, what of two readings differs, and whether a person should be shown it."""
