//! Scores files of labelled cases and prints what went wrong: `classes FILE…` (`--quiet`: the figures alone).
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::collections::BTreeMap;

#[path = "../tests/cases/mod.rs"]
mod cases;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let quiet = args.iter().any(|arg| arg == "--quiet");
    for file in args.iter().filter(|arg| !arg.starts_with("--")) {
        let mut totals: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for case in cases::cases(&std::fs::read_to_string(file)?, 5) {
            let outcome = cases::tried(&case);
            let total = totals.entry(case.label.clone()).or_default();
            total.0 += usize::from(outcome.is_right());
            total.1 += 1;
            if !outcome.is_right() && !quiet {
                println!(
                    "{outcome:?} @{} {}\n    {}\n -> {}",
                    case.label,
                    case.class,
                    case.text,
                    cases::cleaned(&case)
                );
            }
        }
        for (label, (right, all)) in totals {
            println!("{file}: {label}: {right} of {all} right");
        }
    }
    Ok(())
}
