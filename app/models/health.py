"""How the models stand: what is loaded, who is to blame for a death, when one is given up, what mends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.models import files, jobs
from app.models.additions import install_command
from app.models.process import Gone
from app.models.requests import COMPONENTS, Component, Failed, Part, State, Why
from app.models.setup import Setup

LOAD_CRASHES = 3
SET_ASIDE_IN_A_ROW = 2
"""After so many it is asked whether the model answers anything at all."""
_LONGEST_WAIT = 10.0
_LONGEST_AFTER_KILL = 2.0
"""Whoever kills it need not mean the next one."""

_REPAIR: dict[Component, str] = {
    "embedder": "install Belie again, or name a folder with an embedding model: belie models use FOLDER",
    "judge": "install Belie again, or name a folder with a judge: belie models use FOLDER",
}


def repair(component: Component, why: Why, *, own: bool = False, limited: bool = True) -> str:
    """`own`: the person named the model. `limited`: it may only use so much memory."""
    if why == "memory":
        more = ", or allow the models more memory (memory_mb, see docs/configuration.md)" if limited else ""
        return f"close other programs{more}"
    if own and why != "crashed":
        return "name another one with belie models use, or go back to what ships: belie models use embedded"
    if component == "llama":
        return f"install llama.cpp, built for this machine, and its model: {install_command('llama')}"
    return _REPAIR[component]


def own_parts(setup: Setup) -> frozenset[Component]:
    """Which models the person named."""
    named: dict[Component, str | None] = {
        "embedder": setup.embedder,
        "judge": setup.judge,
        "llama": setup.llama or setup.lora,
    }
    return frozenset(name for name, file in named.items() if file)


def _why(gone: Gone) -> Why:
    return "memory" if gone.starved else "crashed"


def first_look(setup: Setup) -> dict[Component, Part]:
    """What is there before anything is loaded; only file names are looked at."""
    there: dict[Component, bool] = {
        "embedder": files.embedder_folder(setup) is not None,
        "judge": files.has_judge(setup),
        "llama": files.llama_file(setup) is not None,
    }
    what: dict[Component, str] = {
        "embedder": "no embedding model is installed",
        "judge": files.JudgeFiles.within(files.WEIGHTS).lacks,
        "llama": "no llama.cpp model is installed",
    }
    return {
        name: Part("idle") if there[name] else Part("absent", "", what[name], repair(name, "absent"))
        for name in COMPONENTS
    }


@dataclass(slots=True)
class Health:
    """Kept by the host under its lock."""

    parts: dict[Component, Part]
    own: frozenset[Component] = frozenset()
    """Those the person named."""
    limited: bool = True
    """They may only use so much memory."""
    loaded: set[Component] = field(default_factory=set)
    deaths: int = 0
    deaths_in_a_row: int = 0
    set_aside: int = 0
    last_error: str = ""
    _starved: set[Component] = field(default_factory=set)
    """Those that failed for want of memory, which may pass."""
    _load_crashes: Counter[Component] = field(default_factory=Counter)
    _load_kills: Counter[Component] = field(default_factory=Counter)
    _set_aside_in_a_row: Counter[Component] = field(default_factory=Counter)
    _killed: bool = False
    """The last death came from outside."""

    def loading(self, component: Component) -> None:
        # One that worked before the process died is still what works: the status line must not flicker.
        if self.parts[component].state != "ready":
            self.parts[component] = Part("loading", self.parts[component].name)

    def load_succeeded(self, component: Component, name: str, note: str) -> None:
        self.loaded.add(component)
        mends = repair(component, "broken", own=True) if note.startswith(files.OWN_UNUSABLE) else ""
        self.parts[component] = Part("ready", name, note, mends)
        self._load_crashes[component] = self._load_kills[component] = 0

    def load_failed(self, component: Component, why: Why, reason: str) -> None:
        state: State = "absent" if why == "absent" else "failed"
        mends = repair(component, why, own=component in self.own, limited=self.limited)
        self.parts[component] = Part(state, "", reason, mends)
        (self._starved.add if why == "memory" else self._starved.discard)(component)
        if why != "absent":
            self.last_error = f"{component}: {reason}"

    def failure(self, component: Component) -> Failed:
        """What whoever asks a model that cannot be had is told. Never that it lies with the request."""
        part = self.parts[component]
        broken: Why = "memory" if component in self._starved else "broken"
        return Failed("absent" if part.state == "absent" else broken, part.reason)

    def worked(self, component: Component) -> None:
        self.deaths_in_a_row = 0
        self._set_aside_in_a_row[component] = 0

    def died(self, gone: Gone, component: Component) -> None:
        self.loaded.clear()
        self.deaths += 1
        self.deaths_in_a_row += 1
        self._killed = gone.outside
        self.last_error = f"{component}: {gone.how}"

    def died_loading(self, gone: Gone, component: Component) -> bool:
        """True when the model is given up."""
        if gone.outside:
            self._load_kills[component] += 1
        else:
            self._load_crashes[component] += 1
        if self._load_crashes[component] < LOAD_CRASHES and self._load_kills[component] < jobs.KILLS:
            return False
        self._load_crashes[component] = self._load_kills[component] = 0
        self.load_failed(component, _why(gone), f"it cannot be loaded: {gone.how}")
        return True

    def put_aside(self, component: Component) -> bool:
        """A request was set aside. True when its model is to be probed: it may fail whatever it is asked."""
        self.set_aside += 1
        self._set_aside_in_a_row[component] += 1
        return self._set_aside_in_a_row[component] >= SET_ASIDE_IN_A_ROW

    def give_up(self, gone: Gone, component: Component) -> None:
        """It died of a probe too."""
        self.load_failed(component, _why(gone), f"it ends the model process at every request: {gone.how}")

    def wait(self) -> float:
        """Seconds before the process is started again: none after the first death, then longer and longer."""
        if self.deaths_in_a_row < 2:
            return 0.0
        longest = min(_LONGEST_WAIT, _LONGEST_AFTER_KILL) if self._killed else _LONGEST_WAIT
        return float(min(longest, 0.1 * 2 ** min(self.deaths_in_a_row - 2, 10)))

    def may_mend(self, there: Mapping[Component, Part]) -> bool:
        """Could a new start help: after a failure, for one of the person's own that another stands in for, or
        for one that is there by now?"""
        return any(
            part.state == "failed"
            or (part.state == "ready" and part.repair != "")
            or (part.state == "absent" and there[name].state != "absent")
            for name, part in self.parts.items()
        )

    def forgive(self, parts: Mapping[Component, Part]) -> None:
        """Begin anew: what was given up may be tried again."""
        self.parts = dict(parts)
        self.loaded.clear()
        self.deaths_in_a_row = 0
        self._starved.clear()
        self._load_crashes.clear()
        self._load_kills.clear()
        self._set_aside_in_a_row.clear()
