//! A patch for one file by name, without a project: content in, content out.

use std::time::{Duration, Instant};

use patch::{FileAction, FilePatch};

use super::report::{Change, Content, FileRefusal, PatchReport};
use super::{PatchOptions, read};
use crate::{Error, Result};
use words::diff::{self as lines, Compared};

/// The result for one file.
#[derive(Debug)]
pub struct Applied {
    /// What was done, hunk by hunk.
    pub change: Change,
    /// The new content; none if the patch was refused.
    pub content: Option<Vec<u8>>,
    /// Things to know.
    pub warnings: Vec<String>,
    elapsed: Duration,
}

impl Applied {
    /// The same answer as for a project, with one file and no checkpoint.
    pub fn report(&self, written: bool) -> PatchReport {
        let mut report = PatchReport {
            changes: vec![self.change.clone()],
            warnings: self.warnings.clone(),
            ..PatchReport::default()
        };
        report.finish(self.elapsed);
        report.applied = report.ok && written;
        report
    }
}

/// Applies a patch to content. `names` are the file's own name and the name of the result, which choose the part of the
/// patch if it has several files. With `diff`, the change is also written out.
pub fn to_content(
    text: &[u8],
    names: &[&str],
    original: &[u8],
    options: &PatchOptions,
    with_diff: bool,
) -> Result<Applied> {
    let started = Instant::now();
    options.validate()?;
    let parsed = read(text, options)?;
    let file = choose(&parsed.files, names)?;
    let mut change = Change::new(names.first().copied().unwrap_or_default().to_owned(), file);
    if file.binary || words::has_nul(original) {
        let refusal =
            if file.binary { FileRefusal::binary_patch() } else { FileRefusal::binary_file(&change.path) };
        change.refusal = Some(refusal);
        return Ok(Applied { change, content: None, warnings: Vec::new(), elapsed: started.elapsed() });
    }
    let mut result = patch::apply(file, original, &options.for_hunks());
    if file.action == FileAction::Delete && file.hunks.is_empty() {
        result.content = Some(Vec::new());
    }
    change.hunks = result.decisions;
    change.bytes_before = original.len() as u64;
    if let Some(content) = &result.content {
        change.bytes_after = content.len() as u64;
        if with_diff
            && let Compared::Text { added, removed, hunks } = lines::compare(original, content, Some(3))
        {
            (change.added, change.removed) = (added, removed);
            let side = |text| Content { text: Some(text), mode: None };
            let old = if file.action == FileAction::Create { Content::default() } else { side(original) };
            let new = if file.action == FileAction::Delete { Content::default() } else { side(content) };
            change.set_diff(old, new, hunks.as_deref());
        }
    }
    Ok(Applied { change, content: result.content, warnings: result.warnings, elapsed: started.elapsed() })
}

/// The part of the patch that is meant for this file.
fn choose<'f, 't>(files: &'f [FilePatch<'t>], names: &[&str]) -> Result<&'f FilePatch<'t>> {
    if let [only] = files {
        return Ok(only);
    }
    let last = |path: &[u8]| path.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
    let wanted: Vec<Option<Vec<u8>>> = names.iter().map(|name| last(name.as_bytes())).collect();
    let mut fitting = files.iter().filter(|file| {
        [file.source_path(), file.target_path()]
            .into_iter()
            .flatten()
            .any(|path| wanted.contains(&last(path)))
    });
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(Error::PatchRefused {
            code: "patch_several_files",
            message: format!("the patch is for {} files, and which one is meant cannot be told", files.len()),
            next: "apply it in the project, without `--input`, or give a patch for this file only".to_owned(),
        }),
    }
}
