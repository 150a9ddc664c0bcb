"""Other machines: chunks of games go to a Dask cluster, by joblib's own backend.

Game i is a function of (rules, matchup, seed, i), so where a chunk is played makes no difference.
A worker that is lost has its chunks played again by the others.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version

import joblib

from lab.catalog import GAMES
from lab.errors import bad
from lab.jit import digest

PATIENCE = 10
"""Seconds for a cluster to answer, and for its first worker to come."""
ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?[^/]+:\d{1,5}")
"""A scheme, if any, a host and a port."""
SAME = ("balance-lab", "numba", "numpy")
"""Packages of which workers must have our version."""


def likeness() -> dict[str, str]:
    """What two machines must have in common to play the same games."""
    kernels = {f"the kernels of {game}": digest(game) for game in GAMES}
    return {package: version(package) for package in SAME} | kernels


@contextmanager
def playing_on(address: str | None, jobs: int = 1) -> Iterator[int]:
    """Within it games are played by the cluster at an address, None: on `jobs` cores here.

    Gives the number of cores. BadInput when the cluster cannot be reached, has no workers, or a
    worker's lab is not this one.
    """
    if address is None:
        yield jobs
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise bad("--dask", "no Dask here", "pip install 'balance-lab[dask]'") from None
    wanted = "the address of a Dask scheduler, such as tcp://127.0.0.1:8786"
    if not ADDRESS.fullmatch(address):  # a client of it would die slowly, with a traceback
        raise bad("--dask", repr(address), wanted)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise bad("--dask", f"{address} ({type(error).__name__})", wanted) from None
    with client:
        cores = _cores(client, address)
        with joblib.parallel_config("dask", client=client):
            yield cores


def _cores(client: object, address: str) -> int:
    """How many cores the workers of a cluster have, all of them being like us."""
    from dask.distributed import Client

    assert isinstance(client, Client)
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        answers = client.run(likeness, on_error="return")
    except (OSError, TimeoutError):
        raise bad("--dask", f"no worker at {address}", "a cluster with workers") from None
    ours = likeness()
    for worker, theirs in answers.items():
        if not isinstance(theirs, dict):
            found = f"a worker at {worker} without this lab ({type(theirs).__name__})"
            raise bad("--dask", found, "workers in this environment")
        for what, told in ours.items():
            if theirs.get(what) != told:
                found = f"{what} {theirs.get(what)} on the worker at {worker}"
                raise bad("--dask", found, f"{told} as here")
    return sum(client.nthreads().values())
