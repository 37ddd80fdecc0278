//! Who still uses what is gone? A search through the project's texts, near files first, with a limit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use recovery::{Change, Kind, Need};

use super::brought::{Brought, brought};

/// Files that are searched, and how much of them.
const MOST_FILES: usize = 1_500;
const MOST_BYTES: u64 = 12 << 20;
const LONGEST: u64 = 256 << 10;
/// Names and files that are searched for.
const MOST_NAMES: usize = 60;
const MOST_GONE: usize = 12;

/// There is something to look for.
pub(super) fn is_any_lost(changes: &[Change]) -> bool {
    changes.iter().any(|change| {
        (change.kind == Kind::Removed && change.still.gone) || !change.still.names_lost.is_empty()
    })
}

/// Finds the users of names and files that these changes took away.
pub(super) fn find(root: &Path, files: &[(String, u64)], changes: &[Change]) -> Vec<Need> {
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut gone: BTreeSet<&str> = BTreeSet::new();
    for change in changes {
        if change.kind == Kind::Removed && change.still.gone {
            if gone.len() < MOST_GONE && !recovery::is_docs(&change.path) {
                gone.insert(&change.path);
            }
            if !change.made.gone {
                continue;
            }
        }
        for name in change.made.names_lost.iter().filter(|name| change.still.names_lost.contains(name)) {
            if names.len() < MOST_NAMES && name.chars().count() > 2 {
                names.entry(name).or_default().insert(&change.path);
            }
        }
    }
    if names.is_empty() && gone.is_empty() {
        return Vec::new();
    }
    // What a file hands on under the same name is not gone from it.
    for (name, homes) in &mut names {
        homes.retain(|home| !hands_on(root, home, name));
    }
    names.retain(|_, homes| !homes.is_empty());
    let marks: Vec<(&str, Vec<String>)> = gone.iter().map(|path| (*path, mentions(path))).collect();
    let lost: Vec<&str> = names.values().flatten().copied().chain(gone.iter().copied()).collect();
    let mut found: HashMap<(&str, Option<&str>), Vec<String>> = HashMap::new();
    let mut read = 0;
    for (path, size) in nearest(files, &lost) {
        if *size > LONGEST || read + size > MOST_BYTES {
            continue;
        }
        let Ok(bytes) = std::fs::read(root.join(path)) else { continue };
        read += size;
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if !names.is_empty() {
            let known = |word: &str| names.get_key_value(word);
            let code = code_of(path, &text);
            let words: BTreeMap<&str, &BTreeSet<&str>> = code
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .filter_map(|word| known(word).map(|(word, homes)| (*word, homes)))
                .collect();
            for (word, homes) in words {
                // A text that defines the name itself does not miss it.
                for home in homes.iter().filter(|home| *home != path && same_family(home, path)) {
                    if !defines(&text, word)
                        && !is_own(&text, word)
                        && !gets_elsewhere(path, &text, word, home)
                    {
                        found.entry((home, Some(word))).or_default().push(path.clone());
                    }
                }
            }
        }
        for (home, marks) in marks.iter().filter(|(home, _)| home != path) {
            if marks.iter().any(|mark| text.contains(mark.as_str())) {
                found.entry((home, None)).or_default().push(path.clone());
            }
        }
    }
    let mut needs: Vec<Need> = found
        .into_iter()
        .map(|((path, name), mut by)| {
            by.sort_unstable();
            Need { path: path.to_owned(), name: name.map(str::to_owned), by }
        })
        .collect();
    needs.sort_by(|a, b| (&a.path, &a.name).cmp(&(&b.path, &b.name)));
    needs
}

/// The file still gives this name to others: it only gets it from elsewhere now.
fn hands_on(root: &Path, home: &str, name: &str) -> bool {
    let short = root.join(home).metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= LONGEST);
    let text = short.then(|| std::fs::read_to_string(root.join(home)).ok()).flatten().unwrap_or_default();
    let gives = |one: &Brought| one.names.contains(name) || one.all;
    let is_exported = || {
        // Imported, and exported by a statement of its own.
        text.lines()
            .any(|line| line.trim_start().starts_with("export {") && words_of(line).any(|word| word == name))
    };
    brought(home, &text).iter().any(|one| gives(one) && (one.hands_on || is_exported()))
}

/// It says that it gets the name from somewhere, and that is not the file which lost it.
fn gets_elsewhere(path: &str, text: &str, name: &str, home: &str) -> bool {
    let stem = home.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or(home);
    let of_name: Vec<Brought> =
        brought(path, text).into_iter().filter(|one| one.names.contains(name)).collect();
    let from_home = |one: &Brought| words_of(&one.text).any(|word| word == stem);
    !of_name.is_empty() && !of_name.iter().any(from_home)
}

/// It is a parameter here, or what an object keeps for itself: nothing that another file would give.
fn is_own(text: &str, name: &str) -> bool {
    const HEADS: [&str; 8] =
        ["def ", "async def ", "function ", "export function ", "fn ", "pub fn ", "func ", "fun "];
    let kept = ["self.", "this."].iter().any(|object| text.contains(&format!("{object}{name} =")));
    let is_parameter = |line: &str| {
        let line = line.trim_start();
        let inside = line.split_once('(').map(|(_, inside)| inside);
        HEADS.iter().any(|head| line.starts_with(head))
            && inside.is_some_and(|inside| words_of(inside).any(|word| word == name))
    };
    kept || text.lines().any(is_parameter)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

/// Which changed files name each other: they are looked at together.
pub(super) fn links(root: &Path, changes: &[Change]) -> Vec<(String, String)> {
    const MOST: usize = 60;
    let paths: BTreeSet<&str> =
        changes.iter().filter(|change| !change.still.same).map(|change| change.path.as_str()).collect();
    if paths.len() > MOST {
        return Vec::new();
    }
    let marks: Vec<(&str, Vec<String>)> = paths.iter().map(|path| (*path, mentions(path))).collect();
    let mut found = Vec::new();
    for from in &paths {
        let short = root.join(from).metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= LONGEST);
        let Some(text) = short.then(|| std::fs::read_to_string(root.join(from)).ok()).flatten() else {
            continue;
        };
        for (to, marks) in marks.iter().filter(|(to, _)| to != from) {
            if marks.iter().any(|mark| text.contains(mark.as_str())) {
                found.push(((*from).to_owned(), (*to).to_owned()));
            }
        }
    }
    found
}

/// Ways in which programs name a file.
fn mentions(path: &str) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let parent = folder.rsplit('/').next().unwrap_or("");
    let mut marks = Vec::new();
    match ending {
        "py" => {
            marks.push(format!("{parent}.{stem} import"));
            marks.push(format!("import {parent}.{stem}"));
            marks.push(format!("from .{stem} import"));
            marks.push(format!("from . import {stem}"));
        }
        "rs" => {
            marks.push(format!("mod {stem};"));
            marks.push(format!("crate::{stem}::"));
        }
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx" | "vue" | "svelte" | "css" | "html" => {
            for quote in ['\'', '"', '`'] {
                marks.push(format!("/{name}{quote}"));
                marks.push(format!("/{stem}{quote}"));
            }
        }
        // These name packages and classes, not files.
        "go" | "java" | "kt" | "cs" | "scala" | "swift" | "c" | "cc" | "cpp" => {}
        "h" | "hpp" => marks.push(format!("{name}\"")),
        _ if name.len() > 5 => marks.push(format!("/{name}")),
        _ => {}
    }
    // With its folder, any text means the file.
    if !folder.is_empty() && name.len() > 3 {
        marks.push(path.to_owned());
    }
    marks
}

/// The text without what is said in quotes and remarks: a word there uses nothing.
fn code_of(path: &str, text: &str) -> String {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let remark =
        if matches!(ending, "py" | "rb" | "sh" | "toml" | "yaml" | "yml" | "r" | "pl") { "#" } else { "//" };
    // In Rust a single quote also begins a lifetime.
    let quotes: &[char] = if ending == "rs" { &['"'] } else { &['"', '\''] };
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut inside: Option<char> = None;
        let mut escaped = false;
        for (at, letter) in line.char_indices() {
            match inside {
                Some(_) if escaped => escaped = false,
                Some(_) if letter == '\\' => escaped = true,
                Some(quote) if letter == quote => inside = None,
                Some(_) => {}
                None if line[at..].starts_with(remark) => break,
                None if quotes.contains(&letter) => {
                    inside = Some(letter);
                    out.push(' ');
                }
                None => out.push(letter),
            }
        }
        out.push('\n');
    }
    out
}

/// Files of the same kind of language can use each other's names.
fn same_family(a: &str, b: &str) -> bool {
    let family = |path: &str| match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx" | "vue" | "svelte" | "html" => "js".to_owned(),
        "c" | "h" | "cc" | "cpp" | "hpp" | "cxx" => "c".to_owned(),
        "java" | "kt" | "scala" => "jvm".to_owned(),
        other => other.to_owned(),
    };
    family(a) == family(b)
}

fn defines(text: &str, name: &str) -> bool {
    [
        "fn ",
        "def ",
        "function ",
        "class ",
        "func ",
        "struct ",
        "enum ",
        "trait ",
        "interface ",
        "type ",
        "const ",
    ]
    .iter()
    .any(|kind| {
        text.match_indices(name).any(|(at, _)| {
            let whole = !text[at + name.len()..]
                .starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            whole && text[..at].ends_with(kind)
        })
    })
}

/// Those with the longest common folder first.
fn nearest<'f>(files: &'f [(String, u64)], lost: &[&str]) -> Vec<&'f (String, u64)> {
    let close = |path: &str| {
        lost.iter()
            .map(|other| path.split('/').zip(other.split('/')).take_while(|(a, b)| a == b).count())
            .max()
            .unwrap_or(0)
    };
    let mut all: Vec<(usize, &(String, u64))> = files
        .iter()
        .filter(|(path, _)| !recovery::is_docs(path))
        .map(|file| (close(&file.0), file))
        .collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.0.cmp(&b.1.0)));
    all.truncate(MOST_FILES);
    all.into_iter().map(|(_, file)| file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_and_remarks_use_nothing() {
        let code = code_of("src/a.rs", "println!(\"mean: {}\", average(s)); // the mean\nlet x: &'a str;\n");
        assert!(code.contains("average") && !code.contains("mean") && code.contains("'a str"), "{code}");
        let code = code_of("a.py", "x = 'mean' # mean\ny = \"it\\\"s mean\" + mean(1)\n");
        assert_eq!(code.matches("mean").count(), 1, "{code}");
    }
}
