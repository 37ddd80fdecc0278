//! `vib completions`

use engine::Result;

use crate::answer::Answer;
use crate::cli;

/// Print a completion script for your shell
///
/// For example: `vib completions bash > ~/.local/share/bash-completion/completions/vib`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut cli::definition(), "vib", &mut out);
    Ok(Answer::raw(out))
}
