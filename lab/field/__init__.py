"""The field: which mix of the players we have is nearest to games that others played."""
