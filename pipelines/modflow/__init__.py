"""MODFLOW 6 from outside: finding the program, writing its input, running it, reading what it wrote."""
