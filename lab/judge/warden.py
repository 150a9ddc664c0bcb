"""Starts one program and keeps it: a script of its own, which imports nothing of the lab.

Usage: warden.py CONTROL LIMITS SCRATCH COMMAND...

CONTROL is the number of a socket: the warden writes there how the program ended (a status, or
minus a signal), and when the other end closes, even because the lab was killed, it kills the
program with all that came from it, clears the folder SCRATCH away and ends. LIMITS is
`RLIMIT_AS=bytes,...` or empty.

On Linux the warden is the reaper of its descendants, so that whoever leaves the program's process
group, its session and its family still ends up here. Elsewhere the process group has to do.
"""

import ctypes
import os
import resource
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 5.0
"""Seconds to end everybody: only what not even a SIGKILL ends takes longer."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LINUX = sys.platform == "linux"
CLEAR = 'exec 2>/dev/null; rm -rf "$0" || { chmod -R u+rwx "$0"; rm -rf "$0"; }'


def main() -> None:
    """Start the program, say how it ended, and end all of it when told."""
    control = socket.socket(fileno=int(sys.argv[1]))
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    program = os.fork()
    if not program:
        _become(sys.argv[2], sys.argv[4:])
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # the program's alone, or nobody would see them close
        os.dup2(nothing, stream)
    told = control.fileno()
    while told not in select.select([told, wake], [], [])[0]:
        os.read(wake, 4096)
        _reap(program, control)
    _end_all(program, control)
    clear(sys.argv[3])


def clear(folder: str) -> None:
    """Take a folder away with all that is in it, however deep that lies and whoever may write it.

    `shutil.rmtree` gives up on a thousand folders, each in the one before.
    """
    with suppress(OSError):
        os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", CLEAR, folder], os.environ), 0)


def _become(limits: str, command: list[str]) -> None:
    """In the child: turn into the program."""
    try:
        os.setsid()
        if LINUX:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python
            signal.signal(ignored, signal.SIG_DFL)
        for limit in filter(None, limits.split(",")):
            name, _, value = limit.partition("=")
            number = getattr(resource, name)
            most = resource.getrlimit(number)[1]
            bound = int(value) if most == resource.RLIM_INFINITY else min(int(value), most)
            resource.setrlimit(number, (bound, bound))
        os.execvpe(command[0], command, os.environ)
    except (OSError, ValueError) as error:
        os.write(2, f"{command[0]}: {error}\n".encode())
    finally:
        os._exit(127)


def _reap(program: int, control: socket.socket) -> bool:
    """Bury the dead; whether anybody lives. Says how the program ended."""
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return True
            if pid == program:
                control.send(b"%d\n" % os.waitstatus_to_exitcode(status))
    except ChildProcessError:
        return False
    except OSError:  # nobody listens any more
        return True


def _end_all(program: int, control: socket.socket) -> None:
    """Kill until nobody is left: the orphans of the killed become children of the warden.

    Without a pause, because there are programs that hop from one child to the next.
    """
    strangers: set[str] = set()
    until = time.monotonic() + PATIENCE
    while _reap(program, control) and time.monotonic() < until:
        for pid in _children(strangers) if LINUX else [-program]:
            with suppress(OSError):  # gone already
                os.kill(pid, signal.SIGKILL)


def _children(strangers: set[str]) -> list[int]:
    """Children of the warden, as /proc tells.

    Who is somebody else's goes to `strangers`, and is looked at again only once nobody is found.
    """
    me, found = os.getpid(), []
    with os.scandir("/proc") as places:
        names = [place.name for place in places]
    for name in names:
        if name.isdecimal() and name not in strangers:
            with suppress(OSError):
                fields = Path("/proc", name, "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[1]) == me:
                    found.append(int(name))
                else:
                    strangers.add(name)
    if not found:
        strangers.clear()
    return found


if __name__ == "__main__":
    main()
