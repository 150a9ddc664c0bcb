"""The race on synthetic rule spaces, whose truth is known and whose games cost nothing."""

import os
import subprocess
import sys
from itertools import chain, pairwise

import pytest

from lab.experiment.banks import seed_of
from lab.sweep.front import fewest, finalists
from lab.sweep.race import Play, Race
from lab.sweep.samplers import key_of
from tests.bench.honesty import shares, spaces, sweep
from tests.bench.problems import Synthetic

SWEEPS = 200 if os.environ.get("LAB_PROOF") else 20
PLANE = Synthetic("plane", cliff=False)


def race_of(seed=1, **options):
    return Race(PLANE.space, PLANE.aims, PLANE.start(seed), seed, **options)


def run(race, rounds):
    plays = []
    while race.rounds < rounds:
        for play in chain.from_iterable(race.round()):
            bank = seed_of(race.seed, play.round)
            race.tell(play, PLANE.play(play.setting, bank, play.block * 32, 32))
            plays.append(play)
    return plays


def test_the_same_tellings_make_the_same_race():
    assert run(race_of(), 25) == run(race_of(), 25)


def test_another_machine_runs_the_same_race():
    """Sums come out otherwise in their last digits with other vector units and threads."""
    code = "from tests.test_race import race_of, run; print(run(race_of(), 40))"
    plays = set()
    for core, threads in (("Haswell", "1"), ("Nehalem", "2")):
        machine = {"OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | machine,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        plays.add(done.stdout)
    assert len(plays) == 1


def test_fewer_rounds_are_the_beginning_of_more():
    assert run(race_of(), 25)[:30] == run(race_of(), 16)[:30]


def test_challenger_and_contender_meet_the_same_seeds_and_every_round_others():
    plays = run(race_of(), 25)
    assert plays[0].number == 0
    assert len({(play.number, play.round, play.block) for play in plays}) == len(plays)
    for number in range(1, 25):
        first, second = [play for play in plays if play.round == number]
        assert first.block == 0
        assert second.block == (1 if second.number == first.number else 0)


def test_rounds_abreast_try_as_many_settings_on_as_many_banks():
    race, batches = race_of(), []
    while race.rounds < 25:
        for plays in race.round(min(4, 25 - race.rounds)):
            batches.append(plays)
            for play in plays:
                bank = seed_of(race.seed, play.round)
                race.tell(play, PLANE.play(play.setting, bank, play.block * 32, 32))
    assert [len(plays) for plays in batches] == [1] + [4] * 12
    assert len(race.entries) == len({key_of(entry.setting) for entry in race.entries}) == 25
    for plays in batches[1:]:
        assert len({play.round for play in plays}) == 4
    every = [play for plays in batches for play in plays]
    assert len({(play.number, play.round, play.block) for play in every}) == len(every)
    for plays in race.last(3, 8, 2):
        assert len(plays) <= 2
        assert len({play.number for play in plays}) == len(plays)
        for play in plays:
            race.tell(play, PLANE.play(play.setting, 1000 + play.round, play.block * 32, 32))
    assert all(entry.played >= 8 for entry in finalists(race.entries, 3))


def test_what_cannot_be_played_later_is_known_no_more():
    race = race_of()
    run(race, 20)
    best = min((entry for entry in race.entries[1:] if entry.judged), key=lambda e: e.expected)
    race.tell(Play(best.number, best.setting, 20, 0), None)
    assert not best.judged
    assert best.expected == 100
    assert best.number not in {entry.number for entry in finalists(race.entries, 30)}


def test_hopeless_settings_get_no_second_block():
    race = race_of()
    run(race, 40)
    far = [entry for entry in race.entries if PLANE.truth(entry.setting) > 12]
    near = [entry for entry in race.entries if PLANE.truth(entry.setting) < 2]
    assert sum(e.played for e in far) / len(far) < 1.3
    assert sum(e.played for e in near) / len(near) > 1.8


def test_the_finalists_are_played_to_the_end():
    race = race_of()
    run(race, 25)
    for play in chain.from_iterable(race.last(3, 8)):
        race.tell(play, PLANE.play(play.setting, 1000 + play.round, play.block * 32, 32))
    assert all(entry.played >= 8 for entry in finalists(race.entries, 3))


def test_what_the_rules_refuse_is_never_played_again():
    race = race_of()
    refused = set()
    while race.rounds < 30:
        for play in chain.from_iterable(race.round()):
            assert play.number not in refused
            if play.setting["/x/0"] > 5:
                refused.add(play.number)
                race.tell(play, None)
            else:
                race.tell(play, PLANE.play(play.setting, play.round, 0, 32))
    assert refused
    assert {race.entries[n].expected for n in refused} == {100.0}
    assert refused.isdisjoint(entry.number for entry in finalists(race.entries, 30))


def test_the_front_of_fewest_changes_pays_for_every_step():
    race = race_of()
    run(race, 40)
    front = fewest(race.entries)
    assert front[0].number == 0
    assert len(front) > 2
    for less, more in pairwise(front):
        assert less.steps < more.steps
        assert less.expected > more.expected
    for entry in race.entries:
        assert any(f.steps <= entry.steps and f.expected <= entry.expected + 0.02 for f in front)
    confirmed = {entry.number for entry in finalists(race.entries, 5)}
    assert 0 not in confirmed
    assert confirmed & {entry.number for entry in front}


def test_single_numbers_are_tried_too():
    race = race_of()
    run(race, 40)
    changed = [
        sum(entry.setting[p] != race.start[p] for p in race.start) for entry in race.entries[1:]
    ]
    assert changed.count(1) + changed.count(2) >= 2


def test_what_sweeps_say_is_so(capsys):
    """Acceptance: 200 sweeps under LAB_PROOF, a tenth of them otherwise."""
    found = shares([sweep(spaces()[seed % 2], seed) for seed in range(SWEEPS)])
    with capsys.disabled():
        print("", *(f"{name}: {share:.1%}" for name, share in found.items()), sep="\n  ")
    assert found["intervals that hold the truth"] >= 0.93
    assert found["recommended and truly outside"] <= 0.05
    assert found["sweeps that recommend"] >= 0.8
    assert found["best trials truly outside"] > found["recommended and truly outside"]


@pytest.mark.parametrize("sampler", ["random", "nsga2"])
def test_any_sampler_may_propose(sampler):
    race = race_of(sampler=sampler)
    assert len(run(race, 15)) == 29
