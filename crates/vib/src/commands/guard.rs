//! `vib guard`

use std::time::Duration;

use engine::Result;
use engine::guard::{GuardOptions, guard, install_hook};
use risk::GuardAnswer;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// May this go on? Looks for what should not stay as it is (exit code 1: stop)
///
/// Looked at is only what changed since the last request or save: secrets, protected files, keep regions, anchors, broken
/// syntax, tests that check less, marks of a merge, checks that no longer hold, what is gone and still used. The answer is
/// pass, prepare (look at something first) or stop.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also run the project's own checks (`cargo test`, `npm test`, …)
    #[arg(long)]
    run: bool,
    /// With --run: most seconds for each check
    #[arg(long, value_name = "SECONDS", requires = "run")]
    timeout: Option<u64>,
    /// Look at what the next commit would hold, compared with the last one
    #[arg(long)]
    staged: bool,
    /// Print SARIF 2.1.0, for code hosts and editors
    #[arg(long)]
    sarif: bool,
    /// Make git run `vib guard --staged` before every commit; a hook that is already there is left alone
    #[arg(long, conflicts_with_all = ["run", "staged", "sarif"])]
    install_hook: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    if args.install_hook {
        engine::person::refuse_agent(engine.context(), engine::person::Act::InstallGitHook)?;
        let installed = install_hook(&engine)?;
        return Ok(Answer::new(&session.printer, &installed, render::guard_hook));
    }
    let options = GuardOptions {
        run: args.run,
        staged: args.staged,
        check_timeout: args.timeout.map(Duration::from_secs),
    };
    let report = guard(&engine, &options, &session.progress)?;
    engine::memory::guard_answered(&engine, "cli", &report);
    let exit = u8::from(report.verdict == GuardAnswer::Stop);
    let answer = if args.sarif {
        Answer::raw(render::guard_sarif(&report))
    } else {
        Answer::new(&session.printer, &report, render::guard)
    };
    Ok(answer.with_exit(exit))
}
