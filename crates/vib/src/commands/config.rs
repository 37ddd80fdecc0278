//! `vib config …`

use clap::Subcommand;
use engine::Result;
use engine::config::Target;
use engine::person::Act;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// Read and change settings
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// All settings in force, and where each comes from
    List,
    /// One setting
    Get {
        /// Its name, such as retention.turns
        name: String,
    },
    /// Change one setting; a person does that, not an agent
    Set {
        /// Its name
        name: String,
        /// The new value; lists are separated by commas
        value: String,
        /// For all projects (your own settings file); the default
        #[arg(long, conflicts_with = "project")]
        user: bool,
        /// For this project only; may tighten, not loosen
        #[arg(long)]
        project: bool,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    // Only a project's own settings need one.
    let is_of_project = matches!(args.command, Command::Set { project: true, .. });
    let engine = if is_of_project { session.engine()? } else { session.engine_for_settings()? };
    let printer = &session.printer;
    match &args.command {
        Command::List => Ok(Answer::new(printer, &engine::config::list(&engine)?, render::settings)),
        Command::Get { name } => {
            Ok(Answer::new(printer, &engine::config::get(&engine, name)?, render::setting))
        }
        Command::Set { name, value, project, .. } => {
            let target = if *project { Target::Project } else { Target::User };
            let by = if engine::config::is_persons(name) {
                Some(person::required(engine.context(), Act::Configure)?)
            } else {
                None
            };
            let changed = engine::config::change(&engine, target, name, value, by)?;
            Ok(Answer::new(printer, &changed, render::setting_changed))
        }
    }
}
