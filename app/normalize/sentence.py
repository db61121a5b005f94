"""One sentence to at most one norm: modality, ownership, quantities, states, relations, copulas."""

from __future__ import annotations

import re

from app.normalize.changes import aside, progresses, read_change, strip_lead
from app.normalize.lexicon import FAMILIES, OWNED, OWNER, SINGLE_RELATIONS, STATES
from app.normalize.quantities import Quantity, quantities
from app.normalize.scopes import window
from app.normalize.subjects import pronoun, proper, subject_bag, tidy
from app.normalize.tokens import words
from app.normalize.verbs import finite
from app.words import Change, Modality, Norm, Object

# Where the main clause ends: what follows explains, excuses or decorates.
_CLAUSE_END = re.compile(r",\s(?!\d{3}\b)(?!\d{4}\b)|;|\s[–—-]\s|\s\(|\.\s|:\s(?=\D*$)|\s(?:because|so that|which|where|whereas|although|though|but|since (?:it|we|they|he|she|i|the)|as (?:it|we|they|the)|so (?:we|i|it|the|that))\b", re.I)
_LABEL = re.compile(r"^(?:decision|decided|note|nb|n\.b\.|fyi|reminder|remember|important|fact|agreed|answer|a|rule|policy|conclusion|outcome|result|tl;?dr|warning|caution|tip)\s*[:–-]\s+", re.I)

_NOT_ALLOWED = re.compile(r"\b(?:must not|mustn['’]t|must never|may not|shall not|(?:is|are|be) not (?:to be|allowed|permitted|ok(?:ay)?|fine|acceptable)|(?:isn['’]t|aren['’]t) (?:allowed|permitted|ok(?:ay)?|fine)|(?:is|are) (?:forbidden|prohibited|banned|off[- ]limits|a no-go|not an option)|not allowed to|cannot|can['’]t|can not|has to stay out|forbidden|prohibited)\b", re.I)
_NEVER = re.compile(r"^(?:please\s+)?(?:never(?: ever)?|do not|don['’]t|no more)\s+(?=[a-z])", re.I)
_NO_DOING = re.compile(r"^no\s+(?P<what>[\w-]+(?:\s[\w-]+)?)\s+(?P<where>(?:on|in|at|after|before|without|during|for|inside|near|between|past|while|over|by|from|with)\b.+)$", re.I)
_NOBODY = re.compile(r"^(?:nobody|no one|no-one)\s+(?:may\s+|can\s+|is allowed to\s+|should\s+|must\s+)?(?P<what>.+)$", re.I)
_NEED_NOT = re.compile(r"\b(?:do|does|did)(?: not|n['’]t) (?:need|have) to\b|\bneed(?: not|n['’]t)\b", re.I)
_SHOULD_NOT = re.compile(r"\b(?:should(?:n['’]t| not| never)|ought not to|better not|avoid)\b", re.I)
_SHOULD = re.compile(r"\b(?:should(?: always)?|ought to|better)\b", re.I)
_MUST = re.compile(r"\b(?:must(?: always)?|(?:have|has) to|need(?:s)? to|(?:is|are) (?:required|obliged|mandatory|compulsory)(?: to)?)\b", re.I)
_ALWAYS = re.compile(r"^(?:please\s+)?always\s+(?=[a-z])", re.I)
_FINE = re.compile(r"\b(?:is|are|'s|’s)\s+(?:perfectly\s+|totally\s+|always\s+|absolutely\s+)?(?:fine|ok|okay|allowed|permitted|acceptable|welcome|no problem)\b|\b(?:is|are) free to\b", re.I)
_MAY = re.compile(r"\b(?:may|can|could)\b(?! not)(?!['’]t)", re.I)
_NEEDS = re.compile(r"\b(?:needs?|requires?|demands?|takes?|wants?)\b", re.I)
_BE_VALUE = re.compile(r"\b(?:must|should|shall|has to|have to|needs? to|may)\s+(?:always\s+|not\s+)?(?:be|have|last|cost|weigh|stay|reach|contain|use|run|take|get|wait|keep)\b", re.I)

_GRANTS = re.compile(r"^(?:we|i|they)\s+(?:always\s+)?(?P<verb>grant|allow|permit|approve|accept|deny|refuse|reject|forbid|ban|prohibit|disallow|decline)\s+(?P<what>.+)$", re.I)
_RECOMMEND = re.compile(r"^(?:(?:[Ww]e|I)\s+)?(?:[Rr]ecommend|choose|pick|prefer|go with)\s+(?:the\s+)?(?P<noun>[a-z][\w-]+)\s+(?P<name>[A-Z][\w-]*)(?P<rest>\s+(?:for|in|on|with)\s.+)?$")
_NEGATION = re.compile(r"\b(?:is|are|was|were|does|do|did|has|have|will|can)\s+not\b|\b(?:is|are|was|were|does|do|did|has|have|wo)n['’]t\b|\bhas no\b|\bhave no\b|\bthere (?:is|are) no\b|\bwithout\b|\bno\s+(?=\w+s?\b)|\bnone\b|\bnever\b", re.I)
_COPULA = re.compile(r"(?:\b(?:is|are|equals?)\b|(?<=\bit)['’]s\b|(?<=\bthat)['’]s\b|(?<=\s)=(?=\s))\s*", re.I)
_ADJECTIVE_TO = re.compile(r"^(?P<adj>[a-z][\w-]+)\s+(?:to|of|about|against|from)\s+(?P<what>.+)$")
_PREFERS = re.compile(r"^(?P<who>.*?)\b(?P<verb>prefers?|likes?|favou?rs?|loves?)\s+(?P<what>.+)$", re.I)
_USE_FOR = re.compile(r"^(?:we|i|they)\s+(?:use|run|have|picked|chose|go with)\s+(?P<what>.+?)\s+(?:for|as)\s+(?P<for>.+)$", re.I)
_USES = re.compile(r"\b(?:uses?|runs?|using)\b", re.I)
_INVERTED = re.compile(r"^(?P<value>.+?)\s+(?:is|are)\s+(?P<subject>(?:our|the|my)\s+(?:only\s+|main\s+|current\s+)?.+)$")
_ANSWER = re.compile(r"^(?:yes|no|yep|nope|correct|right)[,.]\s+", re.I)
_HEDGED = re.compile(r"\b(?:or|either|between|depending|depends|varies|sometimes|often|usually|mostly|typically|normally)\b", re.I)

_OBJECT_OF_DIMENSION: dict[str, Object] = {"clock": "scheduled", "clock12": "scheduled", "date": "scheduled", "weekday": "scheduled", "monthday": "scheduled", "period": "scheduled"}


def main_clause(text: str) -> str:
    m = _CLAUSE_END.search(text, 8)
    return text[: m.start()] if m else text


def read_sentence(text: str, date: str | None) -> Norm | None:
    """The norm of one sentence, without standing, scope and thing; None when there is nothing to hold."""
    whole = text
    text = _ANSWER.sub("", _LABEL.sub("", strip_lead(text))).strip()
    changed = read_change(text)
    if changed and changed.subject:
        return Norm(tidy(changed.subject), object="equals", value=changed.change.now, change=changed.change, single=True)
    start, end, text = window(text, date)
    clause = main_clause(text).strip(" .!")
    if not clause:
        return None
    pronominal = pronoun(clause)
    norm = _modal(clause) or _verdict(clause) or _recommended(clause) or _owned(clause) or _quantity(clause) or _state(clause) or _relation(clause) or _copula(clause) or _polar(clause)
    if norm is None:
        subject = tidy(clause)
        stems = subject_bag(subject)
        kind = "MISSING" if len(stems) < 2 else "FUZZY" if pronoun(subject) or len(stems) > 8 else "PRESENT"
        return Norm(subject, kind, valid_from=start, valid_until=end, sure=False) if subject else None
    change = norm.change
    if change is None and progresses(whole):
        change = Change(aside(whole), norm.value)
    if not finite(clause):  # a scrap: it may name something, but it asserts nothing
        norm = _with(norm, single=False, sure=False)
        if norm.modality == "is":
            return _with(norm, subject_kind="FUZZY", valid_from=start, valid_until=end)
    kind = "FUZZY" if pronominal or pronoun(norm.subject) or not subject_bag(norm.subject) else norm.subject_kind
    return _with(norm, valid_from=start, valid_until=end, change=change, subject_kind=kind, single=norm.single and not _HEDGED.search(clause))


def _with(norm: Norm, **changes: object) -> Norm:
    from dataclasses import replace

    return replace(norm, **changes)  # type: ignore[arg-type]


def _without(text: str, *spans: tuple[int, int]) -> str:
    for s, e in sorted(spans, reverse=True):
        text = text[:s] + " " + text[e:]
    return " ".join(text.split())


def _measure(clause: str) -> Quantity | None:
    """The quantity a clause is about: the last one that is not part of a name and not its first word's label."""
    found = [q for q in quantities(clause) if not q.label]
    return found[-1] if found else None


def _modal(clause: str) -> Norm | None:
    if m := _NEED_NOT.search(clause):
        return Norm(tidy(_without(clause, m.span())), modality="is_not", object="required", sure=False)
    if (m := _NO_DOING.match(clause)) and not re.search(r"\b(?:is|are|has|have)\b", clause):
        return Norm(tidy(f"{m['what']} {m['where']}"), modality="must_not", object="forbidden")
    if m := _NOBODY.match(clause):
        return Norm(tidy(m["what"]), modality="must_not", object="forbidden", sure=False)
    if m := _NEVER.match(clause):
        return Norm(tidy(clause[m.end() :]), modality="must_not", object="forbidden")
    if m := _ALWAYS.match(clause):
        return Norm(tidy(clause[m.end() :]), modality="must", object="required")
    for pattern, modality, state in (
        (_NOT_ALLOWED, "must_not", "forbidden"), (_SHOULD_NOT, "should_not", "forbidden"), (_FINE, "may", "allowed"),
        (_MUST, "must", "required"), (_SHOULD, "should", "required"), (_MAY, "may", "allowed"),
    ):  # fmt: skip
        found = pattern.search(clause)
        if not found:
            continue
        if modality in ("must", "should") and (chosen := _chosen(clause, modality)):  # type: ignore[arg-type]
            return chosen
        value = _prescribed(clause)
        if value is not None and modality in ("must", "should"):
            subject = tidy(_without(clause, found.span(), (value.start, value.end)))
            subject = re.sub(r"\s+(?:be|have|of)$|\b(?:be|have)\b", " ", subject)
            return Norm(tidy(" ".join(subject.split())), modality=modality, object="required", value=clause[value.start : value.end].strip(), single=True)
        subject = tidy(_without(clause, found.span()))
        subject = re.sub(r"^(?:be|to)\s+|\b(?:be)\b", " ", subject)
        return Norm(tidy(" ".join(subject.split())), modality=modality, object=state)  # type: ignore[arg-type]
    return None


def _chosen(clause: str, modality: Modality) -> Norm | None:
    """"Must use a blue canary": one of a family, so another one cannot be required too."""
    if not _BE_VALUE.search(clause) and not re.search(r"\b(?:must|should)\s+(?:always\s+)?(?:use|have|be|wear|take)\b", clause, re.I):
        return None
    for word in words(clause):
        if any(word.lower() in family for family in FAMILIES):
            rest = re.sub(r"\b(?:must|should|has to|have to|needs? to)\s+(?:always\s+)?(?:be\s+|use\s+|have\s+)?", " ", clause.replace(word, " ", 1), flags=re.I)
            return Norm(tidy(" ".join(rest.split())), modality=modality, object="required", value=word, single=True)
    return None


def _verdict(clause: str) -> Norm | None:
    """"We grant contractors access": permission and refusal as verbs."""
    m = _GRANTS.match(clause)
    if not m:
        return None
    positive = m["verb"].lower().rstrip("s") not in ("deny", "denie", "refuse", "reject", "forbid", "ban", "prohibit", "disallow", "decline")
    return Norm(tidy(m["what"]), modality="may" if positive else "must_not", object="allowed" if positive else "forbidden")


def _recommended(clause: str) -> Norm | None:
    m = _RECOMMEND.match(clause)
    if not m:
        return None
    return Norm(tidy(f"recommended {m['noun']} {m['rest'] or ''}"), object="used", value=m["name"], single=True)


def _prescribed(clause: str) -> Quantity | None:
    """The value in "should be 2.3 bar"; not the condition in "never after 16:00"."""
    return _measure(clause) if _BE_VALUE.search(clause) else None


def _owned(clause: str) -> Norm | None:
    m = OWNER.match(clause) or OWNED.match(clause)
    if not m or len(m["who"].split()) > 2 or len(m["what"].split()) > 6:
        return None
    if m.re is OWNER and re.match(r"(?:a|an|on|in|at|every|from|to|away|out|\d)\b", m["what"], re.I):
        return None  # "Bram runs a marathon", "leads to"
    return Norm(tidy(m["what"]) + " owner", object="owned", value=m["who"].strip(" ."), single=True)


def _quantity(clause: str) -> Norm | None:
    q = _measure(clause)
    if q is None:
        return None
    rest = _without(clause, (q.start, q.end))
    negated = _NEGATION.search(rest)
    modality: Modality = "is"
    if negated:
        rest, modality = _without(rest, negated.span()), "is_not"
    subject = tidy(re.sub(r"\b(?:is|are|at|equals?|=|has|have)\b", " ", rest))
    subject = " ".join(subject.split())
    if not subject_bag(subject):
        return None
    needs = _NEEDS.search(clause) if q.dimension == "count" else None
    if needs and modality == "is":
        subject, modality = tidy(_without(rest, *(s.span() for s in [_NEEDS.search(rest)] if s))), "must"
    state: Object = _OBJECT_OF_DIMENSION.get(q.dimension) or ("costs" if q.dimension.startswith("money") else "required" if needs else "equals")
    # A second measure in the same clause makes it uncertain which of the two the sentence is about.
    others = [o for o in quantities(clause) if not o.label and o is not q and o.dimension == q.dimension]
    return Norm(subject, modality=modality, object=state, value=clause[q.start : q.end].strip(), single=not others, sure=not others)


def _state(clause: str) -> Norm | None:
    m = _COPULA.search(clause)
    if not m:
        return None
    before, after = clause[: m.start()], clause[m.end() :].strip()
    negated = bool(re.match(r"(?:not|never|no longer)\b", after, re.I) or re.search(r"n['’]t$", clause[m.start() : m.end()].strip()))
    after = re.sub(r"^(?:not|never|no longer|now|currently|still|already|always|also)\s+", "", after, flags=re.I)
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


def _relation(clause: str) -> Norm | None:
    if m := _USE_FOR.match(clause):
        return _named(tidy(m["for"]), m["what"], "used", single=False)
    m = SINGLE_RELATIONS.search(clause)
    if not m or not clause[: m.start()].strip():
        return None
    before, after = clause[: m.start()].strip(), clause[m.end() :].strip()
    if re.search(r"\b(?:to|from|not|n['’]t|never|who|that|which)$", before):
        return None
    before = re.sub(r"\s+(?:is|are|gets?|be|being|been|now|currently|still|always|mainly|mostly|also)$", "", re.sub(r"\s+(?:now|currently|still|always|also)$", "", before))
    verb = m["rel"].split()[0]
    if verb.lower() in ("allergic", "switched"):
        return None
    state: Object = "located" if re.search(r"\b(?:at|in)$", m["rel"]) else "used"
    uses = verb.lower() == "uses"
    return _named(tidy(before), after, state, single=not uses and "also" not in clause.lower(), verb="" if uses else verb)


def _named(subject: str, complement: str, state: Object, single: bool, verb: str = "") -> Norm | None:
    """A name as value; words after the name belong to the subject."""
    complement = re.sub(r"^(?:the|a|an|our|my)\s+", "", complement.strip())
    parts = complement.split()
    name: list[str] = []
    for i, part in enumerate(parts):
        if proper(part.strip(".,;:'\"`()")) or (name and part.lower() in ("de", "van", "von", "der", "of", "la", "le")):
            name.append(part)
        elif name:
            break
        elif i >= 2:
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
    return Norm(label, object=state, value=value, single=single and bool(name) and len(name) <= 4, sure=bool(name))


def _copula(clause: str) -> Norm | None:
    if (m := _INVERTED.match(clause)) and not re.match(r"(?:it|that|this|he|she|they|there|here|what)\b", m["value"], re.I):
        names = m["value"].split()
        if len(names) <= 3 and all(proper(n) for n in names):
            return Norm(tidy(m["subject"]), object="equals", value=m["value"], single=True)
    if m := _PREFERS.match(clause):
        parts = [p for p in m["what"].strip(" .").split() if p.lower() not in ("the", "a", "an")]
        if 1 < len(parts) <= 3:
            return Norm(tidy(f"{m['who']} {parts[-1]} preference"), object="prefers", value=" ".join(parts[:-1]), single=True)
        return Norm(tidy(f"{m['who']} {' '.join(parts)} preference"), object="prefers", sure=False)
    found = _COPULA.search(clause)
    if not found or not clause[: found.start()].strip():
        return None
    before, after = clause[: found.start()].strip(), clause[found.end() :].strip()
    if re.match(r"(?:not|never|no)\b", after, re.I) or re.search(r"\b(?:there|here|what|which|that|who)$", before, re.I):
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
    return Norm(tidy(before), object=state, value=value, single=(atomic or len(parts) <= 2) and not plural and not indefinite, sure=atomic)


def _polar(clause: str) -> Norm | None:
    """What is said or denied as a whole: "has no allergies", "does not run Kubernetes"."""
    m = _NEGATION.search(clause)
    if m:
        return Norm(tidy(_without(clause, m.span())), modality="is_not", object="lacks" if "no" in m.group().lower().split() else "other")
    m = _COPULA.search(clause) or re.search(r"\b(?:has|have|runs?|uses?|does|do)\b", clause, re.I)
    if m and clause[: m.start()].strip():
        return Norm(tidy(_without(clause, m.span())), object="has" if m.group().strip().lower() in ("has", "have") else "other", sure=False)
    return None
