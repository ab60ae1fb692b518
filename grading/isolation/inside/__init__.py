"""What runs in the child before the harness's file does; standard library only.

`adapters/stub.py` puts these modules beside the child's program.
"""
