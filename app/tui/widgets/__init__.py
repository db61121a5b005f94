"""The panes and lines the workspace is made of."""
