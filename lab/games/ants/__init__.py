"""Ants (개미 군단): two colonies, pheromones instead of orders."""

from lab.game import Game
from lab.games.ants import board, state, verbs, view
from lab.games.ants.archetypes import POLICIES
from lab.games.ants.columns import COLUMNS
from lab.games.ants.metrics import METRICS
from lab.games.ants.policies import WEIGHTS
from lab.games.ants.rules import Ants
from lab.games.ants.seen import seen

GAME = Game(
    name="ants",
    title="개미 군단",
    version="2",
    document=Ants,
    default_rules="0.3",
    derived=board.DERIVED,
    prepare=board.prepare,
    state=state.STATE,
    outcome=state.OUTCOME,
    kernels=verbs,
    action_kinds=state.ACTION_KINDS,
    numbers=state.NUMBERS,
    max_actions=state.MAX_ACTIONS,
    max_clock=state.MAX_CLOCK,
    endings=state.ENDINGS,
    curves=state.CURVES,
    weights=WEIGHTS,
    policies=POLICIES,
    columns=COLUMNS,
    metrics=METRICS,
    view=view,
    seen=seen,
    cap="/turn/round_cap",
)
