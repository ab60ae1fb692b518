"""Mutation testing with mutmut: of the reference by the properties, of the suite by its own tests.

`python -m tests.mutation reference` and `python -m tests.mutation suite` prepare a folder, run
mutmut there, and judge what it left in its result files, never what it printed.
"""
