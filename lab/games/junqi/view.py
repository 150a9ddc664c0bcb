"""A position and an action of junqi as text, and read back from it (README 10)."""

import re
from typing import Any

import numpy as np

from lab.errors import bad
from lab.game import WINNERS
from lab.games.junqi.belief import expect
from lab.games.junqi.formations import LETTERS
from lab.games.junqi.picture import svg
from lab.games.junqi.rules import KINDS, NODES
from lab.games.junqi.state import (
    ACTION_KINDS,
    DRAW,
    ENDINGS,
    ENGINEER,
    FLAG,
    KIND,
    MAX_PLIES,
    MINE,
    MOVES,
    NEVER,
    NOBODY,
    PLAY,
    RANKED,
    RUNNING,
    SETUP,
    STATE,
    SWAP,
    UNKNOWN,
)
from lab.line import Word, demand, words_of

__all__ = ["action_text", "parse", "parse_action", "svg", "text"]

SIDES = ("w", "b")
EVERY = (1 << len(KINDS)) - 1
KEYS = ("turn", "quiet")
MORE = ("ply", "phase", "timed", "late", "offer", "offered", "gone", "ending", "winner")
MAN = re.compile("([^@]*)@([^:]*)(?::(.*))?")
DRAWS = ("quiet", "agreed")


# --- writing ------------------------------------------------------------------------------------


def text(record: Any, state: Any) -> str:
    """The position in one line, README 10; `record` are the packed rules, `state` a STATE.

    What a side sees of it may be written too: an enemy's kind is then `?`.
    """
    words = []
    for node, name in enumerate(NODES):
        for side, colour in enumerate(SIDES):
            if int(state["own"][side]) >> node & 1:
                letter = (LETTERS + "?")[state["kind"][side][node]]
                may = kinds_text(possible(state, side, int(state["man"][node])))
                words.append(f"{colour}{letter}@{name}{may and ':' + may}")
    words += [f"turn={SIDES[state['side']]}", f"quiet={state['quiet']}"]
    words += [f"{key}={value}" for key, value in _more(record, state).items() if value]
    return " ".join(words)


def _more(record: Any, state: Any) -> dict[str, str]:
    """The words that are left out where they say nothing."""
    over = state["ending"] != RUNNING
    offered = ["-" if ply == NEVER else str(ply) for ply in state["offered"]]
    return {
        "ply": str(state["ply"] or ""),
        "phase": "setup" if state["phase"] == SETUP else "",
        "timed": "".join(c for c, timed in zip(SIDES, state["timed"], strict=True) if timed),
        "late": "/".join(map(str, state["late"])) if any(state["late"]) else "",
        "offer": "" if state["offer"] == NOBODY else SIDES[state["offer"]],
        "offered": "/".join(offered) if offered != ["-", "-"] else "",
        "gone": ";".join(_gone(record, state)),
        "ending": ENDINGS[state["ending"]] if over else "",
        "winner": WINNERS[state["winner"]] if over else "",
    }


def _gone(record: Any, state: Any) -> list[str]:
    """What is known of the pieces that are gone."""
    found = []
    for side, colour in enumerate(SIDES):
        nodes = [n for n in range(len(NODES)) if int(state["own"][side]) >> n & 1]
        alive = {int(state["man"][node]) for node in nodes}
        gone = [man for man in range(int(record["men"])) if man not in alive]
        told = [kinds_text(possible(state, side, man)) for man in gone]
        found += [f"{colour}:{may}" for may in sorted(told) if may]
    return found


def possible(state: Any, side: int, man: int) -> int:
    """The kinds that a man may be for the other side, as bits; none if that is hidden."""
    return sum((int(may) >> man & 1) << kind for kind, may in enumerate(state["can"][side]))


def kinds_text(kinds: int) -> str:
    """Kinds as `1-9X`, nothing for every kind or none."""
    if kinds in (0, EVERY):
        return ""
    runs: list[str] = []
    for i, letter in enumerate(LETTERS):
        if kinds >> i & 1:
            follows = 0 < i < RANKED and kinds >> i - 1 & 1
            runs = [*runs[:-1], runs[-1] + letter] if follows else [*runs, letter]
    return "".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else run for run in runs)


def action_text(record: Any, action: int) -> str:
    """An action as README 10 writes it."""
    kind, rest = divmod(int(action), KIND)
    one, two = NODES[rest >> 6], NODES[rest & 63]
    if kind == PLAY:
        return f"{one}-{two}" if rest else "ready"
    return f"swap {one} {two}" if kind == SWAP else ACTION_KINDS[kind]


# --- reading ------------------------------------------------------------------------------------


def parse_action(record: Any, text: str) -> int:
    """The action of a text of README 10, legal or not; BadInput with the nearest action."""
    where, words = f"action {text!r}", text.split()
    if len(words) == 1 and words[0] in ACTION_KINDS[SWAP + 1 :]:
        return ACTION_KINDS.index(words[0]) * KIND
    if words == ["ready"]:
        return PLAY * KIND
    nodes = words[1:] if words[:1] == ["swap"] else text.strip().split("-")
    if len(nodes) == 2:
        one, two = (_node(where, name) for name in nodes)
        return (SWAP if words[0] == "swap" else PLAY) * KIND + one * 64 + two
    known = ("ready", "swap A1 C2", "A6-A7", *ACTION_KINDS[SWAP + 1 :])
    raise bad("action", repr(text), "one of " + ", ".join(known), text, known)


def _node(where: str, name: str) -> int:
    """A node by its name."""
    if name not in NODES:
        raise bad(where, f"node {name!r}", "a node such as A1, CF or E12", name, NODES)
    return NODES.index(name)


def parse(record: Any, text: str) -> Any:
    """The STATE record of a position's text, README 10; its words may come in any order.

    BadInput names the word at fault. Of pieces that are not told of nothing is known.
    """
    told = text.split()
    words = words_of(" ".join(word for word in told if "@" not in word), KEYS, MORE)
    state: Any = np.zeros(1, STATE)[0]
    state["kind"], state["offered"], state["offer"] = UNKNOWN, NEVER, NOBODY
    state["side"] = words["turn"].choice(SIDES)
    state["quiet"] = words["quiet"].number(words["quiet"].value, 0, record["draw"]["quiet_limit"])
    state["can"] = (1 << int(record["men"])) - 1
    free = [list(range(int(record["men"]))) for _ in SIDES]
    for at_home in (True, False):  # who may not have moved is numbered by its place
        for word in told:
            if "@" in word:
                _stand(record, state, free, word, at_home)
    _check_counts(record, state)
    _read_more(record, state, free, words)
    for side in range(2):
        _arm(record, state, side)
    if state["ending"] == RUNNING:
        _check_running(record, state, words)
    return state


def _check_running(record: Any, state: Any, words: dict[str, Word]) -> None:
    """Refuse a position at which the game would have ended (6.2, 6.3, 7.1)."""
    if state["phase"] == MOVES and not _can_move(record, state):
        raise words["turn"].bad("no legal move", "one, or how it ended: ending=stuck")
    limits = {"quiet": record["draw"]["quiet_limit"], "late": record["clock"]["late_limit"]}
    for key, limit in limits.items():
        if np.max(state[key]) >= limit:
            wanted = f"less than {limit}, or how it ended: ending={key}"
            raise words[key].bad(words[key].value, wanted)


def _can_move(record: Any, state: Any) -> bool:
    """6.2 Whether the side to move can."""
    side = int(state["side"])
    own, enemy = int(state["own"][side]), int(state["own"][1 - side])
    free = ~(own | enemy & int(record["camps"]))
    return any(int(record["near"][node]) & free for node in _nodes(state["movable"][side]))


Free = list[list[int]]
"""Numbers of men that nobody has yet, by side."""


def _stand(record: Any, state: Any, free: Free, word: str, at_home: bool) -> None:
    """A piece on its node, and what is known of it; either those that may be on their places yet,
    or the others.
    """
    where, match = f"position {word}", MAN.fullmatch(word)
    colour, letter = (match[1][:1], match[1][1:]) if match else ("", "")
    if not match or colour not in SIDES or letter not in (*LETTERS,):
        wanted = f"w or b, one of {LETTERS} and a node, such as w5@A6 or bX@C9:1-9X"
        raise bad(where, repr(word), wanted)
    side, kind, node = SIDES.index(colour), LETTERS.index(letter), _node(where, match[2])
    places = record["places"][side][: int(record["men"])].tolist()
    still = match[3] is None or any(letter in match[3] for letter in "MF")
    if (node in places and still) != at_home:
        return
    if any(int(own) >> node & 1 for own in state["own"]):
        raise bad(where, f"a second piece on {match[2]}", "one piece on a node")
    if kind in (MINE, FLAG) and not _may_stand(record, side, kind, node):
        raise bad(where, f"a {KINDS[kind]} on {match[2]}", _allowed(record, kind))
    man = _number(free, side, places.index(node) if at_home else None, where)
    state["own"][side] |= np.uint64(1 << node)
    state["alive"][side] |= np.uint64(1 << man)
    state["kind"][side, node], state["man"][node] = kind, man
    if match[3] is not None and kind not in _hold_for(state, side, man, match[3], where):
        raise bad(where, repr(match[3]), f"kinds with its own, {letter}, among them")


def _number(free: Free, side: int, wanted: int | None, where: str) -> int:
    """A number for a man, taken from those that are free."""
    if not free[side]:
        raise bad(where, f"too many pieces of {SIDES[side]}", "one for each place at most")
    man = free[side][0] if wanted is None else wanted
    free[side].remove(man)
    return man


def _may_stand(record: Any, side: int, kind: int, node: int) -> bool:
    """Whether a kind that never moves may be there."""
    places = record["places"][side][: int(record["men"])].tolist()
    return node in places and int(record["stands"][kind]) >> places.index(node) & 1 == 1


def _allowed(record: Any, kind: int) -> str:
    """3.1 Where a kind may be set up, in words."""
    if kind == FLAG:
        return "one in a headquarters of its side"
    if kind == MINE:
        return f"one on its {record['setup']['mine_rows']} back rows, not in a headquarters"
    return f"a {KINDS[kind]} behind the front row"


def _hold_for(state: Any, side: int, man: int, may: str, where: str) -> set[int]:
    """The kinds that the other side holds a man for."""
    letters = re.sub(
        "([1-9])-([1-9])",
        lambda ends: LETTERS[LETTERS.find(ends[1]) : LETTERS.find(ends[2]) + 1],
        may,
    )
    kinds = {LETTERS.find(letter) for letter in letters}
    if not kinds or -1 in kinds:
        raise bad(where, repr(may), "kinds such as 1-9X")
    for kind in range(len(KINDS)):
        if kind not in kinds:
            state["can"][side, kind] &= np.uint64(~(1 << man) & (1 << 64) - 1)
    if not kinds & {MINE, FLAG}:
        state["moved"][side] |= np.uint64(1 << man)
    return kinds


def _check_counts(record: Any, state: Any) -> None:
    """No more pieces of a kind than a side has."""
    for side, colour in enumerate(SIDES):
        kinds = state["kind"][side].tolist()
        for kind, most in enumerate(record["counts"].tolist()):
            if kinds.count(kind) > most:
                found = f"{kinds.count(kind)} of {colour}{LETTERS[kind]}"
                raise bad("position", found, f"at most {most} (the {KINDS[kind]}s of a side)")


def _read_more(record: Any, state: Any, free: Free, words: dict[str, Word]) -> None:
    """The words that may be left out."""
    state["phase"], state["ending"], state["winner"] = MOVES, RUNNING, DRAW
    if "ply" in words:
        state["ply"] = words["ply"].number(words["ply"].value, 0, MAX_PLIES)
    if "phase" in words:
        words["phase"].choice(("setup",))
        state["phase"] = SETUP
        _check_setup(record, state)
    if "timed" in words:
        words["timed"].choice(("w", "b", "wb"))
        state["timed"] = [colour in words["timed"].value for colour in SIDES]
    if "late" in words:
        state["late"] = words["late"].pair("/", int(record["clock"]["late_limit"]))
    if "offer" in words:
        state["offer"] = words["offer"].choice(SIDES)
    if "offered" in words:
        _read_offered(state, words["offered"])
    if "gone" in words:
        _read_gone(state, free, words["gone"])
    for side in range(2):
        alive = int(state["alive"][side])
        state["options"][side] = sum((int(may) & alive).bit_count() for may in state["can"][side])
    if "ending" in words or "winner" in words:
        _read_end(state, words)


def _read_end(state: Any, words: dict[str, Word]) -> None:
    """6. How it ended, and for whom."""
    demand(words, ("ending", "winner"))
    state["ending"] = words["ending"].choice(ENDINGS)
    state["winner"] = words["winner"].choice(WINNERS)
    ending, winner = words["ending"].value, words["winner"].value
    if (ending in DRAWS) != (winner == "draw"):
        wanted = "draw" if ending in DRAWS else "first or second"
        raise words["winner"].bad(winner, f"{wanted} for {ending}")


def _nodes(mask: Any) -> list[int]:
    return [node for node in range(len(NODES)) if int(mask) >> node & 1]


def _check_setup(record: Any, state: Any) -> None:
    """In the set-up every place of both sides is taken, by what may stand there (3.1).

    Men are numbered by their places, which are all that is known of them yet (8.1).
    """
    men = int(record["men"])
    for side, colour in enumerate(SIDES):
        places, nodes = record["places"][side][:men].tolist(), _nodes(state["own"][side])
        for node in sorted({*nodes} ^ {*places}):
            found = f"{'a' if node in nodes else 'no'} {colour} piece on {NODES[node]}"
            raise bad("position phase=setup", found, f"one on each of its {men} places, no other")
        for man, node in enumerate(places):
            kind = int(state["kind"][side, node])
            if not _may_stand(record, side, kind, node):
                found = f"a {KINDS[kind]} on {NODES[node]}"
                raise bad("position phase=setup", found, _allowed(record, kind))
            state["man"][node] = man
        state["moved"][side] = 0
        expect(record, state, side)


def _read_offered(state: Any, word: Word) -> None:
    parts = word.value.split("/")
    if len(parts) != 2:
        raise word.bad(word.value, "two plies, or -, with / between them")
    state["offered"] = [
        NEVER if part == "-" else word.number(part, 0, int(state["ply"])) for part in parts
    ]


def _read_gone(state: Any, free: Free, word: Word) -> None:
    """What is known of pieces that are gone."""
    for item in word.items():
        colour, _, may = item.partition(":")
        if colour not in SIDES:
            raise word.bad(item, "w: or b: and kinds, such as w:1-9X")
        side = SIDES.index(colour)
        _hold_for(state, side, _number(free, side, None, word.where), may, word.where)


def _arm(record: Any, state: Any, side: int) -> None:
    """4.3 Which pieces may move, and which are engineers."""
    kinds = state["kind"][side].tolist()
    nodes = _nodes(state["own"][side])
    holds = int(record["homes"]) if record["board"]["headquarters_hold"] else 0
    state["engineers"][side] = sum(1 << n for n in nodes if kinds[n] == ENGINEER)
    state["movable"][side] = sum(
        1 << n for n in nodes if kinds[n] not in (MINE, FLAG) and not holds >> n & 1
    )
