"""What the command line and the workspace both do; it parses no options and prints nothing."""
