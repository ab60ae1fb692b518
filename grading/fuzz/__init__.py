"""Fuzzing: going on after a failure, groups of failures, a corpus of scripts, baselines of what is known."""
