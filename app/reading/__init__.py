"""Statements to frames: what a sentence, bullet, field or row says of what, read by grammar."""
