"""Claims to findings: candidates, structural compare, judge."""
