# Completion of the semla command in bash. Subcommands, algorithms and options come from the --help texts, other
# words are completed as file names.

_semla()
{
    local semla=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} words
    COMPREPLY=()
    if [[ $COMP_CWORD == 1 || ${COMP_WORDS[1]} == help ]]; then
        words="help $("$semla" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')"
    elif [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == run && $current != -* ]]; then
        words=$("$semla" run --list | awk '/^  / { print $1 }')
    elif [[ $current == -* ]]; then
        words=$("$semla" "${COMP_WORDS[1]}" --help | grep -oE -e '^ {2,6}(-., )?--[a-z0-9-]+=?' | grep -oE -e '--.*')
    else
        return 0
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ ${COMPREPLY[0]-} == *= ]]; then
        compopt -o nospace 2>/dev/null # fails outside of completion, as in the test
    fi
}

complete -o default -F _semla semla
