"""How a note holds a statement: asserted, planned, reported, asked, hypothetical, past, logged."""

from __future__ import annotations

import re
from dataclasses import replace

from app.calendar_names import (
    MONTH_BEGINNING,
    MONTH_NAMES,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAY_NAMES,
    one_of,
)
from app.words import Note, Standing, Statement

_QUESTION = re.compile(r"\?\W*$")
_ASKED = re.compile(
    r"^(?:open )?question\b|\b(?:wonder(?:ing)? (?:if|whether|why|how)|not sure (?:if|whether|about|"
    r"which)|unclear (?:if|whether)|"
    r"ask \w+ (?:if|whether)|find out (?:if|whether)|to be (?:decided|confirmed|clarified)|tb[dc])\b",
    re.I,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:would|could have|might have|suppose|imagine|what if|were we to|hypothetically|in theory|"
    r"let'?s say|if only|"
    r"for (?:example|instance)|e\.g\.|say we|pretend|could (?:be|use|go|become|move|switch|"
    r"try|do))\b"
    r"|^(?:option|variant|alternative|scenario|idea|example|proposal|sketch)\b[^:]{0,24}:|^(?:example|"
    r"sample|e\.g)\b",
    re.I,
)
_IF_UNREAL = re.compile(
    r"\bif\b.*(?:\b(?:would|could|were|had)\b|\w['’]d\b)|(?:\b(?:would|could)\b|\w['’]d\b).*\bif\b", re.I
)
_PLANNED = re.compile(
    r"\b(?:plan(?:s|ning|ned)? (?:to|on|for)|going to|gonna|intend(?:s|ing)? to|"
    # People want to do or be something; for a dough, "wants to be 24 °C" is a requirement.
    r"want(?:ing)? to|wants to(?! be (?:(?:sitting|kept|held|set) )?"
    r"(?:(?:at|about|around|between|on|over|under) )?\d)|wish(?:es)? to|hop(?:e|es|ing) to|"
    r"would like to|aim(?:s|ing)? to|thinking (?:of|about)|consider(?:s|ing)?|might|maybe|"
    r"perhaps|someday|some day|"
    r"one day|eventually|sooner or later|next (?:week|month|year|quarter|spring|summer|autumn|fall|"
    r"winter|time)|"
    r"to ?do|want a|need to (?:decide|check|ask|find|buy|call|book)|let'?s)\b|^(?:plan|idea|wish|goal|"
    r"aim|to ?do)\s*:",
    re.I,
)
_HEDGED = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|someday|some day|thinking (?:of|about)|considering|would like to)\b",
    re.I,
)
# "They'll" and "it'll" mostly describe a habit; "is to be" is a rule.
_FUTURE = re.compile(r"\b(?:will|won['’]?t|(?:i|we) shall|(?:i|we|he|she)['’]ll)\b", re.I)
_WHEN = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH_BEGINNING}|"
    rf"(?:{one_of(set(MONTH_NAMES) - {'may'})})\s+\d|\d{{4}}-\d\d|{one_of(WEEKDAY_NAMES)})",
    re.I,
)
_REPORTED = re.compile(
    # "To think of", "on second thought": not somebody else's words.
    r"\b(?:says?|said|(?<!to )(?<!you )(?<!['’]d )thinks?|(?<!\ba )(?<!the )(?<!no )(?<!second )thought|"
    # Nor are insurance claims, nor what we claim.
    r"(?<!the )(?<!all )(?<!any )(?<!our )(?<!of )claims"
    r"(?! (?:is|are|go|must|should|can|may|within|under|over|for)\b)|claimed|"
    r"believes?|reckons?|told (?:me|us)|tells (?:me|us)|"
    r"suggest(?:s|ed)|recommend(?:s|ed)|"
    r"argu(?:es|ed)|heard (?:that|from)|according to|apparently|supposedly|allegedly|rumou?r|insists?|"
    r"insisted|mentioned|"
    r"warned|promis(?:es|ed)|quoted|wants? us|would prefer|feels? that|swears?|advis(?:es|ed)|"
    r"wrote that|writes that|asks? for|asked for|"
    # A parser expects a comma; what people expect is an opinion.
    r"expect|(?:s?he|who|mum|dad|boss|landlord|client|customer|(?-i:[A-Z][a-z]+)) expects|"
    r"complain(?:s|ed)|joked?)\b",
    re.I,
)
_OWN_VOICE = re.compile(
    r"^(?:i|we)\s+(?:say|said|think|thought|believe|reckon|suggest|recommend|insist|promised|mentioned)\b",
    re.I,
)
# "Told him how it works: a key gets 20 calls": what follows is what the writer holds.
_LEAD = re.compile(
    r"^(?:(?:i |we )?(?:told|explained|reminded|showed|answered|wrote|assured) (?!me\b|us\b)[^:.!?]{2,60}"
    r"|(?:won['’]?t|will not) happen|not going to happen|no need(?: to worry)?"
    r"|for the record[^:.!?]{0,50}):\s+(?=\w.{10})",
    re.I,
)
_ASIDE = re.compile(r"\([^)]*\)")
_PAST = re.compile(
    r"\b(?:used to|formerly|previously|originally|back then|at the time|in the (?:old|early) days|"
    r"once upon|until recently|"
    r"years ago|months ago|last (?:year|month|spring|summer|autumn|winter)|in the past|had been|no longer)\b"
    r"|\bwas\b|\bwere\b|\bhad\b(?! to\b)",
    re.I,
)
_PRESENT = re.compile(
    r"\b(?:is|are|has|have|must|should|may|can|runs?|uses?|lives?|works?|costs?|lasts|needs?|goes?)\b", re.I
)
_WHO = re.compile(
    r"(?:we|they|you|i)\s+(?!(?:was|were|had|did|could|would|should|might|used|never|just|only|both|all)\b)"
    r"(?P<does>[a-z]+)",
    re.I,
)
_TODAY = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night|just now|earlier|"
    r"so far|again today)\b",
    re.I,
)
_EVENT = re.compile(
    r"^(?:i |we |\w+ )?(?:(?!need|red|bed|shed|speed|feed|seed|hundred|allowed|used|limited|based|"
    r"required|fixed|closed|unused|"
    r"enabled|disabled|related|supposed|scheduled|located|owned|kept|shared|booked|called|named|"
    r"signed|failed|rejected|approved|encrypted|"
    r"hosted|stored|insured|married|retired|deprecated|managed|written|hashed|automated|advanced|"
    r"detailed|combined|united|mixed|"
    r"embedded|nested|distributed|preferred|planned)[a-z]{2,}ed|paid|bought|sold|went|came|met|saw|"
    r"had|got|gave|took|made|found|lost|sent|"
    r"wrote|ran|ate|drank|slept|woke|left|told|felt|broke|began|did|spent|spoke|cut|built|read|rode|"
    r"swam|flew|drove|caught|"
    r"forgot|taught|brought|thought|heard|held|won|threw|blew|drew|grew|knew|sat|stood|tore|wore|chose)\b",
    re.I,
)
_ACHIEVED = re.compile(
    r"^(?:i|we|he|she|they|[A-Z][\w-]+)(?:['’]ve|['’]s| have| has)\s+(?:just |already |now |also )?"
    r"(?!been\b|to\b|got\b|a\b|an\b|the\b|no\b)(?:[a-z]+ed|lost|gained|made|run|read|written|spent|done|eaten|seen|built|sold|paid)\b",
    re.I,
)
_CHANGED = re.compile(
    r"\b(?:moved|switched|changed|migrated|replaced|renamed|swapped|upgraded|raised|lowered|increased|"
    r"decreased|reduced|dropped|cut|"
    r"bumped|transferred|converted|went from|correct(?:ed|ion)|decided|agreed|cancelled|canceled|retired|"
    r"stopped|ended|sold)\b",
    re.I,
)
_LOG_HEADING = re.compile(
    r"\b(?:log|journal|diary|history|timeline|readings|measurements|tracker|changelog|minutes|results|"
    r"times|weights?)\b",
    re.I,
)


def standing(statement: Statement, note: Note) -> Standing:
    if lead := _LEAD.match(statement.text):
        statement = replace(statement, text=statement.text[lead.end() :])
    text = statement.text
    if _QUESTION.search(text) or _ASKED.search(text):
        return "asked"
    if statement.task == "open":
        return "planned"
    if _IF_UNREAL.search(text) or _HYPOTHETICAL.search(text):
        return "hypothetical"
    if _REPORTED.search(text) and not _OWN_VOICE.match(text):
        return "reported"
    changed = bool(_CHANGED.search(text))
    if not changed and _is_logged(statement, note):
        return "logged"
    if _HEDGED.search(text) or (_PLANNED.search(text) and not _WHEN.search(text)):
        return "planned"
    if _FUTURE.search(text) and not _WHEN.search(text):
        return "planned"
    spoken = _ASIDE.sub(" ", text)
    if _PAST.search(spoken) and not changed and not _in_present(text.split(",")[0]):
        return "past"
    if statement.task == "done" or (not changed and (_EVENT.match(text) or _ACHIEVED.match(text))):
        return "logged"
    return "asserted"


def _in_present(clause: str) -> bool:
    """Does it say how things are? "We send through SES" does, whatever follows."""
    who = _WHO.match(clause)
    return bool(_PRESENT.search(clause) or (who and not _EVENT.match(f"we {who['does']}")))


def _is_logged(statement: Statement, note: Note) -> bool:
    """Timed or dated list entries, and what happened today, record a moment."""
    if statement.time is not None or _TODAY.search(statement.text):
        return True
    if statement.form == "row":
        return bool(statement.key and _DATEISH.match(statement.key))
    if statement.dated_by == "inline" and statement.listed and _DATED_ITEM.match(statement.quote):
        return True
    return bool(
        statement.heading
        and statement.listed
        and _LOG_HEADING.search(statement.heading[-1])
        and re.match(r"\d", statement.text)
    )


_DATED_ITEM = re.compile(
    r"^\W*(?:\d{4}[-./_]\d\d|\d{1,2}[./]\s?\d{1,2}|\d{1,2}(?:st|nd|rd|th)?\s[A-Z][a-z]{2}|"
    r"[A-Z][a-z]{2,8}\.?\s\d{1,2}\b|\[\[\d{4})"
)
_DATEISH = re.compile(
    r"^\W*(?:\d{4}-\d\d|\d{1,2}[./]\d{1,2}|"
    rf"(?:{one_of((*SHORT_WEEKDAYS, *SHORT_MONTHS))})[a-z]*\b|week \d|day \d)",
    re.I,
)
