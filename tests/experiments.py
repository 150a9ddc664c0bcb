"""Tiny experiments on ants, for the tests of experiments, sweeps and promotion."""

from pathlib import Path

SHORT = """
question = "Does the second player need more?"
game = "ants"
rules = "0.3"
seed = 5

[overrides]
"/turn/round_cap" = 4

[space]
"/start/resources/1" = { low = 0, high = 8, step = 2 }
"/units/worker/cost" = { low = 1, high = 3 }
"/units/soldier/cost" = { low = 1, high = 4 }
"/board/mirror_second" = { choices = [false, true] }

[[links]]
kind = "increasing"
at = ["/units/worker/cost", "/units/soldier/cost"]

[[matchups]]
mirror = "random"

[[matchups]]
name = "field"
pool = ["random", "economy"]
games = 20

[[targets]]
metric = "first_score"
matchup = "random mirror"
value = 0.5
tolerance = 0.3

[[targets]]
metric = "score"
policy = "economy"
matchup = ["field"]
band = [0, 0.9]
weight = 2

[budget]
trials = 14
games = 40
top = 2
confirm_games = 100
matrix_games = 10
"""

# The richer side wins: 12 at the start is far too much, 3 or 4 is about right.
PLANTED = """
question = "How much more may the second player start with?"
game = "ants"
rules = "0.3"
seed = 3

[overrides]
"/start/resources/1" = 12
"/cap/judgement" = "economy"
"/turn/round_cap" = 4

[space]
"/start/resources/1" = { low = 0, high = 11 }

[[matchups]]
mirror = "random"

[[targets]]
metric = "first_score"
matchup = "random mirror"
band = [0.37, 0.6]

[budget]
trials = 12
games = 400
top = 4
confirm_games = 2000
matrix_games = 50
"""


def write(folder: Path, *changes: tuple[str, str], text: str = SHORT) -> Path:
    """The experiment's file with some of its text replaced; every old text has to be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "short.toml"
    path.write_text(text)
    return path
