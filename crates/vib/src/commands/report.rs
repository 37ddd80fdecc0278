//! `vib report`

use engine::report::{ReportQuery, report};
use engine::{Result, when};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What the agents did, on one page: requests, checks, lines, cost
///
/// `vib report --since yesterday --format html > report.html` makes a page that can be handed on. Tokens and money are those that the clients' own records
/// tell, sub-agents included; what a client does not tell is unknown. Secrets and private details are taken out.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only since then: `2h`, `yesterday`, `14:30`, `2026-11-16`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only this session of an agent
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// As `md`, `html` or `json`
    #[arg(long, value_name = "FORMAT", default_value = "md", value_parser = ["md", "html", "json"])]
    format: String,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let since_ms = args.since.as_deref().map(|since| when::since(engine.context(), since)).transpose()?;
    let query = ReportQuery { since_ms, session: args.session.clone() };
    let report = report(&engine, &query, &session.progress)?;
    Ok(match args.format.as_str() {
        "json" => Answer::json(&report),
        "html" if !session.printer.json() => Answer::raw(render::report_html(&report).into_bytes()),
        _ => Answer::new(&session.printer, &report, |report, _| render::report_text(report)).long(),
    })
}
