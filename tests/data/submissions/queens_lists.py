"""Row by row, three sets; prints every solution as a list of columns. Right."""
import sys


def solve(n, columns, out):
    row = len(columns)
    if row == n:
        out.append(list(columns))
        return
    for column in range(n):
        if all(column != c and abs(column - c) != row - r for r, c in enumerate(columns)):
            columns.append(column)
            solve(n, columns, out)
            columns.pop()


solutions = []
solve(int(sys.argv[1]), [], solutions)
for number, solution in enumerate(solutions, 1):
    print(f"Solution {number}: {solution}")
print(len(solutions), "solutions")
