"""Sweeps: search a space for the settings that meet the targets, then confirm them on fresh seeds.

A comparison searches nothing: it plays two rule sets (`baseline` and `chosen`) and measures both.
Claims are judged by games in pairs; their run has no tables, only confirm.json.

A run is a folder that holds all a report needs, so that no report simulates:

    experiment.toml     the question, as asked
    manifest.json       what the numbers depend on; the same manifest, the same numbers
    journal.log         every play of a search, in Optuna's journal format; a study in PostgreSQL
                        stands for it where the sweep is shared
    blocks/             games of the confirmation, the matrix, a comparison or claims; till the run
                        is whole
    reused.json         what the search took over from earlier runs, if it did
    rules.json          the baseline, whole; recommended.json: the chosen setting, whole
    trials.parquet      number, a column a pointer, loss, expected_loss, change_steps, games, a
                        column a target and one for its standard error, error; search
    measures.parquet    trial (or setting), matchup, metric, value, low, high, error, n, distinct,
                        clusters
    confirm.json        the verdict, the candidates on fresh seeds, the chosen one, the front of
                        fewest changes; or what differs
    matrix.parquet      setting (baseline or chosen), first, second, value, low, high, n, ...
    lengths.parquet     setting, matchup, length, count
    endings.parquet     setting, ending, value, low, high, n, distinct, clusters
    curves.parquet      setting, clock, n, means of the game's curves
"""

from lab.sweep.run import Interrupted, Progress, Run, reading, run_sweep

__all__ = ["Interrupted", "Progress", "Run", "reading", "run_sweep"]
