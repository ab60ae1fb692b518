"""Grading a class: submissions, the rubric, running them all, and the record of each.

`record.Result` is what everything else is made from: exporters, the HTML report, the files of
one submission.
"""
