"""What runs inside the harness's own process: the program, the driver, and what they need.

Standard library only, and nothing here imports the suite: `adapters/stub.py` puts the files where
the child finds them, as a package with a name of its own. The suite uses `codec` and `pool` at
the other end, and the driver for harnesses in its own process.
"""
