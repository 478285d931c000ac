# Sourced by check_all.sh and platforms.sh, which run all of their configurations or those that are asked for.
#     selected 'PATTERN PATTERN...' NAME   true if one of the shell patterns matches the name
#     unmatched 'PATTERN PATTERN...'       prints the patterns that matched no name; true if there are any
# A pattern without a name is a mistake, and a failure: else a check would be lost without a word.
matched=

selected() {
    found=1
    set -f # the patterns are for names, not for files
    for pattern in $1; do
        case $2 in
            $pattern)
                matched="$matched $pattern "
                found=0
                ;;
        esac
    done
    set +f
    return $found
}

unmatched() {
    found=1
    set -f
    for pattern in $1; do
        case $matched in
            *" $pattern "*) ;;
            *)
                echo "FAILED no configuration is named $pattern"
                found=0
                ;;
        esac
    done
    set +f
    return $found
}
