"""NR 140.14: one result, or one sum, against one standard. Decimal and unrounded; knows no site."""
