"""Planted bugs: pages."""

from tests.planted.catalogue import bug
