"""The Textual workspace."""
