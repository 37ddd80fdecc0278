//! The `vib` binary.
fn main() {}
