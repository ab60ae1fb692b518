"""What runs inside the harness's own process: the program, the driver and the codec.

Standard library only, and nothing here imports the suite: `main.py` loads the other files by path
under private module names. The suite itself imports `codec` from here for the other end.
"""
