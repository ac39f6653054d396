"""USGS tab-delimited RDB, in all its kinds."""
