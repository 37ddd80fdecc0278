//! `vib store …`

use std::path::PathBuf;

use clap::Subcommand;
use engine::{Engine, Result, outside};
use store::Stats;

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
        #[command(flatten)]
        which: Which,
    },
    /// Let expired checkpoints go and give their space back
    Gc {
        #[command(flatten)]
        which: Which,
    },
    /// How much is stored, and how much space it takes
    Stats {
        #[command(flatten)]
        which: Which,
    },
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

/// Which store.
#[derive(Debug, clap::Args)]
struct Which {
    /// The store of files that lie in no project, instead of this project's
    #[arg(long)]
    outside: bool,
}

impl Which {
    fn engine(&self, session: &mut Session) -> Result<Engine> {
        if !self.outside {
            return session.engine();
        }
        let context = session.context()?;
        outside::loose_files(&context, context.cwd())
    }
}

/// Numbers of a store, and of the one beside every project.
#[derive(Debug, serde::Serialize)]
pub(crate) struct StatsReport {
    #[serde(flatten)]
    pub(crate) stats: Stats,
    /// The store of files that lie in no project, if anything was ever saved there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outside: Option<Stats>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    match &args.command {
        Command::List => {
            let projects = engine::storage::list(&session.context()?)?;
            Ok(Answer::new(&session.printer, &projects, render::projects))
        }
        Command::Check { repair, which } => {
            let engine = which.engine(session)?;
            let report = engine::storage::check(&engine, *repair, &session.progress)?;
            let exit = if report.is_clean() { 0 } else { 1 };
            Ok(Answer::new(&session.printer, &report, render::check).with_exit(exit))
        }
        Command::Gc { which } => {
            let engine = which.engine(session)?;
            let report = engine::storage::gc(&engine, &session.progress)?;
            Ok(Answer::new(&session.printer, &report, render::gc))
        }
        Command::Stats { which } => {
            let engine = which.engine(session)?;
            let stats = engine::storage::stats(&engine, &session.progress)?;
            let beside =
                if which.outside { None } else { outside::stats(engine.context(), &session.progress) };
            let report = StatsReport { stats, outside: beside };
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
