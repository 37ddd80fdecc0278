//! Where lines came from that are new in a file: another name of it, a copy, other files of the same work.

use std::collections::HashMap;
use std::rc::Rc;

use super::blocks::{OTHER_FILE, Pool, match_blocks};
use super::carry::NEW;
use super::text::{self, Text, is_lasting};
use super::walk::{LineWalk, Lines};
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;
use crate::ledger::{Actor, StepChange, StepNumber, Way};
use crate::{Result, versions};

/// Files of the same work that are looked through for moved lines.
pub(super) const MOST_OTHERS: usize = 12;
/// Longer ones are not.
pub(super) const LONGEST_OTHER: u64 = 512 << 10;
/// Steps before and after in the same request: an agent that moves a function edits two files one after the other.
const NEAR: i64 = 8;
/// Looks after which a file that went with another name's coming is found to be gone.
const LATER: i64 = 32;
/// A file that came and shares more than this part of its lines with one that went is that file.
const ENOUGH: f64 = 0.5;

/// What a step does to lines that it did not write.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Kind {
    /// It is a formatter.
    pub(super) formats: bool,
    /// It brings back what was there before.
    pub(super) restores: bool,
    /// A person did it, or another program.
    pub(super) by_hand: bool,
    /// Of several, one at least was done by a person.
    pub(super) some_by_hand: bool,
}

/// A path that held a content for a while.
pub(super) struct Held {
    path: i64,
    first: i64,
    last: Option<i64>,
}

impl LineWalk<'_> {
    /// What kind of step this is; of several only what all of them are.
    pub(super) fn kind_of(&mut self, steps: &[StepNumber]) -> Result<Kind> {
        let mut all: Option<Kind> = None;
        for step in steps {
            let kind = match self.kinds.get(step) {
                Some(kind) => *kind,
                None => {
                    let kind = self.look_up(*step)?;
                    self.kinds.insert(*step, kind);
                    kind
                }
            };
            all = Some(all.map_or(kind, |other| Kind {
                // Where one of them is, a line that says the same is whose it was, whoever else was at work.
                formats: other.formats || kind.formats,
                restores: other.restores && kind.restores,
                by_hand: other.by_hand && kind.by_hand,
                some_by_hand: other.some_by_hand || kind.some_by_hand,
            }));
        }
        Ok(all.unwrap_or_default())
    }

    fn look_up(&self, step: StepNumber) -> Result<Kind> {
        if step == StepNumber::A_PERSON {
            return Ok(Kind { by_hand: true, some_by_hand: true, ..Kind::default() });
        }
        let Some(found) = self.store.step(step)? else {
            let by_hand = self.store.writer_facts(step)?.is_some_and(|facts| facts.actor == Actor::ByHand);
            return Ok(Kind { by_hand, some_by_hand: by_hand, ..Kind::default() });
        };
        let command = found.what.as_deref().filter(|_| found.actor == Actor::Agent).unwrap_or_default();
        let goes_back = found.actor == Actor::Vib && self.store.way_of(step)? != Way::New;
        Ok(Kind {
            formats: is_formatter(command),
            restores: goes_back || is_git_restore(command),
            by_hand: found.actor == Actor::ByHand,
            some_by_hand: found.actor == Actor::ByHand,
        })
    }

    /// The file that this one was before: one that went with the same step and has the same content, or most of its lines; else one that has
    /// exactly this content and stays.
    pub(super) fn origin(
        &mut self,
        key: &[u8],
        seq: i64,
        entry: &Entry,
        text: &Text,
        steps: &[StepNumber],
    ) -> Result<Option<(Vec<u8>, Rc<Lines>)>> {
        if entry.size == 0 {
            return Ok(None);
        }
        let gone: Vec<StepChange> = match steps.last() {
            Some(step) => self.store.changes_of(*step)?,
            None => Vec::new(),
        };
        let went = |change: &StepChange| {
            // Where somebody else wrote in it meanwhile, the name's going is found by the look after.
            change.seq >= seq && change.after.is_none() && change.path.as_bytes() != key
        };
        let gone: Vec<(Vec<u8>, Entry)> = gone
            .into_iter()
            .filter(went)
            .filter_map(|change| Some((change.path.as_bytes().to_vec(), change.before?)))
            .filter(|(_, before)| before.kind == EntryKind::File)
            .collect();
        let name = name_of(key);
        let mut same: Vec<&Vec<u8>> =
            gone.iter().filter(|(_, before)| before.hash == entry.hash).map(|(path, _)| path).collect();
        same.sort_by_key(|path| name_of(path) != name);
        let copies = if same.is_empty() { self.holders(&entry.hash, seq, key)? } else { Vec::new() };
        for other in same.into_iter().chain(&copies) {
            let lines = self.lines_found_by(other, seq, steps)?;
            if let Some(lines) = lines.filter(|lines| lines.hash == entry.hash) {
                return Ok(Some((other.clone(), lines)));
            }
        }
        let formats = self.kind_of(steps)?.formats;
        let mut best: Option<(f64, Vec<u8>, Rc<Lines>)> = None;
        let small = |entry: &Entry| entry.size <= LONGEST_OTHER;
        let gone = gone.iter().filter(|(_, before)| small(before)).map(|(other, _)| other.clone());
        let mut others: Vec<Vec<u8>> = gone.take(MOST_OTHERS).collect();
        // Copied and changed by one command. (M3)
        others.extend(self.named(key, steps)?.into_iter().filter(|path| path != key));
        if self.kind_of(steps)?.by_hand {
            others.extend(self.went_later(key, seq)?);
        }
        for other in others.iter().filter(|_| small(entry)) {
            // Of one that is found to be gone later, too: as it was before this. Nobody asks about what is still to come.
            let Some(lines) = self.lines_found_by(other, seq, steps)? else { continue };
            let share = similarity(&lines.text, text, formats);
            if share > best.as_ref().map_or(ENOUGH, |(share, ..)| *share) {
                best = Some((share, other.clone(), lines));
            }
        }
        Ok(best.map(|(_, other, lines)| (other, lines)))
    }

    /// Files that were gone as a later look found, whoever is said to have taken them away: one that a person gave another name and changed may be
    /// seen under that first, because an agent edits it. (M2)
    fn went_later(&self, key: &[u8], seq: i64) -> Result<Vec<Vec<u8>>> {
        let reader = self.store.db.reader();
        let mut statement = reader.prepare_cached(
            "SELECT p.path FROM change c JOIN path p ON p.id = c.path
             WHERE c.seq > ?1 AND c.seq <= ?1 + ?2 AND c.is_kind IS NULL AND c.was_size <= ?3
               AND c.was_kind = ?4 AND p.path <> ?5
             ORDER BY c.seq LIMIT ?6",
        )?;
        let longest = i64::try_from(LONGEST_OTHER).unwrap_or(i64::MAX);
        let most = i64::try_from(MOST_OTHERS).unwrap_or(i64::MAX);
        let rows = statement
            .query_map((seq, LATER, longest, EntryKind::File.code(), key, most), |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Other paths that held this content right before a look, or since it.
    fn holders(&mut self, hash: &ContentHash, seq: i64, key: &[u8]) -> Result<Vec<Vec<u8>>> {
        let reader = self.store.db.reader();
        let held = match &mut self.held {
            Some(held) => held,
            none => {
                let mut all: HashMap<ContentHash, Vec<Held>> = HashMap::new();
                let mut add = |path, first, last, entry: Entry| {
                    if entry.kind == EntryKind::File && entry.size > 0 {
                        all.entry(entry.hash).or_default().push(Held { path, first, last });
                    }
                };
                versions::each(reader, |path, first, last, entry| {
                    add(path, first, last, entry);
                    Ok(())
                })?;
                // Versions between states that are let go are in the ledger alone. (B4)
                versions::each_told(reader, &mut add)?;
                none.insert(all)
            }
        };
        let mut out = Vec::new();
        for held in held.get(hash).into_iter().flatten() {
            if held.first <= seq && held.last.is_none_or(|last| last >= seq) {
                let path = versions::path_text(reader, held.path)?;
                if path != key && !out.contains(&path) {
                    out.push(path);
                }
            }
        }
        out.sort_by_key(|path| name_of(path) != name_of(key));
        out.truncate(3);
        Ok(out)
    }

    /// Blocks that went from other files with the same step, or with a neighbour of it that serves the same request; and what a command copied.
    pub(super) fn take_from_other_files(
        &mut self,
        key: &[u8],
        seq: i64,
        text: &Text,
        steps: &[StepNumber],
        writers: &mut [u32],
    ) -> Result<()> {
        let [step] = steps else { return self.doubt_of_several(seq, text, steps, writers) };
        let new = (0..text.len()).filter(|line| writers[*line] == NEW);
        let weight: usize = new.map(|line| text.weight(line)).sum();
        if weight >= OTHER_FILE {
            self.take_moved(key, seq, text, *step, writers)?;
        }
        self.take_from_copied(key, seq, text, *step, writers)
    }

    /// Two agents that may both have made it did not write what a person had written.
    fn doubt_of_several(
        &mut self,
        seq: i64,
        text: &Text,
        steps: &[StepNumber],
        writers: &mut [u32],
    ) -> Result<()> {
        let mut commands = Vec::new();
        for step in steps {
            if self.is_edit(*step)? {
                return Ok(());
            }
            commands.extend(self.command_of(*step)?);
        }
        if commands.is_empty() || self.kind_of(steps)?.some_by_hand {
            return Ok(());
        }
        self.doubt_typed(seq, text, &commands.join("\n"), steps, writers)
    }

    fn take_moved(
        &mut self,
        key: &[u8],
        seq: i64,
        text: &Text,
        step: StepNumber,
        writers: &mut [u32],
    ) -> Result<()> {
        let mut pools: Vec<(Rc<Lines>, Vec<bool>)> = Vec::new();
        for change in self.near(step)? {
            let other = change.path.as_bytes();
            let small = |entry: &Entry| entry.kind == EntryKind::File && entry.size <= LONGEST_OTHER;
            let Some(before) = change.before.filter(small) else { continue };
            let shrinks = change.after.is_none_or(|after| small(&after) && after.hash != before.hash);
            if other == key || !shrinks || pools.len() >= MOST_OTHERS {
                continue;
            }
            // A change that comes later tells what will go; whose it is was known before, but for what nobody had looked at then. (B1)
            let lines = if change.seq > seq {
                self.lines_seen_late(other, (seq, change.seq), &before.hash, step)?
            } else {
                self.lines_before(other, change.seq)?
            };
            let Some(lines) = lines else { continue };
            let after = match change.after {
                Some(after) => self.store.content(&after.hash).ok().and_then(|bytes| Text::of(bytes).ok()),
                None => Text::of(Vec::new()).ok(),
            };
            if let Some(after) = after {
                let stayed = stayed(&lines.text, &after);
                pools.push((lines, stayed));
            }
        }
        let mut pools: Vec<Pool<'_>> = pools
            .iter()
            .map(|(lines, stayed)| Pool {
                text: &lines.text,
                writers: &lines.writers,
                stayed: stayed.clone(),
            })
            .collect();
        match_blocks(text, writers, &mut pools, OTHER_FILE);
        Ok(())
    }

    /// The changes of a step and of its neighbours in the same request, its own first.
    fn near(&self, step: StepNumber) -> Result<Vec<StepChange>> {
        let mut out = self.store.changes_of(step)?;
        let reader = self.store.db.reader();
        let mut statement = reader.prepare_cached(
            "SELECT number FROM step WHERE number BETWEEN ?1 - ?2 AND ?1 + ?2 AND number <> ?1 AND files > 0
               AND request = (SELECT request FROM step WHERE number = ?1)
             ORDER BY abs(number - ?1)",
        )?;
        let near: Vec<i64> =
            statement.query_map((step.0, NEAR), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for other in near {
            out.extend(self.store.changes_of(StepNumber(other))?);
        }
        Ok(out)
    }
}

fn name_of(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// How often each line is there. `formats`: but for what a formatter changes.
fn counts(text: &Text, formats: bool) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    let mut buffer = Vec::new();
    for (line, bare) in text.bare().iter().enumerate() {
        let name = if formats { text::name_of(text.line(line), is_lasting, &mut buffer) } else { *bare };
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

/// Which lines of `before` are still in `after`, at their place.
fn stayed(before: &Text, after: &Text) -> Vec<bool> {
    let mut out = vec![true; before.len()];
    match crate::line_diff::between(before.bare(), after.bare(), usize::MAX) {
        Some(hunks) => hunks.into_iter().for_each(|hunk| out[hunk.base].fill(false)),
        None => out.fill(false),
    }
    out
}

/// Which part of their lines both have.
fn similarity(one: &Text, other: &Text, formats: bool) -> f64 {
    let others = counts(other, formats);
    let shared: usize = counts(one, formats)
        .iter()
        .map(|(name, count)| others.get(name).map_or(0, |other| *count.min(other)))
        .sum();
    let total = one.len() + other.len();
    if total == 0 { 0.0 } else { 2.0 * shared as f64 / total as f64 }
}

/// A program that changes how code looks and not what it says.
pub(crate) fn is_formatter(command: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "prettier",
        "black",
        "rustfmt",
        "gofmt",
        "gofumpt",
        "goimports",
        "clang-format",
        "dprint",
        "shfmt",
        "yapf",
        "isort",
        "autopep8",
        "stylua",
        "swiftformat",
        "ktlint",
        "nixfmt",
        "ormolu",
        "fourmolu",
        "scalafmt",
        "google-java-format",
        "php-cs-fixer",
        "pint",
        "autoflake",
        "ocamlformat",
        "taplo",
        "buildifier",
        "yamlfmt",
        "sqlfluff",
        "pre-commit",
        "lint-staged",
    ];
    const PAIRS: &[(&str, &[&str])] = &[
        ("cargo", &["fmt"]),
        ("ruff", &["format", "--fix"]),
        ("eslint", &["--fix"]),
        ("biome", &["format", "--write", "--apply"]),
        ("stylelint", &["--fix"]),
        ("rubocop", &["-a", "-A", "--autocorrect", "--auto-correct"]),
        ("standard", &["--fix"]),
        ("deno", &["fmt"]),
        ("zig", &["fmt"]),
        ("mix", &["format"]),
        ("dart", &["format"]),
        ("dotnet", &["format"]),
        ("terraform", &["fmt"]),
        ("tofu", &["fmt"]),
        ("make", &["fmt", "format"]),
        ("just", &["fmt", "format"]),
        ("run", &["fmt", "format", "format:fix", "lint:fix", "prettier"]),
        ("yarn", &["fmt", "format", "lint:fix"]),
        ("pnpm", &["fmt", "format", "lint:fix"]),
    ];
    let words: Vec<&str> = words(command).collect();
    let has = |wanted: &str| words.contains(&wanted);
    PROGRAMS.iter().any(|program| has(program))
        || PAIRS.iter().any(|(program, with)| has(program) && with.iter().any(|word| has(word)))
}

/// Git puts files back to what they were.
pub(crate) fn is_git_restore(command: &str) -> bool {
    const VERBS: [&str; 18] = [
        "checkout",
        "restore",
        "stash",
        "reset",
        "switch",
        "revert",
        "cherry-pick",
        "rebase",
        "merge",
        "show",
        "apply",
        "am",
        "cat-file",
        "diff",
        "read-tree",
        "archive",
        "pull",
        "format-patch",
    ];
    let words: Vec<&str> = words(command).collect();
    words.contains(&"git") && VERBS.iter().any(|verb| words.contains(verb))
}

pub(super) fn words(command: &str) -> impl Iterator<Item = &str> {
    command
        .split(|c: char| c.is_whitespace() || ";&|()\"'`".contains(c))
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatters_and_ways_back_of_git_are_known_by_their_words() {
        for line in [
            "npx prettier --write .",
            "cargo fmt --all",
            "cd web && npm run format",
            "./node_modules/.bin/eslint --fix src",
            "ruff format .",
        ] {
            assert!(is_formatter(line), "{line}");
        }
        for line in ["cargo test", "cargo clippy --fix", "echo format", "eslint src", "sed -i s/a/b/ x"] {
            assert!(!is_formatter(line), "{line}");
        }
        assert!(is_git_restore("git checkout -- a.py") && is_git_restore("cd x; git stash pop"));
        assert!(!is_git_restore("git add .") && !is_git_restore("npm run merge"));
    }
}
