//! The `vib` binary: parse, call the engine, render. No logic of its own.

mod actor;
mod answer;
mod ask;
mod cli;
mod commands;
mod pager;
mod person;
mod printer;
mod progress;
mod render;
mod theme;

use std::process::ExitCode;

fn main() -> ExitCode {
    // What runs all day takes a shorter way: the clients' hooks, and memory.
    commands::hook::run_early().or_else(cli::run_memory_early).unwrap_or_else(cli::run)
}
