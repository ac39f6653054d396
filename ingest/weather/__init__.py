"""Precipitation and temperature by day or hour."""
