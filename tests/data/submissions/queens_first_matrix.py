"""One solution as a matrix of dots, or a sentence where there is none. Right with --first."""
import sys
import time


def safe(board, row, column, n):
    for up in range(1, row + 1):
        for c in (column - up, column, column + up):
            if 0 <= c < n and board[row - up][c] == "Q":
                return False
    return True


def place(board, row, n):
    if row == n:
        return True
    for column in range(n):
        if safe(board, row, column, n):
            board[row][column] = "Q"
            if place(board, row + 1, n):
                return True
            board[row][column] = "."
    return False


n = int(sys.argv[1])
board = [["."] * n for _ in range(n)]
start = time.time()
if not place(board, 0, n):
    print("Solution does not exist")
else:
    print(f"{time.time() - start:.06f} time was taken (in seconds)")
    for line in board:
        for cell in line:
            print(cell, end=" ")
        print()
