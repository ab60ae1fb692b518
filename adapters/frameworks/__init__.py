"""Real agent frameworks as harnesses: one table, one file each, and what they share.

`table.py` is the list. `inside/` holds what runs in the child beside a framework: `bridge.py`, which all
of them share, and a file for each, which offers the names of the course on top of the framework's own
extension points. It imports the framework and never the suite.
"""
