//! What to remove? These searchers look ahead: a queen removes squares from the rows that have none yet. They differ in what else they
//! remove or conclude.

pub mod domains;
pub mod fc_cbj;
pub mod forward_checking;
pub mod gac;
pub mod lds;
pub mod look_ahead;
pub mod mac;
pub mod orders;
pub mod unit_propagation;
