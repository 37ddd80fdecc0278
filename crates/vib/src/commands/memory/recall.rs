//! `vib memory recall`

use std::path::PathBuf;

use clap::ValueEnum;
use engine::memory::Scope;
use engine::recall::{self, Question};
use engine::{Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// So many memories, where nobody says how many.
pub(super) const USUAL_COUNT: usize = 10;

/// Ask what is remembered
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What it is about, in your own words
    #[arg(required = true)]
    pub(super) query: Vec<String>,
    /// Whose memories: those of the sessions, of the project, your own in all projects, or all of them
    #[arg(long, value_enum, default_value_t = ScopeWord::All)]
    pub(super) scope: ScopeWord,
    /// At most so many tokens (about four letters each)
    #[arg(long, value_name = "TOKENS", default_value_t = recall::USUAL_BUDGET)]
    pub(super) budget: usize,
    /// At most so many memories
    #[arg(short, long, value_name = "N", default_value_t = USUAL_COUNT)]
    pub(super) k: usize,
    /// The files you are working on: memories about them come first
    #[arg(long = "path", value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Say why each memory is here
    #[arg(long)]
    pub(super) why: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ScopeWord {
    Session,
    Project,
    Global,
    All,
}

pub(super) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let text = args.query.join(" ");
    if text.trim().is_empty() && args.paths.is_empty() {
        return Err(Error::Usage("there is nothing to look for: the question is empty".to_owned()));
    }
    if args.k == 0 || args.budget == 0 {
        return Err(Error::Usage("nothing can be shown: `-k` and `--budget` begin with 1".to_owned()));
    }
    let engine = session.engine()?;
    let scope = match args.scope {
        ScopeWord::Session => Some(Scope::Session),
        ScopeWord::Project => Some(Scope::Project),
        ScopeWord::Global => Some(Scope::Global),
        ScopeWord::All => None,
    };
    let question = Question {
        scope,
        paths: engine.paths(&args.paths)?,
        k: args.k,
        budget: args.budget,
        why: args.why,
        ..Question::new(text)
    };
    let report = recall::recall(&engine, &question, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::recalled))
}
