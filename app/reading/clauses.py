"""From a parse to frames: clauses with the roles of their words, their polarity, demand and conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.reading.clause_standing import standing_of, tense_of
from app.reading.frame import Demand, Frame, Word, WordSort
from app.reading.parser import Parse, Token

_SORTS: dict[str, WordSort] = {
    "PROPN": "name",
    "NOUN": "noun",
    "VERB": "verb",
    "ADJ": "adjective",
    "ADV": "adverb",
    "NUM": "amount",
    "X": "noun",
    "SYM": "noun",
}
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_PASSIVE_SUBJECTS = frozenset({"nsubjpass", "csubjpass"})
_OBJECTS = frozenset({"dobj", "obj", "dative", "iobj"})
_COMPLEMENTS = frozenset({"attr", "acomp", "oprd"})
_COMPLETING = _SUBJECTS | _PASSIVE_SUBJECTS | _OBJECTS | {"prep", "attr", "acomp"}
_OWN_CLAUSE = frozenset({"ROOT", "conj", "ccomp", "parataxis", "advcl", "relcl"})
_NEGATIONS = frozenset(
    {"not", "n't", "n’t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere"}
)
_CONDITIONS = frozenset({"if", "when", "whenever", "while", "unless", "once", "until"})
_EXCEPTIONS = frozenset({"except", "unless", "besides", "apart"})
_QUANTIFIERS = {
    "all": "all", "every": "all", "each": "all", "always": "all", "everyone": "all", "everybody": "all",
    "everything": "all", "both": "all", "entire": "all", "only": "only", "just": "only", "solely": "only",
    "exclusively": "only", "some": "some", "several": "some", "few": "some", "sometimes": "some",
    "mostly": "some", "most": "some", "usually": "some", "also": "also", "too": "also", "another": "also",
    "additional": "also", "extra": "also",
}  # fmt: skip
_IMPERATIVE_WITHIN = 4
_MOST_WORDS = 40
"""Words of a clause that are compared, so that comparing takes bounded time."""
_EMPTY_VERBS = frozenset({"be", "have", "do", "get", "'s", "’s"})
_MUST = frozenset({"must", "shall"})
_SHOULD = frozenset({"should", "ought"})
_AUXILIARIES = {word: word for word in ("must", "shall", "may", "can", "should", "ought")} | {
    "need": "have to"
}
_DEMANDING = {"required": "must", "mandatory": "must", "compulsory": "must", "obligatory": "must"}
_PERMITTING = frozenset(
    {"allow", "permit", "okay", "ok", "fine", "permissible", "permitted", "allowed", "welcome", "acceptable"}
)
_FORBIDDING = frozenset(
    {"forbid", "forbidden", "prohibit", "prohibited", "ban", "banned", "disallow", "taboo"}
)
_FREEING = frozenset({"optional", "voluntary", "unnecessary"})
_LIGHT = frozenset(
    """
    the a an this that these those it its he she they we i you my our your his her their one ones there here
    who which what where how why so very really quite still just then now today currently already again always
    never too about approximately roughly per etc e.g. i.e. please via me us them him
    """.split()
)


def frames_of(parse: Parse, offset: int = 0) -> tuple[Frame, ...]:
    """The frames of a text that begins at `offset` of its statement; -1 if it is not part of it."""
    if not parse:
        return ()
    owner = _clause_heads(parse)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place, head in enumerate(owner):
        members[head].append(place)
    made: dict[int, Frame] = {}
    for head, places in members.items():
        if not _subordinate(parse, head):
            frame = _frame(parse, head, places, members, offset)
            made[head] = _carried_on(parse, head, frame, made)
    return tuple(frame for frame in made.values() if frame.words or frame.demand or frame.negated)


def _carried_on(parse: Parse, head: int, frame: Frame, made: Mapping[int, Frame]) -> Frame:
    """A second verb without a subject takes that of the first: "Ada is nine and wants a dog"."""
    first = made.get(parse[head].head)
    if parse[head].dep != "conj" or frame.has_subject or first is None:
        return frame
    joins = {t.lemma for t in parse if t.head == parse[head].head and t.dep == "cc"}
    who = "object" if first.passive else "subject"
    subject = tuple(word for word in first.words if word.role in (who, "owner"))
    return replace(
        frame,
        words=(*subject, *frame.words),
        has_subject=first.has_subject,
        demand=frame.demand or ("" if "but" in joins else first.demand),
        negated=frame.negated != (first.negated and bool(joins & {"or", "nor"})),
    )


def _clause_heads(parse: Parse) -> list[int]:
    """For each token, the head of its clause."""
    heads: list[int] = []
    own = [_heads_clause(parse, place) for place in range(len(parse))]
    for place in range(len(parse)):
        at, steps = place, 0
        while not own[at] and steps < len(parse):
            at, steps = parse[at].head, steps + 1
        heads.append(at)
    return heads


def _heads_clause(parse: Parse, place: int) -> bool:
    token = parse[place]
    if token.dep == "ROOT" or token.head == place:
        return True
    verbal = token.pos in ("VERB", "AUX")
    if token.dep == "conj":
        return verbal and any(t.head == place and t.dep in _COMPLETING for t in parse)
    return verbal and token.dep in _OWN_CLAUSE


def _subordinate(parse: Parse, head: int) -> bool:
    """A condition or reason belongs to the clause it depends on."""
    return parse[head].dep in ("advcl", "relcl") and parse[head].head != head


def _marks(parse: Parse, head: int, places: Sequence[int]) -> set[str]:
    return {parse[p].lemma for p in places if parse[p].head == head and parse[p].dep in ("mark", "advmod")}


def _frame(
    parse: Parse, head: int, places: Sequence[int], members: dict[int, list[int]], offset: int
) -> Frame:
    passive = any(parse[p].dep in ("nsubjpass", "auxpass") and parse[p].head == head for p in places)
    negations, quantifiers, demand_words, words = 0, set(), [], []
    condition: set[str] = set()
    exception: set[str] = set()
    for other, inside in members.items():
        if _subordinate(parse, other) and _governs(parse, head, other):
            marks = _marks(parse, other, inside)
            content = {parse[p].lemma for p in inside if parse[p].pos in _SORTS}
            if marks & _CONDITIONS:
                (exception if "unless" in marks else condition).update(content)
    has_subject = False
    contrasted = _contrasted(parse)
    for p in places:
        if p in contrasted:
            continue
        token = parse[p]
        lemma = token.lemma
        if token.dep in _SUBJECTS | _PASSIVE_SUBJECTS and token.head == head:
            has_subject = True
        if _negates(parse, p):
            negations += 1
            continue
        if lemma in _EXCEPTIONS and token.pos in ("SCONJ", "ADP", "VERB", "ADV"):
            exception.update(_below(parse, p))
        if lemma in _QUANTIFIERS and not (lemma in ("too", "most") and _qualifies(parse, p)):
            quantifiers.add(_QUANTIFIERS[lemma])
            continue
        if token.pos == "AUX" and lemma in _AUXILIARIES:
            demand_words.append(_AUXILIARIES[lemma])
            continue
        low = token.text.lower()
        if _says_demand(token) and (
            low in _DEMANDING
            or low in _FREEING
            or lemma in _PERMITTING
            or lemma in _FORBIDDING
            or low in _FORBIDDING
        ):
            demand_words.append(low if low in _DEMANDING or low in _FREEING else lemma)
            continue
        if lemma in ("have", "need") and any(
            t.head == p and t.dep == "xcomp" and any(x.head == q and x.lemma == "to" for x in parse)
            for q, t in enumerate(parse)
        ):
            demand_words.append("have to")
            continue
        if (made := _word(parse, p, head, passive, offset)) is not None:
            words.append(made)
    if (
        not demand_words
        and not has_subject
        and _imperative(parse, head)
        and (negations or "all" in quantifiers)
    ):
        demand_words.append("must")
    demand, left = _demand(demand_words, negations)
    verb = _verb(parse, head, bool(demand_words))
    return Frame(
        tuple(words[:_MOST_WORDS]),
        (),
        "" if verb in _EMPTY_VERBS else verb,
        left % 2 == 1,
        demand,
        tense_of(parse, head, places),
        frozenset(quantifiers),
        frozenset(condition),
        frozenset(exception),
        passive,
        has_subject,
        standing_of(parse, head, places),
    )


def _verb(parse: Parse, head: int, demands: bool) -> str:
    """The verb of a clause; in a demand, the verb of what is demanded."""
    if demands and parse[head].lemma in ("have", "need", "require", "allow", "permit"):
        head = next((q for q, t in enumerate(parse) if t.head == head and t.dep == "xcomp"), head)
    return parse[head].lemma if parse[head].pos in ("VERB", "AUX") else ""


def _contrasted(parse: Parse) -> set[int]:
    """ "…, not Y" and "… and not Y": what it is not, added to what it is."""
    out: set[int] = set()
    for p, token in enumerate(parse):
        if token.lemma != "not" or p == 0:
            continue
        beside = parse[p - 1].pos == "PUNCT" or parse[p - 1].lemma in ("and", "but")
        if beside and not (token.head > p and parse[token.head].pos in ("VERB", "AUX")):
            rest = range(p + 1, len(parse))
            end = next((q for q in rest if parse[q].pos in ("PUNCT", "CCONJ")), len(parse))
            out.update(range(p, end))
    return out


def _says_demand(token: Token) -> bool:
    """ "Parking permit" and "the welcome evening" permit nothing."""
    noun = token.pos in ("NOUN", "PROPN") and token.lemma not in ("ban", "optional")
    return not noun and token.dep not in ("amod", "compound", "nmod")


def _qualifies(parse: Parse, place: int) -> bool:
    return parse[parse[place].head].pos in ("ADJ", "ADV")


def _negates(parse: Parse, place: int) -> bool:
    """ "No. 7" is a number, "no more than 12" a limit, "not only" adds something: none of them denies."""
    token = parse[place]
    after = [t.lemma for t in parse[place + 1 : place + 3]]
    if token.lemma in ("no", "not") and (after[:1] == ["only"] or after[1:] == ["than"]):
        return False
    if token.dep == "neg":
        return True
    numbered = token.lemma == "no" and place + 1 < len(parse) and parse[place + 1].text in (".", "#")
    return token.lemma in _NEGATIONS and not numbered


def _imperative(parse: Parse, head: int) -> bool:
    return parse[head].tag == "VB" and head <= _IMPERATIVE_WITHIN


def _governs(parse: Parse, head: int, other: int) -> bool:
    at, steps = parse[other].head, 0
    while steps < len(parse):
        if at == head:
            return True
        if parse[at].head == at:
            return False
        at, steps = parse[at].head, steps + 1
    return False


def _below(parse: Parse, place: int) -> set[str]:
    """Lemmas of everything that depends on a token, however deep."""
    out: set[str] = set()
    open_places = [place]
    while open_places:
        at = open_places.pop()
        for p, t in enumerate(parse):
            if t.head == at and p != at:
                open_places.append(p)
                if t.pos in _SORTS:
                    out.add(t.lemma)
    return out


def _word(parse: Parse, place: int, head: int, passive: bool, offset: int) -> Word | None:
    token = parse[place]
    loose = token.pos == "ADP" and token.dep in ("prt", "advmod", "acomp", "ROOT")  # "switch off"
    sort: WordSort | None = "adverb" if loose else _SORTS.get(token.pos)
    counts = token.pos == "NUM" and token.dep == "nummod"  # "one key", but not "the small one"
    if token.pos == "AUX" or sort is None or (token.lemma in _LIGHT and not counts):
        return None
    if sort == "verb" and token.lemma in _EMPTY_VERBS:
        return None
    if not any(c.isalnum() for c in token.text):
        return None
    role, of = _role(parse, place, head, passive)
    return Word(token.lemma, sort, role, of, token.start + offset if offset >= 0 else -1)


def _role(parse: Parse, place: int, clause: int, passive: bool) -> tuple[str, str]:
    """The role of a word in its clause: climb to where its phrase attaches to the verb."""
    at, steps = place, 0
    while steps < len(parse):
        token = parse[at]
        governor = parse[token.head]
        if at == clause:
            if token.pos in ("VERB", "AUX"):
                return ("predicate" if at == place else "manner"), ""
            return "topic", ""
        if token.dep == "poss":
            return "owner", governor.lemma
        if token.dep in _SUBJECTS:
            return "subject", governor.lemma
        if token.dep in _PASSIVE_SUBJECTS:
            return "object", governor.lemma
        if token.dep in _OBJECTS:
            return "object", governor.lemma
        if token.dep in _COMPLEMENTS:
            return "complement", governor.lemma
        if token.dep == "pobj":
            above = parse[governor.head]
            if governor.dep == "agent":
                return "subject", above.lemma
            if above.pos not in ("NOUN", "PROPN", "NUM", "ADJ") or governor.head == clause:
                return governor.lemma, above.lemma
            at = governor.head
            steps += 1
            continue
        if token.dep in ("npadvmod", "tmod"):
            return "time", governor.lemma
        if token.dep == "advmod" and governor.pos in ("VERB", "AUX"):
            return "manner", governor.lemma
        at, steps = token.head, steps + 1
    return "topic", ""


def _demand(words: Sequence[str], negations: int) -> tuple[Demand, int]:
    """What is demanded, and how many negations it leaves over."""
    if not words:
        return "", negations
    last: Demand = ""
    for word in words:
        said: Demand
        if word in _MUST or word in _DEMANDING or word == "have to":
            said = "must"
        elif word in _FREEING:
            said = "need_not"
        elif word in _FORBIDDING:
            said = "must_not"
        elif word in _SHOULD:
            said = "should"
        else:
            said = "may"
        if not last or said != "may":
            last = said
    if negations % 2 == 1:
        turned: dict[Demand, Demand] = {
            "must": "must_not", "may": "must_not", "must_not": "may", "need_not": "must",
            "should": "should_not", "should_not": "should",
        }  # fmt: skip
        if last == "must" and not any(w in _MUST for w in words):
            return "need_not", negations - 1
        return turned[last], negations - 1
    return last, negations
