"""Verbs about one battle: play it out, ask what good chess would do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from lab.cli.options import AsJson, GameName, RulesName, Settings, read_rules, within
from lab.cli.show import print_json
from lab.cli.trace import Html, write_page
from lab.cli.watch import Watch, announce_compiling, stoppable
from lab.errors import bad, make_folder, write_text

if TYPE_CHECKING:
    from lab.games.wargambit.arena import Arena, Fought
    from lab.rules import Rules

DEEPEST, USUAL = 12, 4
Fen = Annotated[str, Option("--position", metavar="FEN", help="A position of a battle.")]


def battle(
    game: GameName,
    white: Annotated[
        str | None,
        Option(
            metavar="ARMY|FEN",
            help="White's army, such as 'q r 2n 4p', - for none; a FEN is as --position.",
        ),
    ] = None,
    black: Annotated[str | None, Option(metavar="ARMY", help="Black's army.")] = None,
    place_white: Annotated[
        str | None, Option(metavar="PLACES", help="Where it stands, qd1,pe2,..., else automatic.")
    ] = None,
    place_black: Annotated[
        str | None, Option(metavar="PLACES", help="The same of Black, as Black sees it.")
    ] = None,
    position: Annotated[
        str | None, Option(metavar="FEN", help="Start from this position, not from two armies.")
    ] = None,
    rules: RulesName = None,
    settings: Settings = None,
    svg: Annotated[
        Path | None,
        Option(metavar="FILE.svg|DIR", help="Also draw the first position, or in a folder all."),
    ] = None,
    html: Html = None,
    hints: Annotated[
        bool, Option("--hints", help="On the page, what good chess would do on each move.")
    ] = False,
    depth: Annotated[
        int | None,
        Option(metavar="D", callback=within("depth", 1, DEEPEST), help="Moves a hint looks ahead."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Play one battle out: its moves, how it ended, what was left.

    Both sides move by the game's fixed policy, so the same armies give the same battle.
    """
    if hints and html is None:
        raise bad("battle", "--hints without a page", "--html FILE beside it")
    if json and html is not None:
        raise bad("battle", "--json beside --html", "one of them")
    if depth is not None and not hints:
        raise bad("battle", "--depth without hints", "--hints beside it")
    setting = read_rules(game, rules, settings)
    arena = arena_of(game, setting)
    if position is None and white is not None and is_fen(white):
        position, white = white, None
    armies, places = (white, black), (place_white, place_black)
    if position is None:
        fought = _clash(arena, armies, places)
    elif armies + places == (None,) * 4:
        fought = arena.battle(position)
    else:
        raise bad("battle", "armies beside a position", "two armies, or one position")
    _draw(svg, arena, fought)
    if html is not None:
        _watch(html, arena, fought, setting, (depth or USUAL) if hints else 0)
    elif json:
        print_json(fought._asdict())
    else:
        _tell(fought)


def _watch(path: Path, arena: "Arena", fought: "Fought", rules: "Rules", depth: int) -> None:
    """The page to watch the battle on."""
    from lab.catalog import load_game
    from lab.viewer.battles import battle

    title = f"{load_game(rules.game).title}, rules {rules.version}"
    with Watch("moves") as watch:
        film = stoppable(lambda: battle(arena, fought, title, depth, watch))
    write_page(path, film, f"{rules.game} {rules.version} {rules.fingerprint}, a battle")


def _tell(fought: "Fought") -> None:
    """A battle for people: the first position, its moves, the last position, who won."""
    print(fought.positions[0])
    first = fought.positions[0].split()[1] == "b"  # whose move is half of number 1
    told = ["..."] * first + fought.moves
    for number in range(0, len(told), 2):
        pair = " ".join(f"{move:6}" for move in told[number : number + 2])
        print(f"{number // 2 + 1:4}. {pair.rstrip()}")
    print(fought.positions[-1])
    wins = {"first": "White wins", "second": "Black wins", "draw": "a draw"}[fought.winner]
    white_left, black_left = fought.left
    print(f"{fought.ending} after {len(fought.moves)} moves, {wins}")
    print(f"values left: White {white_left}, Black {black_left}")


def _clash(
    arena: "Arena", armies: tuple[str | None, ...], placed: tuple[str | None, ...]
) -> "Fought":
    """The battle of two armies, some of them placed by hand."""
    counts, words = [], []
    for name, army, places in zip(("white", "black"), armies, placed, strict=True):
        if army is None:
            raise bad("battle", f"no --{name}", "--white ARMY --black ARMY, or --position FEN")
        counts.append(arena.army(army, f"--{name}"))
        where = f"--place-{name}"
        words.append(None if places is None else arena.places(places, counts[-1], where))
    return arena.clash(counts[0], counts[1], words[0], words[1])


def _draw(path: Path | None, arena: "Arena", fought: "Fought") -> None:
    """The first position as a file, or every one in a folder, the move that led to it framed."""
    from lab.games.wargambit.fen import parse_fen
    from lab.games.wargambit.picture import board_svg

    if path is None:
        return
    alone = path.suffix == ".svg"
    if not alone:
        make_folder(path)
    for ply, text in enumerate(fought.positions[: 1 if alone else None]):
        move = fought.moves[ply - 1] if ply else ""
        picture = board_svg(parse_fen(text, arena.letters), arena.letters, move, f"move {ply}")
        write_text(path if alone else path / f"{ply:04}.svg", picture)


def hint(
    game: GameName,
    position: Fen,
    depth: Annotated[
        int, Option(metavar="D", callback=within("depth", 1, DEEPEST), help="Moves to look ahead.")
    ] = 6,
    rules: RulesName = None,
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """What good chess would play in a position of a battle.

    A search that the battle itself knows nothing of: best move, evaluation, line of play.
    """
    from lab.games.wargambit.arena import hint as ask
    from lab.report.words import count

    arena = arena_of(game, read_rules(game, rules, settings))
    found = stoppable(lambda: ask(arena, position, depth))
    if json:
        print_json({"best": found.line[0]} | found._asdict())
        return
    told = f"mate in {found.mate}" if found.mate > 0 else f"mated in {-found.mate}"
    print(f"{found.line[0]}  {told if found.mate else f'{found.score:+.2f}'}")
    print(
        f"{' '.join(found.line)}  ({found.nodes:,} positions, {count(found.depth, 'move')} ahead)"
    )


def arena_of(game: str, rules: "Rules") -> Any:
    """The battles of a game that has such; BadInput for one that has none."""
    from importlib import import_module

    if not has_battles(game):
        raise bad("game", game, "one that has battles: wargambit")
    announce_compiling()
    return import_module(f"lab.games.{game}.arena").Arena(rules)


def has_battles(game: str) -> bool:
    """Whether a game that there is has a room `arena`."""
    from importlib.util import find_spec

    return find_spec(f"lab.games.{game}.arena") is not None


def is_fen(text: str) -> bool:
    """Whether a text is a position of a battle: others are words with = in them, or armies."""
    return "=" not in text and "/" in text
