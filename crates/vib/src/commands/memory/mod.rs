//! `vib memory`

pub(crate) mod early;
mod knows;
mod policy;
mod promote;
mod recall;
mod review;
mod upkeep;

use std::path::PathBuf;

use clap::ValueEnum;
use engine::knowledge::Steer;
use engine::memory::{self, Remember, Scope};
use engine::person::Act;
use engine::{Engine, Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

pub(crate) use review::ask_person;

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
    Policy(policy::Args),
    /// Keep something that vib knows (`vib memory` lists it): agents are told that you confirmed it
    Keep(knows::One),
    /// Have it told at the beginning of every session
    Pin(knows::One),
    /// Say it in other words
    Change(knows::Changed),
    /// Take it back: no agent is told of it any more
    Drop(knows::One),
    Preview(knows::PreviewArgs),
    /// Say what is being worked on
    Intent {
        /// In your own words
        text: Vec<String>,
    },
    /// Say what was decided
    Decide {
        /// In your own words
        text: Vec<String>,
        /// Where it counts: in this project, or in everything you do
        #[arg(long, value_enum, default_value_t = Whom::Project)]
        scope: Whom,
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
        /// Where it counts: in this project, or in everything you do
        #[arg(long, value_enum, default_value_t = Whom::Project)]
        scope: Whom,
    },
    /// Name a file that matters
    Relevant {
        /// The file
        path: PathBuf,
        /// Why it matters
        #[arg(long)]
        note: Option<String>,
    },
    /// Say that something was checked (`vib verify` runs it for you)
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
    /// Go through what is remembered: confirm, correct, take back
    Review(review::Args),
    /// See what vib suggests, and answer it
    Triggers(upkeep::TriggerArgs),
    /// Write down the answer to a question that comes again
    Answer {
        /// The question
        question: String,
        /// The answer
        answer: String,
        /// For how long it counts, such as `90m`, `12h` or `30d`; else for ever
        #[arg(long, value_name = "TIME", value_parser = upkeep::duration)]
        ttl: Option<i64>,
    },
    /// Ask a question that may have been answered before
    Ask {
        /// The question
        question: Vec<String>,
    },
    Promote(promote::Args),
    /// Show which memories are at hand, which have gone cold, and which matter most
    Tiers,
    /// Take over memory from a file
    Import(upkeep::ImportArgs),
    /// Print all events, one JSON object a line, without secrets and private details
    Export(upkeep::ExportArgs),
    /// Move what vib only saw, and no longer shows, into the archive
    Compact,
    /// Throw away everything that is computed from the log, and compute it again
    Rebuild {
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
}

impl Command {
    /// What is said here is told to every later agent as the person's own word, so no agent says it. What `keep`, `pin`, `change` and
    /// `drop` need is asked for where they are carried out; a review, where something was said.
    fn is_persons_word(&self) -> bool {
        match self {
            Self::Intent { .. }
            | Self::Decide { .. }
            | Self::Next { .. }
            | Self::Risk { .. }
            | Self::Relevant { .. }
            | Self::Verify { .. }
            | Self::Promote(_)
            | Self::Import(_) => true,
            Self::Triggers(args) => args.answers(),
            _ => false,
        }
    }
}

/// Where something counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whom {
    Project,
    Global,
}

impl From<Whom> for Scope {
    fn from(whom: Whom) -> Self {
        match whom {
            Whom::Project => Self::Project,
            Whom::Global => Self::Global,
        }
    }
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
    if let Some(Command::Policy(args)) = &args.command {
        return policy::run(args, session);
    }
    let engine = session.engine()?;
    let printer = &session.printer;
    let Some(command) = &args.command else {
        return show(&engine, session);
    };
    if command.is_persons_word() {
        engine::person::refuse_agent(engine.context(), Act::SayMemory)?;
    }
    let mut scope = Scope::Project;
    let what = match command {
        Command::Show | Command::Recall(_) | Command::Policy(_) => return show(&engine, session),
        Command::Keep(one) => return knows::steer(&engine, &one.id, &Steer::Keep, printer),
        Command::Pin(one) => return knows::steer(&engine, &one.id, &Steer::Pin, printer),
        Command::Drop(one) => return knows::steer(&engine, &one.id, &Steer::Drop, printer),
        Command::Change(one) => {
            return knows::steer(&engine, &one.id, &Steer::Change(one.text.join(" ")), printer);
        }
        Command::Preview(args) => return knows::preview(args, &engine, printer),
        Command::Intent { text } => Remember::Intent(text.join(" ")),
        Command::Decide { text, scope: whom } => {
            scope = (*whom).into();
            Remember::Decision(text.join(" "))
        }
        Command::Next { text } => Remember::Next(text.join(" ")),
        Command::Risk { text, scope: whom } => {
            scope = (*whom).into();
            Remember::Risk(text.join(" "))
        }
        Command::Relevant { path, note } => Remember::Relevant(one_file(&engine, path)?, note.clone()),
        Command::Verify { command, result, files } => {
            let result = match result {
                CheckWord::Passed => memory::CheckResult::Passed,
                CheckWord::Failed => memory::CheckResult::Failed,
                CheckWord::Skipped => memory::CheckResult::Skipped,
            };
            Remember::Check(command.clone(), result, engine.known_names(files)?)
        }
        Command::Review(args) => return review::run(args, &engine, session),
        Command::Triggers(args) => return upkeep::triggers(args, &engine, printer),
        Command::Answer { question, answer, ttl } => {
            let report = memory::answer(&engine, "cli", question, answer, *ttl)?;
            return Ok(Answer::new(printer, &report, render::remembered));
        }
        Command::Ask { question } => {
            let report = memory::ask(&engine, &question.join(" "))?;
            let exit = u8::from(!report.known);
            return Ok(Answer::new(printer, &report, render::asked).with_exit(exit));
        }
        Command::Tiers => {
            return Ok(Answer::new(printer, &engine::learning::tiers(&engine)?, render::tiers));
        }
        Command::Promote(args) => return promote::run(args, &engine, printer),
        Command::Import(args) => return upkeep::import(args, &engine, session),
        Command::Export(args) => return upkeep::export(args, &engine, printer),
        Command::Compact => return Ok(Answer::new(printer, &memory::compact(&engine)?, render::compacted)),
        Command::Rebuild { dry_run } => {
            let report = memory::rebuild(&engine, *dry_run, &session.progress)?;
            return Ok(Answer::new(printer, &report, render::rebuilt));
        }
    };
    let report = memory::remember_in(&engine, "cli", scope, &what)?;
    Ok(Answer::new(&session.printer, &report, render::remembered))
}

/// One file of the project, that is there or was.
fn one_file(engine: &Engine, path: &PathBuf) -> Result<project::RelPath> {
    let path = engine.known_names(std::slice::from_ref(path))?.pop();
    path.ok_or_else(|| Error::Usage("the whole project is not one file".to_owned()))
}

fn show(engine: &Engine, session: &Session) -> Result<Answer> {
    let report = memory::show_clean(engine)?;
    Ok(Answer::new(&session.printer, &report, render::memory))
}
