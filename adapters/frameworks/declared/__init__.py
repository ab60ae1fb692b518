"""The declarations: one file a framework, with its policies quoted from its own documentation or code."""
