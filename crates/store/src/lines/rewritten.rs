//! Lines that a command changed: where much of what a person wrote stands in one, the person is among its writers. A formatter that puts three
//! lines into one, `sed 's/^/# /'`, a rename: none of them wrote the line alone. (B4)

use std::collections::HashMap;

use super::Writer;
use super::carry::NEW;
use super::text::Text;
use super::typed::contains;
use super::walk::{LineWalk, Lines};
use crate::Result;
use crate::ledger::StepNumber;
use crate::ledger::explained::{Said, is_same_frame};

/// So many letters and digits of a person's line a new one has.
const LEAST: usize = 3;
/// More lines are not compared: the file was replaced.
const MOST_LINES: usize = 4_096;
/// A word that is in more lines than this tells nothing.
const MOST_PLACES: usize = 256;
/// More lines of the same build tell nothing.
const MOST_FRAMES: usize = 4;

impl LineWalk<'_> {
    /// `stayed`: the lines of before that are still there.
    pub(super) fn take_rewritten(
        &mut self,
        base: &Lines,
        stayed: &[bool],
        text: &Text,
        steps: &[StepNumber],
        writers: &mut [u32],
    ) -> Result<()> {
        if stayed.len() != base.text.len() || !writers.contains(&NEW) {
            return Ok(());
        }
        let mut command = None;
        for step in steps {
            command = command.or(self.command_of(*step)?);
        }
        let Some(command) = command else { return Ok(()) };
        let is_cut = command.ends_with('…');
        let said = Said::of(&command, false);
        let mut gone: Vec<usize> = Vec::new();
        let mut words: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        let mut weights: HashMap<usize, usize> = HashMap::new();
        for line in (0..stayed.len()).filter(|line| !stayed[*line]) {
            if weights.len() >= MOST_LINES {
                return Ok(());
            }
            if !self.is_person(base.writers[line])? {
                continue;
            }
            let mut weight = 0;
            for word in tokens(&folded(base.text.line(line))) {
                weight += word.len();
                let places = words.entry(word.to_vec()).or_default();
                if places.last() != Some(&line) {
                    places.push(line);
                }
            }
            weights.insert(line, weight);
            gone.push(line);
        }
        words.retain(|_, places| places.len() <= MOST_PLACES);
        if gone.is_empty() {
            return Ok(());
        }
        let own = self.id(&Writer::Steps(steps.to_vec()));
        for (line, writer) in writers.iter_mut().enumerate().filter(|(_, writer)| **writer == NEW) {
            let now = text.line(line);
            // A word took the place of another, as the command says: however much of the line it is, the rest is the person's. (M5)
            let renamed = gone.iter().filter(|place| said.renames(base.text.line(**place), now));
            let renamed: Vec<u32> = renamed.take(MOST_FRAMES).map(|place| base.writers[*place]).collect();
            if !renamed.is_empty() {
                let of: Vec<u32> = [own].into_iter().chain(renamed).collect();
                if let Some(either) = self.either(&of)? {
                    *writer = either;
                }
                continue;
            }
            // What the agent typed into its command is its own.
            if !is_cut && contains(command.as_bytes(), now.trim_ascii()) {
                continue;
            }
            let mut shared: HashMap<usize, usize> = HashMap::new();
            let mut seen: Vec<&[u8]> = Vec::new();
            let plain = folded(now);
            for word in tokens(&plain) {
                if seen.contains(&word) {
                    continue;
                }
                seen.push(word);
                for place in words.get(word).into_iter().flatten() {
                    *shared.entry(*place).or_insert(0) += word.len();
                }
            }
            let mut of: Vec<u32> = vec![own];
            let mut found: Vec<usize> = shared
                .into_iter()
                .filter(|(place, weight)| *weight >= LEAST && weight * 2 >= weights[place])
                .map(|(place, _)| place)
                .collect();
            if found.is_empty() {
                // A script renames, too, and nobody reads its words here: the signs between them are the same.
                let has_signs = now.iter().any(u8::is_ascii_punctuation);
                let frames =
                    gone.iter().filter(|place| has_signs && is_same_frame(base.text.line(**place), now));
                found.extend(frames.take(MOST_FRAMES));
            }
            if found.is_empty() {
                found.extend(
                    gone.iter().filter(|place| is_decoded(base.text.line(**place), now)).take(MOST_FRAMES),
                );
            }
            found.sort_unstable();
            of.extend(found.into_iter().map(|place| base.writers[place]));
            if let Some(either) = self.either(&of)? {
                *writer = either;
            }
        }
        Ok(())
    }
}

/// A line as its words are compared: the same words in other letters are still the person's. (M4)
fn folded(line: &[u8]) -> Vec<u8> {
    std::str::from_utf8(line)
        .map_or_else(|_| line.to_ascii_lowercase(), |text| words::folded(text).into_bytes())
}

/// The line was in another encoding before: what every encoding writes alike is the same, and as many words stand there.
fn is_decoded(old: &[u8], new: &[u8]) -> bool {
    let is_text = |line: &[u8]| std::str::from_utf8(line).is_ok();
    let plain = |line: &[u8]| -> Vec<u8> {
        line.iter().copied().filter(|byte| byte.is_ascii() && !byte.is_ascii_whitespace()).collect()
    };
    let count = |line: &[u8]| line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    is_text(old) != is_text(new)
        && !old.is_ascii()
        && !new.is_ascii()
        && plain(old) == plain(new)
        && count(old) == count(new)
}

/// The words of a line: letters, digits and `_`.
fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    line.split(move |byte| !is_word(byte)).filter(|word| !word.is_empty())
}
