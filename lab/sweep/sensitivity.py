"""Sensitivity: what each number of a space is worth to each target.

Two questions with games of their own, in one folder that holds all a report needs:

    experiment.toml     the question, as asked
    manifest.json       what the numbers depend on; the same manifest, the same numbers
    rules.json          the baseline, whole
    journal.log         a line for every design point and every deviation that was played
    design.parquet      block, row, a column a pointer, a column a target; null: refused
    effects.parquet     target, parameter (or dummy), first and total indices with bands, luck
    curves.parquet      target, parameter, setting, mean over the design's rows that have it
    deviations.parquet  target, parameter, one step away: the paired difference, p-values, verdict
    sensitivity.json    all of it but the design, and how it was asked
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from lab.errors import bad, make_folder, refused, write_atomic
from lab.experiment import Experiment, Pairing, load_experiment, metric_named
from lab.experiment.space import Setting
from lab.stats.estimate import Array, p_value
from lab.stats.multiple import holm
from lab.stats.sobol import ERROR, Indices
from lab.sweep.design import DUMMY, Design, effect_curves, make_design, play_row, weigh
from lab.sweep.deviations import play_step, steps
from lab.sweep.folder import alone, manifest, open_folder, write_json
from lab.sweep.games import Games, differences
from lab.sweep.lines import JsonLines
from lab.sweep.play import finite, numbers
from lab.sweep.run import Interrupted, Progress, Run

SAMPLES = 128
BASELINE = "baseline"
CONFIDENCE = 0.95

Row = dict[str, Any]


@dataclass(frozen=True)
class Point:
    """The setting that is stepped from; its role is baseline, recommended or nearest."""

    role: str
    setting: Setting


def run_sensitivity(
    experiment: Experiment | Path | str,
    out: Path | str | None = None,
    games: int | None = None,
    samples: int = SAMPLES,
    at: Path | str | None = None,
    jobs: int = 1,
    progress: Progress = lambda stage, done, total, best: None,
) -> Run:
    """Play a Sobol design and all one-step deviations, and write the study's folder.

    A design of `samples` (a power of two) has samples x (numbers + 3) points of `games` games a
    pairing, by default those of a trial. The folder is runs/<experiment>-sensitivity unless `out`
    is given. Deviations are from what the finished sweep `at` chose,
    by default runs/<experiment> if it is one of this experiment, else from the baseline; they have
    the budget's confirm_games. What lies in the folder of the same study is gone on with; BadInput
    when it holds anything else; Interrupted on Ctrl-C.
    """
    if not isinstance(experiment, Experiment):
        experiment = load_experiment(experiment)
    folder = Path("runs", f"{experiment.name}-sensitivity") if out is None else Path(out)
    if games is not None and not 1 <= games <= 10**9:
        raise bad("games", str(games), "a whole number from 1 to 1,000,000,000")
    design = make_design(experiment, samples)
    point = _point(experiment, at)
    told = manifest(experiment) | {
        "samples": samples,
        "games": {pairing.label: n for pairing, n in _games(experiment, games).items()},
        "confirm_games": experiment.budget.confirm_games,
        "at": point.setting,
    }
    told["libraries"] |= {"SALib": version("SALib")}
    make_folder(folder)
    try:
        with alone(folder):
            open_folder(experiment, folder, told)
            study = _Study(experiment, design, point, folder, jobs, progress)
            study.play(_games(experiment, games))
            study.write()
    except OSError as error:
        raise refused(error.filename or folder, error, "a run that can be written") from None
    return Run(folder)


def _games(experiment: Experiment, games: int | None) -> dict[Pairing, int]:
    """Games of each pairing at a design point, in proportion to those of a trial."""
    share = 1.0 if games is None else games / experiment.budget.games
    return {pairing: math.ceil(count * share) for pairing, count in experiment.games.items()}


def _point(experiment: Experiment, at: Path | str | None) -> Point:
    """Where deviations start; BadInput where `at` is no finished sweep of this experiment."""
    baseline = experiment.space.baseline(experiment.rules)
    run = Run(Path("runs", experiment.name) if at is None else Path(at))
    if at is None:
        finished = all((run.folder / f).is_file() for f in ("manifest.json", "confirm.json"))
        if not finished or run.manifest.get("experiment") != experiment.fingerprint:
            return Point(BASELINE, baseline)
    if str(at) == BASELINE:
        return Point(BASELINE, baseline)
    if run.manifest.get("experiment") != experiment.fingerprint or "baseline" not in run.confirmed:
        raise bad(str(at), "a run of another experiment", "a sweep of this one, or baseline")
    changes = run.chosen["changes"]
    role = "recommended" if run.confirmed["status"] == "confirmed" else "nearest"
    return Point(role, baseline | {pointer: new for pointer, (_, new) in changes.items()})


class _Study:
    """A study in its folder: what is played is in the journal, first the design, then the steps."""

    def __init__(
        self,
        experiment: Experiment,
        design: Design,
        point: Point,
        folder: Path,
        jobs: int,
        progress: Progress,
    ) -> None:
        self.experiment, self.design, self.point = experiment, design, point
        self.folder, self.jobs, self.progress = folder, jobs, progress
        self.steps = steps(experiment, point.setting)
        self.journal = JsonLines(folder / "journal.log")
        self.rows = len(design.settings)
        if len(self.entries) > self.rows + len(self.steps) or any(
            entry.get("number") != number for number, entry in enumerate(self.entries)
        ):
            raise bad(str(self.journal.path), "something else", "a journal of this study")

    @property
    def entries(self) -> list[Row]:
        return self.journal.entries

    def play(self, games: Mapping[Pairing, int]) -> None:
        """What the journal does not have yet."""
        try:
            while len(self.entries) < self.rows:
                self.progress("design", len(self.entries), self.rows, None)
                row = len(self.entries)
                self._keep(play_row(self.experiment, self.design, row, games, self.jobs))
            self.progress("design", self.rows, self.rows, None)
            self._play_steps()
        except KeyboardInterrupt:
            raise Interrupted(self.folder, len(self.entries), "points") from None

    def _play_steps(self) -> None:
        before: Games | None = None
        while (place := len(self.entries) - self.rows) < len(self.steps):
            self.progress("deviations", place, len(self.steps), None)
            step = self.steps[place]
            if step.refused:
                self._keep([])
                continue
            before = before or play_step(self.experiment, self.point.setting, self.jobs)
            after = play_step(self.experiment, step.setting, self.jobs)
            found = differences(self.experiment, before, after)
            self._keep([numbers(one) | {"p": p_value(one)} for one in found])

    def _keep(self, found: list[Any]) -> None:
        entry = {"number": len(self.entries), "found": found}
        self.journal.write([entry])
        self.entries.append(entry)

    def write(self) -> None:
        """The tables, and what they say."""
        found = [entry["found"] for entry in self.entries]
        values = np.array(found[: self.rows], np.float64)
        weighed = weigh(self.experiment, self.design, values)
        tables = {
            "design": self._design(values),
            "effects": _frame(self._effects(weighed)),
            "curves": _frame(self._curves(values)),
            "deviations": _frame(self._deviations(found[self.rows :])),
        }
        for name, table in tables.items():
            write_atomic(self.folder / f"{name}.parquet", table.write_parquet)
        facts = self._facts(values, weighed)
        facts |= {name: tables[name].to_dicts() for name in ("effects", "curves", "deviations")}
        write_json(self.folder / "sensitivity.json", facts)

    # --- the tables ----------------------------------------------------------------------------

    def _named(self) -> Iterator[tuple[int, Row]]:
        for place, target in enumerate(self.experiment.targets):
            unit = metric_named(self.experiment.game, target.metric).unit
            yield place, {"target": target.name, "matchup": target.matchup, "unit": unit}

    def _design(self, values: Array) -> pl.DataFrame:
        blocks = self.design.cells.shape[1]
        columns = {target.name: values[:, i] for i, target in enumerate(self.experiment.targets)}
        return pl.DataFrame(
            [
                {"block": row // blocks, "row": row % blocks}
                | setting
                | {name: finite({"": column[row]})[""] for name, column in columns.items()}
                for row, setting in enumerate(self.design.settings)
            ],
            infer_schema_length=None,
        )

    def _effects(self, weighed: list[Indices]) -> Iterator[Row]:
        for place, named in self._named():
            found = weighed[place]
            for i, parameter in enumerate(self.design.names):
                first = _ends("first", found.first[i])
                total = _ends("total", found.total[i])
                if parameter == DUMMY:  # it is what noise was taken from
                    total = dict.fromkeys(total)
                told = {"luck": round(float(found.luck[i]), 9)}
                told |= {"important": bool(found.important[i])}
                yield named | {"parameter": parameter} | first | total | told

    def _curves(self, values: Array) -> Iterator[Row]:
        for place, named in self._named():
            for row in effect_curves(self.design, values[:, place]):
                yield named | row

    def _deviations(self, played: list[list[Row]]) -> Iterator[Row]:
        """In the order of targets; adjusted over all of them."""
        rows = [
            (named, step, found[place])
            for place, named in self._named()
            for step, found in zip(self.steps, played, strict=True)
            if found
        ]
        adjusted = holm([found["p"] for _, _, found in rows])
        for (named, step, found), p in zip(rows, adjusted, strict=True):
            moved = {"parameter": step.pointer, "way": step.way}
            moved |= {"old": _text(step.old), "new": _text(step.new)}
            told = {"adjusted": round(float(p), 9), "verdict": _verdict(found, float(p))}
            yield named | moved | found | told

    def _facts(self, values: Array, weighed: list[Indices]) -> Row:
        """How it was asked, and of every target its mean, spread and share of noise."""
        experiment = self.experiment
        targets = []
        for place, named in self._named():
            known = values[np.isfinite(values[:, place]), place]
            spread = (
                {"mean": float(known.mean()), "spread": float(known.std())} if known.size else {}
            )
            noise = _ends("noise", weighed[place].noise)
            targets.append(named | {"rows": known.size} | finite(spread) | noise)
        return {
            "game": experiment.game.name,
            "rules": experiment.rules.version,
            "fingerprint": experiment.rules.fingerprint,
            "samples": len(self.design.cells),
            "rows": self.rows,
            "refused": len(self.design.refused),
            "refusal": next(iter(self.design.refused.values()), None),
            "linked": self.design.linked,
            "error": ERROR,
            "at": {"role": self.point.role, "setting": self.point.setting},
            "left_out": [
                {"parameter": s.pointer, "old": s.old, "new": s.new, "why": s.refused}
                for s in self.steps
                if s.refused
            ],
            "targets": targets,
        }


def _ends(name: str, found: Array) -> dict[str, float | None]:
    keys = (name, f"{name}_low", f"{name}_high")
    return finite(dict(zip(keys, map(float, found), strict=True)))


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _verdict(found: Row, p: float) -> str:
    if p > 1 - CONFIDENCE:
        return "unclear"
    return "raises" if found["value"] > 0 else "lowers"


def _frame(rows: Iterator[Row]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), infer_schema_length=None)
