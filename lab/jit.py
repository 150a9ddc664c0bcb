"""How every kernel is compiled, where its machine code is kept, and the few machine words it needs.

The only module that imports numba. `kernel` compiles, `implement` gives a verb of `lab.verbs` its
meaning for one game, chosen at compile time by the type of the rules record, so that the generic
loops are written once, compile once a game and load from disk. numba's own `cache=True` would not
do: it serves stale code after an edit in another file and leaves compile flags out of its key.
"""

import fcntl
import functools
import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils, config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.extending import intrinsic, overload

ROOT = Path(__file__).parent
SOURCES = ("jit.py", "rng.py", "verbs.py", "game.py", "play.py", "search.py")
"""What the kernels of every game are made of, besides the game's own folder."""

FLAGS = tuple(
    f"{name}={getattr(config, name)}"
    for name in ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX")
)
"""Compile flags that numba's own key leaves out."""

announce: Callable[[str], None] = lambda game: None  # noqa: E731
"""Called with the game's name before kernels are compiled that no earlier run left on disk."""


@functools.cache
def digest(game: str) -> str:
    """Of every source a kernel of this game is compiled from, and of the compile flags."""
    h = hashlib.blake2b(repr(FLAGS).encode(), digest_size=8)
    files = [ROOT / name for name in SOURCES]
    for place in import_module("lab.games").__path__:  # by name: the games import this module
        files += sorted(Path(str(place), game).glob("*.py"))
    for file in files:
        h.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return h.hexdigest()


@functools.cache
def folder() -> str:
    """Where machine code is kept: LAB_CACHE_DIR, XDG_CACHE_HOME, ~/.cache, else a private place."""
    bases = (os.environ.get("LAB_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME"), _home_cache())
    for base in filter(None, bases):
        place = Path(base, "lab")
        try:
            place.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=place).close()
        except OSError:
            continue
        return str(place)
    return tempfile.mkdtemp(prefix="lab-")


def _home_cache() -> str | None:
    try:
        return str(Path.home() / ".cache")
    except RuntimeError:  # no HOME, and the system does not know the user
        return None


def _game_of(module: str, signature: tuple[types.Type, ...]) -> str:
    """The game a function is compiled for: its package, else the rules record's first field."""
    parts = module.split(".")
    if len(parts) > 2 and parts[1] == "games":
        return parts[2]
    return next((a.members[0][0] for a in signature if isinstance(a, types.Record)), "")


class _Locator(UserProvidedCacheLocator):
    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(Path(folder(), self.get_suitable_cache_subpath(py_file)))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _Impl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    _impl_class = _Impl

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        game = _game_of(self._py_func.__module__, sig)
        return (*super()._index_key(sig, codegen), digest(game))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  a file that a crash of the machine cut may raise anything
            found = None
            with suppress(OSError):
                self.flush()
        if found is None:
            announce(_game_of(self._py_func.__module__, sig))
        return found

    def _save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a full or foreign folder: compiled for this run alone
            self._impl.locator.ensure_cache_path()
            with Path(self._cache_path, ".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # two that save at once swap their code
                super()._save_overload(sig, data)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile without the interpreter lock and without checks, kept on disk.

    A constant argument is compiled as any other number: a version for each would take half as
    long again to compile, and inlining finds the constant anyway.
    """
    compiled = numba.njit(nogil=True, no_cfunc_wrapper=True)(function)
    compiled._cache = _Cache(function)
    template = compiled.get_call_template

    def of_any_value(args: Any, keywords: Any) -> Any:
        plain = {name: types.unliteral(kind) for name, kind in keywords.items()}
        return template(tuple(map(types.unliteral, args)), plain)

    compiled.get_call_template = of_any_value
    return compiled


def load_only(refuse: Callable[[str], None]) -> None:
    """Load kernels from disk and compile none: `refuse` is told the game's name, and has to raise.

    numba then needs nothing of what it knows about Python and NumPy, which takes it half a second.
    """
    global announce  # noqa: PLW0603
    announce = refuse
    context = cpu_target.target_context
    rtsys.initialize(context)
    context.refresh = lambda: None


_taken: dict[tuple[Any, Any], Any] = {}


def implement(verb: Callable[..., Any], rules: np.dtype[Any], function: Callable[..., Any]) -> None:
    """Let `verb` mean `function` wherever its first argument is a rules record of this dtype.

    Raises TypeError when the argument names differ from the verb's, ValueError when the verb has a
    meaning for this dtype already.
    """
    names = list(inspect.signature(verb).parameters)
    if list(inspect.signature(function).parameters) != names:
        raise TypeError(f"{function.__qualname__} must take ({', '.join(names)})")
    record = numba.from_dtype(rules)
    if (verb, record) in _taken:
        raise ValueError(f"{verb.__name__} twice for one game: {_taken[verb, record]}, {function}")
    _taken[verb, record] = function
    # An overload's chooser must name its arguments as the verb does.
    space = {"record": record, "function": function}
    head = f"def chooser({', '.join(names)}):\n"
    exec(f"{head}    if {names[0]} == record:\n        return function\n", space)
    overload(verb, jit_options={"nogil": True, "no_cfunc_wrapper": True})(space["chooser"])


def blank(dtype: Any, *shape: int) -> np.ndarray[Any, Any]:
    """A zeroed array of the one layout that entries accept (others would compile them again)."""
    return np.zeros(shape or 1, dtype)


@intrinsic
def copy_state(typingctx, target, source):
    """target[:] = source for two records of one dtype: one memcpy.

    Assigning whole records compiles for many seconds instead, a field at a time.
    """
    if isinstance(target, types.Record) and target == source:

        def codegen(context, builder, sig, args):
            size = context.get_constant(types.intp, target.size)
            cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
            return context.get_dummy_value()

        return types.void(target, source), codegen
    return None


@intrinsic
def count(typingctx, mask):
    """How many bits of a uint64 are set."""

    def codegen(context, builder, sig, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest(typingctx, mask):
    """The number of the lowest set bit of a uint64 that is not 0."""

    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), codegen


@intrinsic
def highest(typingctx, mask):
    """The number of the highest set bit of a uint64 that is not 0."""

    def codegen(context, builder, sig, args):
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), codegen


@intrinsic
def bytes_turned(typingctx, mask):
    """A uint64 with its eight bytes in the opposite order."""

    def codegen(context, builder, sig, args):
        return builder.bswap(args[0])

    return types.uint64(types.uint64), codegen


@kernel
def bit(cell):
    """The uint64 with only this bit set."""
    return np.uint64(1) << np.uint64(cell)


@kernel
def without_lowest(mask):
    """The mask without its lowest set bit."""
    return mask & (mask - np.uint64(1))


@kernel
def nth(mask, n):
    """The number of the n-th set bit, counted from the lowest, which is number 0."""
    found = np.int64(0)
    width = np.int64(32)
    while width > 0:  # halve, without branches: nothing can foretell them
        below = count(mask & (bit(width) - np.uint64(1)))
        upper = np.int64(n >= below)
        n -= below * upper
        mask >>= np.uint64(width * upper)
        found += width * upper
        width >>= 1
    return found
