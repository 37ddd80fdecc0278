//! `vib diff`

use std::path::PathBuf;

use engine::diff::DiffOptions;
use engine::{Engine, Error, Result};
use store::{CheckpointId, RequestNumber, StepNumber};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What is different: since the last request, since A, from A to B, or in one step
///
/// The first one or two arguments that are checkpoints are compared; everything else is a path. Put paths after `--` if
/// a file has a name like an id. A step or a request alone (`s41`, `r12`) shows what it changed; beside another moment it stands for the state
/// that it left.
///
/// The lines are in git's format, so `git apply`, delta and other tools take them, also for files that are no text. What that format has no
/// words for (folders, permissions) stands in lines that begin with `#`, and so do files that are no part of the patch: those that usually
/// hold secrets, and what is too long or not kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Checkpoints to compare, a step or a request, then files or folders to look at
    #[arg(value_name = "A|B|STEP|REQUEST|PATH")]
    what: Vec<String>,
    /// Files or folders to look at
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only the list of files with counts
    #[arg(long)]
    stat: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let is_path = |word: &&String| word.contains(['/', '\\']) || word.starts_with('~');
    let mut named: Vec<PathBuf> = args.what.iter().filter(is_path).map(PathBuf::from).collect();
    named.extend(args.paths.iter().cloned());
    let engine = session.engine_for_moments(&named, &args.what)?;
    let (mut ids, mut paths) = split(&engine, &args.what, 2)?;
    paths.extend(args.paths.iter().cloned());
    for path in &mut paths {
        *path = engine::outside::expanded(engine.context(), path);
    }
    let (to, from) = if ids.len() == 2 { (ids.pop(), ids.pop()) } else { (None, ids.pop()) };
    let options = DiffOptions { from, to, paths, stat_only: args.stat, most_text: None };
    let report = engine::diff::diff(&engine, &options, &session.progress)?;
    let stat = args.stat;
    if session.printer.exact() && !stat {
        // A patch and nothing else: what there is to say besides goes to the person.
        session.printer.aside(&render::diff_about(&report, session.printer.theme()));
        session.printer.aside(&render::left_out(&report, session.printer.theme()));
        return Ok(Answer::raw(render::patch(&report)));
    }
    Ok(Answer::new(&session.printer, &report, |report, theme| render::diff(report, stat, theme)).long())
}

/// The leading words that are ids, and the rest as paths; words that are the name of a checkpoint stand for it. A word that could be an id and names no file is taken for an
/// id, so that a mistyped one gives a clear answer.
pub(crate) fn split(engine: &Engine, words: &[String], most: usize) -> Result<(Vec<String>, Vec<PathBuf>)> {
    if let Some(id) = engine::checkpoint::named(engine, words)? {
        return Ok((vec![id], Vec::new()));
    }
    let mut ids = Vec::new();
    let mut paths = Vec::new();
    for word in words {
        let exists = engine.context().cwd().join(word).symlink_metadata().is_ok();
        let looks_like_id = CheckpointId::could_be_prefix(&word.to_ascii_lowercase())
            || StepNumber::parse(word).is_some()
            || RequestNumber::parse(word).is_some();
        if paths.is_empty() && ids.len() < most && looks_like_id && !exists {
            ids.push(word.clone());
        } else if word.is_empty() {
            return Err(Error::Usage("an empty name is neither a checkpoint nor a file".to_owned()));
        } else {
            paths.push(PathBuf::from(word));
        }
    }
    Ok((ids, paths))
}
