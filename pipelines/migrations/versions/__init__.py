"""Revisions ``hw0001``, ``hw0002``, …; one that has been released is never edited."""
