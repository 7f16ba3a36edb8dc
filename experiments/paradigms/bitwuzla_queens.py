# Satisfiability modulo theories: a bit vector per row, all distinct, and a blocking constraint for each solution.
# Usage: bitwuzla_queens.py N GOAL
import sys
import time

from bitwuzla import Bitwuzla, Kind, Options, Option, Result, TermManager

n, goal = int(sys.argv[1]), sys.argv[2]
began = time.perf_counter_ns()
tm = TermManager()
sort = tm.mk_bv_sort((2 * n).bit_length() + 1)
options = Options()
options.set(Option.PRODUCE_MODELS, True)
solver = Bitwuzla(tm, options)
number = [tm.mk_bv_value(sort, value) for value in range(n + 1)]
queens = [tm.mk_const(sort, f"q{row}") for row in range(n)]
for queen in queens:
    solver.assert_formula(tm.mk_term(Kind.BV_ULT, [queen, number[n]]))
ups = [tm.mk_term(Kind.BV_ADD, [queen, number[row]]) for row, queen in enumerate(queens)]
downs = [tm.mk_term(Kind.BV_SUB, [queen, number[row]]) for row, queen in enumerate(queens)]
for line in (queens, ups, downs):
    if n > 1:
        solver.assert_formula(tm.mk_term(Kind.DISTINCT, line))
found = 0
while solver.check_sat() == Result.SAT:
    found += 1
    board = [int(solver.get_value(queen).value(10)) for queen in queens]
    if goal != "count":
        print(*board, flush=True)
    if goal == "first":
        break
    others = [tm.mk_term(Kind.DISTINCT, [queen, number[column]]) for queen, column in zip(queens, board)]
    solver.assert_formula(tm.mk_term(Kind.OR, others))
if goal == "count":
    print(found)
print(f"solve_ns={time.perf_counter_ns() - began}", file=sys.stderr)
