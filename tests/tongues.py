"""A report in Korean that may not fall back to English."""

from collections.abc import Collection
from pathlib import Path

import pytest

from lab.report import language, markdown
from lab.report.build import facts, report
from lab.sweep import Run


class Strict(language.Tongue):
    """Has to have a word for everything, but for what a person wrote."""

    own: Collection[str] = ()

    def find(self, table: str, key: str) -> str | None:
        found = super().find(table, key)
        if table == "sentences" and found is None:
            assert key in self.own or not any(map(str.isascii, filter(str.isalpha, key))), key
        return found


def korean(run: Path, own: Collection[str] = (), out: Path | None = None) -> str:
    """The Markdown of the report; fails where a sentence of ours has no Korean.

    Figures are drawn only where `out` is given: they take a while.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "Tongue", Strict)
        patch.setattr(Strict, "own", own)
        if out is not None:
            return report(run, out, "ko").with_suffix(".md").read_text()
        swept = Run(run)
        words = swept.experiment.words.get("ko")
        tongue = language.load_tongue(swept.experiment.game.name, "ko", words)
        with language.speaking(tongue):
            return markdown.render(facts(swept))
