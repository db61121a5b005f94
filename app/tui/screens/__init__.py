"""The screens of the workspace."""
