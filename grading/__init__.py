"""The command line, verdicts, counterexamples and output formats.

Only `conftest.py`, the tests and the console script import it.
"""
