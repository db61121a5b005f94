"""The main screen in layers, each with one concern; a layer calls only those it is built on.

`base` (state and parts), `asking` (jobs sent to the store), `selecting` (what is selected, tabs, panes),
`telling` (which part of the story), `noting` (the notes themselves), `redacting` (words taken out for good),
`deciding` (answers), `hearing` (what comes back). `app/tui/screens/main.py` puts them together.
"""
