"""Wargambit once more, in plain Python and from the game's README alone: the oracle.

Numbers in docstrings are the sections of lab/games/wargambit/README.md. Nothing here is shared
with the lab, so that the two can only agree by both being right. The battle is in
wargambit_battle.py, a seat's purse and army in wargambit_side.py.
"""

from collections import Counter
from typing import Any, ClassVar

from tests.reference.wargambit_battle import Position, Result, battle
from tests.reference.wargambit_side import (
    GOLDEN,
    PIECES,
    SQUARES,
    WORD,
    Army,
    Ghost,
    Places,
    Side,
    automatic,
    drawn_up,
    has_room,
    letters,
    mix,
    value,
)

SEATS = ("first", "second")
ENDINGS = ("mate", "stalemate", "repetition", "quiet", "cap")
TALLIES = ("bought", "spent", "rerolls", "levels", "interest", "bonus", "army", "left")
RESULTS = ("won", "lost", "drawn", *(f"{ending}s" for ending in ENDINGS), "moves", "damage")
UNREACHABLE: set[str] = set()
RARE = {"stalemate"}
"""One duel in a hundred ends so: this many may not. Such battles are compared by themselves."""
GAMES = 100
"""Games that a test has time to compare with the kernels'."""


class Reference:
    """One game; `rules` is the complete "rules" object of a rules file.

    Of the text of the opening position only chance is read.
    """

    TASTE: ClassVar = {"duel": 5}  # a game that ends as its battle does

    def __init__(self, rules: dict[str, Any], opening: str) -> None:
        self.rules = rules
        words = dict(word.split("=") for word in opening.split())
        self.chance = int(words["chance"], 16)
        self.deal = mix(self.chance + GOLDEN & WORD)
        self.phase, self.round, self.seat, self.opponent = "meet", 0, 0, "none"
        self.rounds = 0
        self.record: list[Places] = []
        self.sides = Side(rules), Side(rules)
        self.ghost = Ghost(rules, rules["ghost"]["saving"])
        self.ending, self.winner = "", ""
        self.plies = 0
        self.tally: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def side(self) -> Side:
        """Of the seat to decide."""
        return self.sides[self.seat]

    def legal(self) -> list[str]:
        """13 The texts of the legal actions; none when over."""
        if self.over:
            return []
        if self.phase == "shop":
            return self.side.orders()
        if self.phase == "stand":
            room = {piece for piece in PIECES if has_room(self.rules, self.side.army, piece)}
            return ["ready", *self.side.placings(room)]
        if self.seat == 0:
            return ["ready", "duel"]
        recorded = [f"recorded {n}" for n in range(1, self.rules["run"]["rounds"] + 1)]
        return ["ready", "ghost", "literal", *recorded]

    def play(self, action: str) -> None:
        """Play the action of this text; ValueError when it is not legal."""
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        self.plies += 1
        kind, *words = action.split()
        {"meet": self.meet, "stand": self.stand, "shop": self.trade}[self.phase](kind, words)

    # --- 6.5 11 who plays ---------------------------------------------------------------------

    def meet(self, kind: str, words: list[str]) -> None:
        if kind == "duel":
            self.phase, self.opponent = "stand", "duel"
        elif self.seat == 0:
            self.seat = 1
        elif kind == "recorded":
            self.phase, self.opponent, self.rounds = "stand", kind, int(words[0])
        else:
            self.opponent = "rival" if kind == "ready" else kind
            if kind == "literal":
                self.ghost.saving = kind
            self.begin()

    def stand(self, kind: str, words: list[str]) -> None:
        """11 13 An army that costs nothing."""
        side = self.side
        if kind == "place":
            side.place(*words)
            side.army = Counter(side.places.values())
        elif self.opponent == "recorded":
            self.record.append(side.places)
            side.army, side.places = Counter(), {}
            if len(self.record) == self.rounds:
                self.begin()
        elif self.seat == 0:
            self.seat = 1
        else:
            self.duel()

    def duel(self) -> None:
        """11 14"""
        self.round = 1
        result = self.fight(self.sides[0].places, self.sides[1].places)
        self.ending, self.winner, self.phase = result.ending, result.winner, "over"

    # --- 1 a run ------------------------------------------------------------------------------

    def begin(self) -> None:
        """1.1 The first round of a run; the opponent is known."""
        self.phase = "shop"
        self.sides[0].enlist()
        if self.opponent == "rival":
            self.sides[1].enlist()
        self.next_round()

    def next_round(self) -> None:
        self.round += 1
        self.ghost.next_round()
        for side in self.sides:
            side.next_round(self.chance, self.round)
        second = self.sides[1]
        if self.opponent in ("ghost", "literal"):
            second.army = self.ghost.army
        elif self.opponent == "recorded":
            second.places = self.record[min(self.round, self.rounds) - 1]
            second.army = Counter(second.places.values())
        self.seat = 1 if second.hp else 0

    def trade(self, kind: str, words: list[str]) -> None:
        """3 4.2"""
        match kind:
            case "auto":
                self.side.places = {}
            case "place":
                self.side.place(*words)
            case "buy":
                self.side.buy(int(words[0]))
            case "reroll":
                self.side.reroll(self.chance, self.round)
            case "level":
                self.side.rise()
            case "ready" if self.seat == 1:
                self.fight_the_ghost()
            case "ready":
                self.fight_the_opponent()

    def fight_the_ghost(self) -> None:
        """6.5 A rival's own battle."""
        rival = self.sides[1]
        ghost = automatic(self.rules, self.ghost.army)
        result = self.resolve(rival.fighters(), ghost)
        if result.winner == "second":
            rival.hurt(*result.left)
        self.seat = 0

    def fight_the_opponent(self) -> None:
        first, second = self.sides
        result = self.fight(first.fighters(), second.fighters())
        if result.winner == "second":
            self.tally["damage"] += first.hurt(*result.left)
        if not first.hp:
            self.ending, self.winner, self.phase = "out", "second", "over"
        elif self.round == self.rules["run"]["rounds"]:
            self.ending, self.winner, self.phase = "clear", "first", "over"
        else:
            self.next_round()

    # --- 7 14 battles -------------------------------------------------------------------------

    def resolve(self, white: Places, black: Places) -> Result:
        white, black = drawn_up(self.rules, white), drawn_up(self.rules, black)
        return battle(self.rules, Position.start(self.rules, white, black, self.round))

    def fight(self, white: Places, black: Places) -> Result:
        """The first seat's battle, and what it counts for."""
        result = self.resolve(white, black)
        for side, places, left in zip(self.sides, (white, black), result.left, strict=True):
            army = Counter(drawn_up(self.rules, places).values())
            side.tally["army"], side.tally["left"] = value(self.rules, army), left
        outcome = {"first": "won", "second": "lost", "draw": "drawn"}[result.winner]
        self.tally += Counter({outcome: 1, f"{result.ending}s": 1, "moves": len(result.moves)})
        return result

    # --- 13 14 texts --------------------------------------------------------------------------

    def text(self) -> str:
        """13"""
        record = ";".join(self.places_text(places) or "." for places in self.record) or "-"
        words = [
            f"chance={self.chance:016x} phase={self.phase} round={self.round}",
            f"seat={SEATS[self.seat]} opponent={self.opponent}",
            f"rounds={self.rounds} record={record}",
        ]
        words += [
            f"{name}={'/'.join(str(vars(side)[name]) for side in self.sides)}"
            for name in ("hp", "gold", "level", "shown", "rerolls")
        ]
        letter = letters(self.rules) | {"": "-"}
        shops = [",".join(letter[piece] for piece in side.shop) for side in self.sides]
        armies = [self.army_text(side.army) or "-" for side in self.sides]
        places = [self.places_text(side.places) or "-" for side in self.sides]
        words += [f"shop={'/'.join(shops)} army={'/'.join(armies)} places={'/'.join(places)}"]
        if self.over:
            words.append(f"ending={self.ending} winner={self.winner}")
        return " ".join(words)

    def army_text(self, army: Army) -> str:
        """The queen first, a single piece without its count."""
        counts = [(army[piece], letter) for piece, letter in letters(self.rules).items()]
        return "+".join(f"{n if n > 1 else ''}{letter}" for n, letter in reversed(counts) if n)

    def places_text(self, places: Places) -> str:
        letter = letters(self.rules)
        return ",".join(f"{letter[places[s]]}{s}" for s in SQUARES if s in places)

    def score(self, seat: int) -> float:
        """14 What a finished game is worth to a seat."""
        return 0.5 if self.winner == "draw" else float(self.winner == SEATS[seat])

    def row(self) -> dict[str, Any]:
        """14"""
        row = {
            "winner": self.winner,
            "ending": self.ending,
            "capped": self.ending == "cap",
            "length": self.round,
            "plies": self.plies,
        }
        for name, side in zip(SEATS, self.sides, strict=True):
            row |= {f"{name}_{key}": vars(side)[key] for key in ("hp", "gold", "level")}
            row |= {f"{name}_{key}": side.tally[key] for key in TALLIES}
        return row | {key: self.tally[key] for key in RESULTS}
