"""One module per command; each is a thin shell over plain functions."""
