//! `vib redact` in small: cleans standard input. With `--time` it says how long the first cleaning of a fresh process took.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::io::Read;
use std::time::Instant;

use vib_redact::{Gate, PrivacyContext};

fn main() -> std::io::Result<()> {
    let timed = std::env::args().any(|arg| arg == "--time");
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let started = Instant::now();
    let clean = Gate::new(PrivacyContext::default()).clean(&text);
    let took = started.elapsed();
    if timed {
        println!("{:.3} ms, {:?}", took.as_secs_f64() * 1e3, clean.counts());
    } else {
        print!("{clean}");
    }
    Ok(())
}
