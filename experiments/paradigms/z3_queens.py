# Satisfiability modulo theories: a bit vector per row, all distinct, and a blocking constraint for each solution, as in
# the guide of Z3Py (section "Eight Queens"). Usage: z3_queens.py N GOAL
import sys
import time

import z3

n, goal = int(sys.argv[1]), sys.argv[2]
began = time.perf_counter_ns()
bits = (2 * n).bit_length() + 1
queens = [z3.BitVec(f"q{row}", bits) for row in range(n)]
solver = z3.SolverFor("QF_BV")
solver.add([z3.ULT(queen, n) for queen in queens])
solver.add(z3.Distinct(queens))
solver.add(z3.Distinct([queen + row for row, queen in enumerate(queens)]))
solver.add(z3.Distinct([queen - row for row, queen in enumerate(queens)]))
found = 0
while solver.check() == z3.sat:
    found += 1
    board = [solver.model().eval(queen).as_long() for queen in queens]
    if goal != "count":
        print(*board, flush=True)
    if goal == "first":
        break
    solver.add(z3.Or([queen != column for queen, column in zip(queens, board)]))
if goal == "count":
    print(found)
print(f"solve_ns={time.perf_counter_ns() - began}", file=sys.stderr)
