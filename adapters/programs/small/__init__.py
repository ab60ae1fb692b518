"""Frameworks as small programs, so that their official clients meet the wire: run by `known/*.toml`, never imported."""
