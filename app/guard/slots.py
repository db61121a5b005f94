"""The slot a claim fills: per entity type for entity notes, by subject for the rest."""

from __future__ import annotations

from app.guard.entry import Entry
from app.normalize.quantities import quantities
from app.normalize.tokens import bag
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
    aspect = _dimension(entry)
    subject = tuple(sorted(entry.subject))
    fields = ENTITY_SLOTS.get(claim.entity or "")
    if fields is None:
        return Slot("memory_slot", entry.norm.subject, ("memory", project, *subject, aspect), project)
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
        (claim.entity or "", project, *(n.casefold() for n in named), *rest, aspect),
        project,
    )


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
