"""The local models: a child process that holds them, what is asked of it, and what is made of its answers."""
