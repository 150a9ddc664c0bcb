"""Every sampler by name: inside the links, no setting twice, the same again from its number."""

from importlib.util import find_spec

import pytest

from lab.experiment import load_experiment
from lab.experiment.space import Dimension, Link, Space
from lab.sweep import run_sweep, samplers
from lab.sweep.samplers import NEEDED, Told, check_sampler, grid, key_of, propose
from tests.experiments import write
from tests.toy import refusal

TABLE = Dimension("/table", ([1, 2], [], [{"a": 1}]), None)
SPACE = Space(
    (
        Dimension("/a", (1, 2, 3, 4), 1),
        Dimension("/b", (1, 2, 3, 4, 5, 6), 1),
        Dimension("/c", (0.5, 0.75, 1.0), 0.25),
        Dimension("/d", (False, True), None),
        TABLE,
        Dimension("/s", tuple(range(9)), 1),
        Dimension("/t", tuple(range(9)), 1),
    ),
    (Link("increasing", ("/a", "/b")), Link("sum", ("/s", "/t"), 8), Link("equal", ("/c", "/e"))),
)
EVERY = ["tpe", "gp", "cmaes", "nsga2", "random", "grid"]


def proposals(name, count, loss=lambda setting: float(setting["/a"])):
    told = []
    for number in range(count):
        setting, notes = propose(name, SPACE, 3, number, told)
        told.append(Told(setting, loss(setting), notes))
    return [one.setting for one in told]


def installed(name):
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    return name


@pytest.mark.parametrize("name", EVERY)
def test_every_sampler_keeps_to_the_links_and_repeats_itself_never(name):
    found = proposals(installed(name), 25)
    for setting in found:
        assert SPACE.holds(setting)
        assert setting["/a"] < setting["/b"]
        assert setting["/s"] + setting["/t"] == 8
        assert setting["/e"] == setting["/c"]
        assert setting["/table"] in TABLE.values
    assert len({key_of(setting) for setting in found}) == 25
    assert proposals(name, 25) == found


@pytest.mark.parametrize("name", ["tpe", "cmaes", "nsga2"])
def test_samplers_learn(name):
    space = Space(tuple(Dimension(f"/{i}", tuple(range(101)), 1) for i in range(3)), ())
    told = []
    for number in range(80):
        setting, notes = propose(installed(name), space, 5, number, told)
        told.append(Told(setting, sum((v - 80) ** 2 for v in setting.values()), notes))
    early, late = ([one.loss for one in part] for part in (told[:20], told[-20:]))
    assert sum(late) < 0.7 * sum(early)


def test_a_grid_is_walked_in_order_to_its_end():
    small = Space((Dimension("/a", (1, 2), 1), Dimension("/b", ("x", "y"), None)), ())
    told = []
    for number in range(4):
        setting, notes = propose("grid", small, 0, number, told)
        told.append(Told(setting, 0.0, notes))
    assert [one.setting for one in told] == [
        {"/a": 1, "/b": "x"},
        {"/a": 1, "/b": "y"},
        {"/a": 2, "/b": "x"},
        {"/a": 2, "/b": "y"},
    ]
    for name in ("grid", "random", "tpe"):
        assert propose(name, small, 0, 4, told) is None
    assert len(list(grid(SPACE))) == 14 * 3 * 2 * 3 * 9


def test_a_grid_that_trials_do_not_cover_is_refused():
    assert refusal(check_sampler, "grid", SPACE, 100, "x.toml") == (
        "x.toml /sampler: found a grid of more than 100 settings, "
        "expected at most as many as trials, or another sampler"
    )


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_a_sampler_without_its_package_is_one_line(tmp_path, monkeypatch, name):
    monkeypatch.setattr(samplers, "find_spec", lambda package: None)
    path = write(tmp_path, ("seed = 5", f'seed = 5\nsampler = "{name}"'))
    said = refusal(run_sweep, path, tmp_path / "run")
    assert f"/sampler: found {name} without the package {NEEDED[name]}" in said
    assert 'expected pip install "' in said
    assert not (tmp_path / "run").exists()
    assert load_experiment(path).sampler == name


def test_the_needed_packages_are_known():
    assert find_spec("optuna") is not None
    assert set(NEEDED) < set(EVERY)
