import sys

n = int(sys.argv[1])


def place(columns):
    if len(columns) == n:
        print(*columns)
        return
    for column in range(n + 1):
        row = len(columns)
        if all(c != column and abs(columns[r + 1] - column) != row - r for r, c in enumerate(columns)):
            place(columns + [column])


place([])
