"""Scripts that make the weights Belie ships; none of it runs in the app."""
