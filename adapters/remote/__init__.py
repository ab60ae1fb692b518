"""Harnesses in any language, as a command that speaks the process protocol (`docs/protocol.md`).

`command.py` is the process, `lines.py` what goes over its pipes, `messages.py` what messages hold, `talk.py`
commands, callbacks and answers, `module.py` and `run.py` the names of the course on top of them, `harness.py`
the harness that the suite sees. `serve.py`, with `served.py`, is the other side for a course-shaped file.
"""
