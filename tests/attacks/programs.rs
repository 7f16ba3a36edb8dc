//! Programs and external solvers that lie in a sweep or to solve.
