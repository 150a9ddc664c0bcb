"""The verbs in which every loop speaks to a game: stubs, given a meaning by `lab.jit.implement`."""


def setup(rules, state, index, chance):
    """Write every field of `state`: the start of game `index`, its chance stream at `chance`."""


def seat(rules, state):
    """Whose decision it is: 0 for the first seat, 1 for the second."""


def legal_actions(rules, state, legal):
    """Fill `legal` (int64, MAX_ACTIONS) and return how many; never 0 before the end."""


def kind_of(rules, action):
    """The action's kind, an index of `Game.action_kinds`."""


def step(rules, state, action, outcome):
    """Play a legal action and count what happens into `outcome`."""


def is_over(rules, state):
    """Whether the game has ended."""


def score(rules, state, seat):
    """What the ended game is worth to a seat, 0 to 1; a draw is one half."""


def clock(rules, state):
    """The round or day the game is in, from 0, never falling: the axis of the curves."""


def gauge(rules, state, sums):
    """Add the position's `Game.curves`, whole numbers, to `sums` (int64, one a curve)."""


def observe(rules, state, seat, view):
    """What that seat may know, written to and returned as `view`; with nothing hidden, `state`."""


def imagine(rules, view, seat, world, mind):
    """Write to `world` one state that fits the view, with fresh chance from `mind`."""


def wake(rules, policy, mind):
    """Prepare a policy's mind for one game; `mind.rng` is its stream already."""


def act(rules, view, policy, mind, legal):
    """Choose an action by one of the game's own policies; `legal` is scratch."""


VERBS = (
    setup,
    seat,
    legal_actions,
    kind_of,
    step,
    is_over,
    score,
    clock,
    gauge,
    observe,
    imagine,
    wake,
    act,
)
