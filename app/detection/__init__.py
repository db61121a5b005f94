"""From claims to findings: who meets whom, what differs, what speaks against it, and the decision."""
