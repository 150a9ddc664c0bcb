"""A position and an action of Wargambit as text, and read back from it (README 13)."""

import re
from typing import Any, get_args

import numpy as np

from lab.errors import bad
from lab.games.wargambit.fen import army_text, parse_army, square_name
from lab.games.wargambit.ghost import summon
from lab.games.wargambit.limits import PLACES, check_army, counts_of
from lab.games.wargambit.picture import svg
from lab.games.wargambit.rules import MOST_SLOTS, PIECES, Letter
from lab.games.wargambit.state import (
    ACTION_KINDS,
    BUY,
    CLEAR,
    DRAW,
    DUELLIST,
    EMPTY,
    ENDINGS,
    FIRST,
    KIND,
    MATE,
    MEET,
    NOBODY,
    OPPONENTS,
    OUT,
    OVER,
    PAWN,
    PHASES,
    PLACE,
    QUIET,
    RECORD,
    RECORDED,
    RIVAL,
    RUNNING,
    SECOND,
    SHOP,
    STAND,
    STATE,
)
from lab.jit import blank
from lab.line import Word, words_of
from lab.rng import STEP, mix

__all__ = ["action_text", "letters_of", "parse", "parse_action", "parse_places", "svg", "text"]

KEYS = (
    *("chance", "phase", "round", "seat", "opponent", "rounds", "record", "hp", "gold", "level"),
    *("shown", "rerolls", "shop", "army", "places"),
)
END_KEYS = ("ending", "winner")
SEATS = ("first", "second")
WINNERS = (*SEATS, "draw")
MOST_GOLD, MOST_REROLLS = 9999, 9999
CHESS_LETTERS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
LETTERS_KNOWN: tuple[str, ...] = get_args(Letter)
KINGS_PLACE = 4
BY_ITSELF = ("ready", "duel", "ghost", "literal", "auto", "reroll", "level")


# --- writing ------------------------------------------------------------------------------------


def letters_of(record: Any) -> str:
    """The letter of each of PIECES under these rules, then the king's."""
    arsenal = record["arsenal"]
    codes = {n: arsenal[n]["letter"] for n in ("lance", "scout", "cannon")}
    known = CHESS_LETTERS | {name: LETTERS_KNOWN[code] for name, code in codes.items()}
    return "".join(known[name] for name in PIECES) + "k"


def text(record: Any, state: Any) -> str:
    """The position in one line, README 13; `record` are the packed rules, `state` a STATE."""
    letters, slots = letters_of(record), int(record["shop"]["slots"])
    given = [places_text(word, letters, ".") for word in state["record"][: state["recorded"]]]
    shops = [
        ",".join("-" if kind == EMPTY else letters[kind] for kind in shop[:slots])
        for shop in state["shop"]
    ]
    words = {
        "chance": f"{int(state['chance']):016x}",
        "phase": PHASES[state["phase"]],
        "round": state["round"],
        "seat": SEATS[state["seat"]],
        "opponent": OPPONENTS[state["opponent"]],
        "rounds": state["rounds"],
        "record": ";".join(given) or "-",
    }
    for key in ("hp", "gold", "level", "shown", "rerolls"):
        words[key] = f"{state[key][0]}/{state[key][1]}"
    words["shop"] = "/".join(shops)
    words["army"] = "/".join(army_text(army.tolist(), letters) for army in state["army"])
    words["places"] = "/".join(places_text(word, letters) for word in state["places"])
    if state["phase"] == OVER:
        words["ending"] = ENDINGS[state["ending"]]
        words["winner"] = WINNERS[state["winner"]]
    return " ".join(f"{key}={value}" for key, value in words.items())


def places_text(word: Any, letters: str, empty: str = "-") -> str:
    """A placement as `qd1,pe2`, in the order of the squares."""
    kinds = [int(word) >> 4 * place & 15 for place in range(PLACES)]
    return ",".join(letters[k - 1] + square_name(i) for i, k in enumerate(kinds) if k) or empty


def action_text(record: Any, action: int) -> str:
    """An action as README 13 writes it."""
    kind, value = divmod(int(action), KIND)
    if kind == PLACE:
        return f"place {letters_of(record)[value // PLACES]} {square_name(value % PLACES)}"
    if kind == BUY:
        return f"buy {value + 1}"
    return f"recorded {value}" if kind == RECORDED else ACTION_KINDS[kind]


# --- reading ------------------------------------------------------------------------------------


def parse_action(record: Any, text: str) -> int:
    """The action of a text of README 13, legal or not; BadInput with the nearest action."""
    words = text.split()
    if len(words) == 1 and words[0] in BY_ITSELF:
        return ACTION_KINDS.index(words[0]) * KIND
    if len(words) == 2 and words[0] in ("buy", "recorded"):
        most = int(record["shop"]["slots"] if words[0] == "buy" else record["run"]["rounds"])
        n = Word(f"action {text!r}", words[1]).number(words[1], 1, most)
        return BUY * KIND + n - 1 if words[0] == "buy" else RECORDED * KIND + n
    if len(words) == 3 and words[0] == "place":
        kind, place = _man(Word(f"action {text!r}", ""), words[1] + words[2], letters_of(record))
        return PLACE * KIND + kind * PLACES + place
    known = (*BY_ITSELF, "buy 1", "recorded 10", "place p d2")
    raise bad("action", repr(text), "one of " + ", ".join(known), text, known)


def parse_places(text: str, letters: str, where: str) -> int:
    """A placement's word from `qd1,pe2` or `-`; BadInput says which piece cannot stand there."""
    word = 0
    for item in [] if text in ("-", ".") else text.split(","):
        kind, place = _man(Word(where, text), item.strip(), letters)
        if word >> 4 * place & 15:
            raise bad(where, f"two pieces on {square_name(place)}", "one piece on a square")
        word |= (kind + 1) << 4 * place
    return word


def _man(word: Word, text: str, letters: str) -> tuple[int, int]:
    """A piece and the place of `qd1`, where a piece may stand."""
    match = re.fullmatch("([a-z])([a-h])([12])", text)
    if match is None or match[1] not in letters[:-1]:
        raise word.bad(text, f"a letter of {letters[:-1]} and a square of ranks 1 and 2, as in qd1")
    kind = letters.index(match[1])
    place = "abcdefgh".index(match[2]) + 8 * (int(match[3]) - 1)
    if place == KINGS_PLACE:
        raise word.bad(text, "another square: e1 is the king's")
    if kind == PAWN and place < 8:
        raise word.bad(text, "a square of rank 2: no pawn stands on the back row")
    return kind, place


def parse(record: Any, text: str) -> Any:
    """The STATE record of a position's text, README 13; its words may come in any order.

    BadInput names the word at fault. The ghost, which follows from the rules and the round alone,
    is worked out again.
    """
    words = words_of(text, KEYS, END_KEYS)
    letters = letters_of(record)
    state: Any = blank(STATE)[0]
    _read_match(record, words, state)
    for key in ("record", "army", "places", "shop"):
        if key != "record" and words[key].value.count("/") != 1:
            raise words[key].bad(words[key].value, "what is said of both seats, parted by /")
    for place, item in enumerate(words["record"].items()):
        word = parse_places(item, letters, words["record"].where)
        check_army(record["army"], counts_of(word), words["record"].where)
        state["record"][place] = np.uint64(word)
    _read_sides(record, words, state, letters)
    _check_sides(record, words, state)
    _check_nobody(words, state)
    _check_opponent(record, words, state, letters)
    if state["phase"] == OVER:
        _check_end(record, words, state)
    return state


def _read_match(record: Any, words: dict[str, Word], state: Any) -> None:
    """Whose match it is, and how far it is."""
    chance = words["chance"]
    if not re.fullmatch("[0-9a-f]{16}", chance.value):
        raise chance.bad(chance.value, "16 hexadecimal digits")
    number = int(chance.value, 16)
    state["chance"] = np.uint64(number)
    state["deal"] = mix(np.uint64((number + int(STEP)) % 2**64))
    phase = state["phase"] = words["phase"].choice(PHASES)
    state["seat"] = words["seat"].choice(SEATS)
    opponent = state["opponent"] = words["opponent"].choice(OPPONENTS)
    running = phase == SHOP or (phase == OVER and opponent != DUELLIST)
    most = int(record["run"]["rounds"])
    low, high = (1, most) if running else (0, 0)
    if phase == OVER and opponent == DUELLIST:
        low, high = 1, 1
    state["round"] = words["round"].number(words["round"].value, low, high)
    known = {MEET: (NOBODY,), STAND: (DUELLIST, RECORD)}.get(phase, range(1, len(OPPONENTS)))
    if opponent not in known or (phase == SHOP and opponent == DUELLIST):
        raise words["opponent"].bad(words["opponent"].value, "one that this phase has")
    recorded = len(words["record"].items())
    low, high = (1, most) if opponent == RECORD else (0, 0)
    state["rounds"] = words["rounds"].number(words["rounds"].value, low, high)
    state["recorded"] = recorded
    if recorded > state["rounds"] or (running and recorded != state["rounds"]):
        raise words["record"].bad(f"{recorded} armies", f"those of {state['rounds']} rounds")
    if phase == STAND and opponent == RECORD and recorded == state["rounds"]:
        raise words["record"].bad(f"{recorded} armies", "fewer, as one more is being given")
    _read_end(words, state)


def _read_end(words: dict[str, Word], state: Any) -> None:
    over = state["phase"] == OVER
    for key in END_KEYS:
        if (key in words) != over:
            raise bad("position", f"{'no ' if over else ''}{key}", f"{key}=... if it is over")
    state["ending"] = words["ending"].choice(ENDINGS) if over else RUNNING
    state["winner"] = words["winner"].choice(WINNERS) if over else DRAW


def _read_sides(record: Any, words: dict[str, Word], state: Any, letters: str) -> None:
    """What each seat has."""
    top = int(record["shop"]["top_level"])
    limits = {"hp": int(record["run"]["hp"]), "gold": MOST_GOLD, "level": top}
    for key, high in (limits | {"shown": top, "rerolls": MOST_REROLLS}).items():
        state[key] = words[key].pair("/", high)
    halves = {key: words[key].value.split("/") for key in ("shop", "army", "places")}
    for side in range(2):
        where = words["shop"].where
        slots = halves["shop"][side].split(",")
        if len(slots) != record["shop"]["slots"]:
            raise bad(where, f"{len(slots)} slots", f"{record['shop']['slots']}")
        state["shop"][side] = [_slot(words["shop"], slot, letters) for slot in slots] + [EMPTY] * (
            MOST_SLOTS - len(slots)
        )
        army = parse_army(halves["army"][side], letters, words["army"].where)
        check_army(record["army"], army, words["army"].where)
        state["army"][side] = army
        places = parse_places(halves["places"][side], letters, words["places"].where)
        state["places"][side] = np.uint64(places)


def _slot(word: Word, text: str, letters: str) -> int:
    if text == "-":
        return EMPTY
    if len(text) != 1 or text not in letters[:-1]:
        raise word.bad(text, f"- or a letter of {letters[:-1]}")
    return letters.index(text)


def _check_sides(record: Any, words: dict[str, Word], state: Any) -> None:
    """What a seat has must fit together, and fit what it plays."""
    running = state["round"] > 0 and state["opponent"] != DUELLIST
    for side, seat in enumerate(SEATS):
        plays = running and (side == 0 or state["opponent"] == RIVAL)
        for key in ("hp", "gold", "level", "shown", "rerolls"):
            if state[key][side] and not plays:
                raise words[key].bad(words[key].value, f"0 for the {seat} seat, which plays no run")
        if plays and not state["level"][side]:
            raise words["level"].bad(words["level"].value, f"a level of the {seat} seat")
        if state["shown"][side] > state["level"][side]:
            raise words["shown"].bad(words["shown"].value, f"at most the {seat} seat's level")
        if state["hp"][side] and not state["shown"][side]:
            raise words["shown"].bad(words["shown"].value, f"the {seat} seat's shop, as it has HP")
        if state["rerolls"][side] and not state["shown"][side]:
            raise words["rerolls"].bad(words["rerolls"].value, f"0: the {seat} seat has no shop")
        for kind in state["shop"][side]:
            if kind != EMPTY and record["tier"][kind] > state["shown"][side]:
                raise words["shop"].bad(
                    PIECES[kind], f"pieces that level {state['shown'][side]} has"
                )
        _check_places(words, state, side)
    mover = state["seat"]
    wrong = state["phase"] == SHOP and mover == 1 and state["opponent"] != RIVAL
    if wrong or (state["phase"] == STAND and state["opponent"] == RECORD and mover == 0):
        raise words["seat"].bad(words["seat"].value, "the other seat")
    if state["phase"] == SHOP and not (state["hp"][0] and state["hp"][mover]):
        raise words["hp"].bad(words["hp"].value, "HP for the first seat and for who is to decide")


def _check_places(words: dict[str, Word], state: Any, side: int) -> None:
    """Only what the seat owns can stand; where armies cost nothing, all of it does."""
    standing = counts_of(int(state["places"][side]))
    free = state["opponent"] in (DUELLIST, RECORD) and (side == 1 or state["opponent"] == DUELLIST)
    for kind, n in enumerate(standing):
        owned = int(state["army"][side][kind])
        if n > owned or (free and n != owned):
            raise words["places"].bad(f"{n} {PIECES[kind]}s", f"{owned}, as many as the army has")


def _check_nobody(words: dict[str, Word], state: Any) -> None:
    """Who has not begun has no piece."""
    waiting = {MEET: (0, 1), STAND: (0,) if state["opponent"] == RECORD else ()}
    sides = waiting.get(int(state["phase"]), ())
    if state["phase"] == STAND and state["opponent"] == DUELLIST and state["seat"] == 0:
        sides = (1,)
    for side in sides:
        if state["army"][side].any():
            raise words["army"].bad(words["army"].value, f"- for the {SEATS[side]} seat yet")


def _check_opponent(record: Any, words: dict[str, Word], state: Any, letters: str) -> None:
    """The ghost and a recorded army follow from the round."""
    if not state["round"] or state["opponent"] == DUELLIST:
        return
    if state["opponent"] == RECORD:
        due = state["record"][min(state["round"], state["rounds"]) - 1]
        if state["places"][1] != due:
            expected = f"the round's recorded {places_text(due, letters)}"
            raise words["places"].bad(places_text(state["places"][1], letters), expected)
        return
    told = state["army"][1].copy()
    summon(record, state)
    if state["opponent"] != RIVAL:
        if (told != state["army"][1]).any():
            expected = f"the ghost's {army_text(state['army'][1].tolist(), letters)}"
            raise words["army"].bad(army_text(told.tolist(), letters), expected)
        if state["places"][1]:
            found = places_text(state["places"][1], letters)
            raise words["places"].bad(found, "- for the ghost, which stands automatically")


def _check_end(record: Any, words: dict[str, Word], state: Any) -> None:
    """README 1.2, 9 and 14: an ending, who won, and how far it went belong together."""
    ending, duel = int(state["ending"]), state["opponent"] == DUELLIST
    word = words["ending"]
    if duel != (ending >= MATE):
        raise word.bad(
            word.value, f"one of {', '.join(ENDINGS[MATE:] if duel else ENDINGS[:MATE])}"
        )
    if state["seat"] != int(duel):
        raise words["seat"].bad(words["seat"].value, SEATS[int(duel)] + ", who decided last")
    winners = {CLEAR: (FIRST,), OUT: (SECOND,), MATE: (FIRST, SECOND), QUIET: (DRAW,)}
    known = winners.get(ending, (FIRST, SECOND, DRAW))
    if state["winner"] not in known:
        expected = " or ".join(WINNERS[winner] for winner in known)
        raise words["winner"].bad(words["winner"].value, f"{expected} for {word.value}")
    if not duel and (state["hp"][0] > 0) != (ending == CLEAR):
        raise words["hp"].bad(words["hp"].value, "HP of the first seat for clear, 0 for out")
    if ending == CLEAR and state["round"] != record["run"]["rounds"]:
        expected = f"{record['run']['rounds']}, the last one"
        raise words["round"].bad(words["round"].value, expected)
