"""One contained program: what it prints is bounded, and nothing of it outlives it."""

import codecs
import io
import os
import selectors
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL, Signals
from time import monotonic
from typing import Self

from lab.errors import bad, refused
from lab.jit import folder
from lab.judge.warden import clear

UNREAD = 1 << 18
"""Characters that a program may be ahead of its reader: then it has to wait."""
ERRORS_KEPT = 1 << 20
"""Bytes of a program's stderr that are kept; the rest is read and dropped."""
PIECE = 1 << 16
WARDEN = Path(__file__).with_name("warden.py")
PATIENCE = 10.0
"""Seconds for the warden to end its program, which takes it milliseconds."""
GRACE = 1.0
"""Seconds that a program has to end by itself when it is told that all is over."""

NEWS = 2.0
"""Seconds to wait for how a program ended that prints no more: a busy machine tells it late."""


@dataclass(frozen=True)
class Limits:
    """What each process of a program may use; None: as much as there is."""

    memory: int | None = None  # MB of address space
    cpu: int | None = None  # seconds
    processes: int | None = None  # of the user, whoever started them; root is not held to it
    file_size: int | None = None  # MB of any file that it writes

    def text(self) -> str:
        """As the warden reads it."""
        bounds = {
            "RLIMIT_AS": self.memory and self.memory << 20,
            "RLIMIT_CPU": self.cpu,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_FSIZE": self.file_size and self.file_size << 20,
        }
        return ",".join(f"{name}={bound}" for name, bound in bounds.items() if bound)


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Command:
    """How a program is started: its words, the folder it runs in, what its environment adds."""

    words: tuple[str, ...]
    folder: Path = Path()
    environment: Mapping[str, str] = field(default_factory=dict)


def command(
    where: str, text: str, place: Path = Path(), environment: Mapping[str, str] | None = None
) -> Command:
    """The command of a text, split as a shell does, to be run in the folder `place`.

    BadInput, which begins with `where`, when it names nothing that can be started.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise bad(where, f"{text!r} ({str(error).lower()})", "a command") from None
    if not words:
        raise bad(where, "nothing", "a command")
    # A name with a slash is meant from the folder, as the program's own files are.
    name = str(place / words[0]) if os.sep in words[0] else words[0]
    program = shutil.which(name, path=(environment or {}).get("PATH"))
    if program is None:
        raise bad(where, repr(words[0]), "a program that can be started")
    return Command((str(Path(program).absolute()), *words[1:]), place, environment or {})


class Program:
    """A running program, behind pipes that never make the judge wait.

    It has a session, a scratch folder (its HOME and TMPDIR) and an environment of its own. `send`
    and `line` touch buffers only, `exchange` moves what is in them. `close` ends it with all that
    came from it. With `errors` its stderr goes to that file. Raises BadInput when that file or the
    command's folder cannot be used.
    """

    def __init__(
        self, command: Command, limits: Limits = NO_LIMITS, errors: Path | None = None
    ) -> None:
        self.status: int | None = None  # once it has ended; minus the signal that ended it
        self.silent = False  # it will not print again
        self._deaf = False  # it will not read again
        self._mute = False  # it will not complain again
        self._unsent = bytearray()
        self._lines: deque[str] = deque()
        self._begun = ""  # a line without its end
        self._unread = 0
        self._decoder = io.IncrementalNewlineDecoder(
            codecs.getincrementaldecoder("utf-8")("replace"), translate=True
        )
        self._kept = 0
        self._errors = _open(os.devnull if errors is None else errors)
        self._scratch = Path(tempfile.mkdtemp(prefix="lab-program-"))
        self._start(command, limits)

    def _start(self, command: Command, limits: Limits) -> None:
        self._control, there = socket.socketpair()
        theirs, self._stdin = os.pipe()
        self._stdout, stdout = os.pipe()
        self._stderr, stderr = os.pipe()
        self._ours = [self._stdin, self._stdout, self._stderr]
        for end in (*self._ours, self._control.fileno()):
            os.set_blocking(end, False)
        warden = [sys.executable, "-I", "-S", str(WARDEN), str(there.fileno()), limits.text()]
        try:
            self._warden = subprocess.Popen(
                [*warden, str(self._scratch), *command.words],
                stdin=theirs,
                stdout=stdout,
                stderr=stderr,
                cwd=command.folder,
                env=self._environment(command),
                pass_fds=[there.fileno()],
                start_new_session=True,
            )
        except OSError as error:
            self._release()
            raise refused(command.folder, error, "a folder to run in") from None
        finally:
            there.close()
            for end in (theirs, stdout, stderr):
                os.close(end)

    def _environment(self, command: Command) -> dict[str, str]:
        own = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "HOME": str(self._scratch),
            "TMPDIR": str(self._scratch),
            "LAB_CACHE_DIR": str(Path(folder()).parent),  # where `lab bot` finds its kernels
        }
        return own | dict(command.environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- what a judge does with it --------------------------------------------------------------

    def send(self, text: str) -> None:
        """Have a text written to its stdin."""
        if not self._deaf:
            self._unsent += text.encode()
            self._write()

    def line(self) -> str | None:
        """The next line without its end; None when there is none yet."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self._unread -= len(line) + 1
        return line

    @property
    def stuck(self) -> bool:
        """Whether it printed all that it may, and no end of a line."""
        return not self._lines and self._unread >= UNREAD

    def ending(self) -> str:
        """What has become of it, in words, when it prints no more."""
        until = monotonic() + NEWS
        while self.status is None and monotonic() < until:  # that is told a little later
            exchange([self], until - monotonic())
        if self.status is None:
            return "closed its output"
        if self.status >= 0:
            return f"ended with status {self.status}"
        return f"was ended by {_signal(-self.status)}"

    def close(self) -> None:
        """End it and everybody it started, and clear its scratch folder away."""
        self._control.close()
        try:
            self._warden.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # its own program has stopped it
            self._warden.kill()
            self._warden.wait()
        self._read_errors()  # a last word
        self._release()

    def _release(self) -> None:
        self._control.close()
        self._errors.close()
        for end in self._ours:
            os.close(end)
        if self._scratch.exists():  # no warden could
            clear(str(self._scratch))

    # --- its pipes ------------------------------------------------------------------------------

    def waits(self) -> list[tuple[int, int, Callable[[], None]]]:
        """Its open pipes: the descriptor, the event to wait for, what to do then."""
        found: list[tuple[int, int, Callable[[], None]]] = []
        if self.status is None:
            found.append((self._control.fileno(), selectors.EVENT_READ, self._read_status))
        if not self._mute:
            found.append((self._stderr, selectors.EVENT_READ, self._read_errors))
        if not self.silent and self._unread < UNREAD:
            found.append((self._stdout, selectors.EVENT_READ, self._read))
        if self._unsent:
            found.append((self._stdin, selectors.EVENT_WRITE, self._write))
        return found

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._stdin, self._unsent[:PIECE])]
        except BlockingIOError:
            return
        except OSError:
            self._deaf = True
            self._unsent.clear()

    def _read(self) -> None:
        data = _taken(self._stdout)
        if data is None:
            return
        self.silent = not data
        text = self._decoder.decode(data, final=self.silent)
        *lines, self._begun = (self._begun + text).split("\n")
        if self.silent and self._begun:
            lines.append(self._begun)
        self._lines.extend(lines)
        self._unread += len(text)

    def _read_errors(self) -> None:
        data = _taken(self._stderr)
        if data is None:
            return
        self._mute = not data
        with suppress(OSError):  # a full disk is no reason to end a match
            self._errors.write(data[: ERRORS_KEPT - self._kept])
        self._kept = min(self._kept + len(data), ERRORS_KEPT)

    def _read_status(self) -> None:
        data = _taken(self._control.fileno())
        if data is not None:
            self.status = int(data or -SIGKILL)  # a warden says nothing when it was killed


def exchange(programs: Sequence[Program], seconds: float) -> None:
    """Wait until a program writes, reads or ends, but no longer than that; do what it waits for."""
    with selectors.DefaultSelector() as selector:
        for program in programs:
            for pipe, event, deal in program.waits():
                selector.register(pipe, event, deal)
        for key, _ in selector.select(max(seconds, 0)):
            key.data()


def dismiss(programs: Sequence[Program], farewell: str) -> None:
    """Tell programs that all is over, and wait a moment for them to end by themselves."""
    for program in programs:
        program.send(farewell)
    until = monotonic() + GRACE
    while any(program.status is None for program in programs) and monotonic() < until:
        exchange(programs, until - monotonic())
        for program in programs:  # it may have much to say still
            while program.line() is not None:
                pass


def _open(path: Path | str) -> io.FileIO:
    try:
        return io.FileIO(path, "w")
    except (OSError, ValueError) as error:
        raise refused(path, error, "a file that can be written") from None


def _taken(pipe: int) -> bytes | None:
    """What can be read now: None when nothing can, empty at the end."""
    try:
        return os.read(pipe, PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _signal(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"
