"""How to reach an implementation: the contract, the normal form, provider, workspace, adapters.

May import `strategies` (for scripts, which are plain data). Must not import `properties` or
`grading`. Only `adapters.reference` may import `harness_ref`.
"""
