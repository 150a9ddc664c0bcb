"""The judge: real programs play a game against one another, contained and by the clock."""
