//! A binary decision diagram with complement edges by OxiDD (N. Husung, C. Dubslaff, H. Hermanns, M. Köhl, TACAS 2024): the
//! conjunction of the constraints of all rows. It counts its models. Usage: queens-oxidd-bdd N

use std::hash::RandomState;
use std::time::Instant;

use oxidd::bcdd::{BCDDFunction, new_manager};
use oxidd::util::{SatCountCache, num::F64};
use oxidd::{BooleanFunction, Function, Manager, ManagerRef};

const MEMORY: &str = "not enough memory";

fn main() {
    let n: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).expect("a size");
    let began = Instant::now();
    let manager = new_manager(1 << 24, 1 << 22, 1);
    manager.with_manager_exclusive(|manager| drop(manager.add_vars(n * n)));
    let queen = |at| manager.with_manager_shared(|manager| BCDDFunction::var(manager, at).expect(MEMORY));
    let mut all = manager.with_manager_shared(|manager| BCDDFunction::t(manager));
    for row in 0..n {
        let alone = |column: u32| {
            let line = |r: u32, c: u32| r == row || c == column || r.abs_diff(row) == c.abs_diff(column);
            let attacked = (0..n * n).filter(|at| *at != row * n + column && line(at / n, at % n));
            let without = |of: BCDDFunction, at| of.and(&queen(at).not().expect(MEMORY)).expect(MEMORY);
            attacked.fold(queen(row * n + column), without)
        };
        let some = (0..n).map(alone).reduce(|one, other| one.or(&other).expect(MEMORY));
        all = all.and(&some.expect("a column")).expect(MEMORY);
    }
    let count: F64 = all.sat_count(n * n, &mut SatCountCache::<F64, RandomState>::default());
    println!("{}", count.0);
    // The terminal is counted as a node.
    eprintln!("stat bdd_nodes={}\nsolve_ns={}", all.node_count() - 1, began.elapsed().as_nanos());
}
