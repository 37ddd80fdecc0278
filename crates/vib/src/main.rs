//! The `vib` binary: parse, call the engine, render. No logic of its own.

mod answer;
mod ask;
mod cli;
mod commands;
mod printer;
mod progress;
mod render;
mod theme;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The clients' hooks take a way of their own: see `commands::hook`.
    commands::hook::run_early().unwrap_or_else(cli::run)
}
