#!/usr/bin/env bash
# Runs once, as root, when the platform builds the image: a Python of the version that the grades
# were tried with, and the suite in an environment of its own.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"
version="@PYTHON@"
python="python$version"

usable() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

if ! usable "$python"; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  apt-get install -y --no-install-recommends "$python" "$python-venv" || true
fi
if ! usable "$python"; then
  # The distribution has no such Python; it comes in a folder that other users may read, too.
  apt-get install -y --no-install-recommends python3-venv
  python3 -m venv /opt/uv
  /opt/uv/bin/pip install --quiet uv
  export UV_PYTHON_INSTALL_DIR=/opt/python
  if ! /opt/uv/bin/uv python install "$version"; then
    echo "Python $version can be had neither from the distribution nor from the network: make the zip with" >&2
    echo "a Python that this image has, or choose another image." >&2
    exit 1
  fi
  python="$(/opt/uv/bin/uv python find "$version")"
fi

"$python" -m venv "$root/venv"
cd "$source"
"$root/venv/bin/pip" install --quiet --no-deps --disable-pip-version-check -r requirements.txt
chmod -R a+rX "$root/venv"
chmod -R go-rwx "$source"
"$root/venv/bin/harness-props" --version
