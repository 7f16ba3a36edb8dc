# Constraint programming: three AllDifferent constraints, as in the OR-Tools guide (n_queens_sat.py), one worker.
# Usage: cpsat.py N GOAL SEED
import sys
import time

from ortools.sat.python import cp_model

n, goal, seed = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
began = time.perf_counter_ns()
model = cp_model.CpModel()
queens = [model.new_int_var(0, n - 1, f"q{row}") for row in range(n)]
model.add_all_different(queens)
model.add_all_different(queens[row] + row for row in range(n))
model.add_all_different(queens[row] - row for row in range(n))


class Printer(cp_model.CpSolverSolutionCallback):
    found = 0

    def on_solution_callback(self):
        self.found += 1
        if goal != "count":
            print(*(self.value(queen) for queen in queens))


solver, printer = cp_model.CpSolver(), Printer()
solver.parameters.num_workers = 1
solver.parameters.random_seed = seed
solver.parameters.enumerate_all_solutions = goal != "first"
solver.solve(model, printer)
if goal == "count":
    print(printer.found)
print(f"solve_ns={time.perf_counter_ns() - began}", file=sys.stderr)
