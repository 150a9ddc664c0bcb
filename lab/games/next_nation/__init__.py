"""NEXT NATION: two sides, simultaneous orders, a map of its own for every game."""

from lab.game import Game
from lab.games.next_nation import bank, state, verbs, view
from lab.games.next_nation.archetypes import POLICIES
from lab.games.next_nation.columns import COLUMNS
from lab.games.next_nation.metrics import METRICS
from lab.games.next_nation.policies import WEIGHTS
from lab.games.next_nation.rules import NextNation
from lab.games.next_nation.seen import seen

GAME = Game(
    name="next_nation",
    title="NEXT NATION",
    version="1",
    document=NextNation,
    default_rules="2026-qualifier",
    derived=state.DERIVED,
    prepare=bank.prepare,
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
    block=state.SLOTS,
    cluster="map_seed",
    clock="day",
    cap="/days",
)
