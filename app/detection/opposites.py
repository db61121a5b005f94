"""Words that cannot both be said of one thing: by hand or by itself, bought or rented."""

from __future__ import annotations

import re
from functools import lru_cache

# Each line is one question; what stands between two bars answers it in the same way.
_SAID = """
allergic, allergy, intolerant, reacts to | fine with, ok with, okay with, tolerates, can have, can eat, eats
allowed, permitted, welcome | forbidden, banned, prohibited, off limits, out of bounds, ban
open, opens | closed, shut, locked, closes
enabled, switched on, turned on, activated | disabled, switched off, turned off, deactivated
required, mandatory, compulsory, obligatory | optional, voluntary, need not
free of charge, for free, gratis | paid, costs, charged, fee
public, open source | private, internal, confidential, secret
manual, manually, by hand | automatic, automatically, automated, by itself, by themselves, of its own accord
full-time, full time | part-time, part time
own, owns, bought, ours | rent, rents, rented, lease, leased, hire, hired, borrow, borrowed, lent, on loan
vegetarian, vegan | meat, beef, chicken, pork, ham, bacon, sausage, steak, salami
indoors, inside | outdoors, outside, in the open
upstairs | downstairs
wired | wireless
on paper, printed | digital, online, electronic
encrypted, hashed | unencrypted, plain text, plaintext
kept, keeps, for ever, forever | deleted, erased, wiped, thrown away, discarded
loves, enjoys, is fond of | hates, dislikes, loathes
married | divorced, widowed
employed, employee | freelance, freelancer, self-employed | retired
shared, communal | separate, its own, our own
centralised, centralized | distributed, decentralised, decentralized
by accident, accidental, accident | on purpose, deliberate, deliberately
clockwise | anticlockwise, counterclockwise
vertical | horizontal
sunny | shady
sweet | savoury, savory
alive | dead, died
single-sided | double-sided
synchronous, synchronously | asynchronous, asynchronously
"""
_QUESTIONS = tuple(
    tuple(
        re.compile(rf"\b(?:{'|'.join(re.escape(word.strip()) for word in answer.split(','))})\b", re.I)
        for answer in line.split("|")
    )
    for line in _SAID.strip().splitlines()
)


def opposite(a: str, b: str) -> bool:
    """Do both answer one question, and not in the same way?"""
    one, other = _answers(a), _answers(b)
    return any(answer != other.get(question, answer) for question, answer in one.items())


@lru_cache(maxsize=8192)
def _answers(text: str) -> dict[int, int]:
    """Its one answer to each question; who gives two tells of a change or a choice."""
    found = {
        question: [n for n, answer in enumerate(answers) if answer.search(text)]
        for question, answers in enumerate(_QUESTIONS)
    }
    return {question: given[0] for question, given in found.items() if len(given) == 1}
