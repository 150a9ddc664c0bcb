"""Tournaments: real programs and built-in policies against one another, through the judge."""

from lab.tournament.bots import Bot, load_bots
from lab.tournament.pairing import Plan
from lab.tournament.results import Summary, summary
from lab.tournament.run import (
    Interrupted,
    Outlook,
    Tournament,
    check,
    judged,
    pairs_of,
    run_tournament,
    with_maps,
)

__all__ = [
    "Bot",
    "Interrupted",
    "Outlook",
    "Plan",
    "Summary",
    "Tournament",
    "check",
    "judged",
    "load_bots",
    "pairs_of",
    "run_tournament",
    "summary",
    "with_maps",
]
