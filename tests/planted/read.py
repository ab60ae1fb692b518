"""Planted bugs: read."""

from tests.planted.catalogue import bug
