"""Statistics of groundwater quality: non-detects, trends, background, sums. Numbers in and out: no rule, no site."""
