//! A zero-suppressed decision diagram by OxiDD (N. Husung, C. Dubslaff, H. Hermanns, M. Köhl, TACAS 2024): the sets of squares
//! of all solutions, row by row by set operations (S. Minato, DAC 1993). It counts them. Usage: queens-oxidd-zdd N

use std::hash::RandomState;
use std::time::Instant;

use oxidd::util::{SatCountCache, num::F64};
use oxidd::zbdd::{ZBDDFunction, new_manager};
use oxidd::{BooleanFunction, BooleanVecSet, Function, Manager, ManagerRef};

const MEMORY: &str = "not enough memory";

fn main() {
    let n: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).expect("a size");
    let began = Instant::now();
    let manager = new_manager(1 << 24, 1 << 22, 1);
    manager.with_manager_exclusive(|manager| drop(manager.add_vars(n * n)));
    let mut all = manager.with_manager_shared(|manager| ZBDDFunction::base(manager));
    for row in 0..n {
        let mut next = manager.with_manager_shared(|manager| ZBDDFunction::empty(manager));
        for column in 0..n {
            let attacks = |at: &u32| at % n == column || row - at / n == column.abs_diff(at % n);
            let earlier = (0..row * n).filter(attacks);
            let free = earlier.fold(all.clone(), |sets, at| sets.subset0(at).expect(MEMORY));
            next = next.union(&free.change(row * n + column).expect(MEMORY)).expect(MEMORY);
        }
        all = next;
    }
    let count: F64 = all.sat_count(n * n, &mut SatCountCache::<F64, RandomState>::default());
    println!("{}", count.0);
    // Both terminals are counted as nodes.
    eprintln!("stat zdd_nodes={}\nsolve_ns={}", all.node_count() - 2, began.elapsed().as_nanos());
}
