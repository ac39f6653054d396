"""Base-flow separation: daily flow in, base flow out. Baselines only: the graphical methods look ahead in time."""
