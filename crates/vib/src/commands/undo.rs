//! `vib undo`

use std::path::PathBuf;

use engine::diff::Detail;
use engine::undo::{self, Confirmation, Preview, Target};
use engine::{Engine, Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, render};

/// Go back: shows what would change, asks, saves the present state, then restores
///
/// Without arguments: one step back, to the newest checkpoint that differs from what you have. With a number: so many
/// steps. With an id: that checkpoint. With PATHs: only those files and folders.
///
/// The state you have now is saved first, so that `vib redo` brings it back.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many steps, or which checkpoint, then files or folders
    #[arg(value_name = "N|ID|PATH")]
    what: Vec<String>,
    /// Files or folders to bring back
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

/// How far to go without asking.
#[derive(Debug, clap::Args)]
pub(crate) struct Consent {
    /// Do it without asking (for scripts)
    #[arg(short, long)]
    yes: bool,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Show the changed lines too, not only the files
    #[arg(short, long)]
    patch: bool,
}

impl Consent {
    /// Somebody is asked, and not told only what would be.
    fn asks(&self) -> bool {
        !self.yes && !self.dry_run
    }
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let (target, mut paths) = target(&engine, &args.what)?;
    paths.extend(args.paths.iter().cloned());
    let answer = go_back(&engine, &target, &paths, &args.consent, session)?;
    if args.consent.asks() {
        // They were there to say yes: whoever went back may know why it was necessary.
        return Ok(super::lesson::ask_after_undo(&engine, answer, session));
    }
    Ok(answer)
}

/// Preview, question, apply: the same for `undo` and `redo`.
pub(crate) fn go_back(
    engine: &Engine,
    target: &Target,
    paths: &[PathBuf],
    consent: &Consent,
    session: &Session,
) -> Result<Answer> {
    let patch = consent.patch;
    let detail = if patch { Detail::Text } else { Detail::Counts };
    let preview = undo::preview(engine, target, paths, detail, &session.progress)?;
    session.progress.finish();
    if consent.dry_run {
        return Ok(Answer::new(&session.printer, &preview, |p, theme| {
            render::preview(p, patch, true, theme)
        }));
    }
    let confirmed = confirm(&preview, consent, session)?;
    let report = undo::apply(engine, &preview, confirmed, &session.progress)?;
    let exit = if report.is_complete() { 0 } else { 1 };
    Ok(Answer::new(&session.printer, &report, render::undone).with_exit(exit))
}

fn confirm(preview: &Preview, consent: &Consent, session: &Session) -> Result<Confirmation> {
    let printer = &session.printer;
    if consent.yes {
        printer.now(&render::preview(preview, consent.patch, false, printer.theme()));
        return Ok(Confirmation::Flag);
    }
    if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsConfirmation);
    }
    printer.now(&render::preview(preview, consent.patch, false, printer.theme()));
    if ask::yes(printer, "Go back to that state? What you have now is saved first.") {
        Ok(Confirmation::Terminal)
    } else {
        Err(Error::Declined)
    }
}

fn target(engine: &Engine, what: &[String]) -> Result<(Target, Vec<PathBuf>)> {
    if let Some((first, rest)) = what.split_first()
        && !first.is_empty()
        && first.bytes().all(|byte| byte.is_ascii_digit())
    {
        let steps = first.parse().map_err(|_| Error::Usage(format!("`{first}` is too many steps")))?;
        return Ok((Target::Steps(steps), rest.iter().map(PathBuf::from).collect()));
    }
    let (mut ids, paths) = super::diff::split(engine, what, 1)?;
    Ok((ids.pop().map_or(Target::Steps(1), Target::Id), paths))
}
