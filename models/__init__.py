"""The pure core: nouns, law, science and judgement.

Nothing in here opens a database, a socket, a clock or the environment.
"""
