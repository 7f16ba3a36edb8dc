#!/bin/sh
# Answer sets of queens.lp by clingo. Usage: clingo.sh N GOAL
model="$(dirname "$0")/queens.lp"
case $2 in
    count) exec clingo --quiet=2 "$model" -c "n=$1" 0 ;;
    first) exec clingo --verbose=0 "$model" -c "n=$1" 1 ;;
    *) exec clingo --verbose=0 "$model" -c "n=$1" 0 ;;
esac
