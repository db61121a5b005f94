"""What a clause says of its subject: an owner, a measure, a state, a relation, a name, a denial."""

from __future__ import annotations

import re

from app.reading.main_clause import COPULA, NEGATION, main_quantity, remove_spans
from app.reading.quantities import quantities
from app.reading.rule_words import OWNED, OWNER, SINGLE_RELATIONS, STATES
from app.reading.subjects import proper, subject_bag, tidy
from app.words import Modality, Norm, Object

_NEEDS = re.compile(r"\b(?:needs?|requires?|demands?|takes?|wants?)\b", re.I)
_RECOMMEND = re.compile(
    r"^(?:(?:[Ww]e|I)\s+)?(?:[Rr]ecommend|choose|pick|prefer|"
    r"go with)\s+(?:the\s+)?(?P<noun>[a-z][\w-]+)\s+(?P<name>[A-Z][\w-]*)(?P<rest>\s+(?:for|in|on|"
    r"with)\s.+)?$"
)
_ADJECTIVE_TO = re.compile(r"^(?P<adj>[a-z][\w-]+)\s+(?:to|of|about|against|from)\s+(?P<what>.+)$")
_PREFERS = re.compile(r"^(?P<who>.*?)\b(?P<verb>prefers?|likes?|favou?rs?|loves?)\s+(?P<what>.+)$", re.I)
_COMPARED = frozenset({"over", "to", "than", "instead"})
_USE_FOR = re.compile(
    r"^(?:we|i|they)\s+(?:use|run|have|picked|chose|go with)\s++(?P<what>.+?)\s++(?:for|as)\s++(?P<for>.+)$",
    re.I,
)
_INVERTED = re.compile(
    r"^(?P<value>.+?)\s+(?:is|are)\s+(?P<subject>(?:our|the|my)\s+(?:only\s+|main\s+|current\s+)?.+)$"
)
_OBJECT_OF_DIMENSION: dict[str, Object] = {
    "clock": "scheduled",
    "clock12": "scheduled",
    "date": "scheduled",
    "weekday": "scheduled",
    "monthday": "scheduled",
    "period": "scheduled",
}


def owner_norm(clause: str) -> Norm | None:
    m = OWNER.match(clause) or OWNED.match(clause)
    if not m or len(m["who"].split()) > 2 or len(m["what"].split()) > 6:
        return None
    if m.re is OWNER and re.match(r"(?:a|an|on|in|at|every|from|to|away|out|\d)\b", m["what"], re.I):
        return None  # "Bram runs a marathon", "leads to"
    return Norm(tidy(m["what"]) + " owner", object="owned", value=m["who"].strip(" ."), single=True)


def recommendation_norm(clause: str) -> Norm | None:
    m = _RECOMMEND.match(clause)
    if not m:
        return None
    return Norm(
        tidy(f"recommended {m['noun']} {m['rest'] or ''}"), object="used", value=m["name"], single=True
    )


def quantity_norm(clause: str) -> Norm | None:
    q = main_quantity(clause)
    if q is None:
        return None
    rest = remove_spans(clause, (q.start, q.end))
    negated = NEGATION.search(rest)
    modality: Modality = "is"
    if negated:
        rest, modality = remove_spans(rest, negated.span()), "is_not"
    subject = tidy(re.sub(r"\b(?:is|are|at|equals?|=|has|have)\b", " ", rest))
    subject = " ".join(subject.split())
    if not subject_bag(subject):
        return None
    needs = _NEEDS.search(clause) if q.dimension == "count" else None
    if needs and modality == "is":
        subject, modality = tidy(remove_spans(rest, *(s.span() for s in [_NEEDS.search(rest)] if s))), "must"
    state: Object = _OBJECT_OF_DIMENSION.get(q.dimension) or (
        "costs" if q.dimension.startswith("money") else "required" if needs else "equals"
    )
    # A second measure in the same clause makes it uncertain which of the two the sentence is about.
    others = [o for o in quantities(clause) if not o.label and o is not q and o.dimension == q.dimension]
    return Norm(
        subject,
        modality=modality,
        object=state,
        value=clause[q.start : q.end].strip(),
        single=not others,
        sure=not others,
    )


def state_norm(clause: str) -> Norm | None:
    m = COPULA.search(clause)
    if not m:
        return None
    before, after = clause[: m.start()], clause[m.end() :].strip()
    negated = bool(
        re.match(r"(?:not|never|no longer)\b", after, re.I)
        or re.search(r"n['’]t$", clause[m.start() : m.end()].strip())
    )
    after = re.sub(
        r"^(?:not|never|no longer|now|currently|still|already|always|also)\s+", "", after, flags=re.I
    )
    word = re.match(r"[\w-]+(?: (?=on|off|out|down)(?:on|off|out|down))?", after)
    state = STATES.get(word.group().lower().replace(" ", "-")) if word else None
    if state is None or not before.strip():
        return None
    tail = after[word.end() :].strip() if word else ""
    if re.match(r"(?:by|with|using|via|through)\b", tail):
        return None  # "done by hand" tells how, not whether
    if re.match(r"(?:at|on|until|till|since|about|around|from|between)\b", tail) and quantities(tail):
        return None
    return Norm(tidy(f"{before} {tail}"), modality="is_not" if negated else "is", object=state)


def relation_norm(clause: str) -> Norm | None:
    if m := _USE_FOR.match(clause):
        return _named(tidy(m["for"]), m["what"], "used", single=False)
    m = SINGLE_RELATIONS.search(clause)
    if not m or not clause[: m.start()].strip():
        return None
    before, after = clause[: m.start()].strip(), clause[m.end() :].strip()
    if re.search(r"\b(?:to|from|not|n['’]t|never|who|that|which)$", before):
        return None
    before = re.sub(
        r"\s+(?:is|are|gets?|be|being|been|now|currently|still|always|mainly|mostly|also)$",
        "",
        re.sub(r"\s+(?:now|currently|still|always|also)$", "", before),
    )
    verb = m["rel"].split()[0]
    if verb.lower() in ("allergic", "switched"):
        return None
    state: Object = "located" if re.search(r"\b(?:at|in)$", m["rel"]) else "used"
    uses = verb.lower() == "uses"
    return _named(
        tidy(before),
        after,
        state,
        single=not uses and "also" not in clause.lower(),
        verb="" if uses else verb,
    )


def _named(subject: str, complement: str, state: Object, single: bool, verb: str = "") -> Norm | None:
    """A name as value; words after the name belong to the subject."""
    complement = re.sub(r"^(?:the|a|an|our|my)\s+", "", complement.strip())
    parts = complement.split()
    name: list[str] = []
    for i, part in enumerate(parts):
        if proper(part.strip(".,;:'\"`()")) or (
            name and part.lower() in ("de", "van", "von", "der", "of", "la", "le")
        ):
            name.append(part)
        elif name or i >= 2:
            break
        else:
            name = []
            continue
    value = " ".join(name).strip(".,;:'\"`()") if name else " ".join(parts[:3])
    if not value or not subject:
        return None
    # Words before the name describe it ("primary school De Regenboog"); words after it narrow the subject.
    rest = complement.partition(value)[2] if name else " ".join(parts[3:])
    label = f"{subject} {verb}".strip() if verb else subject
    extra = tidy(rest)
    if extra and len(extra.split()) <= 6:
        label = f"{label} {extra}"
    return Norm(
        label, object=state, value=value, single=single and bool(name) and len(name) <= 4, sure=bool(name)
    )


def copula_norm(clause: str) -> Norm | None:
    if (m := _INVERTED.match(clause)) and not re.match(
        r"(?:it|that|this|he|she|they|there|here|what)\b", m["value"], re.I
    ):
        names = m["value"].split()
        if len(names) <= 3 and all(proper(n) for n in names):
            return Norm(tidy(m["subject"]), object="equals", value=m["value"], single=True)
    if m := _PREFERS.match(clause):
        parts = [p for p in m["what"].strip(" .").split() if p.lower() not in ("the", "a", "an")]
        if 1 < len(parts) <= 3 and not _COMPARED.intersection(parts):
            prefers = m["verb"].lower().startswith(("prefer", "favo"))
            return Norm(
                tidy(f"{m['who']} {parts[-1]} preference"),
                "PRESENT" if m["who"] or not m["verb"].endswith("s") else "MISSING",
                object="prefers",
                value=" ".join(parts[:-1]),
                single=prefers,  # one may like red wine and white wine
            )
        return Norm(tidy(f"{m['who']} {' '.join(parts)} preference"), object="prefers", sure=False)
    found = COPULA.search(clause)
    if not found or not clause[: found.start()].strip():
        return None
    before, after = clause[: found.start()].strip(), clause[found.end() :].strip()
    after = re.sub(r"^(?:now|currently|still|already|always|once again|again)\s+", "", after, flags=re.I)
    if re.match(r"(?:not|never|no)\b", after, re.I) or re.search(
        r"\b(?:there|here|what|which|that|who)$", before, re.I
    ):
        return None
    if m := _ADJECTIVE_TO.match(after):  # "allergic to penicillin": the adjective belongs to the subject
        return Norm(tidy(f"{before} {m['adj']}"), object="other", value=m["what"].strip(" ."), sure=False)
    prep = re.match(r"(?:at|in|on|with|by|from|called|named)\s+", after, re.I)
    state: Object = "located" if prep and prep.group().split()[0].lower() in ("at", "in", "on") else "equals"
    complement = re.sub(r"^(?:a|an|the|our|my)\s+", "", after[prep.end() :] if prep else after, flags=re.I)
    parts = [p.strip(".,;:'\"`()“”") for p in complement.split()]
    if not parts:
        return None
    names = [p for p in parts if proper(p)]
    plural = bool(re.search(r"\bare\b", found.group(), re.I))
    atomic = len(parts) <= 4 and len(names) >= max(1, len(parts) - 1)
    value = " ".join(parts[:6])
    indefinite = bool(re.match(r"(?:a|an)\s+[a-z]", after))
    return Norm(
        tidy(before),
        object=state,
        value=value,
        single=(atomic or len(parts) <= 2) and not plural and not indefinite,
        sure=atomic,
    )


def polarity_norm(clause: str) -> Norm | None:
    """What is said or denied as a whole: "has no allergies", "does not run Kubernetes"."""
    m = NEGATION.search(clause)
    if m:
        return Norm(
            tidy(remove_spans(clause, m.span())),
            modality="is_not",
            object="lacks" if "no" in m.group().lower().split() else "other",
        )
    m = COPULA.search(clause) or re.search(r"\b(?:has|have|runs?|uses?|does|do)\b", clause, re.I)
    if m and clause[: m.start()].strip():
        return Norm(
            tidy(remove_spans(clause, m.span())),
            object="has" if m.group().strip().lower() in ("has", "have") else "other",
            sure=False,
        )
    return None
