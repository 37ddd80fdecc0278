//! `vib run "TASK"`

use engine::{Error, Result};

use crate::answer::Answer;
use crate::cli::Session;

/// What is typed to begin a run.
#[derive(Debug, clap::Args)]
pub(super) struct TaskArgs {
    /// What is to be done
    #[arg(value_name = "TASK")]
    task: Option<String>,
}

pub(super) fn run(args: &TaskArgs, _session: &mut Session) -> Result<Answer> {
    Err(Error::Usage(match &args.task {
        None => "say what is to be done, or see `vib run list`".to_owned(),
        Some(_) => {
            "this vib has nobody yet who carries out a task; `vib drive` lets an agent do it".to_owned()
        }
    }))
}
