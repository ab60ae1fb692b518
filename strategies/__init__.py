"""What can happen: scripts as plain data, and Hypothesis strategies that draw them.

Knows nothing of adapters, harnesses or properties; may import Hypothesis and the standard
library only.
"""
