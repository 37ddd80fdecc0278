//! `vib bisect`

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::bisect::{BisectQuery, Caller, Outcome, USUAL_LIMIT, bisect};
use engine::{Error, Result};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Which step broke it: runs a check on saved states to find it
///
/// `vib bisect -- npm test` finds the step after which `npm test` fails. The check runs in a private copy, never in your folder: exit code 0 is good, 125 says
/// that the state cannot be built and is passed over, everything else is bad. Folders such as `node_modules` are in the copy as they are now.
///
/// Of n steps at most ⌈log₂ n⌉ + 2 runs are needed (three for a single one), unless the check is flaky: then it says so and runs more.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The check still passed after this step (or checkpoint); else the oldest saved state is tried
    #[arg(long, value_name = "STEP")]
    good: Option<String>,
    /// It failed after this one; else now
    #[arg(long, value_name = "STEP")]
    bad: Option<String>,
    /// Seconds that one run may take; one that takes longer fails
    #[arg(long, value_name = "SECONDS", default_value_t = USUAL_LIMIT.as_secs())]
    timeout: u64,
    /// Run each state so often, for a check that is known to be flaky
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    repeat: u32,
    /// The check and its words
    #[arg(last = true, required = true, value_name = "CHECK")]
    check: Vec<OsString>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    if args.timeout == 0 {
        return Err(Error::Usage("`--timeout 0` leaves no time for any check".to_owned()));
    }
    let engine = session.engine()?;
    let query = BisectQuery {
        check: args.check.clone(),
        good: args.good.clone(),
        bad: args.bad.clone(),
        limit: Duration::from_secs(args.timeout),
        repeat: args.repeat,
        caller: Caller::of_process(),
    };
    let stopped = stop_on_signals();
    let report = bisect(&engine, &query, &|| stopped.load(Ordering::Relaxed), &session.progress)?;
    let exit = match report.outcome {
        Outcome::Found | Outcome::OneOf => 0,
        _ => 1,
    };
    Ok(Answer::new(&session.printer, &report, render::bisect).with_exit(exit))
}

/// Ctrl-C and a polite request to end stop the check that runs, with everything it started, and take the copy away.
pub(crate) fn stop_on_signals() -> Arc<AtomicBool> {
    let stopped = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without it the next start cleans up.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stopped));
    }
    stopped
}
