"""Set-ups that people would play, README 9.3: rows from the back, as White sees them; dots: camps.

A formation is a wish: where the rules have other places or pieces, as much of it as fits is played.
"""

import numpy as np

from lab.games.junqi.rules import HALF

LETTERS = "123456789XMF"
FORMATIONS = {
    # the flag behind mines, bombs in the middle, the strongest in front of it
    "corner": ("MF23M", "2M145", "4.7.3", "1X.X6", "5.8.2", "39761"),
    # mines all round the flag, the army on the other wing
    "wall": ("2FM3M", "3MX22", "1.5.4", "4X.56", "1.7.1", "39867"),
    # mines where the flag is not
    "decoy": ("M32F1", "M2XM2", "4.7.5", "13.X6", "1.9.4", "56738"),
}
NO_WISH = -1
DRAWN = 0
"""The set-up that was drawn; formations are numbered from 1."""

WISHES = np.full((1 + len(FORMATIONS), HALF), NO_WISH, np.int8)
"""Formation, node as its side counts them: the kind that shall stand there."""
for _number, _rows in enumerate(FORMATIONS.values(), 1):
    WISHES[_number] = [LETTERS.find(letter) for letter in "".join(_rows)]
