//! Lines that a command copied from files that stay: `cp a b && sed -i … b`, `cat a b > c`, `cp save f; echo tail >> f`. They stood in the
//! project before the step, so whoever wrote them there wrote them. (M3)
//!
//! Only commands copy without reading; what an agent types with its edit tool is its own, however much it looks like something else. And
//! only files are looked at that the command names, or that have the same name elsewhere where it copies many; and what a person typed lately
//! ([`super::typed`]): their line is not given to an agent because a script moved it.

use std::collections::HashMap;
use std::rc::Rc;

use super::blocks::{OTHER_FILE, Pool, SAME_FILE, match_blocks};
use super::carry::NEW;
use super::origin::{LONGEST_OTHER, MOST_OTHERS, words};
use super::text::{BLANK, Text, is_solid, name_of};
use super::typed::contains;
use super::walk::{LineWalk, Lines};
use crate::Result;
use crate::ledger::{Actor, StepNumber};

/// Programs that copy files whose names they are not told one by one.
const COPIERS: &[&str] =
    &["cp", "rsync", "install", "ditto", "copy", "xcopy", "robocopy", "tar", "cpio", "gcp"];
/// Paths of one name that are taken for a word of a command.
const MOST_OF_ONE_NAME: usize = 3;

impl LineWalk<'_> {
    /// Files that the command of a step names, and that may have been there before it.
    pub(super) fn named(&mut self, key: &[u8], steps: &[StepNumber]) -> Result<Vec<Vec<u8>>> {
        let [step] = steps else { return Ok(Vec::new()) };
        let Some(command) = self.command_of(*step)? else { return Ok(Vec::new()) };
        self.named_in(key, *step, &command)
    }

    fn named_in(&mut self, key: &[u8], step: StepNumber, command: &str) -> Result<Vec<Vec<u8>>> {
        // What was looked at before it began comes first: the words of the ledger may be cut short.
        let mut out: Vec<Vec<u8>> =
            self.store.sources_of(step)?.into_iter().map(String::into_bytes).collect();
        let is_told = !out.is_empty();
        out.retain(|path| path != key);
        let root = self.store.project.root().to_string_lossy().into_owned();
        let folder = key.iter().rposition(|&byte| byte == b'/').map_or(&b""[..], |at| &key[..=at]);
        let split = |c: char| c.is_whitespace() || ";&|()<>\"'`=,:".contains(c);
        for word in command.split(split).filter(|word| !word.is_empty() && !word.starts_with('-')) {
            let word = word.strip_prefix(&root).map_or(word, |rest| rest.trim_start_matches('/'));
            let word = word.strip_prefix("./").unwrap_or(word);
            if out.len() >= MOST_OTHERS {
                break;
            }
            let mut known = false;
            for path in [word.as_bytes().to_vec(), [folder, word.as_bytes()].concat()] {
                if self.store.path_number(&path)?.is_some() {
                    known = true;
                    if path != key && !out.contains(&path) {
                        out.push(path);
                    }
                }
            }
            // `cd src && cp a.py ../lib/b.py`: in which folder it is meant nobody says any more.
            if !known && !is_told && looks_like_a_file(word) {
                let name = word.rsplit('/').next().unwrap_or(word);
                for path in self.of_name(key, name.as_bytes(), MOST_OF_ONE_NAME)? {
                    if !out.contains(&path) {
                        out.push(path);
                    }
                }
            }
        }
        out.truncate(MOST_OTHERS);
        Ok(out)
    }

    /// The command line of an agent's step; none for its other tools.
    pub(super) fn command_of(&self, step: StepNumber) -> Result<Option<String>> {
        let Some(step) = self.store.step(step)?.filter(|step| step.actor == Actor::Agent) else {
            return Ok(None);
        };
        Ok(step.what.filter(|what| what.trim().contains(char::is_whitespace)))
    }

    /// The step of an edit tool: of such a one the ledger says the tool first, then the file.
    pub(super) fn is_edit(&self, step: StepNumber) -> Result<bool> {
        let Some(step) = self.store.step(step)? else { return Ok(false) };
        let (tool, what) = (step.tool.unwrap_or_default(), step.what.unwrap_or_default());
        Ok(!tool.is_empty() && what.strip_prefix(&tool).is_some_and(|rest| rest.starts_with(' ')))
    }

    /// Gives lines that are still nobody's to those who wrote them in the files that the command copied from.
    pub(super) fn take_from_copied(
        &mut self,
        key: &[u8],
        seq: i64,
        text: &Text,
        step: StepNumber,
        writers: &mut [u32],
    ) -> Result<()> {
        if !writers.contains(&NEW) {
            return Ok(());
        }
        let Some(command) = self.command_of(step)? else { return Ok(()) };
        // What the agent typed into its command is its own. Of a long one the ledger keeps only the beginning.
        let is_cut = command.ends_with('…');
        let named = self.named_in(key, step, &command)?;
        let named = self.sources(named, seq, step)?;
        match_copies(&named, text, writers, SAME_FILE);
        if writers.contains(&NEW) && words(&command).any(|word| COPIERS.contains(&word)) {
            let name = key.rsplit(|&byte| byte == b'/').next().unwrap_or(key).to_vec();
            let namesakes = self.of_name(key, &name, MOST_OTHERS)?;
            let namesakes = self.sources(namesakes, seq, step)?;
            match_copies(&namesakes, text, writers, OTHER_FILE);
        }
        // `git apply fix.patch`: what comes stands there behind a plus.
        let is_patch = words(&command).any(|word| matches!(word, "apply" | "am" | "patch"));
        // `grep`, `head`, `sort`: a single line comes out, and it may be short.
        self.take_single_lines(&named, text, writers, is_patch, |is_person, weight, line| {
            is_person || weight >= SAME_FILE || !is_cut && !contains(command.as_bytes(), line.trim_ascii())
        })?;
        if writers.contains(&NEW) {
            self.take_typed(seq, text, &command, writers)?;
            if !self.is_edit(step)? {
                self.doubt_typed(seq, text, &command, &[step], writers)?;
            }
        }
        Ok(())
    }

    fn sources(&mut self, paths: Vec<Vec<u8>>, seq: i64, step: StepNumber) -> Result<Vec<Rc<Lines>>> {
        let mut out: Vec<Rc<Lines>> = Vec::new();
        for path in paths {
            let lines = self.lines_found_by(&path, seq, &[step])?;
            out.extend(lines.filter(|lines| lines.text.size() as u64 <= LONGEST_OTHER));
        }
        Ok(out)
    }

    /// New lines that stand in one of these files just so; where several have one, the person among its writers. `taken`: whether a line with
    /// letters in it is, from whether a person wrote it, how many letters and digits it has, and itself.
    fn take_single_lines(
        &mut self,
        from: &[Rc<Lines>],
        text: &Text,
        writers: &mut [u32],
        is_patch: bool,
        taken: impl Fn(bool, usize, &[u8]) -> bool,
    ) -> Result<()> {
        let mut known: HashMap<u64, (bool, u32)> = HashMap::new();
        let mut buffer = Vec::new();
        for lines in from {
            for (line, (name, writer)) in lines.text.bare().iter().zip(&lines.writers).enumerate() {
                let weight = lines.text.weight(line);
                let is_person = *name != BLANK && self.is_person(*writer)?;
                if weight == 0 && !is_person
                    || *writer == NEW
                    || !taken(is_person, weight, lines.text.line(line))
                {
                    continue;
                }
                let added = lines.text.line(line).strip_prefix(b"+").filter(|_| is_patch);
                let added = added.map(|added| name_of(added, is_solid, &mut buffer));
                for name in std::iter::once(*name).chain(added).filter(|name| *name != BLANK) {
                    let entry = known.entry(name).or_insert((is_person, *writer));
                    if is_person && !entry.0 {
                        *entry = (true, *writer);
                    }
                }
            }
        }
        if known.is_empty() {
            return Ok(());
        }
        for (line, writer) in writers.iter_mut().enumerate().filter(|(_, writer)| **writer == NEW) {
            if let Some((_, known)) = known.get(&text.bare()[line]) {
                *writer = *known;
            }
        }
        Ok(())
    }

    /// Files of this name, in whichever folder.
    fn of_name(&mut self, key: &[u8], name: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        if !self.names.contains_key(name) {
            let ending = [b"/", name].concat();
            let mut statement = self.store.db.reader().prepare_cached(
                "SELECT path FROM path WHERE path = ?1 OR substr(path, -length(?2)) = ?2 LIMIT ?3",
            )?;
            let limit = i64::try_from(MOST_OTHERS + 1).unwrap_or(i64::MAX);
            let rows = statement.query_map((name, ending, limit), |row| row.get(0))?;
            let found: Vec<Vec<u8>> = rows.collect::<rusqlite::Result<_>>()?;
            self.names.insert(name.to_vec(), found);
        }
        let known = self.names.get(name).into_iter().flatten();
        Ok(known.filter(|path| path.as_slice() != key).take(most).cloned().collect())
    }
}

/// `a.py`, `lib/b.tar.gz`, not `1.5` or `s/a.b/c/`.
fn looks_like_a_file(word: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    word.chars().all(is_plain)
        && word.rsplit_once('.').is_some_and(|(stem, end)| {
            !stem.is_empty() && end.len() <= 5 && end.starts_with(|c: char| c.is_ascii_alphabetic())
        })
}

/// Gives new lines that stand as a block in one of these files the writers of those.
fn match_copies(from: &[Rc<Lines>], text: &Text, writers: &mut [u32], least: usize) {
    let mut pools: Vec<Pool<'_>> = from
        .iter()
        .map(|lines| Pool {
            text: &lines.text,
            writers: &lines.writers,
            stayed: vec![false; lines.text.len()],
        })
        .collect();
    match_blocks(text, writers, &mut pools, least);
}
