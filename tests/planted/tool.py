"""Planted bugs: tool."""

from tests.planted.catalogue import bug
