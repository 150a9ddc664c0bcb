"""The verb that plays one game again, as text, pictures or a page to watch it on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from lab.cli.options import First, RulesName, Second, Settings, pair_of, read_rules, within
from lab.cli.show import run_line
from lab.cli.watch import announce_compiling
from lab.errors import bad, make_folder, write_text

if TYPE_CHECKING:
    from lab.decisions import Named, Recorded
    from lab.play import Position
    from lab.viewer import Film

LAST = 10**12 - 1  # index of a game
KEPT, TABLES = ".json", (".parquet", ".csv")  # a .csv is refused, for it says too little
Html = Annotated[
    Path | None, Option(metavar="FILE", help="Write a page there to watch it on, and no text.")
]


def trace(
    game: Annotated[
        str,
        Argument(
            metavar="GAME|RUN",
            help="One of `lab games`, or a run: a .json of --out, a .parquet of simulate --out.",
        ),
    ],
    place: Annotated[
        int | None,
        Argument(
            metavar="INDEX",
            callback=within("index", 0, LAST),
            help="Of the game in a run, as --game.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option(metavar="S", callback=within("seed", 0, 2**64 - 1), help="Seed of the run."),
    ] = None,
    index: Annotated[
        int | None,
        Option("--game", metavar="I", callback=within("game", 0, LAST), help="Its index."),
    ] = None,
    rules: RulesName = None,
    settings: Settings = None,
    first: First = None,
    second: Second = None,
    out: Annotated[
        Path | None, Option(metavar="FILE", help="Also keep the run there, a .json file.")
    ] = None,
    svg: Annotated[
        Path | None, Option(metavar="DIR", help="Also draw every position there.")
    ] = None,
    html: Html = None,
    view: Annotated[
        Literal["first", "second", "both"] | None,
        Option(help="Show what this seat knows of every position, not all of it."),
    ] = None,
) -> None:
    """Play one game of a run again, action by action.

    The run is named by its game, players and --seed, or by a file that keeps it: that of --out, or
    a table of games, of which INDEX is one. The page of --html needs no network; where a game hides
    something, it shows all of it and what each seat knows.
    """
    from lab import decisions

    announce_compiling()
    told = {"--seed": seed, "--set": settings, "--first": first, "--second": second}
    number = _one(place, index)
    run: Named | Recorded
    if Path(game).suffix == KEPT:
        run = _kept(game, number, rules, told | {"--out": out})
    elif Path(game).suffix in TABLES:
        run = _of_table(game, number, rules, told)
    else:
        setting = read_rules(game, rules, settings)
        run = decisions.Named(
            setting,
            *pair_of(game, first, second),
            seed=_needed(seed, "--seed S"),
            game=_needed(number, "--game I"),
        )
    if html is not None:
        _watch(html, run, view)
    else:
        _tell(run, view)
    if svg is not None:
        _draw(svg, run, view)
    if out is not None and isinstance(run, decisions.Named):
        decisions.write(out, decisions.record(*run))


# --- which game ---------------------------------------------------------------------------------


def _one(place: int | None, index: int | None) -> int | None:
    """The index, behind the run or as --game."""
    if place is not None and index not in (None, place):
        raise bad("trace", f"game {place} and --game {index}", "one of them")
    return index if place is None else place


def _needed(value: int | None, option: str) -> int:
    if value is None:
        name = option.partition(" ")[0]
        raise bad("trace", f"no {name}", f"{option}, which says what game of a run it is")
    return value


def _of_table(path: str, index: int | None, rules: str | None, told: dict[str, Any]) -> "Named":
    from lab.decisions import of_table, read_manifest

    _alone(path, told)
    about = read_manifest(path)
    if index is None:
        raise bad("trace", "no index", f"lab trace {path} INDEX")
    return of_table(path, index, read_rules(about["game"], rules) if rules else None)


def _kept(path: str, index: int | None, rules: str | None, told: dict[str, Any]) -> "Recorded":
    from lab.decisions import read
    from lab.jsonfile import read_object

    _alone(path, told)
    run = read(path, read_rules(str(read_object(path).get("game")), rules) if rules else None)
    if index not in (None, run.index):
        raise bad(path, f"game {index}", f"{run.index}, the one it keeps")
    return run


def _alone(path: str, told: dict[str, Any]) -> None:
    """A file says everything about its run."""
    for name, value in told.items():
        if value not in (None, []):
            raise bad("trace", f"{name} beside {path}", "nothing that the file says already")


# --- what is shown of it ------------------------------------------------------------------------


def _watch(path: Path, run: "Named | Recorded", view: str | None) -> None:
    from lab import viewer
    from lab.decisions import Named

    film = viewer.game(*run, view) if isinstance(run, Named) else viewer.kept(run, view)
    write_page(path, film, _said(run))


def write_page(path: Path, film: "Film", said: str) -> None:
    """Write the page of a film, and say of what."""
    from lab.viewer import page

    text = page(film)
    write_text(path, text)
    print(said)
    print(f"{path}: {len(film.steps):,} positions, {len(text.encode()) / 1000:,.0f} kB; {film.end}")


def _said(run: "Named | Recorded") -> str:
    """Which game it is, in words."""
    from lab.decisions import Named
    from lab.viewer.games import PEOPLE

    if isinstance(run, Named):
        return f"{run_line(*run[:4])}, game {run.game}"
    return f"{run_line(run.rules, *(run.policies or PEOPLE), run.seed)}, game {run.index}"


def _tell(run: "Named | Recorded", view: str | None) -> None:
    """Every action and position, and the game's row."""
    from lab.decisions import played
    from lab.selfplay import as_frame
    from lab.viewer import views_of

    here, actions, rows = played(run)
    print(_said(run))
    _print_position(here, views_of(view), f"{0:4}")
    for ply, action in enumerate(actions, 1):
        print(f"{ply:4}  {here.game.view.action_text(here.record, action)}")
        here.play(action)
        _print_position(here, views_of(view), " " * 4)
    outcome = as_frame(here.game, rows).row(0, named=True)
    print(" ".join(f"{key}={str(value).lower()}" for key, value in outcome.items()))


def _print_position(here: "Position", views: tuple[str, ...], head: str) -> None:
    """A position as the views show it; what both seats see alike is told once."""
    from lab.viewer import look

    seen = {view: look(here, view).text() for view in views}
    if len(views) > 1 and len(set(seen.values())) == 1:
        seen = {"both": seen[views[0]]}
    for view, text in seen.items():
        print(f"{head}  {text}" if view == "everything" else f"{head}  {view:6} {text}")
        head = " " * 4


def _draw(folder: Path, run: "Named | Recorded", view: str | None) -> None:
    """A picture of every position in each view, with the action that led to it."""
    from lab.decisions import played
    from lab.viewer import NOBODY, Pictures, views_of

    here, actions, _ = played(run)
    draw, seat = Pictures(views_of(view)), NOBODY
    make_folder(folder)
    for ply, action in enumerate([None, *actions]):
        if action is not None:
            seat = here.look()[0]
            here.play(action)
        for name, picture in draw(here, action, seat).items():
            name = f"{ply:04}-{name}.svg" if view else f"{ply:04}.svg"
            write_text(folder / name, picture)
