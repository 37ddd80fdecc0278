//! Going back: how long it takes, and whether everything is as it was.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use crate::checkpoints::{Bench, Outcome};
use crate::damage;
use crate::measure::{Times, settle};
use crate::report::{Floor, Section, human_ms};
use crate::tree::Manifest;

impl Bench<'_> {
    /// Going back after damage, and whether everything is as it was.
    pub fn restore(&self) -> Result<Outcome> {
        self.git.save()?;
        let files = self.git.files()?;
        let (mut vib, mut checkout, mut clean) = (Vec::new(), Vec::new(), Vec::new());
        let (mut wrong, mut wrong_git) = ((0, Vec::new()), (0, Vec::new()));
        for round in 0..=self.runs as u64 {
            let id = self.vib.save_tree_id()?;
            let time = self.damaged(&files, round, &mut wrong, || self.vib.undo(&id))?;
            self.git.save()?;
            let mut times = (Duration::ZERO, Duration::ZERO);
            self.damaged(&files, round, &mut wrong_git, || {
                times = (self.git.checkout()?, self.git.clean()?);
                Ok(Duration::ZERO)
            })?;
            if round > 0 {
                vib.push(time);
                checkout.push(times.0);
                clean.push(times.0 + times.1);
            }
        }
        let (vib, checkout, clean) = (Times::new(vib), Times::new(checkout), Times::new(clean));
        let mut section = Section::new(format!("restore of {} damaged files", damage::FILES));
        section.time("vib undo (with its safety checkpoint)", &vib, &[("git checkout", &checkout)]);
        section.time("git checkout (leaves the junk)", &checkout, &[]);
        section.time("git checkout and clean", &clean, &[("git checkout", &checkout)]);
        let floors = vec![
            Floor::new(
                format!("restoring {} damaged files faster than git checkout", damage::FILES),
                vib.median() < checkout.median(),
                format!("{} to {}", human_ms(vib.median()), human_ms(checkout.median())),
            ),
            exactness(&wrong),
        ];
        // Git knows neither empty folders nor most modes: worth a line, not a verdict on vib.
        if wrong_git.0 > 0 {
            let examples = wrong_git.1.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
            section.notes.push(format!("git left {} differences, such as: {examples}", wrong_git.0));
        }
        Ok((vec![section], floors))
    }

    /// Damages the tree, lets it be repaired, and adds up what is then different from before.
    fn damaged(
        &self,
        files: &[PathBuf],
        round: u64,
        wrong: &mut (usize, Vec<String>),
        repair: impl FnOnce() -> Result<Duration>,
    ) -> Result<Duration> {
        let before = Manifest::of(&self.tree)?;
        damage::damage(&self.tree, files, round)?;
        settle();
        let time = repair()?;
        let (count, examples) = before.differences(&Manifest::of(&self.tree)?);
        wrong.0 += count;
        wrong.1.extend(examples);
        Ok(time)
    }
}

fn exactness(wrong: &(usize, Vec<String>)) -> Floor {
    let measured = match wrong.0 {
        0 => "no difference in paths, content, modes and links".to_owned(),
        count => format!("{count} differences, such as: {}", wrong.1.join("; ")),
    };
    Floor::new("vib restores the tree exactly", wrong.0 == 0, measured)
}
