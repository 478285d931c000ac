# Deepest stack of a call, from gcc's -fcallgraph-info=su: the sum of frames along the deepest path.
/^node:/ {
    match($0, /title: "[^"]*"/); name = substr($0, RSTART + 8, RLENGTH - 9)
    own[name] = match($0, /[0-9]+ bytes/) ? substr($0, RSTART, RLENGTH) + 0 : 0
}
/^edge:/ {
    match($0, /sourcename: "[^"]*"/); from = substr($0, RSTART + 13, RLENGTH - 14)
    match($0, /targetname: "[^"]*"/); to = substr($0, RSTART + 13, RLENGTH - 14)
    calls[from, ++count[from]] = to
}
function depth(f,   i, d, most) {
    if (f in known) return known[f]
    if (active[f]) { print "recursion through " f; bad = 1; return 0 }
    active[f] = 1
    for (i = 1; i <= count[f]; i++) { d = depth(calls[f, i]); if (d > most) { most = d; via[f] = calls[f, i] } }
    active[f] = 0
    return known[f] = own[f] + most
}
END {
    for (f in own) { d = depth(f); if (d > deepest) { deepest = d; top = f } }
    path = ""
    for (f = top; f != ""; f = via[f]) { n = f; sub(/.*:/, "", n); path = path " " n " " own[f] }
    print deepest " bytes:" path
    exit bad
}
