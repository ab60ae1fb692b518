"""Many harnesses side by side: one script played on all of them, and verdicts of many runs.

`compare.py` plays; `saved.py` reads verdicts that were kept, which `diff.py` and `site.py` put together.
"""
