"""Finite verbs: they distinguish a claim from a heading, a list entry or a fragment."""

from __future__ import annotations

import re
from functools import lru_cache

from app.reading.tokens import stem, words

_AUX = frozenset(
    """
    is are was were am be been has have had do does did will would shall should can could may might must
    isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't shouldn't
    can't cannot couldn't mustn't it's that's there's he's she's i'm we're they're you're i've we've
    they've needs need
    """.split()
)  # fmt: skip
_COMMON = """
absorb accept access activate add adjust adopt advance agree aim allow amount anneal answer appear apply
approve archive arrange arrive ask assign attach attend attract authenticate average avoid bake bathe bear
beat become begin believe belong bend bill bind bite bleed block bloom blow boil book boost borrow bounce
breathe breed brew bring broadcast brush build bump bundle burn buy cache calibrate call cancel care carry
catch cause celebrate change charge check choose clean clear climb close collect combine come commit commute
compare compile complete compost compress compute conduct confirm connect consist consume contain continue
control convert cook cool cope cost cough count cover crash create cross cure curl cut dance deal decay
decide decline decrease default define delay deliver demand deny depart depend deploy describe deserve
desire detect develop die differ dig digest dilute disable display dissolve divide donate dose double drain
draw drink drip drive drop dry earn eat edit eject email emit employ enable encrypt end enforce engage enjoy
enrol ensure enter equal escape evaporate evolve exceed exercise exist expand expect expire explain export
expose extend face fade fail fall fast favor favour feed feel ferment fetch fight fill finance find finish
fit fix flash flip flow flower flush fly fold follow forbid force forget form forward freeze fry fund gain
gather generate germinate get give glow glue go govern graze grind grow guarantee guard handle hang happen
hatch hate heal hear heat help hibernate hide hike hire hold host hum hunt hurt ignite ignore import impose
improve include increase indicate infuse inherit inject insist inspect install intend invest invite involve
iron irrigate itch jog join keep kick kill knit knock know lack land last launch lay lead leak lean learn
leave lecture lend let lie lift like limit lint listen live load lock log look lose love maintain make
manage march marry match mature mean measure meet melt mention merge migrate milk mind miss mix monitor
mount move mow mulch name nap need nest notice notify nurse obey observe obtain occupy occur offer oil omit
open operate orbit order outlive overlap overwrite own pack paint park parse pass pay peak peel permit
persist pick place plan plant play pledge plug point poll pour practice practise predict prefer preheat
prepare press prevent print produce promise proof propagate protect prove provide prune publish pull pump
punish purge push put quit quote race rain raise rank reach react read reboot rebuild receive recharge
recommend reconnect record recycle redirect reduce refer refill refresh refuse register rehearse reject
release reload rely remain remember remove render renew rent reorder repair repeat replace reply report
represent request require resemble reserve reset reside resist respond rest restart resume retire retry
return reverse revolve ride ring rinse ripen rise roll rot rotate round rub rule run sail sand save say
scale scan schedule scrape scrub seal search season see seed seem select sell send separate serve settle sew
share shave shed shine ship shoot shop shower shrink shuffle shut sign simmer sing sink sit ski skip sleep
slide smell snow soak sort sow spawn speak speed spend spill spin split spray spread sprout squeeze stack
stain stand start state stay steam steep steer step stick stir stop store strain stream stretch strip study
submit subscribe subtract suffer suggest suit supply support suppose surf survive suspend swap sweat swell
swim switch sync synchronise synchronize take talk taper taste teach tell tend think throw tie tighten tilt
time tolerate top total touch track trade train transfer translate transmit travel treat trigger trim trust
try tune turn twist understand unlock unplug update upgrade upload use vaccinate validate vary vent verify
veto view visit volunteer vote wait wake walk want warm warn wash watch wear weave weed weigh weld whisk win
wipe wish withdraw work worry wrap write yield zip
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
def has_finite_verb(text: str) -> bool:
    """Does the clause have a verb that asserts something?"""
    for word in words(text):
        low = word.lower().replace("’", "'")
        if low in _AUX or low in _IRREGULAR:
            return True
        if low in _FORMS or (not low.endswith("ing") and stem(low) in _STEMS and not _NOMINAL.search(low)):
            return True
    return False


_NOMINAL = re.compile(r"(?:tion|ment|ance|ence|ness|ity|er|or|al)s?$")
