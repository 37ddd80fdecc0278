//! A key on the way in: what an agent is about to write, edit or commit, looked at before it is there. (G5, R15)
//!
//! Only what looks live stops a step: a provider's format that could have been issued, a private key, or a value that nobody could have
//! made up beside a name that announces a secret. A password that a person might choose, an example and a key that its own checksum
//! betrays pass. A file that is made for secrets and that git does not see is the right place for one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::allowed::{fingerprint, is_allowed};
use super::text::{self, Found};
use super::{git, shown};
use crate::Engine;
use crate::agent::{Change, small_file};

/// More than this of one write is not looked at: it is data, and the hook answers in milliseconds.
const MOST: usize = 4 << 20;

/// A key that would come into the project.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Incoming {
    /// What was found and where.
    #[serde(flatten)]
    pub found: Found,
    /// By this name a person allows it.
    pub fingerprint: String,
}

/// The live-looking keys that a change of a file would add, without those that are in it already and those a person allowed.
pub fn added_by_edit(engine: &Engine, file: &Path, change: &Change) -> Vec<Incoming> {
    let path = shown(file, engine.project().root());
    let (new, old): (Vec<String>, Vec<String>) = match change {
        Change::Whole(text) | Change::Cell { source: text, .. } => (vec![text.clone()], Vec::new()),
        Change::Replace(all) => {
            (all.iter().map(|one| one.new.clone()).collect(), all.iter().map(|one| one.old.clone()).collect())
        }
        Change::Patch(text) => {
            let side = |sign: char| -> Vec<String> {
                let lines = lines_about(text, file).into_iter().filter_map(|line| line.strip_prefix(sign));
                vec![lines.collect::<Vec<_>>().join("\n")]
            };
            (side('+'), side('-'))
        }
        Change::Unknown => return Vec::new(),
    };
    let mut live = live_in(&path, &new);
    if live.is_empty() {
        return Vec::new();
    }
    // What is there already does not come in, whoever moves it within the file.
    let mut known = live_in(&path, &old);
    known.extend(small_file(file).iter().flat_map(|before| text::look(&path, before, 1)));
    live.retain(|found| !known.iter().any(|known| known.same_secret(found)));
    if live.is_empty() || is_made_for_secrets(engine, file, &path) {
        return Vec::new();
    }
    not_allowed(engine, live)
}

/// The live-looking keys that a file's new content brings, without those that were in it before and those a person allowed.
pub fn added_by_content(engine: &Engine, path: &str, new: &[u8], old: &[u8]) -> Vec<Incoming> {
    let mut live = text::look(path, new, 1);
    live.retain(|found| found.live);
    if live.is_empty() {
        return Vec::new();
    }
    let known = text::look(path, old, 1);
    live.retain(|found| !known.iter().any(|known| known.same_secret(found)));
    not_allowed(engine, live)
}

/// The lines of a patch that are about one file; all of them where it does not say so.
fn lines_about<'t>(patch: &'t str, file: &Path) -> Vec<&'t str> {
    const HEADS: [&str; 2] = ["*** Add File: ", "*** Update File: "];
    let named =
        |line: &str| HEADS.iter().find_map(|head| line.strip_prefix(head)).map(|path| path.trim().to_owned());
    let is_meant = |path: &String| file.ends_with(path.trim_start_matches("./"));
    if !patch.lines().filter_map(named).any(|path| is_meant(&path)) {
        return patch.lines().collect();
    }
    let mut meant = false;
    let mut about = Vec::new();
    for line in patch.lines() {
        match named(line) {
            Some(path) => meant = is_meant(&path),
            None if meant => about.push(line),
            None => {}
        }
    }
    about
}

/// Whether the texts of one call could bring a live-looking key into any of these files: looked at once for each kind of file, because the
/// same texts may be meant for very many.
pub fn may_bring_keys(files: &[&Path], texts: &[String]) -> bool {
    let named = |file: &&Path| {
        let ending = file.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        format!("file.{ending}")
    };
    let kinds: BTreeSet<String> =
        files.iter().map(named).chain(["file".to_owned(), ".env".to_owned()]).collect();
    kinds.iter().any(|kind| !live_in(kind, texts).is_empty())
}

/// The live-looking keys in a change whose form nobody knows: all its texts may end up in the file.
pub fn added_by_texts(engine: &Engine, file: &Path, texts: &[String]) -> Vec<Incoming> {
    let path = shown(file, engine.project().root());
    let mut live = live_in(&path, texts);
    if live.is_empty() {
        return Vec::new();
    }
    let known: Vec<Found> = small_file(file).iter().flat_map(|before| text::look(&path, before, 1)).collect();
    live.retain(|found| !known.iter().any(|known| known.same_secret(found)));
    if live.is_empty() || is_made_for_secrets(engine, file, &path) {
        return Vec::new();
    }
    not_allowed(engine, live)
}

/// The live-looking keys that stand in a command line which writes files.
///
/// A key that goes into a file made for secrets passes; which of several files it goes into is said by the part of the line that it
/// stands in.
pub fn added_by_command(engine: &Engine, command: &str, targets: &[PathBuf]) -> Vec<Incoming> {
    let root = engine.project().root();
    let (right, wrong): (Vec<&PathBuf>, Vec<&PathBuf>) =
        targets.iter().partition(|target| is_made_for_secrets(engine, target, &shown(target, root)));
    let Some(target) = wrong.first() else { return Vec::new() };
    let goes_right = |part: &str| {
        let named = |target: &&&PathBuf| {
            target.file_name().is_some_and(|name| part.contains(&*name.to_string_lossy()))
        };
        right.iter().any(|target| named(&target)) && !wrong.iter().any(|target| named(&target))
    };
    let parts: Vec<String> =
        parts_of(command).into_iter().filter(|part| !goes_right(part)).map(str::to_owned).collect();
    not_allowed(engine, live_in(&shown(target, root), &parts))
}

/// The commands of a line one by one, each with the text that it is given (`<<END`).
fn parts_of(command: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quote) = (Vec::new(), 0, None);
    let mut given: Option<&str> = None;
    let mut letters = command.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('"') | None, '\\') => {
                letters.next();
            }
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '<') if given.is_none() && command[at..].starts_with("<<") => {
                let word = command[at + 2..].trim_start_matches(['<', '-', ' ', '\'', '"', '\\']);
                let end = word.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                given = Some(&word[..end.unwrap_or(word.len())]).filter(|word| !word.is_empty());
                // The quotes around the word open nothing.
                while letters
                    .next_if(|(_, letter)| matches!(letter, '<' | '-' | ' ' | '\'' | '"' | '\\'))
                    .is_some()
                {}
                if let Some(word) = given {
                    for _ in word.chars() {
                        letters.next();
                    }
                    let _ = letters.next_if(|(_, letter)| matches!(letter, '\'' | '"'));
                }
            }
            (None, '\n') if given.is_some() => {
                // What is given goes up to the line with the word alone.
                let word = given.take().unwrap_or_default();
                let mut end = at + 1;
                for line in command[at + 1..].split_inclusive('\n') {
                    end += line.len();
                    if line.trim() == word {
                        break;
                    }
                }
                while letters.next_if(|(place, _)| *place < end).is_some() {}
                parts.push(&command[from..end]);
                from = end;
            }
            (None, ';' | '\n' | '&') => {
                // `2>&1` and `&>` tie, they do not part.
                let tied =
                    letter == '&' && (command[..at].ends_with('>') || command[at + 1..].starts_with('>'));
                if !tied {
                    parts.push(&command[from..at]);
                    from = at + 1;
                }
            }
            (None, _) => {}
        }
    }
    parts.push(&command[from..]);
    parts
}

pub(super) fn not_allowed(engine: &Engine, live: Vec<Found>) -> Vec<Incoming> {
    let mut incoming: Vec<Incoming> = Vec::new();
    for found in live {
        let fingerprint = fingerprint(engine, &found);
        if !incoming.iter().any(|known| known.fingerprint == fingerprint) && !is_allowed(engine, &fingerprint)
        {
            incoming.push(Incoming { found, fingerprint });
        }
    }
    incoming
}

fn live_in(path: &str, texts: &[String]) -> Vec<Found> {
    let looked_at = texts.iter().filter(|text| text.len() <= MOST);
    looked_at.flat_map(|one| text::look(path, one.as_bytes(), 1)).filter(|found| found.live).collect()
}

/// `.env` and the like, where git ignores it or is not there at all.
fn is_made_for_secrets(engine: &Engine, file: &Path, path: &str) -> bool {
    let root = engine.project().root();
    redact::secret_file(path).is_some() && git::is_ignored(root, file).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_says_which_file_a_line_goes_into_g5() {
        let patch =
            "*** Begin Patch\n*** Add File: .env\n+K=1\n*** Update File: ./src/a.ts\n-x\n+y\n*** End Patch";
        assert_eq!(lines_about(patch, Path::new("/p/.env")), ["+K=1"]);
        assert_eq!(lines_about(patch, Path::new("/p/src/a.ts")), ["-x", "+y", "*** End Patch"]);
        assert_eq!(lines_about("+K=1", Path::new("/p/b")), ["+K=1"]);
    }

    #[test]
    fn a_line_is_parted_where_its_commands_are_g5() {
        for (line, wanted) in [
            ("a > x; b", vec!["a > x", " b"]),
            ("a 'x; y' && b \"&& c\"", vec!["a 'x; y' ", "", " b \"&& c\""]),
            ("a 2>&1 | tee x", vec!["a 2>&1 | tee x"]),
            ("cat > .env <<'END'\nK=1; x\nEND\nb", vec!["cat > .env <<'END'\nK=1; x\nEND\n", "b"]),
            ("cat <<END > x\nK=1", vec!["cat <<END > x\nK=1", ""]),
            ("a <<", vec!["a <<"]),
            ("비밀 '", vec!["비밀 '"]),
        ] {
            assert_eq!(parts_of(line), wanted, "{line}");
        }
    }
}
