#!/bin/sh
# The MiniZinc models by Gecode. Usage: gecode.sh N GOAL leftmost|first-fail
all=--all-solutions
[ "$2" = first ] && all=
minizinc --solver gecode $all --statistics --soln-sep '' --search-complete-msg '' -D "n=$1" "$(dirname "$0")/$3.mzn" 2>/dev/null |
    awk -v goal="$2" '
        /^%%%mzn-stat: solveTime=/ { sub(/.*=/, ""); printf "solve_ns=%d\n", $0 * 1e9 > "/dev/stderr"; next }
        /^[0-9]/ || /UNSATISFIABLE/ { found += /^[0-9]/; if (goal != "count") print }
        END { if (goal == "count") print found + 0 }'
