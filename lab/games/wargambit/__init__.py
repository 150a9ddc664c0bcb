"""Wargambit: shops, synergies, a ghost, and battles that are chess."""

from lab.game import Game
from lab.games.wargambit import limits, recorded, state, tables, verbs, view
from lab.games.wargambit.archetypes import POLICIES, ROLES
from lab.games.wargambit.columns import COLUMNS
from lab.games.wargambit.metrics import METRICS
from lab.games.wargambit.policies import NAMED, WEIGHTS
from lab.games.wargambit.rules import Wargambit
from lab.games.wargambit.seen import seen

GAME = Game(
    name="wargambit",
    title="Wargambit",
    version="1",
    document=Wargambit,
    default_rules="1.0",
    derived=tables.DERIVED,
    prepare=tables.prepare,
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
    pair=("saver", "ghost"),
    roles=ROLES,
    declared=("duel", "ghost", "literal", "recorded"),
    named=NAMED,
    stakes=("clear", "hp"),
    kept={"armies": recorded.army},
    doubt=recorded.left_over,
    fits=limits.check_policy,
)
