//! `vib judge`

mod claude_code;

use std::io::Read;
use std::path::PathBuf;

use engine::judge::{Decision, judge_command};
use engine::{Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Longest input that is read, in bytes. More is judged as far as it was read, and then asked about.
const MAX_INPUT: u64 = 4 << 20;

/// What would this command do, and may it run?
///
/// Nothing is executed. The answer is allow, allow with a checkpoint, ask, or deny, with the reasons. Exit code 0: it may
/// run; 1: ask or deny.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command line, in quotes; `-` reads it from standard input
    #[arg(value_name = "COMMAND", required_unless_present = "format", allow_hyphen_values = true)]
    line: Option<String>,
    /// The folder it would run in
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    /// Speak an agent's language: read its hook payload from standard input and answer as it expects
    #[arg(long, value_parser = ["claude-code"], conflicts_with_all = ["line", "cwd"])]
    format: Option<String>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    if args.format.is_some() {
        return Ok(Answer::raw(claude_code::answer(context, &input())));
    }
    let context = match &args.cwd {
        Some(folder) => context.in_folder(folder).map_err(project::Error::from)?,
        None => context,
    };
    let line = match args.line.as_deref() {
        Some("-") => String::from_utf8(input())
            .map_err(|_| Error::Usage("the command on standard input is not UTF-8 text".to_owned()))?,
        Some(line) => line.to_owned(),
        None => return Err(Error::Usage("there is no command to judge".to_owned())),
    };
    let report = judge_command(&context, &line);
    let exit = u8::from(report.decision >= Decision::Ask);
    Ok(Answer::new(&session.printer, &report, render::judged).with_exit(exit))
}

/// What stands on standard input; what cannot be read is missing, which the reader then notices.
fn input() -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes);
    bytes
}
