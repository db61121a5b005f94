"""Is there a finite verb: what tells a claim from a heading, a list entry or a scrap."""

from __future__ import annotations

import re
from functools import lru_cache

from app.normalize.tokens import stem, words

_AUX = frozenset(
    """
    is are was were am be been has have had do does did will would shall should can could may might must
    isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't shouldn't
    can't cannot couldn't mustn't it's that's there's he's she's i'm we're they're you're i've we've
    they've needs need
    """.split()
)  # fmt: skip
_COMMON = """
accept add allow answer apply approve arrive ask assign attend avoid bake bear beat become begin believe
belong bill bind block boil book borrow bring build burn buy call cancel carry catch cause change charge
check choose clean climb close collect come commit complete confirm connect consist contain continue
control convert cook cost count cover create cross cut deal decide decline decrease define deliver
demand deny depart depend deploy describe deserve die differ dig disable display double drain draw drink
drive drop dry earn eat employ enable end enjoy ensure enter equal exceed exist expect expire explain
export extend face fail fall feed feel fetch fight fill find finish fit fix flow fly fold follow forbid
force forget form freeze get give go govern grow guarantee handle hang happen hate hear heat help hide
hire hold host hurt ignore import improve include increase indicate insist install intend invest invite
involve join keep kill knock know lack last launch lay lead learn leave lend let lie lift like limit
listen live load lock look lose love maintain make manage mean measure meet melt mention merge migrate
mind miss move name notice obtain occur offer omit open operate order own pack park pass pay permit pick
place plan play point pour prefer prepare prevent print produce promise protect prove provide publish
pull push put quit rain raise reach read receive recommend record reduce refer refuse reject release
rely remain remember remove rent repair repeat replace reply report represent request require reset
resist respond restart rest retire retry return ride ring rise roll rotate run save say scale see seem
sell send serve settle share ship shut sign sing sit skip sleep smell soak speak spend split spread
stand start state stay step stick stop store study suggest suit supply support suppose swim switch take
talk taste teach tell tend think throw tie touch trade train translate travel treat trigger trust try
turn understand update upgrade upload use vary visit wait wake walk want warn wash watch wear weigh win
wipe wish work worry wrap write
"""
_FORMS = frozenset(form for w in _COMMON.split() for form in (w, w + "s"))
_STEMS = frozenset(stem(w) for w in _COMMON.split())
_IRREGULAR = frozenset(
    """
    kept held ran went came took gave got made paid sold bought left met began broke chose drew drove
    fell felt found flew grew hung knew led lent lost meant read rode rose sent set shut slept spoke
    spent stood stuck swam taught told thought threw wore won wrote run put cut let cost hit goes does
    dies lies
    """.split()
)  # fmt: skip


@lru_cache(maxsize=16384)
def finite(text: str) -> bool:
    """Does the clause have a verb that asserts something?"""
    for word in words(text):
        low = word.lower().replace("’", "'")
        if low in _AUX or low in _IRREGULAR:
            return True
        if low in _FORMS or (not low.endswith("ing") and stem(low) in _STEMS and not _NOMINAL.search(low)):
            return True
    return False


_NOMINAL = re.compile(r"(?:tion|ment|ance|ence|ness|ity|er|or|al)s?$")
