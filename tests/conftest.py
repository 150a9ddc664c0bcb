"""What all tests share."""

import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")  # a busy machine fails no test


def pytest_addoption(parser):
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="write tests/playthroughs and tests/perft anew, for a person to review the diff",
    )


@pytest.fixture
def regenerate(request):
    return request.config.getoption("--regenerate")


@pytest.fixture
def quiet(monkeypatch):
    """Nothing on stderr about a first compile or progress, which depends on the machine."""
    from lab import watch as progress
    from lab.cli import watch

    monkeypatch.setattr(watch, "announce", lambda game: None)
    monkeypatch.setattr(progress, "APART", math.inf)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Looks at a page in headless Chromium: what it prints, and no complaint on its console."""
    found = shutil.which("chromium")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is not installed")
        pytest.skip("chromium is not installed")
    profile = tmp_path_factory.mktemp("chromium")

    def look(page: Path, width: int, *options: str) -> str:
        size = [f"--window-size={width},900", f"--user-data-dir={profile}"]
        plain = ["--headless", "--no-sandbox", "--hide-scrollbars", "--enable-logging=stderr"]
        command = [found, *plain, *size, *options, page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert [line for line in done.stderr.splitlines() if "CONSOLE" in line] == []
        return done.stdout

    return look


@pytest.fixture
def few(tmp_path, monkeypatch):
    """A folder of the first rules of ants and their variant, into which versions may land."""
    from lab.rules import folder

    place = tmp_path / "rules" / "ants"
    place.mkdir(parents=True)
    for version in ("0.3", "0.3-quick"):
        copy(folder() / "ants" / f"{version}.json", place)
    monkeypatch.setenv("LAB_RULES", str(tmp_path / "rules"))
    return place


@pytest.fixture
def made_up(monkeypatch):
    """Nothing is played: games are made up."""
    from lab import selfplay
    from tests import madeup

    monkeypatch.setattr(selfplay, "play", madeup.player())


@pytest.fixture(scope="session", autouse=True)
def one_signature():
    """After all tests no entry of lab.play was compiled twice for one game: that costs seconds."""
    yield
    play = sys.modules.get("lab.play")
    for name, entry in vars(play).items() if play else ():
        if hasattr(entry, "py_func") and entry.__module__ == "lab.play":
            games = Counter(rules.members[0][0] for rules, *_ in entry.signatures)
            assert set(games.values()) <= {1}, (name, entry.signatures)
