"""The fixed word lists of the rules: modality, states and their opposites, relations, value families."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.reading.tokens import stem
from app.words import Modality, Object

OPPOSED_MODALITIES: frozenset[frozenset[Modality]] = frozenset(
    frozenset(pair)
    for pair in (
        ("is", "is_not"),
        ("must", "must_not"),
        ("must", "may_not"),
        ("should", "should_not"),
        ("may", "may_not"),
        ("may", "must_not"),
        ("must", "should_not"),
        ("should", "must_not"),
        ("should", "may_not"),
        ("is", "must_not"),
        ("is", "may_not"),
    )
)

OPPOSED_OBJECTS: frozenset[frozenset[Object]] = frozenset(
    frozenset(pair)
    for pair in (
        ("enabled", "disabled"),
        ("used", "unused"),
        ("required", "forbidden"),
        ("allowed", "forbidden"),
        ("added", "removed"),
        ("open", "closed"),
        ("approved", "rejected"),
        ("has", "lacks"),
    )
)

# State words after a copula, and the object they stand for.
STATES: dict[str, Object] = {
    word: state  # type: ignore[misc]
    for state, wordlist in {
        "enabled": "enabled on active activated live switched-on turned-on running up",
        "disabled": "disabled off inactive deactivated switched-off turned-off down suspended paused",
        "required": "required mandatory compulsory obligatory needed necessary",
        "allowed": "allowed permitted fine ok okay acceptable welcome possible",
        "forbidden": "forbidden prohibited banned disallowed verboten off-limits",
        "added": "added installed included",
        "removed": "removed uninstalled deleted gone dropped excluded",
        "open": "open opened unlocked public",
        "closed": "closed shut locked private",
        "started": "started begun underway",
        "finished": "finished done completed complete over",
        "approved": "approved accepted granted signed-off confirmed",
        "rejected": "rejected declined denied refused vetoed turned-down",
        "unused": "unused retired deprecated obsolete decommissioned",
    }.items()
    for word in wordlist.split()
}

# Complements of which a thing can have only one at a time.
FAMILIES: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split())
    for row in (
        "red blue green yellow black white orange purple pink brown gray grey beige silver gold navy cream",
        "left right",
        "north south east west",
        "small medium large",
        "hot cold",
        "wet dry",
        "male female",
        "single double triple",
        "manual automatic",
        "public private internal",
        "vegan vegetarian",
        "cash card",
        "english german french spanish italian dutch",
        "pass fail",
        "true false",
        "yes no",
        "upstairs downstairs",
        "indoors outdoors",
        "inside outside",
        "paper digital",
        "soft hard firm",
        "light dark",
        "spring summer autumn fall winter",
        "plastic metal wood glass steel aluminium aluminum brass copper oak pine titanium peek ptfe gf-ptfe",
        "gas electric diesel petrol hybrid",
        "rebase merge-commit squash merge",
        "tabs spaces",
        "synchronous asynchronous",
        "optional mandatory required",
    )
)

YES = frozenset("yes y true on enabled ok okay done".split())
NO = frozenset("no n false off disabled none never".split())

# "X <relation> Y": Y is the one value of X's relation.
SINGLE_RELATIONS = re.compile(
    r"\b(?P<rel>(?:runs?|running|hosted|deployed|lives?|located|based|stored|kept|backed|built|"
    r"written|served|registered|"
    r"insured|banks?|enrolled|parked|booked|published|stays?|sits?|works?|shipped|printed|moored|"
    r"filed|rented|leased|"
    r"goes|reports?|belongs?|due|scheduled|expires?|ends?|starts?|begins?|opens?|closes?|meets?|"
    r"arrives?|leaves?|departs?|"
    r"called|named|managed|owned|led|maintained|run|made|supplied|sponsored|taught|chaired|edited|"
    r"painted|covered|handled|"
    r"married|allergic|switched|powered|heated)\s+(?:on|at|in|to|with|by|under|from|through|via|every)"
    r"|is called|is named|drives|rents|studies at|uses)\b",
    re.I,
)

OWNER = re.compile(
    r"^(?P<who>[A-ZÀ-Þ][\w'’.-]+(?:\s[A-ZÀ-Þ][\w'’.-]+)?)\s+(?:now\s+)?(?:owns|maintains|leads|runs|"
    r"manages|heads|chairs|"
    r"is (?:now )?the (?:owner|maintainer|lead|head|chair|manager|contact|keeper) (?:of|for)|"
    r"is (?:now )?(?:responsible|in charge) (?:for|of)|"
    r"takes care of|looks after)\s+(?P<what>.+)$"
)
OWNED = re.compile(
    r"^(?P<what>.+?)\s+(?:is|are)\s+(?:now\s+)?(?:owned|maintained|led|managed|run|headed|chaired|"
    r"looked after)\s+by\s+(?P<who>[A-ZÀ-Þ].*)$"
)

# Aspects too common to name a thing by themselves: the note or heading says whose they are.
GENERIC = frozenset(
    stem(word)
    for word in """
    own author path repository version statu state price cost date time place address phone email url
    link size color type kind name title number code port host user password default format licens
    languag team role rate limit timeout interval durat deadlin due start end total count amount budget
    result score rating goal target reason decision contact person supplier vendor material weight
    height width depth length temperature pressur speed capacity age birthday level prioriti tag
    category source descript summari purpos scope step phase option value unit quantiti note problem
    solut question answer output input respons request test build branch file folder directory plan
    project task status topic chapter page section part group class room floor area region countri city
    location website homepag platform year month week day publisher genre status read maker brand model
    serial yield serving ingredient background credential
    """.split()
)


class Preference(NamedTuple):
    """An aspect with a few choices: someone who prefers one does not prefer another."""

    choices: frozenset[str]
    heads: frozenset[str] = frozenset()
    """What may follow a choice: "dark mode"."""
    bare: bool = True
    """A choice implies its aspect; "window" alone does not imply seats."""
    setting: bool = False
    """It can be set only one way, so liking or using one excludes the other; people may like both tea and
    coffee."""


PREFERENCES: dict[str, Preference] = {
    aspect: Preference(frozenset(choices.split()), frozenset(heads.split()), "bare" in how, "setting" in how)
    for aspect, choices, heads, how in (
        ("indentation", "tabs spaces", "", "bare"),
        ("workflow", "rebase rebasing merge merging merge-commit merge-commits", "workflow", "bare setting"),
        ("theme", "dark light", "mode theme", "setting"),
        ("keybindings", "vim emacs", "keybindings keymap", "setting"),
        ("keyboard layout", "qwerty qwertz azerty dvorak colemak", "layout", "bare setting"),
        ("units", "metric imperial", "units", "setting"),
        ("clock", "12-hour 24-hour", "clock format", "setting"),
        ("naming", "camelcase snake_case kebab-case", "", "bare"),
        ("editor", "vim emacs vscode nano", "", "bare"),
        ("shell", "bash zsh fish", "shell", ""),
        ("browser", "firefox chrome safari", "", "bare"),
        ("hot drink", "tea coffee", "", "bare"),
        ("drink", "beer wine", "", "bare"),
        ("pet", "cats dogs", "", "bare"),
        ("seat", "window aisle", "seat seats", ""),
        ("contact", "email e-mail phone", "calls", "bare"),
    )
}

# Occupations by the training they take. Trades of one kind can be combined ("plumber and electrician"), and
# so can any of them with what is not listed: teaching, farming, being a parent, and what may be a hobby (a
# baker, a carpenter, a pilot).
TRADES: dict[str, str] = {
    trade: kind
    for kind, _, trades in (
        row.partition(": ")
        for row in (
            "health: nurse, midwife, paramedic, surgeon, dentist, pharmacist, optician, physiotherapist",
            "building: plumber, electrician, bricklayer, roofer, plasterer, welder",
            "office: lawyer, solicitor, barrister, accountant, auditor, notary",
            "transport: bus driver, train driver, truck driver, lorry driver, airline pilot, steward",
            "kitchen: butcher, pastry chef",
            "hair: hairdresser, barber",
            "police: police officer, prison officer",
        )
    )
    for trade in trades.split(", ")
}

# People have one favourite of these; of songs, books and places they have several, or a new one each year.
FAVOURITES = frozenset(
    stem(word)
    for word in """
    editor colour color season drink food animal sport number font instrument browser shell keyboard fruit
    vegetable flavour flavor dessert weekday month
    """.split()
)
