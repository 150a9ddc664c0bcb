"""Would the tests notice a slip in the rules? Change one thing at a time in the rules' functions.

    python tests/mutants.py [--game ants] [--sample 8] [--seed 0] [--drawn 200]

A mutant is one number, comparison or operator changed in a game's kernels. It runs as plain
Python, without the compiler, through recorded games in which the reference (tests/reference) has
told every position, every legal set and the row; at least 95 % of the mutants have to differ
somewhere. tests/mutants/<game>.json names the files that hold the rules, the functions in them of
which a reference says nothing, and the changes that change nothing, with the reason; the
modules that stay compiled, because they are slow and no rules of play; and why the reference
wanders, if it chooses actions itself in some games, for policies that never do all that is legal.
"""

import argparse
import ast
import importlib
import json
import random
import shutil
import signal
import sys
import tempfile
import warnings
from copy import deepcopy
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import lab.games  # noqa: E402
from lab import packing  # noqa: E402
from lab.catalog import GAMES, load_game, load_rules  # noqa: E402
from lab.jit import blank  # noqa: E402
from lab.play import Position, trace  # noqa: E402
from lab.rng import CHANCE, stream  # noqa: E402
from tests.games.test_playthroughs import FILES, read  # noqa: E402
from tests.games.test_reference import choose, columns  # noqa: E402
from tests.games.test_symmetry import variants  # noqa: E402
from tests.rulesets import draw_rules, shortened  # noqa: E402
from tests.seats import drawn as drawn_seats  # noqa: E402

SECONDS = 120
"""A mutant that computes for longer than that never ends: noticed."""

LONGEST = 300
"""Actions of a recorded game: longer ones take much time and show little more."""

# --- one change ---------------------------------------------------------------------------------

SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "lowest": "highest", "highest": "lowest"}


def changes(node):
    """What else could stand where a node stands: (field, value) of each change."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        value = node.value
        news = [not value] if isinstance(value, bool) else [value - 1, value + 1]
        return [("value", new) for new in news]
    if isinstance(node, ast.Name) and node.id in NAMES:
        return [("id", NAMES[node.id])]
    if isinstance(node, ast.Compare):
        return [("ops", [SWAPS[type(op)]()]) for op in node.ops[:1] if type(op) in SWAPS]
    operator = type(getattr(node, "op", None))
    return [("op", SWAPS[operator]())] if operator in SWAPS else []


def mutants(file, unseen):
    """(what changed, source) for each single change in the functions of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name in unseen:
            continue
        for statement in ast.walk(ast.Module(function.body, [])):
            for node in _own(statement):
                for field, new in changes(node):
                    before, old = _head(statement), getattr(node, field)
                    setattr(node, field, new)
                    change = f"{file.stem}.{function.name}: {before} -> {_head(statement)}"
                    yield change, ast.unparse(tree)
                    setattr(node, field, old)


def _own(statement):
    """The nodes of a statement that do not belong to a statement inside it."""
    waiting = [statement] if isinstance(statement, ast.stmt) else []
    while waiting:
        node = waiting.pop()
        yield node
        children = ast.iter_child_nodes(node)
        waiting += [child for child in children if not isinstance(child, ast.stmt)]


def _head(statement):
    return ast.unparse(statement).partition("\n")[0]


# --- kernels without the compiler ---------------------------------------------------------------


class Record:
    """A record as kernels read it, by attribute, and as views do, by name.

    Narrow integers are wide ones, as compiled code reckons with them.
    """

    def __init__(self, fields):
        vars(self).update(fields)

    def __getitem__(self, name):
        return vars(self)[name]

    def __setitem__(self, name, value):
        vars(self)[name] = value

    @classmethod
    def of(cls, record):
        fields = {}
        for name in record.dtype.names:
            value = record[name]
            if value.dtype.names:
                fields[name] = Rows(value) if value.ndim else cls.of(value)
            elif value.ndim:
                narrow = value.dtype.kind in "iu" and value.dtype.itemsize < 8
                fields[name] = value.astype(np.int64) if narrow else value.copy()
            else:  # a mask stays one
                fields[name] = value.copy() if value.dtype == np.uint64 else value.item()
        return cls(fields)

    def write(self, record):
        for name in record.dtype.names:
            record[name] = self[name]
        return record


class Rows:
    """An array of records, each read when it is asked for: few of many maps are."""

    def __init__(self, rows):
        self.rows, self.read = rows, {}

    def __getitem__(self, i):
        if i not in self.read:
            self.read[i] = Record.of(self.rows[i])
        return self.read[i]


PLAIN = {
    "kernel": lambda function: function,
    "copy_state": lambda target, source: vars(target).update(deepcopy(vars(source))),
    "count": lambda mask: int(mask).bit_count(),
    "lowest": lambda mask: (int(mask) & -int(mask)).bit_length() - 1,
    "highest": lambda mask: int(mask).bit_length() - 1,
    "bytes_turned": lambda mask: np.uint64(mask).byteswap(),
    "bit": lambda cell: np.uint64(1) << np.uint64(cell),
    "without_lowest": lambda mask: mask & (mask - np.uint64(1)),
    "nth": lambda mask, n: [i for i in range(64) if int(mask) >> i & 1][n],
    "blank": blank,
}
"""What games import from lab.jit, in plain Python."""


def load_plain(name, folder, compiled_ones):
    """The game in a folder, with kernels that are plain functions but for some modules."""
    kept = {f"lab.games.{name}.{module}" for module in compiled_ones}
    for module in [module for module in sys.modules if module.startswith(f"lab.games.{name}")]:
        if module not in kept:
            del sys.modules[module]
    compiled = {module: sys.modules.pop(module) for module in ("lab.jit", "lab.rng")}
    sys.modules["lab.jit"] = plain = ModuleType("lab.jit")
    vars(plain).update(PLAIN)
    lab.games.__path__ = [str(folder)]
    try:
        return importlib.import_module(f"lab.games.{name}").GAME
    finally:
        sys.modules |= compiled


# --- games that the reference has told ----------------------------------------------------------


def record_games(name, drawn, wanders):
    """(document, run, [(position, seat, legal, action)], end, scores, row) of games.

    The games of tests/playthroughs; two of policies under the shipped rules with each choice and
    switch, one under each drawn rules. Most of these are short: there more happens in as many
    actions. Half of the drawn ones are played by the reference, if it `wanders`.
    """
    game, oracle = load_game(name), importlib.import_module(f"tests.reference.{name}")
    rng, games = random.Random(f"mutants of {name}"), []
    for file in FILES:
        head, _ = read(file)
        if head["game"] == name:
            run = int(head["seed"]), int(head["index"])
            games.append((load_rules(name, head["version"]), (head["first"], head["second"]), run))
    every = [*variants(name)] * 2
    for _ in range(drawn):
        new = draw_rules(game.document, rng)
        every.append(load_rules(name).override({f"/{key}": new[key] for key in new}))
    for seed, rules in enumerate(every):
        rules = rules if seed % 3 == 0 else shortened(rules)
        alone = wanders and seed >= len(every) - drawn // 2
        games.append((rules, None if alone else drawn_seats(rules, rng), (seed, 0)))
    told = [tell(game, oracle.Reference, *one, rng) for one in games]
    return sorted(filter(None, told), key=lambda one: len(one[2]))


def tell(game, oracle, rules, seats, run, rng):
    """What the reference tells of a game of two policies, or of one it plays itself.

    Nothing if that is too long.
    """
    actions = trace(game, rules, *seats, *run)[1] if seats else []
    position, steps = Position(game, rules, *run), []
    reference = oracle(rules.document.model_dump(), position.text())
    taste = dict(getattr(oracle, "TASTE", {}))
    while not reference.over and max(len(actions), len(steps)) <= LONGEST:
        if seats:
            action = actions[len(steps)]
            text = game.view.action_text(position.record, action)
        else:
            text = choose(reference, taste, rng)
            action = game.view.parse_action(position.record, text)
        steps.append((reference.text(), reference.seat, sorted(reference.legal()), action))
        reference.play(text)
    if not reference.over:
        return None
    scores = [reference.score(seat) for seat in range(2)]
    return rules.document, run, steps, reference.text(), scores, reference.row()


def agrees(game, told):
    """Whether the plain kernels play all the recorded games as the reference told them."""
    verbs, view = game.kernels, game.view
    dtype = packing.dtype_of(game.document, game.name, game.derived)
    legal = np.zeros(game.max_actions, np.int64)
    for document, (seed, index), steps, end, scores, row in told:
        packed = packing.pack(document, dtype)[0]
        game.prepare(packed, document, seed, range(index, index + 1))
        rules, state = Record.of(packed), Record.of(np.zeros(1, game.state)[0])
        outcome = Record.of(np.zeros(1, game.outcome)[0])
        chance = np.uint64(stream(np.uint64(seed), np.int64(index), CHANCE))
        verbs.setup(rules, state, index, chance)
        for text, seat, choices, action in steps:
            legal[:] = -1
            if view.text(rules, state) != text or verbs.seat(rules, state) != seat:
                return False
            listed = legal[: verbs.legal_actions(rules, state, legal)]
            found = sorted(view.action_text(rules, a) for a in listed)
            if found != choices or action not in listed or verbs.is_over(rules, state):
                return False
            verbs.step(rules, state, action, outcome)
        if view.text(rules, state) != end or not verbs.is_over(rules, state):
            return False
        if [verbs.score(rules, state, seat) for seat in range(2)] != scores:
            return False
        outcome.plies = len(steps)
        if columns(game, outcome.write(np.zeros(1, game.outcome)[0])) != row:
            return False
    return True


# --- the count ----------------------------------------------------------------------------------


def noticed(name, folder, compiled_ones, told):
    """Whether a folder's game plays otherwise, breaks, or never comes to an end."""

    def give_up(number, frame):
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return not agrees(load_plain(name, folder, compiled_ones), told)
    except Exception:  # noqa: BLE001 a mutant may break in any way
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAMES, default=GAMES[0])
    parser.add_argument("--sample", type=int, default=8, help="how many mutants, 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--drawn", type=int, default=200, help="drawn rules to play a game under")
    options = parser.parse_args()
    name, source = options.game, Path(lab.games.__path__[0])
    about = json.loads((ROOT / "tests" / "mutants" / f"{name}.json").read_text(encoding="utf-8"))

    told = record_games(name, options.drawn, "wanders" in about)
    files = [source / name / file for file in about["files"]]
    every = [(f, *mutant) for f in files for mutant in mutants(f, about["unseen"])]
    every = [mutant for mutant in every if mutant[1] not in about["equivalent"]]
    sample = random.Random(options.seed).sample(every, options.sample or len(every))
    sys.dont_write_bytecode = True  # two mutants of one second and size would be one
    warnings.simplefilter("ignore")  # plain numpy warns where kernels wrap round

    missed = []
    with tempfile.TemporaryDirectory() as place:
        folder = shutil.copytree(source / name, Path(place) / name).parent
        for file in files:  # printed from its tree, as every mutant will be
            text = ast.unparse(ast.parse(file.read_text(encoding="utf-8")))
            (folder / name / file.name).write_text(text, encoding="utf-8")
        if noticed(name, folder, about["compiled"], told):
            sys.exit("the kernels, unchanged, do not play as the reference does")
        for file, change, text in sample:
            (folder / name / file.name).write_text(text, encoding="utf-8")
            if not noticed(name, folder, about["compiled"], told):
                missed.append(change)
                print("missed", change, flush=True)
            shutil.copy(file, folder / name)
    caught = len(sample) - len(missed)
    print(f"{name}: {caught} of {len(sample)} mutants noticed ({len(every)} possible)")
    sys.exit(caught < 0.95 * len(sample))


if __name__ == "__main__":
    main()
