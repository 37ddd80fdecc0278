//! How risky a change is, and why.

use std::collections::HashSet;

use map::{Category, Map, SymbolChange};
use project::RelPath;

use crate::story::users_of;
use crate::weaker::weakened;
use crate::{ChangedFile, FileChange, FileStory, Study, SymbolEvent};

/// How risky a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Nothing points to trouble.
    Low,
    /// Worth a look.
    Medium,
    /// Something is probably broken, or a protection is gone.
    High,
}

/// Why a change is risky.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum FileReason {
    /// Something is gone that other files still name.
    StillUsed {
        /// Its name.
        name: String,
        /// The files, some of them.
        users: Vec<String>,
        /// How many there are.
        count: usize,
    },
    /// A file is gone that others still import.
    FileStillUsed {
        /// The files, some of them.
        users: Vec<String>,
        /// How many there are.
        count: usize,
    },
    /// The file can no longer be read by its language.
    SyntaxBroken {
        /// Where.
        line: u32,
        /// The grammar knows this language exactly; else it may only look broken.
        certain: bool,
    },
    /// A test checks less than before.
    TestWeakened {
        /// The test.
        test: String,
        /// It checks nothing any more, or does not run; else it only checks less.
        off: bool,
    },
    /// A person protected this file.
    Protected,
    /// The program starts here.
    Entry,
    /// Settings steer everything else.
    Config,
    /// It usually holds secrets.
    Secrets,
    /// Most of the file is different.
    LargeRewrite {
        /// How much of it, in percent.
        percent: u64,
    },
    /// Many files need this one.
    ManyUsers {
        /// How many.
        count: usize,
    },
}

impl FileReason {
    /// How much it weighs.
    pub fn risk(&self) -> Risk {
        match self {
            Self::StillUsed { .. }
            | Self::FileStillUsed { .. }
            | Self::SyntaxBroken { certain: true, .. }
            | Self::TestWeakened { off: true, .. }
            | Self::Protected => Risk::High,
            Self::SyntaxBroken { .. }
            | Self::TestWeakened { .. }
            | Self::Entry
            | Self::Config
            | Self::Secrets
            | Self::LargeRewrite { .. }
            | Self::ManyUsers { .. } => Risk::Medium,
        }
    }
}

/// Files that name a symbol are looked for in so many.
const MOST_USERS: usize = 300;
/// And so many are named.
const NAMED: usize = 3;
/// From so many files on, a file is one that many need.
const MANY: usize = 5;
/// A file that is mostly new text, in percent of its lines; shorter files are rewritten in passing.
const REWRITE_PERCENT: u64 = 60;
const REWRITE_LINES: u32 = 30;

/// Fills in risk and reasons. `read` gives the present content of a file that may use what is gone.
pub fn judge(
    map: Option<&Map>,
    protected: &[RelPath],
    read: &dyn Fn(&RelPath) -> Option<Vec<u8>>,
    file: &ChangedFile,
    study: &Study,
    story: &mut FileStory,
) {
    let mut reasons = Vec::new();
    let old_path = file.old_path.as_ref().unwrap_or(&file.path);
    if let Some(map) = map {
        reasons.extend(still_used(map, read, old_path, study, story));
    }
    if study.before.syntax_error.is_none()
        && let Some(line) = study.after.syntax_error
        && story.change != FileChange::Added
    {
        let certain = study.language.is_some_and(map::Language::grammar_is_exact);
        reasons.push(FileReason::SyntaxBroken { line, certain });
    }
    if story.change != FileChange::Removed {
        reasons.extend(
            weakened(study)
                .into_iter()
                .map(|test| FileReason::TestWeakened { off: test.how.is_off(), test: test.name }),
        );
    }
    if [old_path, &file.path].into_iter().any(|path| protected.iter().any(|folder| path.is_in(folder))) {
        reasons.push(FileReason::Protected);
    }
    if !story.only_spacing {
        match story.category {
            Category::Entry => reasons.push(FileReason::Entry),
            Category::Config => reasons.push(FileReason::Config),
            _ => {}
        }
        if file.sensitive {
            reasons.push(FileReason::Secrets);
        }
        let lines = u64::from(study.before.lines);
        if study.before.lines >= REWRITE_LINES && story.change != FileChange::Removed {
            let percent = story.removed * 100 / lines.max(1);
            if percent >= REWRITE_PERCENT {
                reasons.push(FileReason::LargeRewrite { percent: percent.min(100) });
            }
        }
        let touched = study.changes.iter().any(|change| !matches!(change, SymbolChange::Added { .. }));
        if let Some(map) = map.filter(|_| touched) {
            let count = map.dependants(old_path).len();
            if count >= MANY {
                reasons.push(FileReason::ManyUsers { count });
            }
        }
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.risk()));
    story.risk = reasons.first().map_or(Risk::Low, FileReason::risk);
    story.reasons = reasons;
}

/// What is gone and still named elsewhere.
fn still_used(
    map: &Map,
    read: &dyn Fn(&RelPath) -> Option<Vec<u8>>,
    path: &RelPath,
    study: &Study,
    story: &FileStory,
) -> Vec<FileReason> {
    let mut reasons = Vec::new();
    let gone_as_file = story.change == FileChange::Removed || story.change == FileChange::Renamed;
    if gone_as_file {
        let users: Vec<&RelPath> = map.dependants(path);
        // Go imports folders: the folder may still be there.
        let by_name =
            users.iter().filter(|user| map.get(user).is_some_and(|file| file.imports.contains(path)));
        let users: Vec<String> = by_name.map(ToString::to_string).collect();
        if !users.is_empty() {
            let count = users.len();
            reasons.push(FileReason::FileStillUsed { users: users.into_iter().take(NAMED).collect(), count });
        }
    }
    let handed_on = handed_on(map, read, path, story);
    reasons.extend(left_behind(map, path, story, &handed_on));
    let users = users_of(map, path);
    if users.is_empty() || users.len() > MOST_USERS {
        return reasons;
    }
    let lost: Vec<&str> = story
        .symbols
        .iter()
        .filter(|symbol| match symbol.event {
            SymbolEvent::Removed => true,
            SymbolEvent::Renamed => symbol.old_name.is_some(),
            _ => false,
        })
        .map(|symbol| symbol.old_name.as_deref().unwrap_or(&symbol.name))
        .collect();
    let exported =
        |name: &str| study.before.symbols.iter().any(|symbol| symbol.name == name && symbol.test.is_none());
    let is_given = |name: &str| handed_on.gives(name.rsplit('.').next().unwrap_or(name));
    let lost: Vec<&str> =
        lost.into_iter().filter(|name| exported(name) && !is_given(name)).take(40).collect();
    if lost.is_empty() || (gone_as_file && !reasons.is_empty()) {
        return reasons;
    }
    let texts: Vec<(&RelPath, Vec<u8>)> =
        users.into_iter().filter_map(|user| Some((user, read(user)?))).collect();
    let words: Vec<(&RelPath, HashSet<&[u8]>)> =
        texts.iter().map(|(user, text)| (*user, words(text))).collect();
    for name in lost {
        let own = name.rsplit('.').next().unwrap_or(name);
        // Another file of the project may define the same name, so that its users are not ours.
        let users: Vec<String> = words
            .iter()
            .filter(|(user, words)| {
                own.len() > 1 && words.contains(own.as_bytes()) && !defines(map, user, own)
            })
            .map(|(user, _)| user.to_string())
            .collect();
        if !users.is_empty() {
            let count = users.len();
            let users = users.into_iter().take(NAMED).collect();
            reasons.push(FileReason::StillUsed { name: name.to_owned(), users, count });
        }
    }
    reasons
}

/// Names that a file gives to others without defining them: `export … from`, `from … import`.
struct HandedOn {
    names: HashSet<String>,
    all: bool,
}

impl HandedOn {
    fn gives(&self, name: &str) -> bool {
        self.all || self.names.contains(name)
    }
}

fn handed_on(
    map: &Map,
    read: &dyn Fn(&RelPath) -> Option<Vec<u8>>,
    path: &RelPath,
    story: &FileStory,
) -> HandedOn {
    let mut given = HandedOn { names: HashSet::new(), all: false };
    if story.change == FileChange::Removed {
        return given;
    }
    let name = path.to_string();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        // What is imported can be taken from here, too.
        "py" | "pyi" => {
            let imports = map.get(path).map(|file| file.outline.imports.iter()).into_iter().flatten();
            for taken in imports.flat_map(|import| &import.names) {
                given.all |= taken == "*";
                given.names.insert(taken.clone());
            }
        }
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" => {
            let text = read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            for (at, _) in text.match_indices("export") {
                let begins = text[..at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
                let rest = text[at + "export".len()..].trim_start();
                given.all |= begins && rest.starts_with('*');
                let inner = rest.strip_prefix('{').filter(|_| begins).and_then(|rest| rest.split('}').next());
                let names =
                    inner.unwrap_or_default().split(',').filter_map(|piece| piece.split_whitespace().last());
                given.names.extend(names.map(str::to_owned));
            }
        }
        _ => {}
    }
    given
}

/// What moved to another file, and who still takes it from the old one.
fn left_behind(map: &Map, path: &RelPath, story: &FileStory, handed_on: &HandedOn) -> Vec<FileReason> {
    let moved = story.symbols.iter().filter(|symbol| {
        let own = symbol.name.rsplit('.').next().unwrap_or(&symbol.name);
        !handed_on.gives(own)
    });
    let moved = moved.filter_map(|symbol| {
        let target = RelPath::new(symbol.other_file.as_deref()?.as_bytes()).ok()?;
        Some((symbol.name.as_str(), target))
    });
    moved
        .filter_map(|(name, target)| {
            let own = name.rsplit('.').next().unwrap_or(name);
            let takes_it = |user: &&RelPath| {
                map.get(user).is_some_and(|file| {
                    let names_it =
                        file.outline.imports.iter().any(|import| import.names.iter().any(|n| n == own));
                    names_it && !file.imports.contains(&target)
                })
            };
            let users: Vec<String> =
                map.dependants(path).into_iter().filter(takes_it).map(ToString::to_string).collect();
            let count = users.len();
            let users: Vec<String> = users.into_iter().take(NAMED).collect();
            (count > 0).then(|| FileReason::StillUsed { name: name.to_owned(), users, count })
        })
        .collect()
}

fn defines(map: &Map, path: &RelPath, name: &str) -> bool {
    map.get(path).is_some_and(|file| file.symbols().iter().any(|symbol| symbol.own_name() == name))
}

/// The words of a text, as a program sees them.
fn words(text: &[u8]) -> HashSet<&[u8]> {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    text.split(|byte| !part(byte)).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_as_a_whole_word() {
        assert!(words(b"import { login } from 'a'").contains(&b"login"[..]));
        assert!(!words(b"relogin(); login_user()").contains(&b"login"[..]));
    }
}
