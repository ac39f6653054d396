"""Streams: daily means, low-flow spells and shortfalls. Arrays and days in, judgements out; knows no site."""
