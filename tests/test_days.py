"""The days of three people, each from a question to what they go home with.

A designer of ants, an organiser of a NEXT NATION contest, and an analyst in a notebook; with few
games, as a person types it. What every verb does in detail is tested elsewhere.
"""

import json
from shutil import copytree

import polars as pl
import pytest

import lab
from lab.rules import folder
from tests.recorded import HERE
from tests.verbs import out, run

pytestmark = pytest.mark.usefixtures("quiet")

WHY = "Rushes are fair."


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A project of one's own: rules that a version may land among, and nothing else."""
    copytree(folder(), tmp_path / "rules")
    monkeypatch.setenv("LAB_RULES", str(tmp_path / "rules"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- the designer: is one more resource for the second player right? ----------------------------

FAIR = """
question = "How much less may the first player start with, for rushes to be fair?"
game = "ants"
rules = "0.3"
seed = 5

[space]
"/start/resources/0" = { low = 0, high = 4 }

[[matchups]]
mirror = "rush"

[[targets]]
metric = "first_score"
matchup = "rush mirror"
band = [0.46, 0.53]

[budget]
trials = 5
games = 400
top = 2
confirm_games = 4000
matrix_games = 10
"""


def test_a_designers_day(desk):
    (desk / "fair.toml").write_text(FAIR)

    # One number at several values, for two ways of playing, on common seeds.
    words = ("ants", "/start/resources/1=3..5", "--skill", "random", "--skill", "rush")
    scan = json.loads(out("vary", *words, "--games", 300, "--out", "scan", "--json"))
    assert [row["/start/resources/1"] for row in scan["settings"]] == [3, 4, 5] * 2
    assert (desk / "scan/vary.md").is_file()

    # A search for better numbers, its report in two languages, a game of it to watch.
    assert "fresh games that had no part" in out("sweep", "fair.toml", "--out", "run")
    for language, page in (("en", "report.html"), ("ko", "report.ko.html")):
        assert out("report", "run", "--lang", language).strip() == f"run/{page}"
    assert "Games worth watching" in (desk / "run/report.html").read_text()
    assert "볼만한 판" in (desk / "run/report.ko.html").read_text()
    assert "<!doctype html>" in (desk / "run/games/longest.html").read_text().lower()

    # What it found as a draft, held against today's rules.
    said = json.loads((desk / "run/confirm.json").read_text())
    assert said["status"] == "confirmed"
    out("rules", "draft", "ants", "--pick", f"run:{said['chosen']}", "--out", "draft.json")
    pair = ("--first", "rush", "--second", "rush", "--games", 300)
    found = json.loads(out("compare", "ants", "0.3", "draft.json", *pair, "--json"))
    assert found["metrics"]["first_score"]["variance_ratio"] is not None
    out("trace", "ants", "--rules", "draft.json", "--seed", 1, "--game", 7, "--html", "game.html")

    # It becomes 0.4, because it does what it is for; every number of the rulebook is the new one.
    land = ("--version", "0.4", "--why", WHY, "--targets", "fair.toml")
    assert "ants/0.4.json" in out("rules", "promote", "draft.json", *land)
    assert out("rules", "diff", "ants", "0.3", "0.4").count("/start/resources/0") == 1
    book = (desk / "rules/ants/rulebook/0.4.ko.md").read_text()
    assert out("rulebook", "ants", "--rules", "0.4", "--lang", "ko") == book
    out("rulebook", "ants", "--check")

    # The next day nobody has to change anything.
    out(
        "rules",
        "draft",
        "ants",
        "--from",
        "0.4",
        "--set",
        "/turn/round_cap=41",
        "--out",
        "more.json",
    )
    again = run("rules", "promote", "more.json", "--version", "0.5", *land[2:])
    assert again.exit_code == 4
    assert "no change needed" in again.stdout + again.stderr
    assert not (desk / "rules/ants/0.5.json").exists()


# --- the organiser: hundreds of submitted bots, and other base costs -----------------------------

BASES = """
question = "Do dearer bases keep rushes in bounds, in the field as it is?"
game = "next_nation"
rules = "2026-qualifier"
seed = 11

[space]
"/base/cost/0" = { low = 200, high = 400, step = 100 }

[[matchups]]
name = "the field"
field = "field.toml"

[[targets]]
metric = "rush"
matchup = "the field"
band = [0, 0.98]
"""
BOTS = """
[[bot]]
policy = "rush"

[[bot]]
policy = "economy"
"""


def test_an_organisers_day(desk):
    kinds = ("bots/*.log", "protocol/*.log", "edge/ok_*.log")
    logs = [path for kind in kinds for path in sorted(HERE.glob(kind))]

    # What was played, in a table and to be watched.
    out("replay", "measure", *logs, "--out", "real.parquet")
    with pytest.warns(UserWarning, match="says nothing of its rules"):
        assert lab.read("real.parquet").height == len(logs)
    out("replay", "show", logs[0], "--html", "match.html")
    assert (desk / "match.html").stat().st_size < 2_000_000

    # Whose mix of our players that resembles, and what it misses.
    players = [word for name in ("economy", "rush", "timing") for word in ("--policy", name)]
    told = json.loads(
        out(
            "field", "fit", "real.parquet", *players, "--games", 20, "--out", "field.toml", "--json"
        )
    )
    assert sum(told["weights"].values()) == pytest.approx(1, abs=1e-3)
    assert told["misfits"]

    # Other base costs in that field: a scan, a verdict, the same pairs by the other rules.
    (desk / "bases.toml").write_text(BASES)
    scan = ("/base/cost/0=200,400", "--experiment", "bases.toml", "--games", 20)
    rows = json.loads(out("vary", "next_nation", *scan, "--json"))
    assert [row["/base/cost/0"] for row in rows["settings"]] == [200, 300, 400]  # 300 is today's
    judged = run("verify", "next_nation", "--targets", "bases.toml", "--games", 200, "--json")
    assert json.loads(judged.stdout)["verdict"] in ("PASS", "UNDECIDED")

    (desk / "bots.toml").write_text(BOTS)
    other = ("--pairs-from", "now.parquet", "--set", "/base/cost/0=400")
    for words in (("--seeds", "0:2", "--out", "now.parquet"), (*other, "--out", "then.parquet")):
        assert run("tournament", "next_nation", "bots.toml", *words).exit_code == 0
    now, then = (pl.read_parquet(f"{name}.parquet") for name in ("now", "then"))
    assert now.height == then.height == 4
