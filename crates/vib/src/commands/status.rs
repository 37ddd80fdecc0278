//! `vib status`

use engine::status::StatusReport;
use engine::{Engine, Result};
use install::protection::{self, Protection};
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What changed since the last request or save, its risk, and who calls vib
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Where the project stands.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) status: StatusReport,
    pub(crate) protection: Protection,
}

pub(crate) fn run(_args: &Args, session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let engine = session.engine()?;
    let report = report(&engine, session)?;
    Ok(Answer::new(&session.printer, &report, render::status))
}

/// Looks at the project and at the clients.
pub(crate) fn report(engine: &Engine, session: &Session) -> Result<Report> {
    let status = engine::status::status(engine, &session.progress)?;
    let world = super::init::world(engine.context(), engine.project().root().to_path_buf())?;
    let protection = protection::look(&world, Some(engine.project()), status.now_ms);
    Ok(Report { status, protection })
}
