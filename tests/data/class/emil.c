#include <stdio.h>
#include <stdlib.h>

static int n, columns[32];

static int is_free(int row, int column) {
    for (int r = 0; r < row; r++)
        if (columns[r] == column || abs(columns[r] - column) == row - r) return 0;
    return 1;
}

static void place(int row) {
    if (row == n) {
        for (int r = 0; r < n; r++) printf("%d ", columns[r]);
        printf("\n");
        solutions++;
        return;
    }
    for (int column = 0; column < n; column++)
        if (is_free(row, column)) {
            columns[row] = column;
            place(row + 1);
        }
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    place(0);
    return solutions;
}
