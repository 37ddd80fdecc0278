//! What was lost: when, by which step, in which request, and which way of the recovery brings it back.
//!
//! Whether something counts as lost is the diagnosis' word ([`crate::recover`]); which step did it is the ledger's.

use project::RelPath;
use recovery::{Remedy, Sign, WayKind};
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
    let findings: Vec<_> = findings.filter(|finding| finding.remedy == Remedy::Restore).collect();
    let mut damaged: Vec<&String> = findings.iter().flat_map(|finding| &finding.paths).collect();
    damaged.sort_unstable();
    damaged.dedup();
    if damaged.is_empty() {
        return Ok(None);
    }
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let mut by_step: Vec<(StepNumber, Vec<String>)> = Vec::new();
    let mut paths = Vec::new();
    for path in damaged {
        let Ok(known) = RelPath::new(path.as_bytes()) else { continue };
        let changes = store.changes_of_path(&known)?;
        // What is damaged in another way is no loss; what the ledger does not know yet was lost a moment ago.
        let newest = changes.iter().rev().find(|change| change.undone_by.is_none());
        let signed = |finding: &&&recovery::Finding| {
            finding.paths.contains(path) && matches!(finding.sign, Sign::Deleted | Sign::Emptied)
        };
        match newest.filter(|change| is_loss(change)) {
            Some(change) => match by_step.iter_mut().find(|(step, _)| *step == change.step) {
                Some((_, lost)) => lost.push(path.clone()),
                None => by_step.push((change.step, vec![path.clone()])),
            },
            None if findings.iter().any(|finding| signed(&finding)) => {}
            None => continue,
        }
        paths.push(path.clone());
    }
    if paths.is_empty() {
        return Ok(None);
    }
    by_step.sort_by_key(|(step, lost)| std::cmp::Reverse((lost.len(), *step)));
    let step = by_step.first().map(|(number, _)| store.step(*number)).transpose()?.flatten();
    let request = step.as_ref().and_then(|step| step.request);
    let request = request.map(|number| store.request(number)).transpose()?.flatten();
    if let Some((_, first)) = by_step.first() {
        paths.sort_by_key(|path| !first.contains(path));
    }
    let about = |finding: &&&recovery::Finding| finding.paths.iter().any(|path| paths.contains(path));
    let mut used_by: Vec<String> =
        findings.iter().filter(about).flat_map(|finding| finding.used_by.clone()).collect();
    used_by.sort_unstable();
    used_by.dedup();
    used_by.retain(|path| !paths.contains(path));
    // Whatever it is called: a way that brings back these files and no others, or these among what else is spoilt.
    let brings = |way: &&recovery::Way| {
        let has = |path: &String| way.restores.iter().any(|restore| restore.path == *path);
        (way.kind == WayKind::BringBack || way.restores.len() == paths.len()) && paths.iter().all(has)
    };
    let time_ms = step.as_ref().map(|step| step.started_ms);
    Ok(Some(Lost {
        way: report.ways.iter().find(brings).map(|way| way.number),
        time_ms: time_ms.or_else(|| findings.iter().filter_map(|finding| finding.time_ms).max()),
        other_steps: by_step.len().saturating_sub(1),
        paths,
        step,
        request,
        used_by,
    }))
}
