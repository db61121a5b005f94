"""Every command, the module that has it, and what it is for: read by help, completion and the man page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    module: str
    """In this folder. Only the module that is asked for is loaded, so that the workspace starts quickly."""
    summary: str


GROUPS: dict[str, tuple[Command, ...]] = {
    "Look": (
        Command("check", "check", "read the whole vault and report its open conflicts"),
        Command("conflicts", "conflicts", "list conflicts; show one, settle it, put it off"),
        Command("claim", "claim", "show one claim: how it is read, its conflicts, its history"),
        Command("story", "story", "list the claims, oldest first"),
        Command("mirror", "mirror", "write pages of what the notes currently say"),
        Command("health", "health", "count notes, claims and conflicts"),
        Command("doctor", "doctor", "show what is ignored, broken or missing"),
        Command("repair", "repair", "rebuild a damaged or lost store"),
    ),
    "Settle": (
        Command("undo", "undo", "take back a decision"),
        Command("strategies", "strategies", "show what your strategies would keep, or let them decide"),
        Command("trust", "trust", "show what your decisions taught about your sources"),
        Command("fork", "fork", "try out decisions in a copy of the store"),
        Command("writeback", "writeback", "write a decision into the notes that lost"),
        Command("redact", "redact", "remove the text of a claim for good"),
    ),
    "Capture": (
        Command("remember", "capture", "store a statement of your own, compared with your notes first"),
        Command("learn", "capture", "store what somebody else says, with its source; compared first"),
        Command("ingest", "capture", "store a reference fact; not compared, replaces the fact before"),
        Command("supersede", "capture", "store a statement in place of a claim"),
    ),
    "Maintain": (
        Command("promote", "promote", "make the claims of a draft count"),
        Command("sweep", "sweep", "compare every claim anew"),
        Command("export", "export", "write everything held as JSON lines, or all conflicts as CSV"),
        Command("import", "export", "fill an empty store from an export"),
        Command("models", "models", "list the models; use, pull or remove one"),
    ),
    "Try out": (
        Command("judge", "judge", "compare two statements"),
        Command("normalize", "normalize", "show how a statement is read"),
    ),
    "Shell": (
        Command("help", "help", "show this page, or the help of a command"),
        Command("completion", "completion", "print the completion script of bash, zsh or fish"),
    ),
}
COMMANDS = {command.name: command for group in GROUPS.values() for command in group}

OTHER_WORDS = {
    "add": "remember", "note": "remember", "capture": "remember", "save": "remember",
    "list": "conflicts", "ls": "conflicts", "queue": "conflicts", "show": "conflicts show",
    "resolve": "conflicts resolve", "settle": "conflicts resolve", "keep": "conflicts resolve",
    "dismiss": "conflicts dismiss", "ignore": "conflicts dismiss", "snooze": "conflicts snooze",
    "later": "conflicts snooze", "reopen": "conflicts reopen", "history": "claim", "log": "story",
    "timeline": "story", "status": "health", "stats": "health", "scan": "check", "lint": "check",
    "index": "check", "run": "check", "compare": "judge", "diff": "judge", "parse": "normalize",
    "forget": "redact", "delete": "redact", "replace": "supersede", "backup": "export", "restore": "import",
    "fix": "repair", "model": "models", "pull": "models pull", "revert": "undo", "version": "--version",
    "demo": "--demo", "man": "help", "completions": "completion",
}  # fmt: skip
"""What people type for a command that is called otherwise."""
