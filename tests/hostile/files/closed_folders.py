"""Makes folders that cannot be entered, so that they cannot be removed."""

import os

from sound import *

os.makedirs("a/b/c")
open("a/b/c/file", "w").close()
os.mkdir("a/none", 0)
for path in ("a/b/c", "a/b", "a"):
    try:
        os.chmod(path, 0)
    except OSError:
        pass
