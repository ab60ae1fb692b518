"""Results in the formats of the platforms that teachers use, and what is built from them.

Every exporter is a pure function of a `Result` (or of a class's results): the same result gives
the same bytes. `grading.batch.outputs` lists them; `docs/formats.md` says where each is described.
Nothing here runs a harness. Beside the exporters, `zipping` with `packing` makes the autograder zip,
and `explain` with `reading` and `explanations` says what failures mean; only these touch files.
"""
