//! `vib memory triggers`, `import`, `export`

use std::path::PathBuf;

use engine::memory::{self, TriggerAnswer};
use engine::person::Act;
use engine::{Engine, Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::printer::Printer;
use crate::{person, render};

#[derive(Debug, clap::Args)]
pub(crate) struct TriggerArgs {
    #[command(subcommand)]
    command: Option<TriggerCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum TriggerCommand {
    /// Follow a suggestion
    Accept {
        /// Which one
        id: String,
    },
    /// Not useful: it does not come again in this session
    Dismiss {
        /// Which one
        id: String,
    },
    /// Not now: it stays away for a day
    Snooze {
        /// Which one
        id: String,
    },
}

impl TriggerArgs {
    /// Whether a suggestion to the person is answered.
    pub(super) fn answers(&self) -> bool {
        self.command.is_some()
    }
}

pub(super) fn triggers(args: &TriggerArgs, engine: &Engine, printer: &Printer) -> Result<Answer> {
    let report = match &args.command {
        None => memory::triggers(engine)?,
        Some(TriggerCommand::Accept { id }) => memory::answer_trigger(engine, id, TriggerAnswer::Accept)?,
        Some(TriggerCommand::Dismiss { id }) => memory::answer_trigger(engine, id, TriggerAnswer::Dismiss)?,
        Some(TriggerCommand::Snooze { id }) => memory::answer_trigger(engine, id, TriggerAnswer::Snooze)?,
    };
    Ok(Answer::new(printer, &report, render::triggers))
}

#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// Events, or objects with a `text`, one JSON object a line
    #[arg(long, value_name = "FILE", group = "what")]
    jsonl: Option<PathBuf>,
    /// The `work_memory.json` of an earlier tool
    #[arg(long, value_name = "FILE", group = "what")]
    work_memory: Option<PathBuf>,
    /// Notes for agents, as context; without a name CLAUDE.md, AGENTS.md and GEMINI.md in the project
    #[arg(long, value_name = "FILE", num_args = 0.., group = "what")]
    notes: Option<Vec<PathBuf>>,
}

pub(super) fn import(args: &ImportArgs, engine: &Engine, session: &Session) -> Result<Answer> {
    let progress = &session.progress;
    let report = match (&args.jsonl, &args.work_memory, &args.notes) {
        (Some(file), ..) => memory::import_jsonl(engine, "cli", file, progress)?,
        (_, Some(file), _) => memory::import_work_memory(engine, "cli", file, progress)?,
        (.., Some(files)) => memory::import_notes(engine, "cli", files, progress)?,
        _ => {
            return Err(Error::Usage(
                "say what to import: `--jsonl`, `--work-memory` or `--notes`".to_owned(),
            ));
        }
    };
    Ok(Answer::new(&session.printer, &report, render::imported))
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// One JSON object a line; this is the only form
    #[arg(long)]
    jsonl: bool,
    /// Everything as it is, secrets and private details too, into a new file that only you can read
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,
}

pub(super) fn export(args: &ExportArgs, engine: &Engine, printer: &Printer) -> Result<Answer> {
    if let Some(file) = &args.raw {
        let by = person::required(engine.context(), Act::ExportRaw)?;
        return Ok(Answer::new(printer, &memory::export_raw(engine, "cli", file, by)?, render::exported));
    }
    // Lines of JSON are the answer either way.
    let (text, _) = memory::export(engine, "cli")?;
    Ok(Answer::raw(text.into_bytes()))
}

/// `90m`, `12h`, `30d` in milliseconds.
pub(super) fn duration(text: &str) -> std::result::Result<i64, String> {
    let wrong = || format!("`{text}` is no time such as `90m`, `12h` or `30d`");
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let number: i64 = number.parse().map_err(|_| wrong())?;
    let minutes = match unit {
        "m" => 1,
        "h" => 60,
        "d" => 24 * 60,
        _ => return Err(wrong()),
    };
    number.checked_mul(minutes * 60_000).filter(|ms| *ms > 0).ok_or_else(wrong)
}
