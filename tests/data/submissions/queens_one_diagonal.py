"""Looks at one diagonal only. Wrong from n = 3 on."""
import itertools
import sys

n = int(sys.argv[1])
for columns in itertools.permutations(range(n)):
    if len({row + column for row, column in enumerate(columns)}) == n:
        for column in columns:
            print("*\t" * column + "Q\t" + "*\t" * (n - column - 1))
        print("-------------")
