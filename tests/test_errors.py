"""What is written whole or not at all, and what an error repeats of what it was given."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import lab
from lab.errors import BadInput, bad, read_text, whole, write_atomic, write_text

CODE = "from lab.cli import main; main()"


def verb(*words, **options):
    """A verb in a process of its own: its streams are not those of the tests."""
    command = [sys.executable, "-c", CODE, *words]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)


def test_an_error_repeats_little_of_what_it_was_given_and_no_escape():
    line = str(bad("policy " + "a" * 10_000, "b\x1b[31m" + "b" * 10_000, "a name"))
    assert len(line) < 500
    assert "\\x1b" in line
    assert line.isprintable()


def test_a_name_with_a_nul_is_no_file():
    with pytest.raises(BadInput, match="null byte, expected a readable file"):
        read_text("rules\0.json")


def test_a_text_without_an_end_is_refused():
    with pytest.raises(BadInput, match="found more than 268,435,456 bytes"):
        read_text("/dev/zero")


def test_what_is_no_file_stays_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place, kind in ((tmp_path, "a folder"), (pipe, "a device")):
        with pytest.raises(BadInput, match=f"found {kind}, expected a file that can be written"):
            write_atomic(place, lambda part: pytest.fail("nothing is to be written"))
    assert pipe.is_fifo()


def test_a_link_is_followed(tmp_path):
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    write_text(link, "text")
    assert link.is_symlink()
    assert target.read_text() == "text"


def test_a_full_disk_is_one_line_and_no_file(tmp_path):
    def fill(part):
        part.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(BadInput, match="found no space left on device"):
        write_atomic(tmp_path / "games.csv", fill)
    assert list(tmp_path.iterdir()) == []


def test_what_polars_tells_of_a_full_disk_is_one_line_and_no_file(tmp_path):
    full = pl.exceptions.ComputeError("parquet: underlying IO error: No space (os error 28)")

    def fill(part):
        part.write_text("half")
        raise full

    with pytest.raises(BadInput, match="found no space left on device, expected a file that"):
        write_atomic(tmp_path / "games.parquet", fill)
    assert list(tmp_path.iterdir()) == []


def test_a_fault_that_is_not_the_systems_is_raised_as_it_is(tmp_path):
    def fail(part):
        raise LookupError("a fault of the lab")

    with pytest.raises(LookupError):
        write_atomic(tmp_path / "games.parquet", fail)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [-1, 8, 1.5, "3", None, float("nan")])
def test_a_whole_number_within_its_bounds(value):
    whole("seed", np.uint64(7), 0, 7)
    with pytest.raises(BadInput, match=f"seed: found {value}, expected a whole number from 0 to 7"):
        whole("seed", value, 0, 7)


def test_a_name_as_long_as_a_name_can_be(tmp_path):
    write_text(tmp_path / ("a" * 255), "text")
    assert [path.name for path in tmp_path.iterdir()] == ["a" * 255]


def test_an_output_without_room_is_one_line():
    with Path("/dev/full").open("w") as full:
        done = verb("games", stdout=full)
    assert (done.returncode, done.stderr) == (
        2,
        "lab: output: found no space left on device, expected room for it\n",
    )


def test_an_output_that_knows_no_korean_still_gets_the_text():
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = verb("rulebook", "ants", "--lang", "ko", stdout=subprocess.PIPE, env=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# \\uac1c")


def test_a_file_may_have_the_name_of_a_pattern(tmp_path):
    rules = lab.load_rules("ants")
    for name in ("games[1].parquet", "games*.csv"):
        games = lab.simulate(rules, "random", "random", 3, out=tmp_path / name)
        assert games.collect().height == 3
    with pytest.raises(BadInput, match="expected a plain name"):
        lab.simulate(rules, "random", "random", 3, out=tmp_path / "games\udcff.parquet")
    with pytest.raises(BadInput, match="chunk: found 1000001"):
        lab.simulate(rules, "random", "random", 3, chunk=1_000_001)


def test_a_word_in_place_of_a_number_is_one_line():
    done = verb("simulate", "ants", "--seed", "x")
    assert done.returncode == 2
    found = "found 'x', expected a whole number"
    assert done.stderr == f"lab: invalid value for '--seed': {found}\n"
