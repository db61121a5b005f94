"""Reading a vault: file events, planning, notes, statements."""
