//! `vib memory review`

use std::path::PathBuf;

use engine::memory::{self, Remember, Review};
use engine::person::{Act, refuse_agent};
use engine::{Engine, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::printer::Printer;
use crate::{ask, render};

/// Without options, on a terminal: asks one thing after the other, and an empty answer leaves it as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The goal
    #[arg(long, value_name = "TEXT", conflicts_with = "keep_intent")]
    intent: Option<String>,
    /// The goal is still the goal
    #[arg(long)]
    keep_intent: bool,
    /// The next step
    #[arg(long, value_name = "TEXT")]
    next: Option<String>,
    /// This file still matters, or matters now; can be given again
    #[arg(long, value_name = "PATH")]
    confirm_relevant: Vec<PathBuf>,
    /// Take a decision or a risk back, by its id in `vib memory show --json`; can be given again
    #[arg(long, value_name = "ID")]
    drop: Vec<String>,
    /// This file no longer matters; can be given again
    #[arg(long, value_name = "PATH")]
    drop_relevant: Vec<PathBuf>,
    /// There is no goal any more
    #[arg(long, conflicts_with_all = ["intent", "keep_intent"])]
    drop_intent: bool,
    /// There is no next step any more
    #[arg(long, conflicts_with = "next")]
    drop_next: bool,
}

impl Args {
    fn said(&self, engine: &Engine) -> Result<Vec<Remember>> {
        let mut said = Vec::new();
        said.extend(self.intent.clone().map(Remember::Intent));
        if self.keep_intent {
            said.extend(memory::keep_intent(engine)?);
        }
        if self.drop_intent {
            said.push(Remember::DropIntent);
        }
        said.extend(self.next.clone().map(Remember::Next));
        if self.drop_next {
            said.push(Remember::DropNext);
        }
        for path in &self.confirm_relevant {
            said.push(Remember::Relevant(super::one_file(engine, path)?, None));
        }
        for path in &self.drop_relevant {
            said.push(Remember::DropFile(remembered_file(engine, path)?));
        }
        said.extend(self.drop.iter().cloned().map(Remember::DropItem));
        Ok(said)
    }
}

/// A file that memory names may be gone for good, and is dropped all the same.
fn remembered_file(engine: &Engine, path: &PathBuf) -> Result<project::RelPath> {
    let named = engine.paths(std::slice::from_ref(path))?.pop();
    let remembered = memory::show(engine)?.memory.relevant_files;
    match named.filter(|named| remembered.iter().any(|file| file.path == named.to_string())) {
        Some(named) => Ok(named),
        None => super::one_file(engine, path),
    }
}

pub(super) fn run(args: &Args, engine: &Engine, session: &Session) -> Result<Answer> {
    let printer = &session.printer;
    let mut said = args.said(engine)?;
    if said.is_empty() && !printer.json() && ask::somebody_is_there() {
        let review = memory::review(engine, "cli", &[])?;
        printer.now(&render::review(&review, printer.theme()));
        said = ask_person(&review, printer);
        if said.is_empty() {
            return Ok(Answer::new(printer, &review, |_, _| "Nothing was changed.\n".to_owned()));
        }
    }
    if !said.is_empty() {
        refuse_agent(engine.context(), Act::SayMemory)?;
    }
    let report = memory::review(engine, "cli", &said)?;
    Ok(Answer::new(printer, &report, render::review))
}

/// Asks about what is missing or doubtful. An empty answer leaves it as it is.
pub(crate) fn ask_person(review: &Review, printer: &Printer) -> Vec<Remember> {
    let mut said = Vec::new();
    match &review.memory.active_intent {
        Some(intent) if intent.stale => {
            if ask::yes(printer, &format!("Is this still the goal? “{}”", intent.text)) {
                said.push(Remember::Intent(intent.text.clone()));
            } else if let Some(text) = ask::line(printer, "What is the goal now? (Enter: leave it as it is)")
            {
                said.push(Remember::Intent(text));
            }
        }
        Some(_) => {}
        None => {
            let proposed = review.proposed_intent.as_ref();
            match proposed {
                Some(one) if ask::yes(printer, &format!("Is this the goal? “{}”", one.text)) => {
                    said.push(Remember::Intent(one.text.clone()));
                }
                _ => said.extend(
                    ask::line(printer, "What is the goal? (Enter: leave it open)").map(Remember::Intent),
                ),
            }
        }
    }
    let confirmed = |next: &memory::Field| next.source == memory::Source::Explicit && !next.stale;
    if !review.memory.next_action.as_ref().is_some_and(confirmed) {
        match &review.proposed_next {
            Some(one) if ask::yes(printer, &format!("Is this the next step? “{}”", one.text)) => {
                said.push(Remember::Next(one.text.clone()));
            }
            _ => said.extend(
                ask::line(printer, "What is the next step? (Enter: leave it open)").map(Remember::Next),
            ),
        }
    }
    let before = review.memory.relevant_files.iter().filter(|file| file.from_previous_intent);
    for file in before.take(5) {
        if ask::yes(printer, &format!("Does `{}` matter for the goal of now too?", file.path))
            && let Ok(path) = project::RelPath::new(file.path.as_bytes())
        {
            said.push(Remember::Relevant(path, file.note.clone()));
        }
    }
    said
}
