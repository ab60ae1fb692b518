"""The ladder of isolation: what stands between a hostile file and the grader.

`ladder.py` chooses a rung, `walls.py` builds the room of one child, `inside/` is what runs in the
child before the harness's file does.
"""
