"""Korean grammar that numbers and names need."""


def josa(word: object, pair: str) -> str:
    """The word with the Korean particle that its final sound asks for.

    `pair` is the form behind a consonant, a slash, the form behind a vowel: `을/를`, `으로/로`.
    Closing brackets and quotes are passed over; numbers and Latin letters are read aloud.
    """
    closed, open_ = pair.split("/")
    final = _final(str(word))
    # 으로 alone goes by another rule: behind ㄹ it is 로, as behind a vowel.
    vowel = not final or (final == "ㄹ" and closed.startswith("으로"))
    return f"{word}{open_ if vowel else closed}"


# The final consonant of 영, 일, 이, ... 구; a longer number that ends in 0 ends in 십, 백, 천 or
# 만, which are consonants other than ㄹ too.
_DIGITS = dict(zip("0123456789", ("ㅇ", "ㄹ", "", "ㅁ", "", "", "ㄱ", "ㄹ", "ㄹ", ""), strict=True))
_LETTERS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}  # 엘, 엠, 엔, 알; the others end open
_RIEUL = 8  # place of ㄹ among the finals of a Hangul syllable; 0 is none


def _final(word: str) -> str:
    """The final consonant of a word as it is spoken; empty behind a vowel."""
    last = next((sign for sign in reversed(word) if sign.isalnum()), "")
    if "가" <= last <= "힣":
        place = (ord(last) - ord("가")) % 28
        return "ㄹ" if place == _RIEUL else "ㄴ" if place else ""
    return _DIGITS.get(last) or _LETTERS.get(last.lower(), "")
