//! Where every change of files meets: what was shown is carried out (crate `change`), recorded in the audit log, and told to the
//! agents that are at work in the project.

use change::{Carried, Limits, Shown, Yes};
use store::{Checkpoint, Progress};

use crate::audit::{self, Outcome, Parameters, Row};
use crate::recover::gates::{Gate, is_broken};
use crate::{Engine, Error, Notice, Result, agent};

/// Who wants to know that writing begins.
pub(crate) type Begins<'a> = &'a mut dyn FnMut(&Checkpoint) -> Result<()>;

/// What was done, and what the person should know.
pub(crate) struct Changed {
    pub(crate) carried: Carried,
    pub(crate) notices: Vec<Notice>,
}

/// Does what was shown, after a yes to exactly that. `row` says who asked, and by which grant; `except` is the agent that is told in
/// another way. Without a row the surface writes its own.
pub(crate) fn apply(
    engine: &Engine,
    shown: &Shown,
    yes: &Yes,
    row: Option<Row>,
    except: Option<&agent::Who>,
    begins: Begins<'_>,
    progress: &dyn Progress,
) -> Result<Changed> {
    let is_recorded = row.is_some();
    let mut row = row.unwrap_or_else(|| Row::new(audit::Event::RecoveryApply, "", Outcome::Failed));
    row.confirmed_via = Some(audit::confirmed_via(yes.via()));
    row.parameters = row.parameters.or(Some(Parameters::Typed));
    if row.paths_count.total == 0 {
        row.paths_count.total = shown.plan.changes.len() as u64;
    }
    let done = carry_out(engine, shown, yes, &mut row, begins, progress);
    row.result = match &done {
        Ok(_) => Outcome::Success,
        Err(Error::RecoveryBusy(_) | Error::Store(store::Error::Busy(_))) => Outcome::Busy,
        Err(Error::RecoveryTimedOut { .. }) => Outcome::Aborted,
        Err(error) if error.exit_code() == 1 => Outcome::Denied,
        Err(_) => Outcome::Failed,
    };
    let recorded = if is_recorded { audit::record(engine, &row).map(drop) } else { Ok(()) };
    let mut changed = done?;
    // What was changed is changed: a log that cannot be written, or an agent that cannot be told, is said and undoes nothing.
    if let Err(error) = recorded {
        changed.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    let result = &changed.carried.result;
    let paths: Vec<String> = result.restored.iter().chain(&result.removed).map(ToString::to_string).collect();
    let told = agent::files_put_back(engine, &paths, &shown.account, except)
        .and_then(|_| crate::outside::tell_origins(engine, &shown.account, &paths));
    if let Err(error) = told {
        changed.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    Ok(changed)
}

fn carry_out(
    engine: &Engine,
    shown: &Shown,
    yes: &Yes,
    row: &mut Row,
    begins: Begins<'_>,
    progress: &dyn Progress,
) -> Result<Changed> {
    let mut opened = engine.store(progress)?;
    let mut failed = None;
    let mut tell = |checkpoint: &Checkpoint| {
        begins(checkpoint).map_err(|error| {
            failed = Some(error);
            change::Error::NotWhatWasShown
        })
    };
    let (context, project) = (engine.context(), engine.project());
    let mut limits = Limits { safety: None, begins: &mut tell };
    let done = change::carry_out(context, project, &mut opened.store, shown, yes, &mut limits, progress);
    let safety = limits.safety.take();
    row.sandwich_checkpoint_id = safety.filter(|_| !is_broken(Gate::Safety));
    match (done, failed) {
        (Ok(carried), _) => Ok(Changed { carried, notices: opened.notices }),
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(error.into()),
    }
}
