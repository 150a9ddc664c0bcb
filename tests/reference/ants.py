"""Ants once more, in plain Python and from the game's README alone: the oracle of the kernels.

Numbers in docstrings are the sections of lab/games/ants/README.md. Nothing here is shared with
the lab, the random numbers included, so that the two can only agree by both being right.
"""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.reference.ants_side import WALKERS, Cell, Side, distance

SEATS = ("first", "second")
MADE = ("workers_made", "soldiers_made", "gathers", "placed", "reinforced", "destroyed")
COUNTED = (*MADE, "stranded")
UNREACHABLE = {"double queen"}
"""Endings that no game comes to from its start: only the mover's ants walk, and no cell holds ants
of both sides once a turn is over, so that a turn's combat can only touch the other one's nest."""
SEARCH_IS_STRONG = True
"""Every archetype has to lose to search, which few games and playouts show here."""
NAMES = {"place": "placePheromone", "destroy": "destroyPheromone"}  # where not the verb itself


class Reference:
    """One game of ants; `rules` is the complete "rules" object of a rules file.

    The text of the opening position would tell what chance decided, but ants has no chance.
    """

    def __init__(self, rules: dict[str, Any], opening: str = "") -> None:
        self.rules = rules
        radius = rules["board"]["radius"]
        span = range(-radius, radius + 1)
        self.cells = [(q, r) for q in span for r in span if abs(q + r) <= radius]
        self.points = [(q, r) for q, r in rules["board"]["points"]]
        self.sides = [Side.start(rules, seat) for seat in (0, 1)]
        self.seat = 0
        self.round = 1
        self.plies = 0
        self.leads: list[int] = []  # sign of p1's lead after each round that went on (10.4)
        self.ending = ""
        self.winner: int | None = None
        self._start_turn()
        self._end_spent_turns()

    @property
    def over(self) -> bool:
        return self.ending != ""

    @property
    def mover(self) -> Side:
        return self.sides[self.seat]

    @property
    def enemy(self) -> Side:
        return self.sides[1 - self.seat]

    def legal(self) -> list[str]:
        """4 The texts of all actions the player to move may choose; none when over."""
        return [action_text(verb, what) for verb, what in self.choices()]

    def play(self, action: str) -> None:
        """Do the action of this text; ValueError when it is not legal."""
        for verb, what in self.choices():
            if action_text(verb, what) == action:
                return self.do(verb, what)
        raise ValueError(f"not legal here: {action}")

    def score(self, seat: int) -> float:
        """What a finished game is worth to a seat."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == seat else 0.0

    # 3: a turn

    def _start_turn(self) -> None:
        """3.1, 3.2 Income and new action points."""
        income, side = self.rules["income"], self.mover
        side.resources += income["nest"]
        for point in self.points:
            workers = min(side.ants["worker"].count(point), income["workers_per_point"])
            side.resources += income["point"] * workers
        self.ap = self.rules["turn"]["ap"]
        self.fresh = dict.fromkeys(WALKERS, 0)
        self.gathered = 0

    def _end_spent_turns(self) -> None:
        """3.2 A turn whose AP pay for no action ends at once, and so may the ones after it."""
        cheapest = min(self.rules["turn"]["cost"].values())
        while not self.over and self.ap < cheapest:
            self._finish_turn()

    def _finish_turn(self) -> None:
        """3 March, combat and check; then the other player's turn, if the game goes on."""
        for _ in range(self.rules["march"]["cells"]):
            self.mover.march(self.fresh)
        self._combat()
        self._check()
        if self.over:
            return
        if self.seat == 1:
            self._finish_round()
        self.seat = 1 - self.seat
        self._start_turn()

    def _finish_round(self) -> None:
        """8, 10.4 Between two rounds."""
        decay = self.rules["pheromone"]["decay"]
        for side in self.sides:
            side.scents = {cell: old - decay for cell, old in side.scents.items() if old > decay}
        first, second = (side.power() + side.resources for side in self.sides)
        self.leads.append((first > second) - (first < second))
        self.round += 1

    # 4: actions

    def choices(self) -> Iterator[tuple[str, Any]]:
        """4 The legal actions, each as its verb (named as in /turn/cost) and its object."""
        if self.over:
            return
        side, scent = self.mover, self.rules["pheromone"]
        payable = {verb for verb, ap in self.rules["turn"]["cost"].items() if ap <= self.ap}
        if "produce" in payable:
            yield from (("produce", kind) for kind in WALKERS if side.resources >= self.price(kind))
        if "gather" in payable and self._may_gather():
            yield "gather", None
        if "place" in payable and side.resources >= scent["place_cost"]:
            yield from (("place", cell) for cell in self._free_cells() if self._in_reach(cell))
        if "reinforce" in payable and side.resources >= scent["reinforce_cost"]:
            for cell, strength in side.scents.items():
                if strength < scent["max_strength"] and self._in_reach(cell):
                    yield "reinforce", cell
        if "destroy" in payable:
            soldiers = set(side.ants["soldier"])
            yield from (("destroy", cell) for cell in self.enemy.scents if cell in soldiers)
        yield "end", None

    def price(self, kind: str) -> int:
        """4.1 The cost of the next ant, which grows with the living of its kind."""
        unit = self.rules["units"][kind]
        return int(unit["cost"] + len(self.mover.ants[kind]) // unit["cost_step"])

    def _may_gather(self) -> bool:
        """4.2 A worker at home, and the turn's limit not reached."""
        workers = self.mover.ants["worker"].count(self.mover.nest)
        limit = self.rules["income"]["gather_per_worker"]
        return workers > 0 and (limit == 0 or self.gathered < limit * workers)

    def _free_cells(self) -> list[Cell]:
        """4.3 The cells where a pheromone may be placed, the reach left aside."""
        scent = self.rules["pheromone"]
        if len(self.mover.scents) >= scent["limit"]:
            return []
        taken = {*self.mover.scents, *self.enemy.scents}
        if scent["place_needs_no_ants"]:
            taken |= self.mover.occupied() | self.enemy.occupied()
        return [cell for cell in self.cells if cell not in taken]

    def _in_reach(self, cell: Cell) -> bool:
        """4.3, 4.4 Whether an own worker is near enough."""
        reach = self.rules["pheromone"]["reach"]
        return any(distance(worker, cell) <= reach for worker in self.mover.ants["worker"])

    def do(self, verb: str, what: Any) -> None:
        """4 Do a legal action, and whatever follows when it is the last of the turn."""
        self.plies += 1
        if verb == "end":
            self._finish_turn()
        else:
            self.ap -= self.rules["turn"]["cost"][verb]
            self._act(verb, what)
        self._end_spent_turns()

    def _act(self, verb: str, what: Any) -> None:
        """4.1 to 4.5 What an action does, its AP left aside."""
        side, scent = self.mover, self.rules["pheromone"]
        match verb:
            case "produce":
                side.resources -= self.price(what)
                side.ants[what].append(side.nest)
                self.fresh[what] += 1
                side.tally[f"{what}s_made"] += 1
            case "gather":
                side.resources += self.rules["income"]["gather"]
                self.gathered += 1
                side.tally["gathers"] += 1
            case "place":
                side.resources -= scent["place_cost"]
                side.scents[what] = scent["start_strength"]
                side.tally["placed"] += 1
            case "reinforce":
                side.resources -= scent["reinforce_cost"]
                stronger = side.scents[what] + scent["reinforce_by"]
                side.scents[what] = min(stronger, scent["max_strength"])
                side.tally["reinforced"] += 1
            case "destroy":
                del self.enemy.scents[what]
                side.tally["destroyed"] += 1

    # 6: combat

    def _combat(self) -> None:
        """6 Both sides on one cell: the sums of power decide."""
        first, second = self.sides
        for cell in first.occupied() & second.occupied():
            sums = first.power(cell), second.power(cell)
            if sums[0] == sums[1]:
                winner = next((side for side in self.sides if cell in side.scents), None)
                loss = sums[0] // self.rules["combat"]["tie_loss_divisor"]
            else:
                winner = first if sums[0] > sums[1] else second
                loss = min(sums)
            for side in self.sides:
                if side is winner:
                    side.lose(cell, loss)
                else:
                    side.lose_all(cell)

    # 7: check

    def _check(self) -> None:
        """7 Whether the game ends with this turn."""
        queens = [bool(side.ants["queen"]) for side in self.sides]
        if not any(queens):
            self._finish("double queen", None)
        elif not all(queens):
            self._finish("queen", queens.index(True))
        elif self._besieged():
            self._finish("siege", self.seat)
        elif self.seat == 1 and self.round == self.rules["turn"]["round_cap"]:
            first, second = self._judgement(0), self._judgement(1)
            self._finish("cap", None if first == second else int(second > first))

    def _finish(self, ending: str, winner: int | None) -> None:
        self.ending, self.winner = ending, winner

    def _besieged(self) -> bool:
        """7.2 Count the mover's siege; true when it has lasted long enough."""
        siege, side = self.rules["siege"], self.mover
        cells = {*side.ants["worker"], *side.ants["soldier"]}
        held = sum(distance(cell, self.enemy.nest) == 1 for cell in cells)
        side.siege = side.siege + 1 if held >= siege["cells"] else 0
        return bool(side.siege >= siege["turns"])

    def _judgement(self, seat: int) -> int:
        """7.3 The number the cap compares."""
        side = self.sides[seat]
        match self.rules["cap"]["judgement"]:
            case "siege":
                return self._territory(seat)
            case "strength":
                return side.power()
            case "economy":
                return side.resources + self._held_points(side)
            case "mixed":
                return self._territory(seat) + side.power()
            case _:  # draw
                return 0

    def _held_points(self, side: Side) -> int:
        """7.3 What the resource points with an own worker are worth."""
        held = sum(point in side.ants["worker"] for point in self.points)
        return int(self.rules["cap"]["point_value"]) * held

    def _territory(self, seat: int) -> int:
        """7.3 Points held, and cells of the enemy half (1.4) with an ant or a pheromone."""
        side, enemy = self.sides[seat], self.sides[1 - seat]
        marked = {*side.ants["worker"], *side.ants["soldier"], *side.scents}
        taken = sum(distance(cell, enemy.nest) < distance(cell, side.nest) for cell in marked)
        return self._held_points(side) + int(self.rules["cap"]["cell_value"]) * taken

    # 10, 11: what is told

    def row(self) -> dict[str, Any]:
        """10 The row of a finished game, without `game` and `history`."""
        leaders = [lead for lead in self.leads if lead]
        row: dict[str, Any] = {
            "winner": "draw" if self.winner is None else SEATS[self.winner],
            "ending": self.ending,
            "capped": self.ending == "cap",
            "length": self.round,
            "plies": self.plies,
            "lead_changes": sum(before != after for before, after in pairwise(leaders)),
            "decided": self._decided(),
        }
        for seat, side in enumerate(self.sides):
            columns = {name: side.tally[name] for name in COUNTED}
            columns["territory"] = self._territory(seat)
            columns["resources"] = side.resources
            columns["workers"] = len(side.ants["worker"])
            columns["soldiers"] = len(side.ants["soldier"])
            row |= {f"{SEATS[seat]}_{name}": value for name, value in columns.items()}
        return row

    def _decided(self) -> int:
        """10.4 The round since whose end the winner has led."""
        if self.winner is None:
            return 0
        ahead = 1 if self.winner == 0 else -1
        behind = len(self.leads)  # rounds up to the last one that the winner did not end ahead
        while behind > 0 and self.leads[behind - 1] == ahead:
            behind -= 1
        return behind + 1

    def text(self) -> str:
        """11 The position in one line."""
        first, second = self.sides
        turn = f"turn=p{self.seat + 1}"
        if self.over:
            winner = "draw" if self.winner is None else f"p{self.winner + 1}"
            turn = f"turn=over winner={winner} ending={self.ending.replace(' ', '-')}"
        return (
            f"{turn} round={self.round} ap={self.ap}"
            f" resources={first.resources}/{second.resources} siege={first.siege}/{second.siege}"
            f" fresh={self.fresh['worker']}+{self.fresh['soldier']} gathered={self.gathered}"
            f" p1={first.ants_text()} p2={second.ants_text()}"
            f" scent1={first.scents_text()} scent2={second.scents_text()}"
        )


def action_text(verb: str, what: Any) -> str:
    """4 The text of an action."""
    name = NAMES.get(verb, verb)
    if what is None:
        return name
    return f"{name} {what}" if verb == "produce" else f"{name} {what[0]},{what[1]}"


def random_game(rules: dict[str, Any], seed: int) -> Reference:
    """A finished game of two players who choose evenly among the legal actions."""
    rng = random.Random(seed)
    game = Reference(rules)
    while not game.over:
        game.do(*rng.choice(list(game.choices())))
    return game
