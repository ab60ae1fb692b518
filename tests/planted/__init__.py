"""Planted bugs: what is known to go wrong in agent harnesses, as small patches to the reference.

The miniatures are part of the catalogue; the modules beside this one add what students write and
what public reports tell. `python -m tests.planted` shows which property catches which bug.
"""
