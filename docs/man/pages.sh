#!/bin/sh
# Writes the manual pages of the command: semla.1 from its template, and a page for each subcommand from its
# --help text.
#
#     pages.sh SEMLA TEMPLATE FOLDER
set -eu
semla=$1 template=$2 folder=$3
mkdir -p "$folder"
rm -f "$folder"/*.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$("$semla" --version | cut -d' ' -f2)
export ARGP_HELP_FMT=rmargin=10000 # one line per paragraph

# Lines of the form 'name summary'.
"$semla" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { $1 = $1; print }' >"$work/commands"

while read -r name summary; do
    "$semla" "$name" --help </dev/null | awk -v name="$name" -v summary="$summary" -v version="$version" '
        function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.\x27]/, "\\\\&&", s); return s }
        function section(s) { if (s != last) print ".SH " s; last = s }
        function verbatim(on) { if (on != exact) print on ? ".RS 2\n.nf" : ".fi\n.RE"; exact = on }
        NR == 1 {
            print ".TH SEMLA-" toupper(name) " 1 \"\" \"semla " version "\" \"User Commands\""
            section("NAME"); print "semla\\-" name " \\- " text(summary)
            sub(/^Usage: /, ""); section("SYNOPSIS"); print text($0)
            section("DESCRIPTION"); next
        }
        /^$/ { paragraph = 1; next }
        /^ [^ ].*:$/ { section("OPTIONS"); sub(/^ /, ""); sub(/:$/, ""); print ".SS " text($0); after = 0; next }
        /^  (    )?-/ {
            sub(/^ +/, "")
            at = match($0, /  +/)
            print ".TP"
            print ".B " text(at ? substr($0, 1, at - 1) : $0)
            if (at) print text(substr($0, at + RLENGTH))
            after = 1; paragraph = 0; next
        }
        /^       / { sub(/^ +/, ""); print text($0); next } # the description of an option with a long name
        /^Examples:$/ { verbatim(0); section("EXAMPLES"); paragraph = 0; next }
        {
            if (after && last == "OPTIONS") { section("NOTES"); paragraph = 0 }
            verbatim(/^  / || last == "EXAMPLES")
            if (paragraph && !exact) print ".PP"
            paragraph = 0
            sub(/^  /, ""); print text($0)
        }
        END { verbatim(0); section("SEE ALSO"); print ".BR semla (1)"; exit NR == 0 }
    ' >"$folder/semla-$name.1"
done <"$work/commands"

while read -r name summary; do
    printf '.TP\n.BR semla\\-%s (1)\n%s\n' "$name" "$(echo "$summary" | sed 's/-/\\-/g')"
done <"$work/commands" >"$work/list"
sed '$!s/.*/.BR semla\\-& (1),/; $s/.*/.BR semla\\-& (1)/' <<LIST >"$work/see_also"
$(cut -d' ' -f1 "$work/commands")
LIST
sed -e "s/@VERSION@/$version/" -e "/@COMMANDS@/{r $work/list
d}" -e "/@SEE_ALSO@/{r $work/see_also
d}" "$template" >"$folder/semla.1"
