"""Planted bugs: loop."""

from tests.planted.catalogue import bug
