# Satisfiability: pairwise at-most-one constraints, and a blocking clause for each solution, by PySAT's CaDiCaL 1.5.3.
# Usage: cadical.py N GOAL
import sys
import time
from itertools import combinations

from pysat.solvers import Cadical153

n, goal = int(sys.argv[1]), sys.argv[2]
began = time.perf_counter_ns()
square = [[row * n + column + 1 for column in range(n)] for row in range(n)]
cells = [(row, column) for row in range(n) for column in range(n)]
lines = square + [list(column) for column in zip(*square)]
for of in (lambda row, column: row + column, lambda row, column: row - column):
    for line in {of(*cell) for cell in cells}:
        lines.append([square[row][column] for row, column in cells if of(row, column) == line])
with Cadical153() as solver:
    for line in lines:
        for one, other in combinations(line, 2):
            solver.add_clause([-one, -other])
    for line in lines[: 2 * n]:
        solver.add_clause(line)
    found = 0
    while solver.solve():
        found += 1
        queens = [literal for literal in solver.get_model()[: n * n] if literal > 0]
        if goal != "count":
            print(*((literal - 1) % n for literal in queens))
        if goal == "first":
            break
        solver.add_clause([-literal for literal in queens])
if goal == "count":
    print(found)
print(f"solve_ns={time.perf_counter_ns() - began}", file=sys.stderr)
