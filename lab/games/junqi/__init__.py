"""Junqi (군기): two hidden armies, rails, and a flag."""

from lab.game import Game
from lab.games.junqi import board, state, verbs, view
from lab.games.junqi.archetypes import POLICIES
from lab.games.junqi.columns import COLUMNS
from lab.games.junqi.metrics import METRICS
from lab.games.junqi.policies import NAMED, WEIGHTS
from lab.games.junqi.rules import Junqi
from lab.games.junqi.seen import seen

GAME = Game(
    name="junqi",
    title="군기",
    version="1",
    document=Junqi,
    default_rules="1.0",
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
    clock="ply",
    declared=("swap", "timed"),
    named=NAMED,
)
