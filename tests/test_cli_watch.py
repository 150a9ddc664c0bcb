"""What a verb says on stderr while it works."""

from lab import jit
from lab import watch as lab_watch
from lab.cli import watch


def test_the_first_compile_is_announced_once_a_game(capsys):
    watch.announce.cache_clear()
    watch.announce_compiling()
    for game in ("ants", "", "ants"):
        jit.announce(game)
    line = "lab: compiling the kernels of ants and keeping them, about 20 s ...\n"
    assert capsys.readouterr().err == line


def test_progress_is_a_line_now_and_then_where_stderr_is_no_terminal(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(lab_watch, "monotonic", lambda: now)
    with watch.Watch("games") as progress:
        for now in (1.0, 10.0, 15.0):
            progress(int(1000 * now), 100_000)
        now = 100.0
        progress(4, 40, "confirm", "best loss 0.5")
        now = 112.0
        progress(10, 40, "confirm", "best loss 0.5")
    assert capsys.readouterr().err.splitlines() == [
        "lab: 10,000 of 100,000 games, 1,000 a second, 1 min 30 s left",
        "lab: confirm: 4 of 40 games, best loss 0.5",
        "lab: confirm: 10 of 40 games, 0.5 a second, 1 min 0 s left, best loss 0.5",
    ]


def test_the_first_of_a_task_which_may_compile_gives_no_rate(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(lab_watch, "monotonic", lambda: now)
    with watch.Watch("settings") as progress:
        progress(0, 100, "search")
        now = 25.0
        progress(1, 100, "search")
        now = 35.0
        progress(11, 100, "search")
    assert capsys.readouterr().err.splitlines() == [
        "lab: search: 1 of 100 settings",
        "lab: search: 11 of 100 settings, 1.0 a second, 1 min 29 s left",
    ]
