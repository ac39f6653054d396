"""MODFLOW 6 models of a scenario: grid, layers, stresses, gates. Plain arrays in metres and days; it runs nothing."""
