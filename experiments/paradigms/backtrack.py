# A plain backtracker, as in textbooks: row by row, with sets of attacked columns and diagonals. Usage: backtrack.py N GOAL
import sys
import time

n, goal = int(sys.argv[1]), sys.argv[2]
began = time.perf_counter_ns()
columns, ups, downs, board, found = set(), set(), set(), [], 0


def place(row):
    global found
    if row == n:
        found += 1
        if goal != "count":
            print(*board)
        return goal == "first"
    for column in range(n):
        if column not in columns and row + column not in ups and row - column not in downs:
            columns.add(column), ups.add(row + column), downs.add(row - column), board.append(column)
            if place(row + 1):
                return True
            columns.remove(column), ups.remove(row + column), downs.remove(row - column), board.pop()
    return False


place(0)
if goal == "count":
    print(found)
print(f"solve_ns={time.perf_counter_ns() - began}", file=sys.stderr)
