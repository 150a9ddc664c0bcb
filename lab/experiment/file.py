"""The form of an experiment file: what may stand where, before any name in it is looked up."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from lab.document import Document
from lab.errors import bad
from lab.jsonfile import shown

SCORE = "score"
SKILL = "SKILL"
SEATS = ("first", "second")
Sampler = Literal["tpe", "gp", "cmaes", "nsga2", "random", "grid"]

MOST = 1e9  # of any number here: far above what a rule or a metric comes to, far below infinity
Number = Annotated[float, Field(ge=-MOST, le=MOST)]
Weight = Annotated[float, Field(gt=0, le=1e6)]
NARROWEST = 1e-9  # band: below it rounding decides what lies inside


def _one_of(entry: Document, *kinds: tuple[str, ...]) -> None:
    """Refuse an entry unless it gives the keys of exactly one kind."""
    given = entry.model_fields_set & {key for kind in kinds for key in kind}
    if given not in [set(kind) for kind in kinds]:
        wanted = ", or ".join(" and ".join(kind) for kind in kinds)
        raise ValueError(f"found {' and '.join(sorted(given)) or 'neither'}, expected {wanted}")


class DimensionEntry(Document):
    """A pointer's range or choices."""

    low: float | None = Field(default=None, ge=-MOST, le=MOST)
    high: float | None = Field(default=None, ge=-MOST, le=MOST)
    step: float = Field(default=1.0, ge=1e-9, le=MOST)
    choices: list[Any] | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _one_kind(self) -> "DimensionEntry":
        _one_of(self, ("low", "high"), ("choices",))
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"found low {self.low:g} above high {self.high:g}, expected a range")
        return self


class MatchupEntry(Document):
    """Who plays: two policies, mirrors, all pairs of a pool, or a field by its weights."""

    name: str = ""
    first: str = ""
    second: str = ""
    mirror: str = ""
    pool: list[str] = Field(default=[])
    field: str = Field(default="", pattern=r"^[^/\\]+\.toml$")
    games: int | None = Field(default=None, ge=1, le=10**9)
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _one_kind(self) -> "MatchupEntry":
        _one_of(self, ("first", "second"), ("mirror",), ("pool",), ("field",))
        return self

    @property
    def title(self) -> str:
        both = f"{self.first} v {self.second}" if self.first else ""
        mirrors = f"{self.mirror} mirror" if self.mirror else ""
        return self.name or both or mirrors or self.field.removesuffix(".toml") or "pool"


class TargetEntry(Document):
    """What a metric should come to."""

    name: str = ""
    metric: str
    policy: str = ""
    matchup: Annotated[list[str], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)] = (
        Field(min_length=1)
    )
    band: list[Number] | None = Field(default=None, min_length=2, max_length=2)
    value: float | None = Field(default=None, ge=-MOST, le=MOST)
    tolerance: float | None = Field(default=None, ge=NARROWEST, le=MOST)
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _one_band(self) -> "TargetEntry":
        _one_of(self, ("band",), ("value", "tolerance"))
        low, high = self.ends
        if not high - low >= NARROWEST:
            raise ValueError(
                f"found the empty band [{low}, {high}], expected its low end below its high end"
            )
        if (self.metric == SCORE) != bool(self.policy):
            raise ValueError('found one alone, expected metric "score" together with a policy')
        return self

    @property
    def ends(self) -> tuple[float, float]:
        if self.band:
            return self.band[0], self.band[1]
        assert self.value is not None
        assert self.tolerance is not None
        return self.value - self.tolerance, self.value + self.tolerance


class LinkEntry(Document):
    """Pointers that move together."""

    kind: Literal["sum", "increasing", "equal"]
    at: list[str] = Field(min_length=2)


class AgainstEntry(Document):
    """What a claim is held against: who or what is other there, another metric, or a value."""

    first: str = ""
    second: str = ""
    rules: dict[str, Any] = Field(default={})
    metric: str = ""
    value: Number | None = None


class ClaimEntry(Document):
    """A sentence, the metric that tells, and who plays for and against it.

    SKILL in a player's text is each of the file's skills in turn.
    """

    say: str = Field(min_length=1)
    metric: str
    wanted: Literal["more", "less"] = "more"
    first: str
    second: str
    rules: dict[str, Any] = Field(default={})
    against: AgainstEntry
    games: int | None = Field(default=None, ge=1, le=10**9)

    @model_validator(mode="after")
    def _one_kind(self) -> "ClaimEntry":
        given = self.against.model_fields_set
        if "value" in given and len(given) > 1:
            raise ValueError("found a value and more in against, expected the value alone")
        return self

    def at(self, skill: str) -> "ClaimEntry":
        """The same with a skill in the place of SKILL."""

        def named(side: Document) -> dict[str, str]:
            more = f"{skill}," if ":" in skill else f"{skill}:"  # where options follow
            texts = {seat: getattr(side, seat).replace(f"{SKILL}:", more) for seat in SEATS}
            return {seat: text.replace(SKILL, skill) for seat, text in texts.items()}

        against = self.against.model_copy(update=named(self.against))
        return self.model_copy(update=named(self) | {"against": against})

    @property
    def players(self) -> str:
        """Every player's text."""
        sides = self, self.against
        return " ".join(getattr(side, name) for side in sides for name in SEATS)


class Budget(Document):
    """How much is played: trials, games a pairing, candidates confirmed, games a pairing there.

    `abreast` is how many settings are tried at the same time, each without knowing of the others.
    """

    trials: int = Field(default=100, ge=1, le=100_000)
    games: int = Field(default=2_000, ge=1, le=10**9)
    top: int = Field(default=5, ge=1, le=100)
    confirm_games: int = Field(default=20_000, ge=1, le=10**9)
    matrix_games: int = Field(default=1_000, ge=1, le=10**9)
    search_games: int | None = Field(default=None, ge=1, le=10**9)
    abreast: int = Field(default=1, ge=1, le=1_000)


class ExperimentFile(Document):
    """The whole file: a space to search for targets, two rule sets to measure, or claims."""

    question: str = Field(min_length=1)
    game: str
    rules: str
    seed: int = Field(ge=0, lt=2**63)
    sampler: Sampler = "tpe"
    skills: list[str] = Field(default=[])
    overrides: dict[str, Any] = Field(default={})
    space: dict[str, dict[str, Any]] = Field(default={}, min_length=1)
    links: list[LinkEntry] = Field(default=[])
    matchups: list[MatchupEntry] = Field(default=[], min_length=1)
    targets: list[TargetEntry] = Field(default=[], min_length=1)
    compare: str = ""
    measures: list[str] = Field(default=[], min_length=1)
    claims: list[ClaimEntry] = Field(default=[], min_length=1)
    budget: Budget = Budget()
    words: dict[str, dict[str, str]] = Field(default={}, repr=False)  # language -> what is said

    @model_validator(mode="after")
    def _one_kind(self) -> "ExperimentFile":
        _one_of(self, ("space", "targets"), ("compare", "measures"), ("claims",))
        if not self.claims and not self.matchups:
            raise ValueError("found no matchups, expected who plays")
        odd = ("sampler", "links", "matchups" if self.claims else "skills")
        for key in odd if self.compare or self.claims else ():
            if key in self.model_fields_set:
                kind = "a comparison" if self.compare else "a file of claims"
                raise ValueError(f"found {key}, expected none in {kind}")
        return self


def unique(names: Iterable[str], where: str) -> None:
    """BadInput where a name comes twice."""
    for name, times in Counter(names).items():
        if times > 1:
            raise bad(where, f"{shown(name)} {times} times", "names that differ")
