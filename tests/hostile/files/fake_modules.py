"""Brings modules that carry the names of others: of pytest's, of Python's and of the suite's."""

from aim import breach
from sound import *

try:
    import harness_props
except ImportError:
    pass
else:
    if harness_props.judged:
        breach("the suite used a module of the harness's")
