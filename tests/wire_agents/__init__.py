"""Broken variants of `examples/wire_agent.py`: small patches, each with the property that has to catch it.

They stand in for miniatures where a property needs what only a program has: a stream, an exit status, a
network to ask.
"""
