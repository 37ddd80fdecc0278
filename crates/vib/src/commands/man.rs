//! `vib man`

use engine::{Error, Result};

use crate::answer::Answer;
use crate::cli;

/// Print the manual page of vib, or of one command
///
/// For example: `vib man undo > vib-undo.1 && man ./vib-undo.1`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command, such as `undo` or `store export`
    command: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    let mut definition = cli::definition();
    definition.build();
    let mut name = "vib".to_owned();
    for word in &args.command {
        let found = definition.find_subcommand(word).cloned();
        definition = found.ok_or_else(|| Error::Usage(format!("`{name}` has no command `{word}`")))?;
        name = format!("{name}-{word}");
    }
    let mut out = Vec::new();
    // The definition borrows its name for as long as the program runs.
    let title: &'static str = Box::leak(name.into_boxed_str());
    clap_mangen::Man::new(definition.name(title)).render(&mut out).map_err(project::Error::from)?;
    Ok(Answer::raw(out))
}
