"""Planted bugs: cut."""

from tests.planted.catalogue import bug
