"""Frameworks as small programs, so that their official clients meet the wire.

Files of `known/` run them, in the framework's own environment; nothing here is imported.
"""
