"""Results in the formats of the platforms that teachers use, and what is built from them.

Every exporter is a pure function of a `Result` (or of a class's results): the same result gives
the same bytes. `grading.batch.outputs` lists them; `docs/formats.md` says where each is described.
Nothing here runs a harness, and nothing but `packing` and `commands` touches a file.
"""
