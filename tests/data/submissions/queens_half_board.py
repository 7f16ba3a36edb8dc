"""Searches only the left half of the first row and forgets to mirror. Wrong from n = 4 on."""
import sys


def place(n, row, columns, falling, rising, queens):
    if row == n:
        print(*queens)
        return
    for column in range(n if row else n // 2):
        if column in columns or row - column in falling or row + column in rising:
            continue
        place(n, row + 1, columns | {column}, falling | {row - column}, rising | {row + column},
              queens + [column])


place(int(sys.argv[1]), 0, frozenset(), frozenset(), frozenset(), [])
