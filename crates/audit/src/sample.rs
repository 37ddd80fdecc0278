//! The second look: one output in a hundred is kept in the private state folder until somebody with fresh eyes has scanned it.
//!
//! What is kept already left through the gate, so it should hold nothing. If it does, the gate is broken, and the row that says so
//! is a breach. The text is deleted as soon as it was looked at.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use project::{Project, platform};
use redact::{Gate, Scanner};
use serde::Serialize;

use crate::log;
use crate::row::{Event, Outcome, Rescan, Row};
use crate::{AuditLog, Result};

/// One output in so many is kept.
pub(crate) const ONE_IN: u64 = 100;

/// The budget of a second look inside a command that a person started.
pub(crate) const IN_A_COMMAND: Duration = Duration::from_millis(500);

/// The budget of a second look beside a row.
pub(crate) const BESIDE_A_ROW: Duration = Duration::from_millis(5);

/// So many outputs may wait; more are not kept, so that the folder stays small.
const MOST_WAITING: usize = 200;

/// Of a long output, so much is kept.
const LONGEST: usize = 256 << 10;

const FOLDER: &str = "audit_samples";

/// What a round of second looks did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RescanReport {
    /// Outputs looked at.
    pub looked_at: u64,
    /// Of those, outputs in which something was found.
    pub leaks: u64,
    /// Outputs still waiting.
    pub waiting: u64,
}

/// Keeps a text. Says whether it did: a full folder or disk is no reason to stop the operation.
pub(crate) fn keep(project: &Project, sequence_number: u64, text: &str) -> bool {
    let folder = project.state().join(FOLDER);
    let waiting = std::fs::read_dir(&folder).map_or(0, Iterator::count);
    if waiting >= MOST_WAITING || platform::make_private_dir(&folder).is_err() {
        return false;
    }
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    project::write_atomic(&folder.join(format!("{sequence_number:020}")), &text.as_bytes()[..end]).is_ok()
}

/// The outputs that wait: number of their row, and file.
pub(crate) fn pending(audit: &AuditLog<'_>) -> Vec<(u64, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(audit.project.state().join(FOLDER)) else { return Vec::new() };
    let mut waiting: Vec<(u64, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .collect();
    waiting.sort();
    waiting
}

/// Looks again at outputs that wait, oldest first, for about as long as `budget` says. Each gets a row with what was found.
pub(crate) fn rescan(audit: &AuditLog<'_>, budget: Duration) -> Result<RescanReport> {
    let until = Instant::now() + budget;
    let mut report = RescanReport::default();
    let waiting = pending(audit);
    report.waiting = waiting.len() as u64;
    for (of, file) in waiting {
        if Instant::now() >= until {
            break;
        }
        let Ok(text) = std::fs::read_to_string(&file) else {
            // Another process was faster.
            continue;
        };
        let rescan = look_again(audit, of, &text);
        let mut row = Row::new(Event::GateRescan, "vib", Outcome::Success);
        row.rescan = Some(rescan);
        log::append(audit, &row, None)?;
        let _ = std::fs::remove_file(&file);
        report.looked_at += 1;
        report.waiting = report.waiting.saturating_sub(1);
        report.leaks += u64::from(rescan.secret_hits + rescan.privacy_hits > 0);
    }
    Ok(report)
}

/// The scanner by itself and a new gate, whichever finds more: if one of them is broken, the other is not.
fn look_again(audit: &AuditLog<'_>, of: u64, text: &str) -> Rescan {
    let scanned = Scanner::shared().scan(text, None).len() as u64;
    let mut private = (audit.private)(audit.context, audit.project);
    // Names that were configured after the text had left are no leak of then.
    private.identifiers.clear();
    private.internal_domains.clear();
    let gated = Gate::new(private).clean(text).counts();
    Rescan { of, secret_hits: scanned.max(gated.secrets as u64), privacy_hits: gated.private as u64 }
}
