"""The file of a fitted field."""

import json
from collections.abc import Iterator
from importlib.metadata import version

from lab.field.fit import FAR, Fit


def toml(found: Fit) -> str:
    """The weights, and beside them how sure they are, what they miss, and what they are made of."""
    return "\n".join([*_weights(found), *_misfits(found), *_source(found)]) + "\n"


def _weights(found: Fit) -> Iterator[str]:
    rules = found.rows.rules
    yield f"# Whose mix is nearest to {found.rows.path.name}: `lab field fit`."
    yield f"game = {_text(rules.game)}"
    yield "\n[weights]"
    yield from (f"{_text(name)} = {weight:.4f}" for name, weight in found.weights.items())
    yield "\n[intervals]  # 95 %"
    for name, (low, high) in found.intervals.items():
        yield f"{_text(name)} = [{low:.4f}, {high:.4f}]"


def _source(found: Fit) -> Iterator[str]:
    rows = found.rows
    told = {
        "rows": rows.path.name,
        "rows_digest": rows.digest,
        "rows_games": rows.frame.height,
        "rows_clusters": found.clusters,
        "off": round(found.off, 3),
        "rules": rows.rules.version,
        "fingerprint": rows.rules.fingerprint,
        "games": found.games,
        "seed": found.seed,
        "lab": version("balance-lab"),
        "left_out": list(found.left_out),
    }
    yield "\n[fit]"
    yield from (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in told.items())


def _misfits(found: Fit) -> Iterator[str]:
    yield f"\n[misfits]  # errors: from the rows to the mix; beyond {FAR:g} the mix misses it"
    yield "# least: what the mix that is nearest in this metric alone leaves of errors"
    for one in found.misfits:
        numbers = f"rows = {one.real:.6g}, mix = {one.mix:.6g}, errors = {one.errors:.2f}"
        yield f"{_text(one.metric.name)} = {{ {numbers}, least = {one.least:.2f} }}"


def _text(word: str) -> str:
    """A name as a key or value of TOML, whose strings are those of JSON."""
    return json.dumps(word, ensure_ascii=False)
