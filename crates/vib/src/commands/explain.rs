//! `vib explain`

use std::path::PathBuf;

use engine::Result;
use engine::explain::{ExplainOptions, explain};
use texts::{Language, Texts};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What changed, in plain words: what came, what went, how risky it is, what to check
///
/// Compared is the state before the last request that changed something, or what you saved since, with what you have now.
/// Where nothing is saved yet, git's last commit is used. The risk is the one that `vib status` and `vib guard` say.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this file or folder
    #[arg(value_name = "FILE")]
    path: Option<PathBuf>,
    /// The earlier checkpoint
    #[arg(long, value_name = "ID")]
    from: Option<String>,
    /// The later checkpoint; now if none is given
    #[arg(long, value_name = "ID")]
    to: Option<String>,
    /// Compare with git's last commit
    #[arg(long, conflicts_with_all = ["from", "to"])]
    git: bool,
    /// The language of the answer: en, ko or zh
    #[arg(long, value_name = "LANGUAGE", value_parser = ["en", "ko", "zh"])]
    lang: Option<String>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let options = ExplainOptions {
        path: args.path.clone(),
        from: args.from.clone(),
        to: args.to.clone(),
        git: args.git,
    };
    let report = explain(&engine, &options, &session.progress)?;
    let language = args.lang.as_deref().and_then(Language::from_code).unwrap_or_else(|| engine.language());
    Ok(Answer::new(&session.printer, &report, |report, theme| {
        render::explain(report, &Texts::new(language), theme)
    })
    .long())
}
