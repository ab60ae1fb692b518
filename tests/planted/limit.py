"""Planted bugs: limit."""

from tests.planted.catalogue import bug
