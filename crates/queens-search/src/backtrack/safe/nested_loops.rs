//! Four nested loops for four queens, one queen per column: a program that beginners write before they learn
//! recursion. The first queen is placed without a test. Supports only n = 4.

use super::line_by_line::transposed;
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor, textbook};

pub struct NestedLoops;

impl Searcher for NestedLoops {
    fn info(&self) -> Info {
        let base = textbook("backtrack/nested-loops");
        Info {
            about: "four nested loops, one queen per column, for n = 4 only".into(),
            sizes: 4..=4,
            sizes_reason: "four loops place four queens",
            statistics: [&base.statistics[..], &[Stat::Comparisons]].concat(),
            order: Order::ByColumn,
            ..base
        }
    }

    fn run<V: Visitor>(&self, _: &Task<'_>, visitor: &mut V) -> Flow {
        visitor.node(0)?;
        for first in 0..4 {
            visitor.node(1)?;
            let mut first_is_dead = true;
            for second in 0..4 {
                if is_safe(&[first], second, visitor) {
                    first_is_dead = false;
                    visitor.node(2)?;
                    let mut second_is_dead = true;
                    for third in 0..4 {
                        if is_safe(&[first, second], third, visitor) {
                            second_is_dead = false;
                            visitor.node(3)?;
                            let mut third_is_dead = true;
                            for fourth in 0..4 {
                                if is_safe(&[first, second, third], fourth, visitor) {
                                    third_is_dead = false;
                                    visitor.node(4)?;
                                    visitor.solution(&transposed(&[first, second, third, fourth]))?;
                                }
                            }
                            if third_is_dead {
                                visitor.dead_end(3);
                            }
                        }
                    }
                    if second_is_dead {
                        visitor.dead_end(2);
                    }
                }
            }
            if first_is_dead {
                visitor.dead_end(1);
            }
        }
        Flow::Continue(())
    }
}

/// Whether a queen in `row` of the next column shares neither its row nor a diagonal with an earlier queen.
fn is_safe<V: Visitor>(queens: &[u32], row: u32, visitor: &mut V) -> bool {
    visitor.count(Stat::CellsTested, 1);
    queens.iter().enumerate().all(|(column, &other)| {
        visitor.count(Stat::Comparisons, 1);
        let distance = other.abs_diff(row) as usize;
        distance != 0 && distance != queens.len() - column
    })
}
