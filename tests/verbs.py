"""The verbs of `lab` as a person calls them, in this process."""

from typer.testing import CliRunner

from lab.cli import app


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def out(*words):
    """What a verb prints that has nothing to complain about."""
    done = run(*words)
    assert (done.exit_code, done.stderr) == (0, ""), done.stderr
    return done.stdout


def refusal(*words):
    """The one line on stderr, of a verb that has to refuse its input."""
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("lab: ")
    assert done.stderr.count("\n") == 1
    return done.stderr
