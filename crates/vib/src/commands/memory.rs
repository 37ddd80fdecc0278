//! `vib memory`

mod recall;

use std::path::PathBuf;

use clap::ValueEnum;
use engine::memory::{self, Remember};
use engine::{Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What are we doing, what was decided, what was checked, what comes next
///
/// What you say here is yours: no agent changes it. It is kept on this machine, without secrets, and told to the next
/// agent at the beginning of its session.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show what is remembered
    Show,
    Recall(recall::Args),
    /// Say what is being worked on
    Intent {
        /// In your own words
        text: Vec<String>,
    },
    /// Say what was decided
    Decide {
        /// In your own words
        text: Vec<String>,
    },
    /// Say what comes next
    Next {
        /// In your own words
        text: Vec<String>,
    },
    /// Say what to watch out for
    Risk {
        /// In your own words
        text: Vec<String>,
    },
    /// Name a file that matters
    Relevant {
        /// The file
        path: PathBuf,
        /// Why it matters
        #[arg(long)]
        note: Option<String>,
    },
    /// Say that something was checked
    Verify {
        /// What was run
        command: String,
        /// How it ended
        #[arg(long, value_enum, default_value_t = CheckWord::Passed)]
        result: CheckWord,
        /// The files it is about: when one of them changes, the check no longer counts
        #[arg(long = "file", value_name = "PATH")]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CheckWord {
    Passed,
    Failed,
    Skipped,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    if let Some(Command::Recall(args)) = &args.command {
        return recall::run(args, session);
    }
    let engine = session.engine()?;
    let Some(command) = &args.command else {
        return show(&engine, session);
    };
    let what = match command {
        Command::Show | Command::Recall(_) => return show(&engine, session),
        Command::Intent { text } => Remember::Intent(text.join(" ")),
        Command::Decide { text } => Remember::Decision(text.join(" ")),
        Command::Next { text } => Remember::Next(text.join(" ")),
        Command::Risk { text } => Remember::Risk(text.join(" ")),
        Command::Relevant { path, note } => {
            let path = engine.paths(std::slice::from_ref(path))?.pop();
            let path = path.ok_or_else(|| Error::Usage("the whole project is not one file".to_owned()))?;
            Remember::Relevant(path, note.clone())
        }
        Command::Verify { command, result, files } => {
            let result = match result {
                CheckWord::Passed => memory::CheckResult::Passed,
                CheckWord::Failed => memory::CheckResult::Failed,
                CheckWord::Skipped => memory::CheckResult::Skipped,
            };
            Remember::Check(command.clone(), result, engine.paths(files)?)
        }
    };
    let report = memory::remember(&engine, "cli", &what)?;
    Ok(Answer::new(&session.printer, &report, render::remembered))
}

fn show(engine: &engine::Engine, session: &Session) -> Result<Answer> {
    let report = memory::show(engine)?;
    Ok(Answer::new(&session.printer, &report, render::memory))
}
