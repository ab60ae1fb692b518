"""The wire provider: scripts played over HTTP in the formats of hosted providers.

Needs `pip install 'harness-props[wire]'`; nothing of it is loaded before it is asked for.
"""
