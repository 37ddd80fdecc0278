//! A patch turned around, so that it takes back what it did.

use crate::model::{Claim, FileAction, FilePatch, Hunk, Kind, Line, Patch};

/// The patch that leads from the result back to the beginning.
pub fn reverse<'t>(patch: &Patch<'t>) -> Patch<'t> {
    Patch { files: patch.files.iter().rev().map(reverse_file).collect() }
}

fn reverse_file<'t>(file: &FilePatch<'t>) -> FilePatch<'t> {
    let action = match file.action {
        FileAction::Create => FileAction::Delete,
        FileAction::Delete => FileAction::Create,
        FileAction::Copy => FileAction::Delete,
        same => same,
    };
    FilePatch {
        action,
        old_path: file.new_path.clone(),
        new_path: if file.action == FileAction::Copy { None } else { file.old_path.clone() },
        new_mode: None,
        hunks: file.hunks.iter().map(reverse_hunk).collect(),
        ..file.clone()
    }
}

fn reverse_hunk<'t>(hunk: &Hunk<'t>) -> Hunk<'t> {
    let claim = Claim {
        old_start: hunk.claim.new_start,
        old_count: hunk.claim.new_count,
        new_start: hunk.claim.old_start,
        new_count: hunk.claim.old_count,
        ..hunk.claim.clone()
    };
    let mut lines: Vec<Line<'t>> = Vec::with_capacity(hunk.lines.len());
    let mut added: Vec<Line<'t>> = Vec::new();
    for line in &hunk.lines {
        match line.kind {
            Kind::Context => {
                lines.append(&mut added);
                lines.push(*line);
            }
            Kind::Add => lines.push(Line { kind: Kind::Remove, ..*line }),
            Kind::Remove => added.push(Line { kind: Kind::Add, ..*line }),
        }
    }
    lines.append(&mut added);
    Hunk { claim, lines, tail: hunk.tail, text_line: hunk.text_line }
}
