#!/bin/sh
# Makes the documentation site, and checks that the Python reference is complete. Fails on any warning.
#
#     build.sh PYTHON DOXYGEN DOXYFILE PACKAGE VERSION DOCS OUTPUT
#
# PACKAGE is the folder that contains the package semla. The site is in OUTPUT/html.
set -eu
python=$1 doxygen=$2 doxyfile=$3 package=$4 version=$5 docs=$6 output=$7
mkdir -p "$output/c"
{
    cat "$doxyfile"
    echo "OUTPUT_DIRECTORY = $output/c"
    echo "GENERATE_HTML = NO"
    echo "GENERATE_TAGFILE ="
    echo "GENERATE_XML = YES"
} | "$doxygen" -
export PYTHONPATH="$package" SEMLA_VERSION="$version" SEMLA_DOXYGEN_XML="$output/c/xml"
export PYDEVD_DISABLE_FILE_VALIDATION=1 # Jupyter's kernel warns about Python's frozen modules
"$python" -m sphinx -q -W --keep-going -c "$docs/site" -d "$output/doctrees" "$docs" "$output/html"
"$python" - "$output/html/objects.inv" <<'CHECK'
import sys

import semla
from sphinx.util.inventory import InventoryFile

with open(sys.argv[1], "rb") as file:
    described = {name for objects in InventoryFile.load(file, "", lambda *parts: "").values() for name in objects}
namespaces = {"unary", "binary", "indexunary", "select", "monoid", "semiring"}
types = {"BOOL", "FP32", "FP64"} | {f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)}
missing = [name for name in semla.__all__ if name not in namespaces | types
           and f"semla.{name}" not in described and f"semla.errors.{name}" not in described]
sys.exit(f"not in the Python reference: {', '.join(missing)}" if missing else 0)
CHECK
echo "the site is in $output/html/index.html"
