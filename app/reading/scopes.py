"""Scope and validity: where a statement holds, and from when until when."""

from __future__ import annotations

import calendar
import re

from app.calendar_names import ANY_MONTH, MONTHS

_ENV = re.compile(
    r"\b(prod(?:uction)?|staging|stage|stg|dev(?:elopment)?|test(?:ing)? (?:env\w*|system|server)|"
    r"sandbox|qa|uat|preprod|local(?:host)?|demo)\b",
    re.I,
)
_ENV_NAME = {
    "prod": "production",
    "stage": "staging",
    "stg": "staging",
    "dev": "development",
    "localhost": "local",
}
_VERSION = re.compile(r"\b(?:[vV](?:ersion)?\.?\s?(\d+(?:\.\d+)*)|[rR]ev(?:ision)?\.?\s([A-Z]|\d+))\b")
_TEAM = re.compile(r"\b(?:(?:the|our)\s+)?([\w-]+)\s+team\b|\bteam\s+([A-Z][\w-]*)", re.I)
_TENANT = re.compile(r"\b(?:tenant|customer|client)\s+([A-Z][\w-]+)")
_PLACE = re.compile(
    r"\b(?:[Aa]t (?:the )?(home|office|school|work|studio|workshop|shop|gym|club|lab|cabin|garden|"
    r"warehouse)|[Ii]n (?:the )?(?!Q[1-4]\b|H[12]\b)([A-ZÀ-Þ][\wÀ-ÿ'’-]+))\b"
)
_PERSON = re.compile(r"\b[Ff]or (?:the )?([A-ZÀ-Þ][\wÀ-ÿ'’-]+)\b")
_LEADING = re.compile(
    r"^(?P<phrase>(?:in|on|at|for|within|under)\s(?:[^,;:.!?()]|\.(?=\d)){2,40}),\s+(?=\w)", re.I
)
_LED_BY = frozenset(
    "in on at for within under the our environment env cluster system server office site".split()
)

_MON = ANY_MONTH
_YEAR = r"(?:19|20)\d\d"


def _date(p: str) -> str:
    """A date in any of the usual forms, its groups prefixed by `p`."""
    return (
        rf"(?:(?P<{p}iso>{_YEAR}(?:-\d\d(?:-\d\d)?)?)"
        rf"|(?P<{p}d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<{p}m>{_MON})\.?(?:,?\s+(?P<{p}y>{_YEAR}))?"
        rf"|(?P<{p}m2>{_MON})\.?(?:\s+(?P<{p}d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<{p}y2>{_YEAR}))?)"
    )


_FROM = re.compile(
    r"\b(?:since|as of|as from|from|starting(?: from| in| on)?|effective|"
    r"beginning)\s+(?:the\s+)?(?:early |late |mid-?\s?)?" + _date("f") + r"\b(?!:\d)",
    re.I,
)
_UNTIL = re.compile(
    r"\b(?:until|till|til|through|up to|before|ended|ends|expired)\s+(?:the\s+)?(?:end of |early |late )?"
    + _date("u")
    + r"\b(?!:\d)",
    re.I,
)
_DURING = re.compile(
    r"\b(?:in|during|for|throughout)\s+(?:the\s+)?(?:year\s+)?(?P<year>(?:19|"
    r"20)\d\d)(?:[/-](?P<to>\d\d))?\b|\b(?P<season>spring|summer|autumn|winter|Q[1-4]|"
    r"H[12])\s+(?P<syear>(?:19|20)\d\d)\b|^(?P<lead>(?:19|20)\d\d)\s*[:,]",
    re.I,
)
_SPAN = {
    "q1": (1, 3),
    "q2": (4, 6),
    "q3": (7, 9),
    "q4": (10, 12),
    "h1": (1, 6),
    "h2": (7, 12),
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "winter": (12, 12),
}


def scope(text: str, project: str | None) -> tuple[tuple[str, str], ...]:
    out: dict[str, str] = {}
    if m := _ENV.search(text):
        name = m.group(1).lower()
        out["env"] = _ENV_NAME.get(name, name.split()[0] if name.startswith("test") else name)
    if m := _VERSION.search(text):
        out["version"] = (m.group(1) or m.group(2)).lower()
    if m := _TEAM.search(text):
        out["team"] = (m.group(1) or m.group(2)).lower()
    if m := _TENANT.search(text):
        out["tenant"] = m.group(1).lower()
    if m := _PLACE.search(text):
        place = m.group(1) or m.group(2)
        if place.lower() not in MONTHS:
            out["place"] = place.lower()
    if m := _PERSON.search(text):
        out["person"] = m.group(1).lower()
    if project:
        out["project"] = project.lower()
    return tuple(sorted(out.items()))


def leading_scope_end(text: str) -> int:
    """Where the sentence itself begins, if a scope precedes it: "In production, the timeout is 30 s".

    The phrase must be nothing but a scope: "in most production systems" is no environment.
    """
    found = _LEADING.match(text)
    if not found or not scope(phrase := found["phrase"], None):
        return 0
    for pattern in (_ENV, _VERSION, _TEAM, _TENANT, _PLACE, _PERSON):
        phrase = pattern.sub(" ", phrase)
    rest = phrase.split()  # a name may have a second word
    return found.end() if all(w.lower() in _LED_BY or w[0].isupper() for w in rest) else 0


def _day(m: re.Match[str], p: str, date: str | None, last: bool) -> str | None:
    if m[p + "iso"]:
        parts = [int(x) for x in m[p + "iso"].split("-")]
        year, month, day = parts[0], parts[1] if len(parts) > 1 else 0, parts[2] if len(parts) > 2 else 0
    else:
        month = MONTHS[(m[p + "m"] or m[p + "m2"]).lower()]
        day = int(m[p + "d"] or m[p + "d2"] or 0)
        named = m[p + "y"] or m[p + "y2"]
        if not named and not date:
            return None
        year = int(named) if named else int((date or "0")[:4])
    if not month:
        month = 12 if last else 1
    if not 1 <= month <= 12:
        return None
    limit = calendar.monthrange(year, month)[1] if 1 <= year <= 9999 else 31
    day = min(day or (limit if last else 1), limit)
    return f"{year:04d}-{month:02d}-{day:02d}"


def validity_window(text: str, date: str | None) -> tuple[str | None, str | None, str]:
    """(valid_from, valid_until, the text without those words)."""
    start = end = None
    spans: list[tuple[int, int]] = []
    for m in _FROM.finditer(text):
        start = start or _day(m, "f", date, last=False)
        spans.append(m.span())
    for m in _UNTIL.finditer(text):
        end = end or _day(m, "u", date, last=True)
        spans.append(m.span())
    if not spans and (m2 := _DURING.search(text)):
        if m2["season"]:
            first, final = _SPAN[m2["season"].lower()]
            year = int(m2["syear"])
            start, end = f"{year}-{first:02d}-01", f"{year}-{final:02d}-{calendar.monthrange(year, final)[1]}"
        else:
            year = int(m2["year"] or m2["lead"])
            final_year = (year // 100 * 100 + int(m2["to"])) if m2["to"] else year
            start, end = f"{year}-01-01", f"{final_year}-12-31"
        spans.append(m2.span())
    for s, e in sorted(spans, reverse=True):
        text = text[:s] + " " + text[e:]
    return start, end, " ".join(text.split()) if spans else text
