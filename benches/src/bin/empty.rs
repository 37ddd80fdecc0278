//! Does nothing: what starting a Rust process costs.

fn main() {}
