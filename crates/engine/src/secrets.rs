//! Where are secrets in plain sight? In the files, in what is staged, in the history of commits.
//!
//! A scan needs no project and changes nothing: not the tree, not git, not vib's own state. It names rule and place and at
//! most the last four characters, never the secret.

pub mod allowed;
pub(crate) mod baseline;
pub mod commit;
mod exposure;
mod git;
pub mod incoming;
mod patch;
pub(crate) mod text;
mod tree;

use std::path::{Path, PathBuf};

use project::{Config, Context};
use store::Progress;

use crate::person::ByPerson;
use crate::{Error, Result};

pub use exposure::{Exposure, keys_in};
pub use text::{Found, Why};

/// What to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Files on the disk.
    Files,
    /// What the next commit would add.
    Staged,
    /// What any commit ever added.
    History,
}

/// What a person asked for.
#[derive(Debug, Clone)]
pub struct ScanRequest {
    /// What to look at.
    pub scope: Scope,
    /// Files and folders as typed; none: the whole project.
    pub paths: Vec<PathBuf>,
    /// Also what ignore rules leave out.
    pub ignored_too: bool,
    /// Of the history, only so many of the newest commits.
    pub most_commits: Option<u64>,
    /// The file of known findings; `None`: the project's own.
    pub baseline: Option<PathBuf>,
    /// Write all findings of this scan down as known.
    pub write_baseline: Option<ByPerson>,
    /// Say of each finding why it is one.
    pub explain: bool,
}

/// What a scan found.
#[derive(Debug, serde::Serialize)]
pub struct SecretsReport {
    /// What was looked at.
    pub scope: Scope,
    /// New findings: those that are not in the baseline.
    pub findings: Vec<Found>,
    /// Findings that the baseline knows.
    pub known: u64,
    /// The baseline that was read or written, if there is one.
    pub baseline: Option<String>,
    /// The findings were written to the baseline.
    pub baseline_written: bool,
    /// Files looked at.
    pub files: u64,
    /// Bytes looked at.
    pub bytes: u64,
    /// Commits looked at.
    pub commits: Option<u64>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Something that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Unread {
    /// The file.
    pub path: String,
    /// Why.
    pub detail: String,
}

/// What one look gave, before the baseline.
#[derive(Debug, Default)]
struct Look {
    found: Vec<Found>,
    files: u64,
    bytes: u64,
    commits: Option<u64>,
    unread: Vec<Unread>,
}

/// Looks for secrets.
pub fn scan(context: &Context, request: &ScanRequest, progress: &dyn Progress) -> Result<SecretsReport> {
    let root = root(context);
    let mut look = match request.scope {
        Scope::Files => tree::look(context.cwd(), &root, &request.paths, request.ignored_too, progress)?,
        Scope::Staged => git::look_at_staged(context.cwd(), &root, &request.paths, progress)?,
        Scope::History => {
            git::look_at_history(context.cwd(), &root, &request.paths, request.most_commits, progress)?
        }
    };
    look.found.sort();
    look.found.dedup();
    let file = match &request.baseline {
        Some(file) => context.cwd().join(file),
        None => project::config::project_file(&root).with_file_name(baseline::NAME),
    };
    let (findings, known, baseline) = if request.write_baseline.is_some() {
        // The one in vib's own folder is vib's to write; any other is a file like any other. (S13)
        if request.baseline.is_some() {
            crate::may::unasked(context, &file, b"")?;
        }
        baseline::write(&file, &look.found, context.random_u64())?;
        (Vec::new(), look.found.len() as u64, Some(file))
    } else {
        match baseline::read(&file)? {
            Some(baseline) => {
                let before = look.found.len();
                look.found.retain(|found| !baseline.knows(found));
                let known = (before - look.found.len()) as u64;
                (look.found, known, Some(file))
            }
            None if request.baseline.is_some() => return Err(Error::BaselineMissing(file)),
            None => (look.found, 0, None),
        }
    };
    let mut findings = findings;
    exposure::fill(&root, &mut findings);
    // How a key is revoked is worth its lines only where it has to be.
    let is_out = |found: &Found| !matches!(found.exposure, None | Some(Exposure::NotCommitted));
    findings.iter_mut().filter(|found| !is_out(found)).for_each(|found| found.revoke = None);
    if !request.explain {
        findings.iter_mut().for_each(|found| found.why = None);
    }
    Ok(SecretsReport {
        scope: request.scope,
        findings,
        known,
        baseline: baseline.map(|file| shown(&file, &root)),
        baseline_written: request.write_baseline.is_some(),
        files: look.files,
        bytes: look.bytes,
        commits: look.commits,
        unread: look.unread,
    })
}

/// The project around the current folder, found without making one; else the current folder.
fn root(context: &Context) -> PathBuf {
    project::find_root(context).map_or_else(|_| context.cwd().to_path_buf(), |(root, _, _)| root)
}

/// The settings in force around the current folder, found without making a project.
pub(crate) fn settings(context: &Context) -> Result<(PathBuf, Config)> {
    let root = root(context);
    let config = Config::load(context.config(), &root)?;
    Ok((root, config))
}

/// A path for people: from the project if it is inside, else as it is.
fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
