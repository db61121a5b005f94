"""Telling whether a note is in English, from its commonest small words."""

from __future__ import annotations

import re

MIN_WORDS = 20
_SAMPLE = 300
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NOT_LATIN = re.compile(r"[^\W\d_A-Za-z\u00c0-\u024f]")

_ENGLISH = frozenset(
    """the of and to in is it that for on with as was at by are this be from or have an not but they we
    you i he she his her their our my your its which who what when where how will would can could
    should there has had been were if then than so no do does did all any some more most only about
    into after before also just out up over because every never always don't it's i'm we're isn't""".split()
)
_OTHERS = {
    "German": frozenset(
        """der die das und ist nicht ein eine einen einem einer zu den dem des mit von für auf im sich
        auch es ich wir sie er wird werden sind war haben hat bei nach aus als wie aber oder noch nur
        kann über zum zur dass wenn man mein unser kein""".split()
    ),
    "Dutch": frozenset(
        """de het een en van ik te dat niet zijn met op voor er aan ook als maar om hij ze wij je bij nog
        naar uit dan door over wordt worden heeft hebben kan deze dit geen onze mijn wat daar elke""".split()
    ),
    "French": frozenset(
        """le la les des et est un une du dans que qui pour pas sur avec ce se au aux il elle nous vous je
        ne sont plus par ou mais être avoir cette ces son ses notre tout comme fait très sans""".split()
    ),
    "Spanish": frozenset(
        """el la los las de y que en un una es por con para no se del al lo como más pero sus su este esta
        son hay está muy también ser tiene nos yo todo cuando porque desde""".split()
    ),
    "Portuguese": frozenset(
        """o os as um uma de do da dos das e que em no na por para com não se mais como mas seu sua é são
        foi está também ao muito já eu nós ele ela isso quando""".split()
    ),
    "Italian": frozenset(
        """il lo la gli le di e che è un una per non con del della dei delle nel nella si sono come più
        anche ma al alla da questo questa io noi ha hanno essere ogni""".split()
    ),
    "Swedish, Danish, Norwegian": frozenset(
        """och att det som en på är av för med den till inte om ett har de jag vi men var sig så og er
        ikke jeg på af at et til ikke være eller også kan skal från""".split()
    ),
    "Polish, Czech": frozenset(
        """i w na z się nie to jest do że jak o ale po co tak za od przez dla są czy jako a je se v na že
        s ve by pro jsem jsou také który""".split()
    ),
}  # fmt: skip

_AMBIGUOUS = frozenset(
    """a also all an as at by co come die do door had he i if in is man me men my no o of on or over par
    per plus so to want war was we""".split()
)
"""Words of English that another language has as well: they tell nothing."""
_ONLY_ENGLISH = _ENGLISH - _AMBIGUOUS
_ONLY_OTHERS = tuple(words - _AMBIGUOUS for words in _OTHERS.values())


def not_english(texts: list[str]) -> bool:
    """Whether a note that says `texts` is clearly in another language; in doubt it is English."""
    sample = " ".join(texts[:_SAMPLE])[: _SAMPLE * 10].lower()
    words = _WORD.findall(sample)
    if not sample.isascii():
        # Scripts without spaces have few "words", so letters are counted here.
        letters = sum(map(len, words))
        if letters >= MIN_WORDS and len(_NOT_LATIN.findall("".join(words))) > letters / 2:
            return True
    if len(words) < MIN_WORDS:
        return False
    english = sum(map(_ONLY_ENGLISH.__contains__, words))
    if english * 10 >= len(words):
        return False
    best = max(sum(map(small.__contains__, words)) for small in _ONLY_OTHERS)
    return best * 8 >= len(words) and best > 2 * english
