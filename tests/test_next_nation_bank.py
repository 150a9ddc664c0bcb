"""Which map a game plays on, and that the pool on disk changes nothing but the time it takes."""

from dataclasses import replace

import numpy as np
import pytest

from lab import rules
from lab.errors import BadInput
from lab.games.next_nation import bank, generator, maps
from lab.games.next_nation.rules import NextNation
from lab.games.next_nation.state import MAP, SLOTS

SEED = 5
QUALIFIER, FINAL = (
    rules.load_version("next_nation", f"2026-{name}", NextNation, rules.folder())
    for name in ("qualifier", "final")
)


@pytest.fixture(autouse=True)
def pool(tmp_path, monkeypatch):
    """A place of its own for the pool."""
    monkeypatch.setattr(bank, "folder", lambda: str(tmp_path))
    return tmp_path / "maps"


def prepared(games, seed=SEED, version=QUALIFIER, vision=0):
    """What `prepare` fills for these games: the first game, and the slots as bytes."""
    record = {"maps": np.zeros(SLOTS, MAP), "information": {"hops": 2, "vision": vision}}
    bank.prepare(record, version.document, seed, games)
    return record


def slots(games, **options):
    return prepared(games, **options)["maps"][: len(games)]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*")}


# --- which maps ---------------------------------------------------------------------------------


def test_a_game_plays_on_the_map_of_its_seed():
    record = prepared(range(40, 45))
    assert record["first_game"] == 40
    for slot, index in enumerate(range(40, 45)):
        seed = bank.map_seed(SEED, index)
        assert 0 <= seed < 2**32
        made = generator.generate(QUALIFIER.document.map, seed)
        assert record["maps"][slot] == made[0]
    assert not record["maps"][5:]["n"].any()


def test_seeds_differ_by_run_game_and_attempt():
    drawn = [
        bank.map_seed(seed, index, attempt)
        for seed in (0, 1, 2**64 - 1)
        for index in range(20)
        for attempt in range(3)
    ]
    assert len(set(drawn)) == len(drawn)
    assert bank.map_seed(1, 20_003, 1) == bank.map_seed(1, 3, 1)


def test_a_game_keeps_its_map_whatever_games_are_asked_with_it(pool):
    wanted = slots(range(500, 560))
    for first, last in ((500, 501), (505, 545), (480, 560), (559, 560), (500, 560)):
        found = slots(range(first, last))
        for index in range(max(first, 500), last):
            assert found[index - first] == wanted[index - 500]
    assert len(contents(pool)) == 2  # of 512 maps each


def test_games_behind_the_pool_begin_again():
    found = slots(range(19_990, 20_040))
    assert (found[10:] == slots(range(40))).all()
    assert (found[:10] == slots(range(39_990, 40_000))).all()


def test_a_seed_that_fails_is_skipped():
    """Crowded with strongholds many seeds fail; the map in the slot says which ones."""
    crowded = QUALIFIER.override({"/map/low": 20})
    skipped = 0
    for index, m in enumerate(slots(range(60), version=crowded)):
        seeds = [bank.map_seed(SEED, index, attempt) for attempt in range(bank.TRIES)]
        for seed in seeds[: seeds.index(m["seed"])]:
            skipped += 1
            with pytest.raises(BadInput, match="strongholds"):
                generator.generate(crowded.document.map, seed)
    assert skipped


def test_rules_without_a_map_are_refused(pool):
    tiny = {"half_min": 5, "half_max": 5, "strongholds": "root", "low": 4, "high": 4}
    document = QUALIFIER.document  # which would refuse that
    full = document.model_copy(update={"map": document.map.model_copy(update=tiny)})
    with pytest.raises(BadInput, match=r"^/map: the last of 64 seeds: found room for \d strongh"):
        prepared(range(40), version=replace(QUALIFIER, document=full))
    assert not contents(pool)


# --- on disk ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "vision"), [(QUALIFIER, 0), (QUALIFIER, 1), (FINAL, 1)])
def test_maps_from_disk_are_those_that_were_generated(pool, monkeypatch, version, vision):
    made = slots(range(40), version=version, vision=vision)
    assert len(contents(pool)) == 1
    monkeypatch.setattr(bank, "make", None)  # nothing can be generated any more
    assert (slots(range(40), version=version, vision=vision) == made).all()
    assert (slots(range(3, 37), version=version, vision=vision) == made[3:37]).all()


def test_a_few_maps_are_not_kept(pool):
    slots(range(31))
    assert not pool.exists()
    slots(range(32))
    before = contents(pool)
    slots(range(32 + 31))  # 31 new ones
    assert contents(pool) == before
    slots(range(32 + 32))
    assert contents(pool) != before


def test_maps_of_other_rules_and_seeds_lie_in_other_files(pool):
    for version in (QUALIFIER, QUALIFIER.override({"/map/distance": 101}), FINAL):
        for seed in (1, 2**64 - 1):
            slots(range(32), seed=seed, version=version)
    assert len(contents(pool)) == 6
    slots(range(32), seed=1, version=QUALIFIER.override({"/days": 100}))
    assert len(contents(pool)) == 6


@pytest.mark.parametrize(
    "damage", ["cut", "one byte", "empty", "text", "foreign", "of other rules"]
)
def test_a_file_that_is_not_what_it_should_be_is_made_again(pool, damage):
    made = slots(range(40))
    (path,) = pool.glob("*")
    right = path.read_bytes()
    if damage == "foreign":
        with path.open("wb") as file:
            np.savez(file, games=np.arange(40))
    elif damage == "of other rules":
        path.unlink()
        slots(range(40), version=FINAL)
        (other,) = pool.glob("*")
        other.rename(path)
    else:
        middle = len(right) // 2
        wrong = bytes([right[middle] ^ 1])
        path.write_bytes(
            {
                "cut": right[:middle],
                "one byte": right[:middle] + wrong + right[middle + 1 :],
                "empty": b"",
                "text": b"maps",
            }[damage]
        )
    assert (slots(range(40)) == made).all()
    assert path.read_bytes() == right
    assert len(contents(pool)) == 1


def test_without_a_place_to_write_maps_are_generated(pool):
    pool.write_text("no folder", encoding="utf-8")
    assert (slots(range(40)) == slots(range(40))).all()
    assert pool.read_text(encoding="utf-8") == "no folder"


def test_a_worker_that_saves_first_loses_nothing(pool, monkeypatch):
    """Two workers begin with the same file, each makes other maps: both sets are kept."""
    write = bank._write

    def late(path, fresh):
        monkeypatch.setattr(bank, "_write", write)
        slots(range(40, 80))
        write(path, fresh)

    monkeypatch.setattr(bank, "_write", late)
    slots(range(40))
    monkeypatch.setattr(bank, "make", None)
    assert (slots(range(80))["n"] > 0).all()


def test_packing_holds_the_greatest_map():
    """The bytes of a packed map never pass what is set aside for it."""
    m = generator.generate(FINAL.document.map, 3, 124, 12)[0]
    room = np.zeros(bank.LONGEST, np.uint8)
    size = bank.pack(m, room)
    assert 249 * 249 < size < bank.LONGEST - (bank.MOST_SITES - m["sites"]) * 249
    back = np.zeros(1, MAP)
    bank.unpack(back, np.zeros(1, np.int64), room, np.zeros(1, np.int64), -1)
    assert maps.text(back[0]) == maps.text(m)
    assert back[0] == m
