//! Forged certificates and files that change while they are audited.
