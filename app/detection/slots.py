"""The slot a claim fills: per entity type for entity notes, by subject for the rest, with where and when."""

from __future__ import annotations

from collections.abc import Iterator

from app.detection.norm_entry import Entry, entries
from app.reading.quantities import quantities
from app.reading.scopes import scope
from app.reading.tokens import bag
from app.words import Claim, Slot

# The slot fields per entity type; the first that is the note itself falls back to its title,
# the last to the aspect the claim speaks of. Artifacts are additive and have none.
ENTITY_SLOTS: dict[str, tuple[str, ...]] = {
    "project": ("project_id",),
    "subsystem": ("subsystem_name",),
    "component": ("subsystem_name", "component_name"),
    "requirement": ("requirement_key",),
    "constraint": ("constraint_target", "constraint_kind"),
    "decision": ("decision_target", "decision_field"),
    "material": ("component_id",),
    "parameter": ("parameter_scope", "parameter_name"),
    "analysis_model": ("subsystem_id", "model_name"),
    "result": ("analysis_model_id", "result_key"),
    "validation_claim": ("claim_key",),
}


def slot_of(entry: Entry) -> Slot:
    claim, project = entry.claim, entry.claim.project or ""
    aspect = (_dimension(entry), *_where_and_when(entry))
    subject = tuple(sorted(entry.subject))
    fields = ENTITY_SLOTS.get(claim.entity or "")
    if fields is None:
        return Slot("memory_slot", entry.norm.subject, ("memory", project, *subject, *aspect), project)
    properties = dict(claim.properties)
    named = [properties.get(field, "") for field in fields]
    if not named[0]:
        named[0] = claim.note
    rest = (
        tuple(sorted(entry.subject - bag(claim.note) - frozenset(s for a in claim.aliases for s in bag(a))))
        or subject
    )
    return Slot(
        "entity_slot",
        entry.norm.subject,
        (claim.entity or "", project, *(n.casefold() for n in named), *rest, *aspect),
        project,
    )


def slot_keys(claim: Claim) -> set[tuple[str, ...]]:
    """The keys of all slots that a claim fills."""
    return {slot_of(entry).key for entry in entries(claim)}


def one_named_slot(a: Entry, b: Entry) -> bool:
    """Both are entities of one type whose notes name every field of their slot, and name the same."""
    fields = ENTITY_SLOTS.get(a.claim.entity or "")
    if fields is None or a.claim.entity != b.claim.entity:
        return False
    left, right = ([dict(e.claim.properties).get(field, "").casefold() for field in fields] for e in (a, b))
    return all(left) and left == right


def scope_of(entry: Entry) -> dict[str, str]:
    """Where a claim holds; the project has a place of its own in the key."""
    value = entry.norm.value or ""
    return {k: name for k, name in entry.norm.scope if k != "project" and not _is_value(k, name, value)}


def _is_value(key: str, name: str, value: str) -> bool:
    """The scope word is the value itself ("the office is in Gent"), so it cannot separate two claims."""
    if key == "version":  # a number stands in many values: "20 seconds" is not about version 2
        return name == value.lower() or (key, name) in scope(value, None)
    return name in value.lower()


def _where_and_when(entry: Entry) -> Iterator[str]:
    """What holds until March and what holds from April are two answers, so two slots."""
    yield from (f"{key}={name}" for key, name in sorted(scope_of(entry).items()))
    if entry.norm.valid_from:
        yield f"from={entry.norm.valid_from}"
    if entry.norm.valid_until:
        yield f"until={entry.norm.valid_until}"


def _dimension(entry: Entry) -> str:
    """What kind of answer fills the slot, so that "how long" and "may one" stay two slots."""
    norm = entry.norm
    if norm.modality.startswith(("must", "may", "should")) and norm.value is None:
        return "rule"
    if norm.value is not None:
        found = quantities(norm.value)
        if not found or found[-1].label or found[-1].dimension == "count":
            return "value"  # a code may or may not look like a number
        return found[-1].dimension.split("/")[0].replace("clock12", "clock")
    return "state"


def conflict_slot(members: list[Claim], entry_of_oldest: Entry) -> Slot:
    """Members in different slots: the older claim's slot; of different layers: a cross-layer slot."""
    slot = slot_of(entry_of_oldest)
    if len({m.layer for m in members}) > 1:
        return Slot("cross_layer", slot.subject, slot.key, slot.project)
    return slot
