"""`lab map`: the organisers' bytes, a picture, one line for what cannot be drawn."""

from pathlib import Path

import pytest

from tests.verbs import refusal, run

GOLDEN = Path(__file__).parent / "golden/next_nation/maps"
CROWDED = ("--set", "/map/radius=2000", "--set", "/map/distance=1000")
pytestmark = pytest.mark.usefixtures("quiet")


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("--seed", 1), "seed_1"),
        (("--seed", -1), "seed_-1"),
        (("--seed", 2**63 - 1), f"seed_{2**63 - 1}"),
        (("--seed", 7, "--np", 40, "--kp", 6), "seed_7_NP40_KP6"),
        (("--seed", 1, "--rules", "2026-qualifier"), "seed_1"),
    ],
)
def test_it_prints_the_file_of_the_organisers(words, file):
    done = run("map", "next_nation", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout_bytes == (GOLDEN / f"{file}.txt").read_bytes()


def test_it_writes_files(tmp_path):
    text, picture = tmp_path / "a.map", tmp_path / "a.svg"
    done = run("map", "next_nation", "--seed", 1, "--out", text, "--svg", picture)
    assert (done.exit_code, done.output) == (0, "")
    assert text.read_bytes() == (GOLDEN / "seed_1.txt").read_bytes()
    assert "seed 1 · 81 regions · 13 strongholds" in picture.read_text(encoding="utf-8")


def test_rules_change_the_map():
    assert run("map", "next_nation", "--seed", 1, "--rules", "2026-final").stdout.split()[0] > "180"
    narrow = run("map", "next_nation", "--seed", 1, "--set", "/map/half_max=25").stdout
    assert narrow.startswith("51 ")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("ants", "--seed", 1), "game 'ants': found no maps, expected a game that is played on m"),
        (("next_natio", "--seed", 1), "game: found 'next_natio', expected one of "),
        (("next_nation", "--seed", 476), "map of seed 476: found room for 13 strongholds, expec"),
        (("next_nation", "--seed", 2**63), f"seed: found {2**63}, expected a whole number from -"),
        (("next_nation", "--seed", 1, "--np", 4), "half of the regions: found 4, expected a who"),
        (("next_nation", "--seed", 1, *CROWDED), "next_nation 2026-qualifier override /map: 109 p"),
        (("next_nation", "--seed", 1, "--out", "no/such/a.map"), "no/such/a.map: found no such"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal("map", *words).startswith(f"lab: {line}")
    assert not list(tmp_path.iterdir())
