"""The services that are asked, and the one polite way to ask."""
