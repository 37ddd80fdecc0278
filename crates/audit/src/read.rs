//! Reading the log and judging whether it is whole.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;

use crate::log;
use crate::retention::{self, Summary};
use crate::row::{SCHEMA, Stored};
use crate::{AuditLog, Result};

/// A place where the log is not whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "damage", rename_all = "snake_case")]
pub enum Damage {
    /// A line is no row.
    Corrupt {
        /// The line of the file.
        line: usize,
        /// What is wrong with it.
        detail: String,
    },
    /// Rows are missing between two others.
    Gap {
        /// The line behind the gap.
        line: usize,
        /// The first missing number.
        first: u64,
        /// The last missing number.
        last: u64,
    },
    /// A number appears again.
    Duplicate {
        /// The line of the second one.
        line: usize,
        /// The number.
        sequence_number: u64,
    },
    /// A row stands behind one with a higher number.
    Reordered {
        /// The line.
        line: usize,
        /// Its number.
        sequence_number: u64,
    },
    /// A row of another project.
    Foreign {
        /// The line.
        line: usize,
        /// Its number.
        sequence_number: u64,
    },
    /// Rows that were written are missing at the end.
    Truncated {
        /// The line behind which they are missing.
        line: usize,
        /// The first missing number.
        first: u64,
        /// The last number that was given out.
        last: u64,
    },
}

impl Damage {
    /// The line of the file where it shows.
    pub fn line(&self) -> usize {
        match self {
            Self::Corrupt { line, .. }
            | Self::Gap { line, .. }
            | Self::Duplicate { line, .. }
            | Self::Reordered { line, .. }
            | Self::Foreign { line, .. }
            | Self::Truncated { line, .. } => *line,
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = |first: &u64, last: &u64| match (first, last) {
            (first, last) if first == last => format!("row {first} is missing"),
            (first, last) => format!("rows {first} to {last} are missing"),
        };
        match self {
            Self::Corrupt { line, detail } => write!(out, "line {line} is damaged ({detail})"),
            Self::Gap { line, first, last } => write!(out, "{} before line {line}", rows(first, last)),
            Self::Duplicate { line, sequence_number } => {
                write!(out, "line {line} repeats row {sequence_number}")
            }
            Self::Reordered { line, sequence_number } => {
                write!(out, "row {sequence_number} is out of order in line {line}")
            }
            Self::Foreign { line, sequence_number } => {
                write!(out, "line {line} is row {sequence_number} of another project")
            }
            Self::Truncated { line, first, last } => {
                write!(out, "{} at the end, behind line {line}", rows(first, last))
            }
        }
    }
}

/// The whole log.
#[derive(Debug)]
pub(crate) struct Log {
    /// Readable rows of this project with their lines, in the order of the file.
    pub(crate) rows: Vec<(usize, Stored)>,
    pub(crate) damage: Vec<Damage>,
    pub(crate) summary: Summary,
}

impl Log {
    /// The rows from `start_ms` on: everything behind the first row that is not older, whatever its clock says.
    pub(crate) fn since(&self, start_ms: i64) -> &[(usize, Stored)] {
        let first = self
            .rows
            .iter()
            .position(|(_, row)| row.time_ms().is_none_or(|time| time >= start_ms))
            .unwrap_or(self.rows.len());
        &self.rows[first..]
    }
}

/// Reads the log. The lock is held only while the file is read, so that no row is half there.
pub(crate) fn read(audit: &AuditLog<'_>) -> Result<Log> {
    let project = audit.project;
    let (text, head, summary) = {
        let _lock = log::lock(project)?;
        let text = match std::fs::read(log::path(project)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            text => text.map_err(project::Error::from)?,
        };
        (text, log::read_head(project.state()), retention::read_summary(project.state()))
    };
    let (rows, damage) = judge(&text, &log::project_hash(project), &summary, head);
    Ok(Log { rows, damage, summary })
}

enum Line {
    Row(Box<Stored>),
    Corrupt(String),
}

fn judge(text: &[u8], own: &str, summary: &Summary, head: u64) -> (Vec<(usize, Stored)>, Vec<Damage>) {
    let lines: Vec<(usize, Line)> = lines(text);
    let numbers: HashSet<u64> = lines
        .iter()
        .filter_map(|(_, line)| match line {
            Line::Row(row) if row.project_root_hash == own => Some(row.sequence_number),
            _ => None,
        })
        .collect();
    let mut rows = Vec::new();
    let mut damage = Vec::new();
    let mut seen = HashSet::new();
    let mut highest = summary.last_sequence;
    for (line, content) in lines {
        let row = match content {
            Line::Corrupt(detail) => {
                damage.push(Damage::Corrupt { line, detail });
                // It had a number, which nobody can read any more.
                if !numbers.contains(&(highest + 1)) {
                    highest += 1;
                }
                continue;
            }
            Line::Row(row) => row,
        };
        let number = row.sequence_number;
        if row.project_root_hash != own {
            damage.push(Damage::Foreign { line, sequence_number: number });
            continue;
        }
        // Retention writes the summary first: a row that is in both was interrupted on its way out.
        if number <= summary.last_sequence && seen.insert(number) {
            continue;
        }
        if !seen.insert(number) {
            damage.push(Damage::Duplicate { line, sequence_number: number });
            continue;
        }
        if number < highest {
            damage.push(Damage::Reordered { line, sequence_number: number });
        } else {
            damage.extend(gaps(highest + 1, number, &numbers, line));
            highest = number;
        }
        rows.push((line, *row));
    }
    if head > highest {
        let line = rows.last().map_or(0, |(line, _)| *line);
        damage.push(Damage::Truncated { line, first: highest + 1, last: head });
    }
    (rows, damage)
}

/// The numbers from `first` up to `next` that are nowhere in the file. Those that come later are out of order, not missing.
fn gaps(first: u64, next: u64, numbers: &HashSet<u64>, line: usize) -> Vec<Damage> {
    let mut gaps: Vec<Damage> = Vec::new();
    // A wild number must not make this loop endless.
    if next - first > 10_000_000 {
        return vec![Damage::Gap { line, first, last: next - 1 }];
    }
    for number in (first..next).filter(|number| !numbers.contains(number)) {
        match gaps.last_mut() {
            Some(Damage::Gap { last, .. }) if *last + 1 == number => *last = number,
            _ => gaps.push(Damage::Gap { line, first: number, last: number }),
        }
    }
    gaps
}

fn lines(text: &[u8]) -> Vec<(usize, Line)> {
    let ended = text.is_empty() || text.ends_with(b"\n");
    let count = text.split(|byte| *byte == b'\n').count();
    text.split(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(at, line)| {
            let parsed = match serde_json::from_slice::<Stored>(line) {
                Ok(row) if row.schema > SCHEMA => {
                    Line::Corrupt(format!("written by a newer vib, schema {}", row.schema))
                }
                Ok(row) if row.time_ms().is_none() => Line::Corrupt("its time cannot be read".to_owned()),
                Ok(row) => Line::Row(Box::new(row)),
                Err(_) if !ended && at + 1 == count => Line::Corrupt("cut off in the middle".to_owned()),
                Err(_) => Line::Corrupt("it is no audit row".to_owned()),
            };
            (at + 1, parsed)
        })
        .collect()
}
