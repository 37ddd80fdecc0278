//! `bench recall`: are the right memories found, and how fast, as a whole process.
//!
//! The data sets are only read, never copied: LoCoMo (CC BY-NC) from the file named, commit messages from the repository
//! named.

mod commits;
mod learning;
mod locomo;
mod speed;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

#[derive(Args)]
pub struct RecallArgs {
    /// LoCoMo's `locomo10.json`.
    #[arg(long)]
    locomo: Option<PathBuf>,
    /// A repository whose commit messages are the memories.
    #[arg(long)]
    commits: Option<PathBuf>,
    /// Try other weights for developer text as well (on the half to choose on).
    #[arg(long)]
    choose: bool,
    /// Replay the repository's history with outcomes as well, and see whether learning helps.
    #[arg(long, requires = "commits")]
    learning: bool,
    /// How many memories the index for the timing has.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    /// How many questions are timed; 0 leaves the timing out.
    #[arg(long, default_value_t = 200)]
    runs: usize,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// One figure.
#[derive(Serialize)]
struct Figure {
    what: String,
    value: f64,
    /// What it must reach, and whether it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<(String, bool)>,
}

impl Figure {
    fn new(what: impl Into<String>, value: f64) -> Self {
        Self { what: what.into(), value, floor: None }
    }

    fn at_least(what: impl Into<String>, value: f64, floor: f64) -> Self {
        Self { floor: Some((format!("at least {floor}"), value >= floor)), ..Self::new(what, value) }
    }

    fn at_most(what: impl Into<String>, value: f64, limit: f64) -> Self {
        Self { floor: Some((format!("at most {limit}"), value <= limit)), ..Self::new(what, value) }
    }
}

pub fn run(args: &RecallArgs) -> Result<()> {
    let mut figures = Vec::new();
    if let Some(file) = &args.locomo {
        crate::step("LoCoMo");
        figures.extend(locomo::measure(file)?);
    }
    if let Some(repository) = &args.commits {
        crate::step("commit messages");
        figures.extend(commits::measure(repository, args.choose)?);
    }
    if let Some(repository) = args.commits.as_ref().filter(|_| args.learning) {
        crate::step("learning");
        figures.extend(learning::measure(repository)?);
    }
    if args.runs > 0 {
        crate::step("time");
        let tools = crate::Tools::find(args.vib.as_deref())?;
        figures.extend(speed::measure(&tools.vib, args.memories, args.runs, args.commits.as_deref())?);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&figures)?);
        return Ok(());
    }
    for figure in figures {
        let floor =
            figure.floor.map(|(text, held)| format!("  {} ({text})", if held { "ok" } else { "MISSED" }));
        println!("{:<72} {:>9.3}{}", figure.what, figure.value, floor.unwrap_or_default());
    }
    Ok(())
}
