"""One player of the reference game of ants: its ants and pheromones, and how its ants walk and die.

Numbers in docstrings are the sections of lab/games/ants/README.md.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]

KINDS = ("worker", "soldier", "queen")  # in the order in which a winner loses them (6.1)
WALKERS = ("worker", "soldier")


def distance(a: Cell, b: Cell) -> int:
    """1.1 Steps between two cells."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


@dataclass(eq=False)
class Side:
    """What one player has; `ants` lists the cell of every living ant, new ants at the end."""

    rules: dict[str, Any]
    nest: Cell
    resources: int
    directions: list[Cell]
    order: int  # 1: the first cell in cell order wins a tie, -1: the last does
    ants: dict[str, list[Cell]]
    scents: dict[Cell, int] = field(default_factory=dict)
    siege: int = 0
    tally: Counter[str] = field(default_factory=Counter)

    @classmethod
    def start(cls, rules: dict[str, Any], seat: int) -> "Side":
        """2.2 The start, with the orders of 9.1 and 9.2."""
        board, start = rules["board"], rules["start"]
        q, r = board["nests"][seat]
        turned = -1 if seat == 1 and board["mirror_second"] else 1
        return cls(
            rules=rules,
            nest=(q, r),
            resources=start["resources"][seat],
            directions=[(turned * dq, turned * dr) for dq, dr in board["directions"]],
            order=turned if board["tie_break"] == "lowest" else -turned,
            ants={kind: [(q, r)] * start[f"{kind}s"] for kind in KINDS},
        )

    def occupied(self) -> set[Cell]:
        return {cell for cells in self.ants.values() for cell in cells}

    def power(self, cell: Cell | None = None) -> int:
        """6, 7.3 The power of the ants on a cell, or of all of them."""
        units = self.rules["units"]
        return sum(
            units[kind]["power"] * (len(ants) if cell is None else ants.count(cell))
            for kind, ants in self.ants.items()
        )

    def march(self, fresh: dict[str, int]) -> None:
        """5 Every ant walks at once, except queens and the fresh ones at the end of the lists."""
        for kind in WALKERS:
            old = len(self.ants[kind]) - fresh[kind]
            if self.scents:
                steps = {cell: self.step(kind, cell) for cell in set(self.ants[kind][:old])}
                self.ants[kind][:old] = [steps[cell] for cell in self.ants[kind][:old]]
            else:
                self.tally["stranded"] += old

    def step(self, kind: str, cell: Cell) -> Cell:
        """5.3, 5.4 Where an ant that has a pheromone to follow stands after this march."""
        movement = self.rules["march"]["movement"]
        if (
            movement == "anchor"
            and kind == "worker"
            and list(cell) in self.rules["board"]["points"]
        ):
            return cell
        if movement == "hold" and cell in self.scents:
            return cell
        target = self.target(cell)
        far = distance(cell, target)
        for dq, dr in self.directions:
            neighbour = (cell[0] + dq, cell[1] + dr)
            if distance(neighbour, target) < far:
                return neighbour
        return cell

    def target(self, ant: Cell) -> Cell:
        """5.2, 5.4 The pheromone an ant on this cell follows."""
        movement = self.rules["march"]["movement"]

        def rank(cell: Cell) -> tuple[int, ...]:
            strength, far = self.scents[cell], distance(ant, cell)
            place = self.order * cell[0], self.order * cell[1]
            if movement == "nearest":
                return far, -strength, *place
            if movement == "gradient":
                return far - strength, far, *place
            return -strength, far, *place

        return min(self.scents, key=rank)

    def lose(self, cell: Cell, loss: int) -> None:
        """6.1 The winner's losses, up to the first ant that is stronger than what is left."""
        for kind in KINDS:
            power = self.rules["units"][kind]["power"]
            while cell in self.ants[kind]:
                if power > loss:
                    return
                self.ants[kind].remove(cell)
                loss -= power

    def lose_all(self, cell: Cell) -> None:
        for kind in KINDS:
            self.ants[kind] = [ant for ant in self.ants[kind] if ant != cell]

    def ants_text(self) -> str:
        """11 `q,r:1q2w1s;...`, or `-`."""
        words = []
        for q, r in sorted(self.occupied()):
            counts = {kind: self.ants[kind].count((q, r)) for kind in ("queen", *WALKERS)}
            words.append(f"{q},{r}:" + "".join(f"{n}{kind[0]}" for kind, n in counts.items() if n))
        return ";".join(words) or "-"

    def scents_text(self) -> str:
        """11 `q,r:strength;...`, or `-`."""
        return ";".join(f"{q},{r}:{self.scents[q, r]}" for q, r in sorted(self.scents)) or "-"
