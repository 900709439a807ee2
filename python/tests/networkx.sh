#!/bin/sh
# Tests the backend of NetworkX with the newest NetworkX from the package index, in a new virtual environment.
# Exits with 77 (skipped) if pip cannot install it.
#
#     networkx.sh PYTHON ENVIRONMENT TESTS
#
# PYTHONPATH and SEMLA_PROJECT: as for the other tests of the package.
set -eu
python=$1 venv=$2 tests=$3
rm -rf "$venv"
"$python" -m venv --without-pip "$venv"
"$python" -m pip --python "$venv/bin/python" --disable-pip-version-check install --no-compile --quiet \
    networkx numpy scipy cffi pytest 2>"$venv/pip.log" ||
    { echo "skipped: pip installs no networkx: $(tail -n 1 "$venv/pip.log")"; exit 77; }
cd "$tests"
exec "$venv/bin/python" -m pytest -q -rs -W ignore -p no:cacheprovider \
    test_networkx.py test_networkx_backend.py
