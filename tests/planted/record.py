"""Planted bugs: record."""

from tests.planted.catalogue import bug
