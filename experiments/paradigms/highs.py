# Integer programming: a 0/1 variable per square, a row of the matrix per line of the board, as in the examples of Gurobi and
# JuMP. It finds one solution. Usage: highs.py N
import sys
import time

import highspy

n = int(sys.argv[1])
began = time.perf_counter_ns()
model = highspy.Highs()
model.silent()
queen = [[model.addBinary() for _ in range(n)] for _ in range(n)]
cells = [(row, column) for row in range(n) for column in range(n)]
for line in range(n):
    model.addConstr(sum(queen[line]) == 1)
    model.addConstr(sum(queen[row][line] for row in range(n)) == 1)
for line in range(2 * n - 1):
    up = [queen[row][column] for row, column in cells if row + column == line]
    down = [queen[row][column] for row, column in cells if row - column + n - 1 == line]
    for diagonal in (up, down):
        if len(diagonal) > 1:
            model.addConstr(sum(diagonal) <= 1)
model.run()
values = model.getSolution().col_value
if model.getModelStatus() == highspy.HighsModelStatus.kOptimal:
    print(*(max(range(n), key=lambda column: values[row * n + column]) for row in range(n)))
else:
    print("no solution")
print(f"solve_ns={time.perf_counter_ns() - began}", file=sys.stderr)
