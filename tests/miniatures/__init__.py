"""Miniatures: tiny broken harnesses, each with one fault that its docstring names.

Each is the reference harness with a few words of its source changed (see `planting`), so that
everything but the one fault is known to be right. A miniature says which property catches it.
"""
