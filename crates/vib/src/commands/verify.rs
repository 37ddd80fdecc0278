//! `vib verify`

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::memory;
use engine::person::Act;
use engine::verification::{Caller, MOST_DISK, Profile, RunStatus, VerifyQuery, checks, verify};
use engine::{Engine, Error, Result};

use super::bisect::stop_on_signals;
use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Does it hold? Run the project's checks in a private copy, or one check here
///
/// `vib verify` finds the project's checks, runs them on what is there now in a private copy (your folder is not touched), and tells what this work broke
/// from what was broken before. The same files are not checked twice. Each check is asked about once before it is run.
///
/// `vib verify -- npm test` runs `npm test` here, shows what it says, and ends with its exit code. The result is remembered together
/// with the content of the files it is about: when one of them changes, it no longer counts.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How thoroughly: look at what changed (quick), run the checks (standard), run each twice (deep); else by the risk of what changed
    #[arg(long, value_name = "PROFILE", value_parser = ["quick", "standard", "deep"], conflicts_with = "command")]
    profile: Option<String>,
    /// Hold failures against the state after this step (or checkpoint); else against the one before the last request
    #[arg(long, value_name = "STEP", conflicts_with = "command")]
    base: Option<String>,
    /// Run everything again, whatever is known of these files
    #[arg(long, conflicts_with = "command")]
    fresh: bool,
    /// Seconds that all of it may take; else as the profile says (10, 300, 900)
    #[arg(long, value_name = "SECONDS", conflicts_with = "command", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// A check that writes more megabytes than this is ended
    #[arg(long, value_name = "MB", conflicts_with = "command", default_value_t = MOST_DISK >> 20)]
    max_write: u64,
    /// Allow the checks that were found without asking (only a person may)
    #[arg(long, conflicts_with = "command")]
    yes: bool,
    /// The files that COMMAND is about; else those that were edited since it last passed
    #[arg(long, value_name = "PATH", num_args = 1.., requires = "command")]
    scope: Vec<PathBuf>,
    /// The command and its words
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    if args.command.is_empty() {
        return run_profile(args, &engine, session);
    }
    let scope = engine.known_names(&args.scope)?;
    session.progress.finish();
    let report = memory::verify(&engine, "cli", &args.command, &scope, session.printer.json())?;
    let exit = report.exit;
    Ok(Answer::new(&session.printer, &report, render::verified).with_exit(exit))
}

fn run_profile(args: &Args, engine: &Engine, session: &mut Session) -> Result<Answer> {
    let profile = args.profile.as_deref().and_then(Profile::of_word);
    if profile != Some(Profile::Quick) {
        ask_once(args, engine, session)?;
    }
    let query = VerifyQuery {
        profile,
        base: args.base.clone(),
        trigger: "cli".to_owned(),
        fresh: args.fresh,
        limit: args.timeout.map(Duration::from_secs),
        most_disk: Some(args.max_write << 20),
        caller: Caller::of_process(),
    };
    let stopped = stop_on_signals();
    let report = verify(engine, &query, &|| stopped.load(Ordering::Relaxed), &session.progress)?;
    let exit = match report.status {
        RunStatus::Pass | RunStatus::NothingToRun => 0,
        RunStatus::Fail | RunStatus::Partial | RunStatus::StillFails => 1,
    };
    Ok(Answer::new(&session.printer, &report, render::verification).with_exit(exit))
}

/// What a project's files name is run only after a person said yes to it, once.
fn ask_once(args: &Args, engine: &Engine, session: &Session) -> Result<()> {
    let known = checks::known(engine)?;
    let new: Vec<String> = known.into_iter().filter(|one| !one.allowed).map(|one| one.line).collect();
    if new.is_empty() {
        return Ok(());
    }
    if args.yes {
        let by = person::required(engine.context(), Act::AllowChecks)?;
        return checks::allow(engine, &new, by);
    }
    if session.printer.json() || !ask::somebody_is_there() {
        return Ok(());
    }
    let Ok(by) = person::required(engine.context(), Act::AllowChecks) else { return Ok(()) };
    session.progress.finish();
    let list: String = new.iter().map(|line| format!("  {line}\n")).collect();
    session
        .printer
        .aside(&format!("These checks were found. They run in a private copy, not in your folder:\n{list}"));
    if ask::yes(&session.printer, "Run them, now and whenever the project is verified?") {
        checks::allow(engine, &new, by)
    } else {
        Err(Error::Declined)
    }
}
