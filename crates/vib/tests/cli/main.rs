//! The commands as a person runs them: one file per command, each test a small story.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

#[cfg(unix)]
mod acp;
mod advice;
mod anchor;
mod approve;
mod attended;
mod audit;
#[cfg(unix)]
mod bisect;
mod board;
mod by_words;
mod checkpoint;
mod config;
mod demo;
mod dependencies;
mod diagnostics;
mod diff;
mod docs;
mod doctor;
mod doubt;
#[cfg(unix)]
mod drive;
mod explain;
mod export;
mod faithful;
#[cfg(target_os = "linux")]
mod fence;
mod first_day;
mod general;
#[cfg(unix)]
mod git_format;
mod guard;
mod history;
#[cfg(unix)]
mod honest_work;
mod hook;
mod hook_guard;
mod hook_scopes;
mod hostile_git;
mod house;
mod ignore_rules;
mod init;
mod judge;
mod kept;
mod knows;
#[cfg(unix)]
mod lane;
mod languages;
mod lesson;
mod may;
mod mcp;
mod memory;
mod memory_bulk;
mod memory_scopes;
mod memory_upkeep;
mod names;
mod nested;
#[cfg(unix)]
#[cfg(unix)]
mod outside;
mod own_entries;
mod pager;
mod patch;
#[cfg(target_os = "linux")]
mod person;
#[cfg(unix)]
mod played_run;
mod protect;
mod providers;
mod read_only;
mod recall;
mod recover;
mod redact;
mod redo;
mod report;
mod retention;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod run_branch;
#[cfg(unix)]
mod run_task;
#[cfg(unix)]
mod run_with_agents;
mod scan;
mod secrets;
mod serve;
mod show;
mod status;
mod store;
#[cfg(unix)]
mod terminal;
mod transfer;
mod undo;
mod verdict;
#[cfg(unix)]
mod verification;
mod verify;
#[cfg(unix)]
mod whose_commands;
mod why;
mod why_typed;

use testkit::Sandbox;

/// A small project.
fn shop() -> Sandbox {
    Sandbox::with_files(
        env!("CARGO_BIN_EXE_vib"),
        &[
            ("README.md", "# Shop\n"),
            ("src/cart.js", "let total = 0;\nlet count = 0;\n"),
            ("src/login.js", "check(user);\n"),
        ],
    )
}

/// An empty project.
fn empty() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_vib"))
}
