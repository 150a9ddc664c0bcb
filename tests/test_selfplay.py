import json
import os
import pickle
import signal
import threading
from hashlib import blake2b
from importlib import import_module
from random import Random

import numpy as np
import polars as pl
import pytest

from lab import catalog
from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.game import WINNERS
from lab.jit import kernel
from lab.play import play_rows
from lab.rng import CHANCE, stream
from lab.selfplay import (
    RECORDS_KEPT,
    Interrupted,
    as_frame,
    curve_table,
    curves,
    matrix,
    play,
    play_chunk,
    simulate,
)
from tests import toygame
from tests.rulesets import draw_rules

MANY = 200_000 if os.environ.get("LAB_PROOF") else 2_000
MIRROR = ("random", "random")
GREEDY = ("greedy", "greedy")
under = import_module("lab.games.dealt").under


@pytest.fixture(scope="module", params=GAMES)
def rules(request):
    return load_rules(request.param)


@pytest.fixture
def dealt(monkeypatch):
    """A toy whose records serve four games each."""
    monkeypatch.setattr(catalog, "GAMES", (*GAMES, "dealt"))
    return toygame.rules(heap=9, under=5, game="dealt")


@pytest.fixture(scope="module")
def games(rules):
    return simulate(rules, *MIRROR, games=300, seed=7)


def digest(frame):
    """Hash of a table, column by column: padding inside records is anything."""
    total = blake2b(digest_size=8)
    for column in frame:
        total.update(column.name.encode() + str(column.dtype).encode())
        total.update(column.to_physical().to_numpy().tobytes())
    return total.hexdigest()


def metadata(path):
    return json.loads(pl.read_parquet_metadata(path)["lab"])


# The same games, however they are played


def test_chunks_and_workers_change_nothing(rules):
    ways = [(1, 5000), (2, 5000), (1, MANY // 7), (2, MANY // 13)]
    tables = {
        digest(simulate(rules, *MIRROR, games=MANY, seed=7, jobs=jobs, chunk=chunk))
        for jobs, chunk in ways
    }
    print(f"{rules.game}, {MANY} games, seed 7:", *tables)
    assert len(tables) == 1


def test_one_game_replays_alone(rules, games):
    assert simulate(rules, *MIRROR, range(123, 124), seed=7).equals(games[123:124])
    game = load_game(rules.game)
    record = game.record(rules, 7, range(123, 124))
    rows, _, _ = play_rows(game, record, game.policy_rows(*MIRROR), 7, 123, 1)
    assert as_frame(game, rows).equals(games[123:124])


def test_ranges_make_the_whole(rules, games):
    parts = [simulate(rules, *MIRROR, part, seed=7) for part in (100, slice(100, 300))]
    assert pl.concat(parts).equals(games)


def test_another_seed_is_another_table(rules, games):
    other = simulate(rules, *MIRROR, games=300, seed=8)
    assert not set(other["history"]) & set(games["history"])


def test_random_mirrors_are_distinct(rules):
    histories = simulate(rules, *MIRROR, games=1000)["history"]
    assert histories.n_unique() >= 990


def test_records_of_many_rules_are_told_apart(rules, games):
    model = type(rules.document)
    for number in range(RECORDS_KEPT + 1):
        drawn = draw_rules(model, Random(number))
        other = rules.override({f"/{key}": value for key, value in drawn.items()})
        simulate(other, *MIRROR, games=1, seed=7)
    assert simulate(rules, *MIRROR, games=300, seed=7).equals(games)


@pytest.mark.parametrize("games", [range(30), range(3, 30), range(5, 6)])
def test_blocks_change_nothing(dealt, games):
    ways = [(1, 5000), (2, 5000), (1, 4), (1, 1), (2, 7)]
    tables = [simulate(dealt, *GREEDY, games, 7, jobs, chunk) for jobs, chunk in ways]
    assert all(table.equals(tables[0]) for table in tables)
    assert tables[0]["game"].to_list() == list(games)
    assert tables[0]["all"].to_list() == [9 + under(7, index, 5) for index in games]


def test_curves_of_blocks_are_added(dealt):
    found = curves(dealt, *GREEDY, games=30, seed=7)
    assert found.row(0, named=True) == {
        "clock": 0,
        "n": 30,
        "left": 9,
        "under": sum(under(7, index, 5) for index in range(30)) / 30,
    }
    _, sums = play_chunk("dealt", dealt, *GREEDY, 7, 0, 30)
    assert curve_table(load_game("dealt"), sums).equals(found)


def test_a_chunk_travels_to_another_machine(rules, games):
    call = pickle.dumps((play_chunk, (rules.game, rules, *MIRROR, 7, 50, 20)))
    function, arguments = pickle.loads(call)
    rows, _ = function(*arguments)
    assert as_frame(load_game(rules.game), rows).equals(games[50:70])


@kernel
def fill_starts(starts, seed, purpose):
    for i in range(starts.size):
        starts[i] = stream(seed, i, purpose)


def test_streams_of_a_million_games_are_a_million():
    starts = np.empty(1_000_000, np.uint64)
    fill_starts(starts, 7, CHANCE)
    assert np.unique(starts).size == starts.size


def test_a_swapped_pair_keeps_its_minds(rules):
    game = load_game(rules.game)
    there, back = game.policy_rows("random", "search"), game.policy_rows("search", "random")
    assert list(there["key"][:2]) == list(back["key"][1::-1])
    same = game.policy_rows(*MIRROR)["key"]
    assert len({*same[:2], int(CHANCE)}) == 3


# The table


def test_columns(rules, games):
    game = load_game(rules.game)
    assert ",".join(games.columns).startswith("game,history,winner,ending,capped,length,plies,")
    assert games["game"].to_list() == list(range(300))
    assert games.schema["winner"] == pl.Enum(WINNERS)
    assert games.schema["ending"] == pl.Enum(game.endings)
    assert (games.schema["history"], games.schema["length"]) == (pl.UInt64, pl.Int16)
    assert not [name for name in games.columns if name.startswith("_")]


def test_a_field_with_a_place_a_seat_is_two_columns(rules):
    game = load_game(rules.game)
    rows = np.zeros(2, game.outcome)
    name = next(name for name in rows.dtype.names if rows.dtype[name].shape == (2,))
    rows[name] = [[1, 2], [3, 4]]
    frame = as_frame(game, rows)
    assert frame[f"first_{name}"].to_list() == [1, 3]
    assert frame[f"second_{name}"].to_list() == [2, 4]


def test_progress_counts_up_to_the_whole(rules):
    seen = []
    simulate(rules, *MIRROR, range(5, 15), jobs=2, chunk=4, progress=lambda *now: seen.append(now))
    assert seen[-1] == (10, 10)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


# Files


def test_parquet_is_the_frame_with_its_manifest(rules, games, tmp_path):
    path = tmp_path / "games.parquet"
    lazy = simulate(rules, *MIRROR, games=300, seed=7, out=path)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect().equals(games)
    assert lazy.collect_schema() == games.schema
    found = metadata(path)
    assert found["fingerprint"] == rules.fingerprint
    assert (found["game"], found["rules"], found["changes"]) == (rules.game, rules.version, {})
    assert (found["first"], found["second"], found["seed"]) == (*MIRROR, 7)
    assert found["games"] == [0, 300]
    assert set(found["versions"]) == {"lab", "numpy", "numba", "polars"}
    assert [file.name for file in tmp_path.iterdir()] == ["games.parquet"]


def test_parquet_bytes_are_the_same_however_played(rules, tmp_path, monkeypatch):
    monkeypatch.setattr("lab.selfplay.ROW_GROUP", 64)
    for name, jobs, chunk in (("a", 1, 300), ("b", 2, 11)):
        simulate(rules, *MIRROR, 300, 7, jobs, chunk, tmp_path / f"{name}.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_csv_is_the_frame(rules, games, tmp_path):
    path = tmp_path / "games.csv"
    lazy = simulate(rules, *MIRROR, games=300, seed=7, chunk=50, out=str(path))
    assert lazy.collect().equals(games)
    assert path.read_text().count("game,history") == 1


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_ctrl_c_keeps_a_prefix(rules, games, tmp_path, jobs, suffix):
    path, rest = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"

    def press(done, total):
        if done == 80:
            signal.raise_signal(signal.SIGINT)

    usual = signal.getsignal(signal.SIGINT)
    with pytest.raises(Interrupted) as error:
        simulate(rules, *MIRROR, slice(10, 300), 7, jobs, 20, path, press)
    assert error.value.done == 80
    assert str(error.value) == "kept 80 games; go on with --games 90:300 --out OTHER"
    assert signal.getsignal(signal.SIGINT) is usual
    kept = pl.read_parquet(path) if suffix == "parquet" else pl.read_csv(path, schema=games.schema)
    assert kept.equals(games[10:90])
    if suffix == "parquet":
        assert metadata(path)["games"] == [10, 90]
    after = simulate(rules, *MIRROR, slice(90, 300), 7, jobs, out=rest)
    assert pl.concat([kept, after.collect()]).equals(games[10:])


def test_ctrl_c_after_the_last_chunk_changes_nothing(rules, games, tmp_path):
    def press(done, total):
        if done == total:
            signal.raise_signal(signal.SIGINT)

    path = tmp_path / "a.parquet"
    assert simulate(rules, *MIRROR, 300, 7, out=path, progress=press).collect().equals(games)


def test_ctrl_c_twice_breaks_off(rules, tmp_path):
    def press(done, total):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        simulate(rules, *MIRROR, 300, 7, out=tmp_path / "a.parquet", progress=press)
    assert not list(tmp_path.iterdir())


def test_a_failure_leaves_the_older_file(rules, tmp_path):
    path = tmp_path / "a.parquet"
    path.write_text("older")

    def fail(done, total):
        raise RuntimeError("no progress")

    with pytest.raises(RuntimeError, match="no progress"):
        simulate(rules, *MIRROR, 300, 7, out=path, progress=fail)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_a_thread_may_write_a_file(rules, games, tmp_path):
    path = tmp_path / "a.parquet"
    thread = threading.Thread(target=simulate, args=(rules, *MIRROR, 300, 7, 1, 50, path))
    thread.start()
    thread.join()
    assert pl.read_parquet(path).equals(games)


# Refusals


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"games": -5}, "games: found -5, expected N or A:B with 0 <= A < B"),
        ({"games": 0}, "games: found 0,"),
        ({"games": 10**13}, "games: found 10000000000000,"),
        ({"games": slice(9, 3)}, "games: found 9:3,"),
        ({"games": slice(-3, 3)}, "games: found -3:3,"),
        ({"games": slice(3, None)}, "games: found 3:0,"),
        ({"games": range(0, 9, 2)}, "games: found 0:9:2,"),
        ({"seed": -1}, "seed: found -1, expected a whole number from 0 to"),
        ({"seed": 2**64}, "seed: found 18446744073709551616,"),
        ({"jobs": 0}, "jobs: found 0, expected a whole number from 1"),
        ({"chunk": 0}, "chunk: found 0, expected a whole number from 1"),
        ({"first": "randm"}, "policy 'randm': found 'randm', expected one of"),
        ({"out": "games.xlsx"}, "games.xlsx: found suffix '.xlsx', expected a file that ends in"),
        ({"out": "nowhere/games.csv"}, "nowhere/games.csv: found no such file or directory"),
    ],
)
def test_bad_input(rules, tmp_path, monkeypatch, changes, line):
    monkeypatch.chdir(tmp_path)
    arguments = {"first": "random", "second": "random", "out": "games.parquet"} | changes
    with pytest.raises(BadInput) as error:
        simulate(rules, **arguments)
    assert str(error.value).startswith(line)
    assert not list(tmp_path.iterdir())


# What else is asked of games


def test_curves_count_who_reached_each_clock(rules):
    pieces = list(play(rules, *MIRROR, games=200, seed=3))
    lengths = pl.concat([frame for frame, _ in pieces])["length"]
    found = curves(rules, *MIRROR, games=200, seed=3, jobs=2)
    assert found.columns == ["clock", "n", *load_game(rules.game).curves]
    assert found["n"][0] == 200
    assert found["clock"][-1] == lengths.max()
    reached = [(lengths >= clock).sum() for clock in found["clock"]]
    assert found["n"].to_list() == reached
    for i, name in enumerate(load_game(rules.game).curves):
        sums = sum(sums[:, 1 + i] for _, sums in pieces)
        assert (found[name] * found["n"]).to_list() == pytest.approx(sums[found["clock"]])


def test_matrix_leaves_out_who_cannot_meet():
    found = matrix(load_rules("wargambit"), ["greedy", "ghost"], games=5)
    assert found.select("first", "second").rows() == [("greedy", "greedy"), ("greedy", "ghost")]
    with pytest.raises(BadInput, match="ghost"):
        matrix(load_rules("wargambit"), ["ghost"], games=5)


def test_matrix_has_every_ordered_pair(rules):
    policies = ["random", "random:ban=" + load_game(rules.game).action_kinds[1]]
    found = matrix(rules, policies, games=50, seed=3)
    assert list(found["first"]) == [policies[0], policies[0], policies[1], policies[1]]
    assert list(found["second"]) == policies * 2
    one = simulate(rules, policies[1], policies[0], games=50, seed=3)["winner"]
    assert found["value"][2] == ((one == "first").sum() + (one == "draw").sum() / 2) / 50
    assert (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()
    assert set(found["n"]) == {50}
