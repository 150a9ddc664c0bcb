"""A PostgreSQL server of the tests' own, on loopback, in a temporary folder."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

USER, PASSWORD = "lab", "a secret: /@%"
QUOTED = "a%20secret%3A%20%2F%40%25"


def binaries():
    """The folder of initdb and pg_ctl, None where no server is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    path = shutil.which("initdb") or (found and found[-1])
    return Path(path).resolve().parent if path else None


def needed():
    """Skip where there is no server to start; in CI there has to be one."""
    if binaries() is None:
        reason = "no PostgreSQL server (Debian: apt install postgresql)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


def _run(name, *words):
    """A program of the server's; it refuses to be root."""
    command = [str(binaries() / name), *map(str, words)]
    if os.getuid() == 0:
        command = ["runuser", "-u", _other(), "--", *command]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


def _other():
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def server():
    """Gives the address of its first database, in which there is nothing yet."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data, secret, port = Path(folder, "data"), Path(folder, "secret"), free_port()
        secret.write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (Path(folder), secret):
                shutil.chown(path, _other())
        _run("initdb", "-D", data, "-U", USER, "-A", "scram-sha-256", "--pwfile", secret, "-N")
        words = f"-h 127.0.0.1 -p {port} -c unix_socket_directories= -c fsync=off"
        _run("pg_ctl", "-D", data, "-w", "-l", Path(folder, "log"), "-o", words, "start")
        try:
            yield f"postgresql+psycopg://{USER}:{QUOTED}@127.0.0.1:{port}/postgres"
        finally:
            _run("pg_ctl", "-D", data, "-m", "immediate", "stop")
