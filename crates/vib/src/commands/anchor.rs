//! `vib anchor …`

use std::path::PathBuf;

use clap::Subcommand;
use engine::person::Act;
use engine::undo::Confirmation;
use engine::{Error, Result, anchors, patch};

use crate::answer::{Answer, Refused};
use crate::cli::Session;
use crate::{actor, ask, person, render};

/// Named places in files that people and agents can point to
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// All anchors
    List {
        /// Only in these files and folders
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Put an anchor around some lines
    ///
    /// Two comments are added, `=== ANCHOR: NAME_START ===` and `=== ANCHOR: NAME_END ===`. What you have now is saved
    /// first.
    Add {
        /// The file
        file: PathBuf,
        /// The name: capital letters, digits, `_`
        name: String,
        /// The lines, such as 10 or 10-24
        lines: String,
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
    /// Are all anchors whole? (exit code 1 if not)
    Check {
        /// Only in these files and folders
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let (files, checks) = match &args.command {
        Command::List { files } => (files, false),
        Command::Check { files } => (files, true),
        Command::Add { file, name, lines, yes } => return add(&engine, session, file, name, lines, *yes),
    };
    let report = anchors::list(&engine, files, &session.progress)?;
    let exit = u8::from(checks && !report.problems.is_empty());
    Ok(Answer::new(&session.printer, &report, |report, theme| render::anchors(report, checks, theme))
        .with_exit(exit))
}

fn add(
    engine: &engine::Engine,
    session: &Session,
    file: &PathBuf,
    name: &str,
    lines: &str,
    yes: bool,
) -> Result<Answer> {
    let lines = parse(lines)?;
    let actor = actor::of(engine.context(), &session.printer);
    let preview = anchors::add(engine, actor, file, name, lines, &session.progress)?;
    session.progress.finish();
    let printer = &session.printer;
    printer.now(&render::notices(&preview.notices, printer.theme()));
    if let Some((code, message, next)) = preview.report.first_refusal() {
        return Ok(Answer::refused(
            printer,
            &preview.report,
            Refused { code, message, next },
            render::patch_refused,
        ));
    }
    let show = || printer.now(&render::patch_preview(&preview.report, false, printer.theme()));
    let confirmed = if yes {
        show();
        person::said_yes(engine.context(), Act::Patch)?
    } else if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsConfirmation);
    } else {
        let by = person::required(engine.context(), Act::Patch)?;
        show();
        if !ask::yes(printer, "Apply this? What you have now is saved first.") {
            return Err(Error::Declined);
        }
        Confirmation::Terminal(by)
    };
    let report = patch::apply_recorded(engine, &preview, confirmed, "cli", &session.progress)?;
    Ok(Answer::new(printer, &report, render::patch_applied))
}

fn parse(lines: &str) -> Result<(usize, usize)> {
    let wrong = || Error::Usage(format!("`{lines}` is not a range of lines, such as 10 or 10-24"));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    match lines.split_once('-') {
        Some((first, last)) => Ok((number(first)?, number(last)?)),
        None => number(lines).map(|line| (line, line)),
    }
}
