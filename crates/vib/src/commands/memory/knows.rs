//! `vib memory keep|pin|change|drop`, `vib memory preview`: what vib knows, steered by the person. (M15)

use engine::knowledge::{self, Steer};
use engine::person::Act;
use engine::{Engine, Result};

use crate::answer::Answer;
use crate::printer::Printer;
use crate::{person, render};

/// One thing that vib knows.
#[derive(Debug, clap::Args)]
pub(super) struct One {
    /// Its id, as `vib memory` shows it
    pub(super) id: String,
}

/// The same in other words.
#[derive(Debug, clap::Args)]
pub(super) struct Changed {
    /// Its id, as `vib memory` shows it
    pub(super) id: String,
    /// What it should say
    #[arg(required = true)]
    pub(super) text: Vec<String>,
}

/// Show what the next agent would be told right now, and how many tokens that is
///
/// Nothing is noted or counted: looking changes nothing.
#[derive(Debug, clap::Args)]
pub(super) struct PreviewArgs {
    /// The client, such as claude-code, codex, gemini, opencode or copilot
    #[arg(long, default_value = "claude-code")]
    client: String,
    /// What you would ask it for
    prompt: Vec<String>,
}

pub(super) fn steer(engine: &Engine, id: &str, what: &Steer, printer: &Printer) -> Result<Answer> {
    let by = person::required(engine.context(), Act::SteerMemory)?;
    Ok(Answer::new(printer, &knowledge::steer(engine, id, what, by)?, render::known))
}

pub(super) fn preview(args: &PreviewArgs, engine: &Engine, printer: &Printer) -> Result<Answer> {
    let report = knowledge::preview(engine, &args.client, &args.prompt.join(" "))?;
    Ok(Answer::new(printer, &report, render::told_preview))
}
