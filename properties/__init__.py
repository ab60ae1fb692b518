"""What must hold: one file per chapter of the catalogue, each property a module-level function.

May import `strategies` and, of `adapters`, the contract, the trace and the normal form. Must
not import `grading` or `harness_ref`.
"""
