//! `vib transfer`

use std::path::PathBuf;

use engine::memory::{self, Existing, HandoffDraft, HandoffOptions};
use engine::person::Act;
use engine::undo::Confirmation;
use engine::{Engine, Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Hand the work over to another AI tool, on one page
///
/// Goal, next step, what was decided, which files matter, what was checked. Shows the page first, then writes PROJECT_CONTEXT.md after your yes. On a terminal it asks for what is missing. A file of that
/// name that vib did not write is never replaced without a yes, and is saved as a checkpoint before.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Make the page (the one thing that can be transferred)
    #[arg(long, required = true)]
    handoff: bool,
    /// Only print the page
    #[arg(long, conflicts_with_all = ["out", "yes"])]
    print: bool,
    /// Write another file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name the tool that will read it, such as codex or claude-code
    #[arg(long = "for", value_name = "CLIENT")]
    reader: Option<String>,
    /// Write it without asking (for scripts)
    #[arg(short, long)]
    yes: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let printer = &session.printer;
    let options = HandoffOptions { out: args.out.clone(), reader: args.reader.clone() };
    if args.print {
        let draft = memory::draft(&engine, &options)?;
        memory::note_shown(&engine, &draft);
        return Ok(Answer::new(printer, &draft, |draft, _| draft.text.clone()));
    }
    let interactive = !args.yes && !printer.json() && ask::somebody_is_there();
    if interactive {
        complete(&engine, session)?;
    }
    let draft = memory::draft(&engine, &options)?;
    let confirmed = confirm(&engine, &draft, args.yes, interactive, session)?;
    let report = memory::write_handoff(&engine, &draft, confirmed, &session.progress)?;
    session.progress.finish();
    Ok(Answer::new(printer, &report, render::handed_off))
}

/// Asks for what is missing before the page is made.
fn complete(engine: &Engine, session: &Session) -> Result<()> {
    let review = memory::review(engine, "cli", &[])?;
    let said = super::memory::ask_person(&review, &session.printer);
    if !said.is_empty() {
        engine::person::refuse_agent(engine.context(), Act::SayMemory)?;
        memory::review(engine, "cli", &said)?;
    }
    Ok(())
}

fn confirm(
    engine: &Engine,
    draft: &HandoffDraft,
    yes: bool,
    interactive: bool,
    session: &Session,
) -> Result<Confirmation> {
    let printer = &session.printer;
    if yes {
        return person::said_yes(engine.context(), Act::GoBack);
    }
    if !interactive {
        return Err(Error::NeedsConfirmation);
    }
    let by = person::required(engine.context(), Act::GoBack)?;
    printer.now(&render::handoff_draft(draft, printer.theme()));
    let question = match draft.existing {
        Existing::None => format!("Write `{}`?", draft.file),
        Existing::Ours => format!("Replace `{}`, which vib wrote?", draft.file),
        Existing::Edited => {
            format!("`{}` was changed by hand since vib wrote it. Replace it? It is saved first.", draft.file)
        }
        Existing::Foreign => {
            format!("`{}` was not written by vib. Replace it? It is saved first.", draft.file)
        }
    };
    if ask::yes(printer, &question) {
        Ok(Confirmation::Terminal(by))
    } else {
        memory::note_declined(engine, draft);
        Err(Error::Declined)
    }
}
