"""Loaded by path in the child, where each file stands in for a harness file; nothing imports this."""
