# Converts the plain comments of a public header to Doxygen's; line numbers do not change. The position of a
# comment determines its subject:
#
#   - directly above a declaration: that declaration, and those after it up to an empty line;
#   - behind a declaration or a member: that declaration or member;
#   - elsewhere: the file.
#
# Expansions of the tables of <semla/table.h>, between #define X and #undef X, are removed: Doxygen's
# preprocessor does not expand them, and the reference shows the tables themselves.

# ---- reads the file without the expansions of tables

/^#define (X|OP)\(/ && table == "" { table = /^#define X/ ? "X" : "OP" }
{ text = text (table == "" ? $0 : "") "\n" }
table != "" && $0 == "#undef " table { table = "" }

# ---- comments

# Escapes a comment for Markdown. Indented lines are code and stay as they are.
function escape(comment,   n, i, part, result) {
    n = split(comment, part, "\n")
    for (i = 1; i <= n; i++) {
        if (part[i] !~ /^ \*     /) gsub(/[\\<@#]|\*[a-zA-Z]/, "\\\\&", part[i])
        result = result (i > 1 ? "\n" : "") part[i]
    }
    return result
}

# ---- code between comments

function change(line, opening, closing) { return gsub(opening, "", line) - gsub(closing, "", line) }

# Prints code. A declaration without a comment shares the comment of the one above it.
function print_code(code,   n, i, part) {
    n = split(code, part, "\n")
    for (i = 1; i <= n; i++) {
        if (part[i] ~ /^ *$/) {
            if (i > 1 && i < n) owner = ""
        } else if (depth == 0 && !inside) {
            name = ""
            if (match(part[i], /sl_[a-z0-9_]+\(/)) name = substr(part[i], RSTART, RLENGTH - 1)
            if (match(part[i], /^typedef .*\(\*sl_[a-z0-9_]+\)/) && match(part[i], /\(\*sl_[a-z0-9_]+/))
                name = substr(part[i], RSTART + 2, RLENGTH - 2)
            if (part[i] ~ /^#define SL_/ && match(part[i], /SL_[A-Z0-9_]+/)) name = substr(part[i], RSTART, RLENGTH)
            if (owner == "?") owner = name
            else if (owner != "" && name != "") printf "/** @copydoc %s */ ", owner
        }
        if (part[i] !~ /^extern "C"/) depth += change(part[i], "[{]", "[}]")
        if (part[i] ~ /^#/ || part[i - 1] ~ /\\$/) inside = part[i] ~ /\\$/
        else if (part[i] ~ /[^ ]/) inside = part[i] !~ /[;}] *$/
        printf "%s%s", part[i], i < n ? "\n" : ""
    }
}

# Prints a declaration of several members as one declaration each, all with the same comment.
function print_members(line, comment,   type, n, i, name) {
    match(line, /([a-zA-Z0-9_]+ )+/)
    type = substr(line, RSTART, RLENGTH)
    n = split(substr(line, RSTART + RLENGTH), name, /[,;] */)
    for (i = 1; i < n; i++) printf "/**%s*/ %s%s; ", i == 1 ? comment : one_line(comment), type, name[i]
}

function one_line(comment) { gsub(/\n/, " ", comment); return comment }

END {
    while ((start = index(text, "/*")) > 0) {
        before = substr(text, 1, start - 1)
        end = start + 2 + index(substr(text, start + 2), "*/") - 1
        comment = escape(substr(text, start + 2, end - start - 2))
        text = substr(text, end + 2)
        line = before
        sub(/.*\n/, "", line)
        if (comment ~ /^ (----|clang-format)/) {
            print_code(before)
        } else if (line ~ /^ +[a-z][^(]*,[^(]*;/) { # a declaration of several members
            print_code(substr(before, 1, length(before) - length(line)))
            print_members(line, comment)
        } else if (line ~ /[^ ]/) {
            print_code(before)
            printf "/**<%s*/", comment
        } else if (text ~ /^ *\n *[^ \n#]/ || text ~ /^ *\n#define/) {
            print_code(before)
            owner = "?"
            printf "/**%s*/", comment
        } else {
            print_code(before)
            printf "/** @floating %s*/", comment
        }
    }
    print_code(text)
}
