//! Look-ahead searchers: after a queen is placed, squares are removed from the rows without a queen. The searchers differ in which
//! squares they remove, and in where they continue after a failure.

pub mod domains;
pub mod fc_cbj;
pub mod forward_checking;
pub mod gac;
pub mod lds;
pub mod look_ahead;
pub mod mac;
pub mod orders;
pub mod unit_propagation;
