"""Planted bugs: bash."""

from tests.planted.catalogue import bug
