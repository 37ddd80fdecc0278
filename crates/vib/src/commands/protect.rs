//! `vib protect`

use std::path::PathBuf;

use engine::person::Act;
use engine::{Error, Result, protect};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// Protect files: agents may not edit them, and `vib guard` names every change
///
/// Protecting is for anybody; only a person may take the protection away.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files and folders
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Show what is protected
    #[arg(long, conflicts_with_all = ["files", "remove"])]
    list: bool,
    /// Take the protection away
    #[arg(long)]
    remove: bool,
    /// Protect the name even if nothing is there yet
    #[arg(long, requires = "files", conflicts_with = "remove")]
    new: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = match (args.files.is_empty(), args.remove) {
        (true, true) => {
            return Err(Error::Usage("name the files that are no longer to be protected".to_owned()));
        }
        (true, false) => protect::show(&engine)?,
        (false, true) => {
            let by = person::required(engine.context(), Act::Unprotect)?;
            protect::remove(&engine, &args.files, by)?
        }
        (false, false) => protect::add(&engine, &args.files, args.new)?,
    };
    Ok(Answer::new(&session.printer, &report, render::protected))
}
