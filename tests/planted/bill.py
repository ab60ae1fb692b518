"""Planted bugs: bill."""

from tests.planted.catalogue import bug
