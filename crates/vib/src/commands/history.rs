//! `vib history`

use std::path::PathBuf;

use engine::story::{StoryQuery, story};
use engine::{Error, Result, when};
use store::RequestNumber;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What happened, the newest first: requests, their steps, work by hand
///
/// Each request with its steps, their commands and files; what was done by hand, what vib did, what was stopped and why.
///
/// `s41` and `r12` name a step and a request for `vib show` and `vib undo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what changed this file or folder, or only this request (`r12`)
    #[arg(value_name = "FILE|REQUEST")]
    what: Option<String>,
    /// Everything: steps that only looked, and the safety checkpoints made before each undo
    #[arg(short, long)]
    all: bool,
    /// How many entries at the most (0: all)
    #[arg(short = 'n', long, value_name = "N", default_value_t = 15)]
    limit: usize,
    /// Only since then: `2h`, `yesterday`, `14:30`, `2026-11-16`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only this session of an agent
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Only this client or sub-agent, such as `claude-code`
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only what vib or you did not let run
    #[arg(long)]
    stopped: bool,
    /// The checkpoints instead: the states one can go to, under the requests that led to them
    #[arg(long, conflicts_with_all = ["what", "since", "session", "agent", "stopped"])]
    checkpoints: bool,
    /// The history of this lane instead
    #[arg(long, value_name = "NAME")]
    lane: Option<String>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let named: Vec<PathBuf> = args.what.iter().filter(|what| !what.is_empty()).map(PathBuf::from).collect();
    let engine = match &args.lane {
        Some(name) => engine::lane::engine_of(&engine::lane::main_engine(session.engine()?)?, name)?,
        None => session.engine_for(&named)?,
    };
    if args.checkpoints {
        let report = engine::history::checkpoints(&engine, args.all, args.limit, &session.progress)?;
        return Ok(Answer::new(&session.printer, &report, render::checkpoints).long());
    }
    let mut query = StoryQuery {
        all: args.all,
        limit: args.limit,
        session: args.session.clone(),
        agent: args.agent.clone(),
        stopped: args.stopped,
        ..StoryQuery::default()
    };
    if let Some(since) = &args.since {
        query.since_ms = Some(when::since(engine.context(), since)?);
    }
    match args.what.as_deref() {
        Some("") => return Err(Error::Usage("an empty name is neither a file nor a request".to_owned())),
        Some(what) => {
            let exists = engine.context().cwd().join(what).symlink_metadata().is_ok();
            match RequestNumber::parse(what).filter(|_| !exists) {
                Some(request) => query.request = Some(request),
                None => query.file = Some(engine::outside::expanded(engine.context(), what.as_ref())),
            }
        }
        None => {}
    }
    let report = story(&engine, &query, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::story).long())
}
