// Binary decision diagrams: the conjunction of all constraints, row by row, as in the example `queen` of BuDDy (J. Lind-Nielsen).
// It counts. Usage: queens-buddy N
#include <bdd.h>

#include <cstdlib>
#include <iostream>

int main(int, char **arguments) {
    const int n = std::atoi(arguments[1]);
    bdd_init(1 << 20, 1 << 16);
    bdd_gbc_hook(nullptr);
    bdd_setmaxincrease(1 << 20);
    bdd_setvarnum(n * n);
    bdd queens = bddtrue;
    for (int row = 0; row < n; ++row) {
        bdd some = bddfalse;
        for (int column = 0; column < n; ++column) {
            bdd alone = bddtrue;
            for (int other = 0; other < n; ++other) {
                const int up = column + row - other, down = column - row + other;
                if (other != column) alone &= bdd_nithvar(row * n + other);
                if (other == row) continue;
                alone &= bdd_nithvar(other * n + column);
                if (0 <= up && up < n) alone &= bdd_nithvar(other * n + up);
                if (0 <= down && down < n) alone &= bdd_nithvar(other * n + down);
            }
            some |= bdd_ithvar(row * n + column) & alone;
        }
        queens &= some;
    }
    std::cout << static_cast<unsigned long long>(bdd_satcount(queens)) << "\n";
    std::cerr << "stat bdd_nodes=" << bdd_nodecount(queens) << "\n";
}
