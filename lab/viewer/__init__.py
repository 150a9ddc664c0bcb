"""Games to be watched: films of them, and a film as one self-contained page.

    from lab import viewer
    html = viewer.page(viewer.game(rules, "economy", "rush", seed=7, index=3))

The page loads nothing and keeps nothing. In a notebook it is embedded as `page` says.
"""

from lab.viewer.camera import Pictures, look, views_of
from lab.viewer.film import NOBODY, Film, Step
from lab.viewer.games import game, kept
from lab.viewer.page import page

__all__ = ["NOBODY", "Film", "Pictures", "Step", "game", "kept", "look", "page", "views_of"]
