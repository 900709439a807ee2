#!/bin/sh
# Says how many tests were skipped, and for want of what.
#
#     skipped.sh RESULTS
#
# RESULTS: the file of ctest --output-junit. The reason is what follows "skipped: " in a test's output, else the text that
# ctest found there.
set -eu
awk '
function reason(line) {
    sub(/.*[sS][kK][iI][pP][pP][eE][dD]: /, "", line)
    sub(/^SKIPPED \[[0-9]+\] [^ ]+: /, "", line)
    sub(/.*is not available: /, "", line)
    sub(/^there (is|are) /, "", line)
    sub(/<\/system-out>.*/, "", line)
    gsub(/&quot;/, "\"", line)
    gsub(/&apos;/, "\047", line)
    gsub(/&lt;/, "<", line)
    gsub(/&gt;/, ">", line)
    gsub(/&amp;/, "\\&", line)
    return line
}
/<testcase / {
    tests++
    why = ""
    parts = 0
    status = $0
    sub(/.* status="/, "", status)
    sub(/".*/, "", status)
}
why == "" && /[sS][kK][iI][pP][pP][eE][dD]: |SKIPPED \[[0-9]+\] |is not available: / { why = reason($0) }
/SKIPPED \] [0-9]+ test\(s\)|SKIPPED \[[0-9]+\] / { parts = 1 }
/<\/testcase>/ {
    if (status == "notrun" || status == "disabled") {
        skipped++
        count[why == "" ? "no reason given" : why]++
    } else if (parts)
        in_part++
}
END {
    printf "%d of %d tests were skipped", skipped, tests
    if (in_part)
        printf ", and parts of %d more", in_part
    print (skipped ? ", for want of what these lines say:" : ".")
    for (why in count)
        printf "%5d  %s\n", count[why], why | "sort -rn"
}' "$1"
