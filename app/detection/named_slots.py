"""Slots that an entity's frontmatter names, and which lines of the note fill them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.reading.quantities import quantities
from app.reading.subjects import DATE_TITLE, generic, readable, subject_bag, tidy
from app.reading.tokens import bag, stem
from app.words import Claim, Norm


class Naming(NamedTuple):
    """How the slot of an entity type is named."""

    things: tuple[str, ...]
    """The keys of the thing, the narrowest last."""
    field: str = ""
    """The key of the one field that the entity fills; without it, each line names the aspect it speaks of."""
    fixed: str = ""
    """That field, where the type itself says it."""
    rule: bool = False
    """The entity is one rule, which may be said without a subject."""
    words: str = ""
    """What may stand for the field in a line: "the choice is …"."""


NAMINGS: dict[str, Naming] = {
    "project": Naming(("project_id",)),
    "subsystem": Naming(("subsystem_name",)),
    "component": Naming(("subsystem_name", "component_name")),
    "requirement": Naming(("requirement_key",), rule=True, words="requirement limit"),
    "constraint": Naming(("constraint_target",), "constraint_kind", words="constraint limit"),
    "decision": Naming(("decision_target",), "decision_field", words="decision choice chosen selected"),
    "material": Naming(("component_id",), fixed="material", words="choice chosen selected"),
    "parameter": Naming(("parameter_scope",), "parameter_name", words="parameter setting"),
    "analysis_model": Naming(("subsystem_id", "model_name")),
    "result": Naming(("analysis_model_id",), "result_key", words="result outcome"),
    "validation_claim": Naming(("claim_key",), rule=True, words="claim"),
}
"""Artifacts are additive and have none."""
_ANSWERS = bag("value answer current")
_PLAIN = bag("note fact detail summary overview general info specification spec definition data property")
"""Headings under which a note still speaks of its slot."""
_OF_THE_NOTE = bag("owner revision rev version priority reviewer level phase stage confidence")
"""Properties that keep track of an entity rather than describe it."""
_UNIT = r"\s?([^\W\d_][\w/·²³°%]{0,7})"
_LIMIT = bag("limit")
_PRESCRIBED = frozenset({"must", "should"})


@dataclass(frozen=True, slots=True)
class Filled:
    """A line that fills a named slot."""

    slot: tuple[str, ...]
    """Type, project and the fields given."""
    name: str
    """The slot as a subject: "lateral support material"."""
    own: frozenset[str]
    """What the line itself says of what it is about, besides thing and field."""
    rule: bool
    """The line prescribes: it says must, or at most."""
    bare: bool
    """The line is nothing but the value."""
    subject: frozenset[str] = frozenset()
    """The stems of the name, as the vault calls the thing."""

    @property
    def type(self) -> str:
        return self.slot[0]


class _Named(NamedTuple):
    naming: Naming
    slot: tuple[str, ...]
    thing: str
    field: str
    words: frozenset[str]
    """Stems of all that is named."""


def bare_value(claim: Claim, norm: Norm) -> Norm | None:
    """ "At most 4 kg." says of the slot what another note needs a sentence for: a norm with its value."""
    if claim.statement.form not in ("sentence", "bullet") or (norm.value and norm.subject_kind == "PRESENT"):
        return None
    named = _named(claim)
    if named is None or not (named.field or named.naming.rule):
        return None
    name = f"{named.thing} {named.field}".strip()
    if norm.value and norm.single and not _said(claim, norm)[0]:  # "Must be at most 4 kg."
        return replace(norm, subject=name, subject_kind="PRESENT")
    text = claim.statement.text.strip(" .")
    found = quantities(text)
    if len(found) != 1 or found[0].start or found[0].label:
        return None
    value, rest = text[: found[0].end], text[found[0].end :]
    if rest and not re.fullmatch(_UNIT, rest):
        return None
    return Norm(
        f"{name} {rest}".strip(),
        standing=norm.standing,
        object="equals",
        value=value,
        scope=norm.scope,
        single=True,
    )


def filled(claim: Claim, norm: Norm) -> Filled | None:
    """The named slot that a line fills; None where its note names none, or the line speaks of something else:
    a decision may have many things to say besides what it decides."""
    named = _named(claim)
    if named is None or claim.statement.form == "row" or not _at_home(claim, named):
        return None
    naming = named.naming
    said, borrowed = _said(claim, norm)
    unit = _unit(claim, norm)
    own = subject_bag(said) - named.words - bag(naming.words) - _ANSWERS
    aspect = own - {stem(unit)} if unit else own
    if not aspect and (named.field or naming.rule):
        name = f"{named.thing} {named.field} {unit if own else ''}"
    elif named.field or not aspect:
        return None
    else:
        if claim.statement.form == "property" and (naming.rule or own <= _OF_THE_NOTE):
            return None
        if not borrowed and len(aspect) > 1 and not generic(aspect):
            return None  # it names its thing itself
        name = f"{named.thing} {said}"
    bounded = any(q.bound for q in quantities(norm.value or ""))
    rule = bounded or norm.modality in _PRESCRIBED or bool(subject_bag(said) & _LIMIT)
    return Filled(named.slot, " ".join(name.split()), own, rule, bare=norm not in claim.norms)


def _named(claim: Claim) -> _Named | None:
    naming = NAMINGS.get(claim.entity or "")
    if naming is None:
        return None
    properties = dict(claim.properties)
    things = [properties.get(key, "") for key in naming.things]
    if not all(things):
        return None  # the title stands for what is not given, and no other note is called so
    field = naming.fixed or properties.get(naming.field, "")
    fields = [*things, field] if field else things
    slot = (claim.entity or "", (claim.project or "").casefold(), *map(_key, fields))
    return _Named(naming, slot, things[-1], field, bag(" ".join(fields)))


def _key(name: str) -> str:
    return " ".join(sorted(bag(name))) or name.casefold()


def _at_home(claim: Claim, named: _Named) -> bool:
    """Do heading and parent bullet leave the line to the slot? "Bolts" above it is a thing of its own, and a
    date a log."""
    s = claim.statement
    above = bag(" ".join((*s.heading, s.parent or "")))
    known = named.words | bag(f"{claim.note} {readable(claim.note)} {claim.entity} {named.naming.words}")
    return not above - known - _ANSWERS - _PLAIN


def _said(claim: Claim, norm: Norm) -> tuple[str, bool]:
    """The subject without the title that it borrowed, and whether it did."""
    subject, title = norm.subject, readable(claim.note)
    if DATE_TITLE.match(claim.note) or claim.statement.text.casefold().startswith(title.casefold()):
        return subject, False
    for name in (title, tidy(title)):
        if name and f"{subject} ".casefold().startswith(f"{name} ".casefold()):
            return subject[len(name) :].strip(), True
    return subject, False


def _unit(claim: Claim, norm: Norm) -> str:
    """The word behind a number that the rules know no unit for; they leave it to the subject."""
    if not norm.value or not norm.value[-1].isdigit():
        return ""
    found = re.search(re.escape(norm.value) + _UNIT + r"\b", claim.statement.text)
    return found[1] if found else ""
