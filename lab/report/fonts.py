"""The letters of figures, where they are Korean: which font has them, and how wide they are."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unicodedata import east_asian_width

from matplotlib import font_manager

from lab.report.language import ENGLISH, spoken

LATIN = "DejaVu Sans"  # comes with matplotlib: widths are the same everywhere
KOREAN = ("NanumGothic", "NanumBarunGothic", "NotoSansCJK-Regular", "malgun", "AppleSDGothicNeo")
"""Files of fonts with Korean letters, the best first."""


def families() -> list[str]:
    """Fonts for the language that is spoken; what the first has not got comes from the next."""
    return [LATIN] if spoken() == ENGLISH else [LATIN, *_korean()]


@cache
def _korean() -> tuple[str, ...]:
    """The first of KOREAN that this machine has; none is no harm: pages take the reader's own."""
    found = {Path(path).stem: path for path in font_manager.findSystemFonts()}
    for name in KOREAN:
        if name in found:
            font_manager.fontManager.addfont(found[name])
            return (font_manager.get_font(found[name]).family_name,)
    return ()


@contextmanager
def quiet() -> Iterator[None]:
    """No word of letters that no font here has: in SVG they are text, which the reader's have."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def wide(text: str) -> int:
    """How many Latin letters a text is as wide as."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
