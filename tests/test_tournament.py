"""What a person and a notebook see of a tournament; and real games, through the judge."""

import json
import sys

import polars as pl
import pytest

import lab
from lab.catalog import load_game, load_rules
from lab.cli import tournament as verb
from lab.errors import BadInput
from lab.tournament import Plan, Tournament, load_bots, pairs_of, run, run_tournament, summary
from lab.tournament.results import kind_of
from tests import fake_judge, verbs

RULES = load_rules("next_nation")
POLICIES = "".join(f'[[bot]]\npolicy = "{name}"\n' for name in ("rush", "economy"))
BOTS = "".join(
    f'[[bot]]\nname = "{name}"\ncommand = "{sys.executable} {known}"\n'
    for name, known in (("strong", "a-2"), ("middling", "b-1"), ("bad", "wrong-0"))
)
IDLE = f"""
[[bot]]
name = "idle"
command = "{sys.executable} {{folder}}/idle.py"
[[bot]]
name = "wrong"
command = "{sys.executable} {{folder}}/idle.py 'MOVE X1 1'"
"""
PLAYER = """
import sys
for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("START TURN"):
        print("COMMAND", *sys.argv[1:], "END", sep="\\n", flush=True)
    elif line.startswith("FINISH"):
        break
"""
pytestmark = pytest.mark.usefixtures("quiet")


@pytest.fixture
def fake(monkeypatch):
    """The judge of the tests, by which a bad bot gives wrong orders; and cores for everybody."""
    monkeypatch.setattr(run.match, "play", fake_judge.play)
    monkeypatch.setattr(run, "by_kernel", fake_judge.by_kernel)
    monkeypatch.setattr(run, "generate", lambda numbers, seed: [None])
    monkeypatch.setattr(verb.os, "cpu_count", lambda: 64)


@pytest.fixture
def call(tmp_path):
    """Calls the verb on three programs."""
    path = tmp_path / "bots.toml"
    path.write_text(BOTS)

    def call(*words, out="g.parquet"):
        words = ["tournament", "next_nation", path, "--out", tmp_path / out, *words]
        return verbs.run(*words)

    return call


# --- the verb -----------------------------------------------------------------------------------


def test_it_says_what_lies_ahead_and_prints_what_came_out(fake, call):
    done = call("--seeds", "3:9")
    assert done.exit_code == 0
    assert done.stderr.startswith("lab: 36 games, 1 of them played, the others until about ")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "bot Elo 95 % interval score n distinct clusters forfeits refused"
    assert lines[1].startswith("strong +")
    assert " at least " in lines[1]
    assert lines[1].endswith("100.0% 24 24 6 0 0")
    assert lines[3].endswith("0.0% 24 24 6 24 0")
    assert "strong 100.0% 100.0%" in lines
    assert "12 games a pair" in lines
    assert "bad ... costs N gold of N 24 1" in lines
    assert lines[-1] == f"next_nation {RULES.version} {RULES.fingerprint}, 36 games"


def test_json_holds_the_three_tables(fake, call, tmp_path):
    found = json.loads(call("--seeds", "4", "--json").stdout)
    expected = summary(pl.read_parquet(tmp_path / "g.parquet"))
    assert [row["bot"] for row in found["ratings"]] == expected.ratings["bot"].to_list()
    assert found["ratings"][0]["high"] is None
    assert len(found["cross"]) == 6
    assert found["causes"] == expected.causes.to_dicts()
    assert found["fingerprint"] == RULES.fingerprint


def test_pairs_of_another_tournament_are_played_under_other_rules(fake, call, tmp_path):
    call("--pairing", "random", "--games-per-bot", "4", "--seeds", "2:6", out="a.parquet")
    words = ["--pairs-from", tmp_path / "a.parquet", "--set", "/days=9"]
    assert call(*words, out="b.parquet").exit_code == 0
    one, other = (
        pl.read_parquet(tmp_path / name).select("first", "second", "map_seed")
        for name in ("a.parquet", "b.parquet")
    )
    assert one.equals(other)
    (tmp_path / "bots.toml").write_text(BOTS.replace('"bad"', '"bads"'))
    line = "found the bot 'bad', expected only bots of the bots' file (did you mean 'bads'?)"
    assert line in call(*words, out="c.parquet").stderr


def test_a_check_fails_with_a_bot_that_loses_by_itself(fake, call, tmp_path):
    done = call("--check", "--json")
    assert done.exit_code == 1
    causes = {row["bot"]: row["cause"] for row in json.loads(done.stdout)}
    assert causes == {
        "strong": None,
        "middling": None,
        "bad": 'day 4: "TRAIN 0" costs 120 gold of 0',
    }
    assert not (tmp_path / "g.parquet").exists()
    (tmp_path / "bots.toml").write_text(BOTS.rpartition("[[bot]]")[0])
    done = call("--check")
    assert (done.exit_code, done.stdout.count("\n")) == (0, 3)


@pytest.mark.parametrize("answer", ["--yes", None])
def test_above_an_hour_it_asks(fake, call, monkeypatch, answer, tmp_path):
    monkeypatch.setattr(verb, "HOUR", -1)
    done = call("--seeds", "2", *[answer] * bool(answer))
    if answer:
        assert done.exit_code == 0
    else:
        assert done.exit_code == 2
        assert "to play, expected --yes for more than an hour" in done.stderr
        assert not (tmp_path / "g.parquet").exists()


def test_many_programs_on_few_cores_are_warned_of(fake, call, monkeypatch, tmp_path):
    monkeypatch.setattr(verb.os, "cpu_count", lambda: 4)
    bots = tmp_path / "bots.toml"
    bots.write_text(POLICIES)
    assert "cores" not in call("--seeds", "1", "--jobs", "3").stderr
    bots.write_text(BOTS)
    for jobs, clock, warned in ((2, "real", False), (3, "real", True), (3, "off", False)):
        done = call("--seeds", "1", "--jobs", jobs, "--clock", clock, out=f"{jobs}{clock}.parquet")
        assert done.exit_code == 0
        assert ("6 programs by the clock on 4 cores" in done.stderr) == warned


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--seeds 5:3", "games: found 5:3"),
        ("--seeds 0:30000", "seeds: found 30,000 of them, expected at most 20,000"),
        ("--pairing swiss", "games-per-bot: found nothing"),
        ("--games-per-bot 4", "games-per-bot: found 4, expected none"),
        ("--pairs-from no.parquet", "no.parquet: found no table of a tournament"),
        ("--pairs-from no.parquet --seeds 3", "pairs-from: found seeds too, expected it alone"),
        ("--out games.csv", "games.csv: found suffix '.csv'"),
        ("--rules 2027", "rules of next_nation: found"),
        ("--clock slow", "invalid value for '--clock'"),
    ],
)
def test_bad_input_gets_one_line(fake, call, words, line):
    done = call(*words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("lab: ")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_game_without_programs_is_refused(tmp_path):
    done = verbs.run("tournament", "ants", tmp_path / "bots.toml")
    assert (
        done.stderr == "lab: game: found 'ants', expected next_nation, the one that programs play\n"
    )


# --- what came out ------------------------------------------------------------------------------


def test_a_summary_counts_what_each_bot_did(fake, tmp_path):
    (tmp_path / "bots.toml").write_text(BOTS)
    bots = load_bots(tmp_path / "bots.toml", load_game("next_nation"))
    games = run_tournament(
        Tournament(RULES, bots, Plan("all", 3, range(5))), tmp_path / "g.parquet"
    )
    games = games.with_columns(refused_first=pl.lit(2, dtype=pl.Int64))
    found = summary(games)
    assert found.ratings["score"].to_list() == [1, 0.5, 0]
    assert found.ratings["refused"].to_list() == [20, 20, 20]
    assert found.ratings["forfeits"].to_list() == [0, 0, 20]
    assert found.ratings["value"].sum() == pytest.approx(0)
    pairs = {(row["bot"], row["rival"]): row for row in found.cross.to_dicts()}
    assert pairs["strong", "bad"]["value"] == 1 - pairs["bad", "strong"]["value"] == 1
    assert {(row["n"], row["clusters"]) for row in pairs.values()} == {(10, 5)}


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        ('day 12: "MOVE A9 4" moves a warrior that does not live', None),
        ('day 3: "a \\" 1" has "x" for a whole number', "... has ... for a whole number"),
        ("handshake: ended with status 1 before OK", "handshake: ended with status N before OK"),
    ],
)
def test_causes_of_one_kind_are_counted_together(cause, kind):
    assert kind_of(cause) == (kind or "... moves a warrior that does not live")


# --- real games ---------------------------------------------------------------------------------


def test_policies_play_as_in_the_kernel_and_programs_get_their_verdict(tmp_path):
    (tmp_path / "idle.py").write_text(PLAYER)
    (tmp_path / "bots.toml").write_text(POLICIES + IDLE.format(folder=tmp_path))
    bots = load_bots(tmp_path / "bots.toml", load_game("next_nation"))
    rules = RULES.override({"/days": 30, "/clock/day": 60_000, "/clock/handshake": 60_000})
    played = run_tournament(
        Tournament(rules, bots, Plan("all", 4, [11])),
        tmp_path / "g.parquet",
        logs=tmp_path / "logs",
    )
    plan = Plan("all", 2, [11])
    unlogged = run_tournament(Tournament(rules, bots[:2], plan), tmp_path / "p.parquet")
    assert unlogged["length"].min() > 1
    logged = played.filter(pl.all_horizontal(pl.col("first", "second").is_in(["rush", "economy"])))
    assert logged.drop("game").equals(unlogged.drop("game"))
    for seat, winner in (("first", "second"), ("second", "first")):
        wrong = played.filter(pl.col(seat) == "wrong")
        assert set(wrong["winner"]) == {winner}
        assert wrong[f"cause_{seat}"].str.starts_with('day 1: "MOVE X1 1" moves "X1"').all()
    idle = played.filter(pl.col("first") == "idle", pl.col("second") != "wrong")
    assert idle["cause_first"].null_count() == idle.height
    assert len(list((tmp_path / "logs").glob("*.log"))) == 12
    measured = lab.measure(played, rules=rules).filter(metric="first_score")
    assert measured.row(0, named=True)["clusters"] == 1
    assert pairs_of(tmp_path / "g.parquet", bots)[:2] == [(0, 1, 11), (0, 2, 11)]


def test_seeds_without_a_map_are_left_out():
    good, bare = run.with_maps(RULES, [475, 476, 477])
    assert (good, bare) == ([475, 477], [476])
    with pytest.raises(BadInput, match="map of seed 476"):
        run.with_maps(RULES, [476])
