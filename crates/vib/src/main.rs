//! The `vib` binary: parse, call the engine, render. No logic of its own.

mod actor;
mod alone;
mod answer;
mod ask;
mod board;
mod cli;
mod commands;
mod diagnostics;
mod pager;
mod person;
mod printer;
mod progress;
mod render;
mod theme;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The clients' hooks, what stands between an editor and an agent, and what runs behind the fence have exit contracts of their own;
    // everything else goes one way.
    commands::hook::run_early()
        .or_else(commands::fence::run_early)
        .or_else(commands::acp::run_early)
        .unwrap_or_else(cli::run)
}
