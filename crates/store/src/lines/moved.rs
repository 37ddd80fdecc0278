//! Single lines that a step put elsewhere in their file, however short: `sort -o f f`, `tac f > t; mv t f`, a script that orders imports. They stood
//! there before, so whoever wrote them wrote them. (B1)
//!
//! A command moves without reading; there every line counts, as often as it was there. An edit tool types: there it counts where nothing but the
//! order changed, and for what a person wrote.

use std::collections::{BTreeMap, HashMap};

use super::Writer;
use super::carry::NEW;
use super::text::{BLANK, Text};
use super::walk::{LineWalk, Lines, MOST_STEPS};
use crate::Result;
use crate::ledger::{Actor, StepNumber};

/// How much a step is believed to have moved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    Nothing,
    /// Lines with letters in them, if a person wrote them.
    Persons,
    Everything,
}

impl LineWalk<'_> {
    /// Gives new lines that stood elsewhere in the file to their writers. Returns which lines of before are still there.
    pub(super) fn take_moved_lines(
        &mut self,
        base: &Lines,
        mut stayed: Vec<bool>,
        text: &Text,
        steps: &[StepNumber],
        writers: &mut [u32],
    ) -> Result<Vec<bool>> {
        let is_new: Vec<usize> = (0..text.len()).filter(|line| writers[*line] == NEW).collect();
        let (Some(first), Some(last)) = (is_new.first().copied(), is_new.last().copied()) else {
            return Ok(stayed);
        };
        let mut gone: HashMap<u64, Vec<usize>> = HashMap::new();
        for (line, name) in base.text.bare().iter().enumerate().filter(|(line, _)| !stayed[*line]) {
            gone.entry(*name).or_default().push(line);
        }
        let mut came: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for line in is_new {
            came.entry(text.bare()[line]).or_default().push(line);
        }
        let moves = self.moves(steps, &gone, &came)?;
        if moves == Moves::Nothing {
            return Ok(stayed);
        }
        for (name, came) in &came {
            let Some(gone) = gone.get(name) else { continue };
            let mut persons: Vec<usize> = Vec::new();
            let mut others: Vec<usize> = Vec::new();
            for line in gone {
                let is_person = self.is_person(base.writers[*line])?;
                if is_person { persons.push(*line) } else { others.push(*line) }
            }
            if moves == Moves::Persons {
                if base.text.weight(gone[0]) == 0 {
                    continue;
                }
                others.clear();
            }
            let has_person = !persons.is_empty();
            let mut from: Vec<usize> = persons.iter().chain(&others).copied().take(came.len()).collect();
            // As they stood: equal lines keep their order where nobody can tell.
            from.sort_unstable();
            for (to, from) in came.iter().zip(&from) {
                writers[*to] = base.writers[*from];
                stayed[*from] = true;
            }
            if moves == Moves::Everything && (has_person || *name != BLANK) {
                self.doubt_equal_ones(
                    base,
                    text,
                    *name,
                    first..last + 1,
                    (came, from.len(), steps),
                    writers,
                )?;
            }
        }
        Ok(stayed)
    }

    /// Equal lines that a person and an agent wrote, and a command moved some of them: nobody can tell which is which.
    fn doubt_equal_ones(
        &mut self,
        base: &Lines,
        text: &Text,
        name: u64,
        within: std::ops::Range<usize>,
        (came, taken, steps): (&[usize], usize, &[StepNumber]),
        writers: &mut [u32],
    ) -> Result<()> {
        let mut of: Vec<u32> = Vec::new();
        let mut has_person = false;
        for (line, _) in base.text.bare().iter().enumerate().filter(|(_, other)| **other == name) {
            let writer = base.writers[line];
            if writer != NEW && !of.contains(&writer) {
                has_person |= self.is_person(writer)?;
                of.push(writer);
            }
        }
        if !has_person {
            return Ok(());
        }
        // More came than went: some of them are the step's.
        if came.len() > taken {
            of.push(self.id(&Writer::Steps(steps.to_vec())));
        }
        let Some(either) = self.either(&of)? else { return Ok(()) };
        for line in within.filter(|line| text.bare()[*line] == name) {
            writers[line] = either;
        }
        Ok(())
    }

    fn moves(
        &mut self,
        steps: &[StepNumber],
        gone: &HashMap<u64, Vec<usize>>,
        came: &BTreeMap<u64, Vec<usize>>,
    ) -> Result<Moves> {
        let mut is_agents = false;
        for step in steps {
            if self.command_of(*step)?.is_some() {
                return Ok(Moves::Everything);
            }
            is_agents |= self.store.step(*step)?.is_some_and(|step| step.actor == Actor::Agent);
        }
        if !is_agents {
            return Ok(Moves::Nothing);
        }
        let solid = |count: usize, name: u64| if name == BLANK { 0 } else { count };
        let went: usize = gone.iter().map(|(name, lines)| solid(lines.len(), *name)).sum();
        let arrived: usize = came.iter().map(|(name, lines)| solid(lines.len(), *name)).sum();
        let same = went == arrived
            && came.iter().all(|(name, lines)| {
                *name == BLANK || gone.get(name).is_some_and(|gone| gone.len() == lines.len())
            });
        Ok(if same { Moves::Everything } else { Moves::Persons })
    }

    /// Lines that were put together from several: if a person wrote one of these, they are among the writers. (B4)
    pub(super) fn join(&mut self, joined: &[(usize, Vec<u32>)], writers: &mut [u32]) -> Result<()> {
        for (line, of) in joined {
            if let Some(either) = self.either(of)? {
                writers[*line] = either;
            }
        }
        Ok(())
    }

    /// One writer for what may be of any of these, if a person is among them: "one of", or the person where that cannot be said. None: no person
    /// is, or all are the same.
    pub(super) fn either(&mut self, of: &[u32]) -> Result<Option<u32>> {
        let mut all: Vec<StepNumber> = Vec::new();
        let (mut person, mut is_steps, mut is_mixed) = (None, true, false);
        for id in of.iter().copied().filter(|id| *id != NEW) {
            if self.is_person(id)? {
                person = person.or(Some(id));
            }
            is_mixed |= of.first() != Some(&id);
            match self.writer(id).wrote() {
                Writer::Steps(steps) => all.extend(steps.iter().copied()),
                _ => is_steps = false,
            }
        }
        let Some(person) = person.filter(|_| is_mixed) else { return Ok(None) };
        all.sort_unstable();
        all.dedup();
        if !is_steps || all.len() > MOST_STEPS {
            return Ok(Some(person));
        }
        Ok(Some(self.id(&Writer::Steps(all))))
    }
}
