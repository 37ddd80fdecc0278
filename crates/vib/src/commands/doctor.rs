//! `vib doctor`

use std::path::PathBuf;

use engine::Result;
use engine::health::{self, Finding};
use install::doctor::{self, ClientReport};
use install::protection::{self, Protection};
use project::{Context, Project};
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// See whether everything works: the store, and the hooks in your agents
///
/// Reads the clients' settings as the clients do, and calls every installed hook with a recorded payload, through the command line
/// in those settings, in a temporary project with a store of its own. Nothing of yours is touched. That a hook answers does not
/// prove that its client calls it: only a real call in this project does. Exit code 1: something has to be mended.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write all of it, the settings that differ and the last calls of hooks into one file without secrets and private details, for a report of a fault; `-` prints it
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = DEFAULT_FILE)]
    report: Option<PathBuf>,
}

/// Where the report goes if no file is named.
const DEFAULT_FILE: &str = "vib-report.md";

/// What was found.
#[derive(Debug, Serialize)]
pub(crate) struct DoctorReport {
    pub(crate) ground: Vec<Finding>,
    pub(crate) clients: Vec<ClientReport>,
    pub(crate) protection: Protection,
    pub(crate) problems: usize,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let context = session.context()?;
    let beside = context.beside(context.cwd()).map_err(project::Error::from)?;
    let found = examine(context, session)?;
    match &args.report {
        Some(file) => super::doctor_report::make(&beside, file, &found, session),
        None => {
            let exit = u8::from(found.problems > 0);
            Ok(Answer::new(&session.printer, &found, render::doctor).with_exit(exit))
        }
    }
}

fn examine(context: Context, session: &mut Session) -> Result<DoctorReport> {
    let root = match project::find_root(&context) {
        Ok((root, _, _)) => root,
        Err(_) => context.cwd().to_path_buf(),
    };
    let world = super::init::world(&context, root)?;
    // A folder that vib does not know stays unknown; a project that does not open is a finding of its own.
    let is_known = project::find_root(&context).is_ok_and(|(_, _, id)| id.is_some());
    let project = is_known.then(|| Project::open(&context).ok()).flatten();
    let protection = protection::look(&world, project.as_ref(), context.now_ms());
    let ground = health::examine(context, &session.progress);
    session.progress.finish();
    let clients = doctor::examine(&world, &protection).map_err(project::Error::from)?;
    let problems = ground.iter().filter(|finding| finding.problem).count()
        + clients.iter().filter(|client| client.has_problem()).count();
    Ok(DoctorReport { ground, clients, protection, problems })
}
