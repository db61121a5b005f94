"""The belie command line."""
