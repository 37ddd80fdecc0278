//! `vib store …`

use std::path::PathBuf;

use clap::Subcommand;
use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Look after the place where checkpoints are kept
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Verify everything that was saved (exit code 1 if something is damaged)
    Check {
        /// Store again what the project still has, and write down what is lost
        #[arg(long)]
        repair: bool,
    },
    /// Let expired checkpoints go and give their space back
    Gc,
    /// How much is stored, and how much space it takes
    Stats,
    /// All projects with checkpoints on this machine
    List,
    /// Take a checkpoint out of the store (sensitive files such as .env are left out)
    Export {
        /// The checkpoint; the newest if none is given
        id: Option<String>,
        /// Write a tar file
        #[arg(
            long,
            value_name = "FILE",
            required_unless_present = "git_branch",
            conflicts_with = "git_branch"
        )]
        tar: Option<PathBuf>,
        /// Make a new branch in the project's git repository
        #[arg(long, value_name = "NAME")]
        git_branch: Option<String>,
        /// With --git-branch: every checkpoint of the whole tree, one commit each
        #[arg(long, requires = "git_branch", conflicts_with = "id")]
        all: bool,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    match &args.command {
        Command::List => {
            let projects = engine::storage::list(&session.context()?)?;
            Ok(Answer::new(&session.printer, &projects, render::projects))
        }
        Command::Check { repair } => {
            let engine = session.engine()?;
            let report = engine::storage::check(&engine, *repair, &session.progress)?;
            let exit = if report.is_clean() { 0 } else { 1 };
            Ok(Answer::new(&session.printer, &report, render::check).with_exit(exit))
        }
        Command::Gc => {
            let engine = session.engine()?;
            let report = engine::storage::gc(&engine, &session.progress)?;
            Ok(Answer::new(&session.printer, &report, render::gc))
        }
        Command::Stats => {
            let engine = session.engine()?;
            let report = engine::storage::stats(&engine, &session.progress)?;
            Ok(Answer::new(&session.printer, &report, render::stats))
        }
        Command::Export { id, tar, git_branch, all } => {
            let engine = session.engine()?;
            let report = match (tar, git_branch) {
                (Some(file), _) => {
                    engine::storage::export_tar(&engine, id.as_deref(), file, &session.progress)?
                }
                (None, Some(branch)) => {
                    engine::storage::export_git(&engine, id.as_deref(), *all, branch, &session.progress)?
                }
                (None, None) => {
                    return Err(engine::Error::Usage("say --tar FILE or --git-branch NAME".to_owned()));
                }
            };
            Ok(Answer::new(&session.printer, &report, render::export))
        }
    }
}
