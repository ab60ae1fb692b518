"""Whole command-line agents as harnesses: a program, its settings, a scripted provider at its base URL.

`described.py` is what is known of a program, `reading.py` reads it out of a TOML file, `room.py` builds the
room that it runs in, `inside/` runs in there. `translation.py` turns scripts into what the wire plays, and
`back.py` what came of it into traces. A program is never changed: all that is told of it is what the provider
received.
"""
