"""Reads the world: a maker's file in, tidy observations and rejects out."""
