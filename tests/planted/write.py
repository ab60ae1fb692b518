"""Planted bugs: write."""

from tests.planted.catalogue import bug
