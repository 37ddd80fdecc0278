//! What was lost: when, by which step, in which request, and which way of the recovery brings it back.
//!
//! Whether something counts as lost is the diagnosis' word ([`crate::recover`]); which step did it is the ledger's.

use project::RelPath;
use recovery::{Sign, WayKind};
use serde::Serialize;
use store::{Progress, Request, Step, StepNumber};

use crate::recover::Report;
use crate::strip::is_loss;
use crate::{Engine, Result};

/// Files that are gone or empty, and nobody asked for that.
#[derive(Debug, Serialize)]
pub struct Lost {
    /// Which, those of `step` first.
    pub paths: Vec<String>,
    /// The step that lost the most of them, the newest of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// What the person had asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// How many other steps lost some, too.
    pub other_steps: usize,
    /// When, milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<i64>,
    /// Files that still need them.
    pub used_by: Vec<String>,
    /// The number of the way that brings all of them back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<usize>,
}

/// What this look found lost; none: nothing.
pub fn lost(engine: &Engine, report: &Report, progress: &dyn Progress) -> Result<Option<Lost>> {
    let findings = report.diagnosis.findings.iter();
    let findings: Vec<_> =
        findings.filter(|finding| matches!(finding.sign, Sign::Deleted | Sign::Emptied)).collect();
    let mut paths: Vec<String> = findings.iter().flat_map(|finding| finding.paths.clone()).collect();
    paths.sort_unstable();
    paths.dedup();
    if paths.is_empty() {
        return Ok(None);
    }
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let mut by_step: Vec<(StepNumber, Vec<String>)> = Vec::new();
    for path in &paths {
        let Ok(known) = RelPath::new(path.as_bytes()) else { continue };
        let changes = store.changes_of_path(&known)?;
        let Some(change) = changes.iter().rev().find(|one| one.undone_by.is_none() && is_loss(one)) else {
            continue;
        };
        match by_step.iter_mut().find(|(step, _)| *step == change.step) {
            Some((_, lost)) => lost.push(path.clone()),
            None => by_step.push((change.step, vec![path.clone()])),
        }
    }
    by_step.sort_by_key(|(step, lost)| std::cmp::Reverse((lost.len(), *step)));
    let step = by_step.first().map(|(number, _)| store.step(*number)).transpose()?.flatten();
    let request = step.as_ref().and_then(|step| step.request);
    let request = request.map(|number| store.request(number)).transpose()?.flatten();
    if let Some((_, first)) = by_step.first() {
        paths.sort_by_key(|path| !first.contains(path));
    }
    let mut used_by: Vec<String> = findings.iter().flat_map(|finding| finding.used_by.clone()).collect();
    used_by.sort_unstable();
    used_by.dedup();
    used_by.retain(|path| !paths.contains(path));
    let brings_all = |way: &&recovery::Way| {
        way.kind == WayKind::BringBack
            && paths.iter().all(|path| way.restores.iter().any(|restore| restore.path == *path))
    };
    let time_ms = step.as_ref().map(|step| step.started_ms);
    Ok(Some(Lost {
        way: report.ways.iter().find(brings_all).map(|way| way.number),
        time_ms: time_ms.or_else(|| findings.iter().filter_map(|finding| finding.time_ms).max()),
        other_steps: by_step.len().saturating_sub(1),
        paths,
        step,
        request,
        used_by,
    }))
}
