//! Options of programs that no table describes: what they call an output, a target or a folder to work in is a place that is written.

use std::path::Path;

use crate::context::Kind;
use crate::value::Arg;
use crate::verdict::Place;
use crate::walk::Walk;

/// Parts of an option's name after which something that is written follows.
const OUTPUTS: &[&str] = &[
    "out",
    "output",
    "outfile",
    "outdir",
    "outputdir",
    "outputdirectory",
    "target",
    "targetdir",
    "build",
    "buildDirectory",
    "builddir",
    "builddirectory",
    "dest",
    "destination",
    "screenshot",
    "pdf",
    "export",
    "save",
    "dump",
    "write",
    "root",
    "sandbox",
];
/// Programs that take a folder to work in, and clean or build there.
const WORKS_IN: &[&str] = &["ninja", "samu", "meson", "scons", "bazel", "buck", "tup", "redo", "gn"];
/// Options that name something read, whatever else their name says.
const INPUTS: &[&str] = &["input", "in", "include", "from", "source", "config", "find", "filter", "only"];

impl Walk<'_> {
    /// Judges the places outside the project that options of a program name as what it writes.
    pub(crate) fn option_outputs(&mut self, name: &str, argv: &[Arg], valued: &[&str], about: &str) {
        let mut at = 1;
        while let Some(arg) = argv.get(at) {
            at += 1;
            let text = arg.text.as_str();
            if let Some(folder) = text.strip_prefix("-C").filter(|_| WORKS_IN.contains(&name)) {
                let folder =
                    if folder.is_empty() { argv.get(at).cloned() } else { Some(arg.with_text(folder)) };
                if let Some(folder) = folder {
                    self.written_outside(&folder, about);
                }
                continue;
            }
            let Some(option) = text.strip_prefix('-').map(|rest| rest.trim_start_matches('-')) else {
                continue;
            };
            // `-Dproject.build.directory=/x`: a property.
            let (option, value) = match option.split_once('=') {
                Some((option, value)) => (option, Some(arg.with_text(value))),
                None => (option, argv.get(at).filter(|next| !next.text.starts_with('-')).cloned()),
            };
            let is_bundle = name == "rollup" && matches!(option, "file" | "dir");
            if valued.contains(&text) || !(names_output(option) || is_bundle) {
                continue;
            }
            if let Some(value) = value {
                self.written_outside(&value, about);
            }
        }
    }

    /// A file there is saved first, as if it were named by the shell; a folder is asked about.
    fn written_outside(&mut self, path: &Arg, about: &str) {
        let is_path = path.text.starts_with(['/', '~', '.', '$']) && !path.text.contains("://");
        if !is_path || !path.known() {
            return;
        }
        let (full, place) = self.place_of(path);
        if matches!(
            place,
            Place::Project
                | Place::ProjectRoot
                | Place::Temp
                | Place::Stream
                | Place::Remote
                | Place::Unknown
        ) {
            return;
        }
        match self.ctx.files.kind(Path::new(&full)) {
            Some(Kind::Folder) => self.works_in(path, about),
            _ => self.writes(path, "named as an output"),
        }
    }
}

fn names_output(option: &str) -> bool {
    let lower = option.to_ascii_lowercase();
    let mut parts = lower.split(['-', '_', '.']);
    option.len() > 2
        && !parts.clone().any(|part| INPUTS.contains(&part))
        && (parts.any(|part| OUTPUTS.contains(&part)) || lower.starts_with('d') && lower.contains("builddir"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_name_what_is_written() {
        for option in [
            "screenshot",
            "print-to-pdf",
            "target-dir",
            "output-directory",
            "Dproject.build.directory",
            "outfile",
        ] {
            assert!(names_output(option), "{option}");
        }
        for option in ["I", "input-dir", "config", "p", "testMatch", "filter-output", "release"] {
            assert!(!names_output(option), "{option}");
        }
    }
}
