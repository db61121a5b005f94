"""Training the judge: a cross-encoder for pairs of note statements."""
