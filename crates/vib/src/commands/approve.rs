//! `vib approve`

use engine::person::Act;
use engine::undo::Confirmation;
use engine::{Error, Result, approvals};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Say yes, once, to what another program asks for through vib
///
/// Without an id: lists what is waiting. With an id: shows it and asks. It works only at a real terminal of yours, so that no
/// agent can say yes for you. A yes counts once, for five minutes, and for exactly what was shown.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request
    #[arg(value_name = "ID")]
    id: Option<String>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let printer = &session.printer;
    let Some(id) = &args.id else {
        let waiting = approvals::pending(&engine);
        let now_ms = engine.context().now_ms();
        return Ok(Answer::new(printer, &waiting, |waiting, theme| {
            render::approvals(waiting, now_ms, theme)
        }));
    };
    let by = person::required(engine.context(), Act::Approve)?;
    let waiting = approvals::find(&engine, id)?;
    if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsTerminal);
    }
    let plan = waiting.plan.as_deref().map(|plan| engine::recover::plan_info(&engine, plan)).transpose()?;
    if plan.as_ref().is_some_and(|plan| plan.digest != waiting.digest) {
        return Err(Error::ApprovalOther(id.clone()));
    }
    let now_ms = engine.context().now_ms();
    printer.now(&render::approval(&waiting, plan.as_ref(), now_ms, printer.theme()));
    if !ask::yes(printer, "Allow this once?") {
        approvals::refuse(&engine, id)?;
        return Err(Error::Declined);
    }
    let approved = approvals::approve(&engine, id, Confirmation::Terminal(by))?;
    Ok(Answer::new(printer, &approved, |approved, _| {
        format!("Allowed once for {}. It counts for five minutes from the request.\n", approved.client)
    }))
}
