"""WaterML 1.1 and 2."""
