import sys

n = int(sys.argv[1])


def place(columns):
    if len(columns) == n:
        print(*columns)
        return
    for column in range(n):
        row = len(columns)
        if all(c != column and abs(c - column) != row - r for r, c in enumerate(columns)):
            place(columns + [column])


place([])
