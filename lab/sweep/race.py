"""The race: which setting plays which games next. It knows no game, only what the games came to.

Every round tries one new setting and gives one more block of games to a setting that may well be
the best, both on the same fresh seeds: challenger and contender meet the same chance. Whoever is
clearly farther from the bands is never drawn again, who is close is drawn often (top-two in spirit:
Russo 2016, arXiv 1602.08448; the shares come out as in OCBA, Chen et al. 2000). The seeds rotate
with every round, for a bank that many settings share moves all of them against a band together.

What the games came to is read through `Model`, so that neighbours count for one another, and no
setting is judged by the luck of its own few games.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.special import ndtr

from lab.experiment.banks import seed_of
from lab.experiment.space import Setting, Space
from lab.sweep.front import finalists, rank
from lab.sweep.model import Array, Model, expected_miss
from lab.sweep.samplers import Told, key_of, propose

UNKNOWN = 100.0
"""Half widths that a target counts as missed by when no game says anything about it."""
SIMPLER = 5
"""Every so many rounds the new setting is a smaller change than the best so far."""
LEARNED = 10
"""Settings that have to be known before that."""
DOUBTFUL = 10.0
"""Standard error, in half widths of the band, where games know none."""
REFIT = 1.2
"""The model learns its reaches anew when there are so many times as many settings."""


class Aim(Protocol):
    """A target as the race needs it."""

    @property
    def band(self) -> tuple[float, float]: ...
    @property
    def weight(self) -> float: ...


class Play(NamedTuple):
    """A block of games: the setting by its number, the round whose bank it plays, and which games.

    Settings that play the same block of the same round meet the same seeds.
    """

    number: int
    setting: Setting
    round: int
    block: int


class Found(NamedTuple):
    """What games came to in a target, NaN if none tells, and the standard error of that."""

    value: float
    error: float
    games: float


NOTHING = Found(math.nan, math.inf, 0)


class Proof(NamedTuple):
    """The confirmation ahead: its games, in blocks, and the standard errors its intervals reach."""

    blocks: float = 100.0
    quantile: float = 2.6


PROOF = Proof()


@dataclass
class Entry:
    """A setting in the race, and what its blocks came to; without any: it cannot be played."""

    number: int
    setting: Setting
    notes: dict[str, Any]  # the sampler's
    steps: float  # of change from the start
    targets: int
    played: int = 0  # blocks
    blocks: list[tuple[Found, ...]] = field(default_factory=list)
    expected: float = math.inf  # loss by now, doubt included
    chance: float = 0.0  # that every target would hold in the confirmation

    def __post_init__(self) -> None:
        self.found = [NOTHING] * self.targets

    def add(self, block: tuple[Found, ...]) -> None:
        self.blocks.append(block)
        self.found = [_merged([b[i] for b in self.blocks]) for i in range(self.targets)]

    def drop(self) -> None:
        """Nothing is known of it any more, and no game will change that."""
        self.blocks.clear()
        self.found = [NOTHING] * self.targets

    @property
    def judged(self) -> bool:
        """Whether games say something in every target."""
        return all(found.games for found in self.found)


def _merged(blocks: list[Found]) -> Found:
    """Blocks of a setting as one: they are independent."""
    games = math.fsum(found.games for found in blocks)
    if not games:
        return NOTHING
    known = [(found, found.games / games) for found in blocks if found.games]
    error = math.hypot(*(share * found.error for found, share in known))
    return Found(math.fsum(share * found.value for found, share in known), error, games)


class Race:
    """Asks for plays one by one and is told what each came to; the same tellings, the same race.

    The first setting is `start`, which changes nothing and need not lie in the space; `earlier`
    are settings that another race played, with how many blocks and what they came to.
    """

    def __init__(
        self,
        space: Space,
        aims: Sequence[Aim],
        start: Setting,
        seed: int,
        sampler: str = "tpe",
        proof: Proof = PROOF,
        earlier: Sequence[tuple[Setting, int, tuple[Found, ...]]] = (),
    ) -> None:
        self.space, self.aims, self.seed, self.sampler = space, aims, seed, sampler
        self.proof = proof
        self.start = start
        self.named = np.array([d.step is None for d in space.dimensions])
        self.entries: list[Entry] = []
        self.known: set[str] = set()
        self.rounds = 0
        self._shapes: list[Any] = [None] * len(aims)
        self._refit = 0.0
        self._enter(start, {})
        for setting, blocks, found in earlier:
            entry = self._enter(setting, {})
            entry.played = blocks
            entry.add(found)

    def _enter(self, setting: Setting, notes: dict[str, Any]) -> Entry:
        steps = self.space.steps(self.start, setting)
        entry = Entry(len(self.entries), setting, notes, steps, len(self.aims))
        self.entries.append(entry)
        self.known.add(key_of(setting))
        return entry

    # --- rounds -------------------------------------------------------------------------------

    def round(self, abreast: int = 1) -> Iterator[list[Play]]:
        """The plays of the next rounds, in batches; `tell` each before the next is asked for.

        The first round plays the start, and is one alone.
        """
        numbers = range(self.rounds, self.rounds + abreast) if self.rounds else range(1)
        self.rounds = numbers.stop
        challengers = [self._challenger(number) for number in numbers]
        yield [
            self._play(entry, number, 0)
            for number, entry in zip(numbers, challengers, strict=True)
            if entry
        ]
        if numbers.start:
            contenders = [self._contender(number) for number in numbers]
            yield [
                self._play(entry, number, int(entry is challenger))
                for number, challenger, entry in zip(numbers, challengers, contenders, strict=True)
                if entry
            ]

    def last(self, top: int, blocks: int, abreast: int = 1) -> Iterator[list[Play]]:
        """More plays, in batches, till each of the `top` finalists has played so many blocks."""
        bank = self.rounds
        while True:
            short = [entry for entry in finalists(self.entries, top) if entry.played < blocks]
            if not short:
                return
            short.sort(key=lambda e: (e.played, e.number))
            yield [self._play(entry, bank, entry.played) for entry in short[:abreast]]

    def _play(self, entry: Entry, bank: int, block: int) -> Play:
        return Play(entry.number, entry.setting, bank, block)

    def tell(self, play: Play, found: Sequence[Found] | None) -> None:
        """What the block came to, a target after the other; None: it cannot be played."""
        entry = self.entries[play.number]
        entry.played += 1
        if found is None:
            entry.drop()
        else:
            entry.add(tuple(found))
        self._update()

    def _challenger(self, number: int) -> Entry | None:
        if number == 0:
            return self.entries[0]
        learns = self.sampler not in ("grid", "random")
        if learns and number % SIMPLER == 0 and len(self._judged()) >= LEARNED:
            simpler = self._simpler()
            if simpler:
                return self._enter(simpler, {})
        told = [Told(e.setting, self._thought(e), e.notes) for e in self.entries]
        found = propose(self.sampler, self.space, self.seed, number, told)
        return self._enter(*found) if found else None

    def _thought(self, entry: Entry) -> float:
        """What a setting is worth by now; of one that still plays its first block, a guess."""
        if entry.played:
            return entry.expected
        return float(self.guess([entry.setting])[0]) if self._judged() else self._worst(entry)

    def _contender(self, number: int) -> Entry | None:
        """Who is nearest in a draw from what is thought of all (Thompson sampling)."""
        judged = self._judged()
        if not judged:
            return None
        drawn = np.random.default_rng(seed_of(self.seed, "contender", number))
        losses = np.zeros(len(judged))
        for aim, model in zip(self.aims, self._models, strict=True):
            mean, variance = model.played()
            value = mean + np.sqrt(variance) * drawn.standard_normal(len(judged))
            losses += aim.weight * _miss(value, *aim.band)
        order = zip(np.round(losses, 2), (entry.played for entry in judged), judged, strict=True)
        return min(order, key=lambda one: (one[0], one[1], *rank(one[2])))[2]

    def _simpler(self) -> Setting | None:
        """The most promising untried setting that changes one number, or one less than the best."""
        best = min(self._judged(), key=lambda e: (e.expected, e.steps, e.number)).setting
        tried: dict[str, Setting] = {}
        for dimension in self.space.dimensions:
            pointer = dimension.pointer
            ways = [self.start | {pointer: value} for value in dimension.values]
            for way in (*ways, best | {pointer: self.start[pointer]}):
                setting = self.space.whole(way)
                if key_of(setting) not in self.known and self.space.holds(setting):
                    tried[key_of(setting)] = setting
        if not tried:
            return None
        settings = list(tried.values())
        losses = np.round(self.guess(settings), 3)
        steps = [self.space.steps(self.start, setting) for setting in settings]
        return settings[min(range(len(settings)), key=lambda i: (losses[i], steps[i], i))]

    # --- what is thought of the settings -------------------------------------------------------

    def _judged(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.judged]

    def _update(self) -> None:
        judged = self._judged()
        for entry in self.entries:
            entry.expected, entry.chance = self._worst(entry), 0.0
        if not judged:
            return
        refit = len(judged) >= self._refit
        self._refit = len(judged) * REFIT + 1 if refit else self._refit
        self._models = list(self._fitted(judged, refit))
        losses, chances = np.zeros(len(judged)), np.ones(len(judged))
        blocks = np.array([max(entry.played, 1) for entry in judged])
        for i, (aim, model) in enumerate(zip(self.aims, self._models, strict=True)):
            mean, variance = model.played()
            losses += aim.weight * expected_miss(mean, variance, *aim.band)
            errors = np.array([entry.found[i].error for entry in judged])
            proof = errors * np.sqrt(blocks / self.proof.blocks)
            chances *= _chance(mean, variance, proof, self.proof.quantile, *aim.band)
        for entry, loss, chance in zip(judged, losses, chances, strict=True):
            entry.expected, entry.chance = round(float(loss), 9), round(float(chance), 2)

    def _worst(self, entry: Entry) -> float:
        """The loss of a setting of which games do not tell all."""
        return sum(
            aim.weight * (float(_miss(found.value, *aim.band)) if found.games else UNKNOWN)
            for aim, found in zip(self.aims, entry.found, strict=True)
        )

    def _fitted(self, judged: list[Entry], refit: bool) -> Iterator[Model]:
        places = self._places([entry.setting for entry in judged])
        for i, aim in enumerate(self.aims):
            values, errors, _ = np.array([entry.found[i] for entry in judged]).T
            doubt = DOUBTFUL * (aim.band[1] - aim.band[0]) / 2
            errors = np.where(np.isfinite(errors), errors, doubt)
            model = Model(places, values, errors, self.named, None if refit else self._shapes[i])
            self._shapes[i] = model.shape
            yield model

    def _places(self, settings: Sequence[Setting]) -> Array:
        """Where settings lie, (n, d): shares 0..1 of each range, codes of choices."""
        columns: list[list[float]] = []
        for d in self.space.dimensions:
            values = [setting[d.pointer] for setting in settings]
            if d.step is None:
                columns.append([d.values.index(v) if v in d.values else -1 for v in values])
            else:
                wide = d.values[-1] - d.values[0] or 1
                columns.append([(v - d.values[0]) / wide for v in values])
        return np.array(columns, np.float64).T

    def guess(self, settings: Sequence[Setting]) -> Array:
        """The expected loss of settings that nobody played."""
        places = self._places(settings)
        pairs = zip(self.aims, self._models, strict=True)
        losses: Array = np.zeros(len(settings))
        for aim, model in pairs:
            losses += aim.weight * expected_miss(*model.at(places), *aim.band)
        return losses


def _chance(
    mean: Array, variance: Array, proof: Array, quantile: float, low: float, high: float
) -> Array:
    """That the interval of a confirmation with standard errors `proof` will lie in the band."""
    known = np.isfinite(proof)
    proof = np.where(known, proof, 0)
    spread, reach = np.sqrt(variance + proof**2), quantile * proof
    inside = ndtr((high - reach - mean) / spread) - ndtr((low + reach - mean) / spread)
    likely: Array = np.where(known, np.maximum(inside, 0), 0)
    return likely


def _miss(value: Any, low: float, high: float) -> Any:
    """Distance outside the band in half widths of it."""
    return np.maximum(np.maximum(low - value, value - high), 0) / ((high - low) / 2)
