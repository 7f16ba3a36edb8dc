# Model counting: the number of models of a formula by d4 (J.-M. Lagniez, P. Marquis, IJCAI 2017). Usage: d4.py FILE
import sys

import py_d4

clauses = []
with open(sys.argv[1]) as file:
    for line in file:
        if line.startswith("p cnf"):
            variables = int(line.split()[2])
        elif line[0] in "-0123456789":
            clauses.append([int(literal) for literal in line.split()[:-1]])
sys.stdout.flush()
count = py_d4.Solver(clauses, variables).count().getIntResult()
print(f"\nc s exact arb int {count}")
