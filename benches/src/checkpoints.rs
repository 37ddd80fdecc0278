//! What checkpoints cost: vib against shadow git, and against what the machine can do at best.

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use fs_err as fs;

use crate::measure::{self, Contender, Times, in_turn, settle};
use crate::report::{Floor, Section, human_bytes, human_ms};
use crate::shadow_git::ShadowGit;
use crate::tree::{Manifest, append_line, deep_file, weigh};
use crate::vib::Vib;
use crate::{Tools, damage};

/// The tree under test, and who works on it.
pub struct Bench<'a> {
    /// A copy that may be changed.
    pub tree: PathBuf,
    /// vib.
    pub vib: Vib,
    /// Its main peer.
    pub git: ShadowGit,
    /// The small programs.
    pub tools: &'a Tools,
    /// How often each thing is timed.
    pub runs: usize,
    /// The file that is edited, once it is chosen.
    pub edited: OnceCell<PathBuf>,
    /// How often it was edited.
    pub edits: Cell<u64>,
}

/// Figures, and the promises they decide.
pub type Outcome = (Vec<Section>, Vec<Floor>);

/// 8 KB: what a one-file snapshot may add besides the content.
const GROWTH_LIMIT: f64 = 8.0 * 1024.0;
const GROWTH_SNAPSHOTS: u32 = 100;

impl Bench<'_> {
    /// The first snapshot, from nothing. Afterwards both stores hold one.
    pub fn first(&self) -> Result<Outcome> {
        let mut times = (Vec::new(), Vec::new());
        for round in 0..=self.runs.clamp(1, 3) {
            self.vib.forget()?;
            settle();
            let vib = self.vib.save_tree()?;
            self.git.forget()?;
            settle();
            let git = self.git.save()?;
            // The first round brings the tree into the cache.
            if round > 0 {
                times.0.push(vib);
                times.1.push(git);
            }
        }
        let (vib, git) = (Times::new(times.0), Times::new(times.1));
        let mut section = Section::new("first snapshot");
        section.time("vib", &vib, &[("shadow git", &git)]);
        section.time("shadow git (add -A, commit)", &git, &[("vib", &vib)]);

        settle();
        let (ours, theirs) = (weigh(&self.vib.state())?, weigh(self.git.dir())?);
        let mut size = Section::new("store after the first snapshot");
        size.bytes("vib, sum of file sizes", ours.bytes as f64, Some(("shadow git", theirs.bytes as f64)));
        size.bytes("shadow git, sum of file sizes", theirs.bytes as f64, None);
        size.bytes(
            "vib, on the disk",
            ours.disk_bytes as f64,
            Some(("shadow git", theirs.disk_bytes as f64)),
        );
        size.bytes("shadow git, on the disk", theirs.disk_bytes as f64, None);

        let faster = git.median() / vib.median();
        let floors = vec![
            Floor::new(
                "first snapshot at least 5× faster than shadow git",
                faster >= 5.0,
                format!("{faster:.1}×"),
            ),
            Floor::new(
                "store after the first snapshot smaller than shadow git's",
                ours.bytes < theirs.bytes && ours.disk_bytes < theirs.disk_bytes,
                format!(
                    "{} to {}, on the disk {} to {}",
                    human_bytes(ours.bytes as f64),
                    human_bytes(theirs.bytes as f64),
                    human_bytes(ours.disk_bytes as f64),
                    human_bytes(theirs.disk_bytes as f64)
                ),
            ),
        ];
        Ok((vec![section, size], floors))
    }

    /// Snapshots of the tree when nothing changed, or when one file did.
    pub fn again(&self, what: &str, change: bool) -> Result<Outcome> {
        let file = self.tree.join(self.file_to_edit()?);
        let prepare = || if change { self.edit(&file) } else { Ok(()) };
        settle();
        let mut contenders: Vec<Contender<'_>> = vec![
            Box::new(|| {
                prepare()?;
                self.tools.stat_walk(&self.tree)
            }),
            Box::new(|| {
                prepare()?;
                self.git.status()
            }),
            Box::new(|| {
                prepare()?;
                self.vib.save_tree()
            }),
            Box::new(|| {
                prepare()?;
                self.git.save()
            }),
        ];
        let times = in_turn(self.runs, &mut contenders)?;
        let [walk, status, vib, git] = times.as_slice() else {
            anyhow::bail!("a contender is missing");
        };
        let mut section = Section::new(format!("{what} snapshot"));
        section.time("vib", vib, &[("stat walk", walk), ("git status", status), ("shadow git", git)]);
        section.time("shadow git (add -A, commit)", git, &[("stat walk", walk)]);
        section.time("git status", status, &[("stat walk", walk)]);
        section.time("stat walk on all cores", walk, &[]);
        let ratio = vib.median() / walk.median();
        let floors = vec![
            Floor::new(
                format!("{what} snapshot at most 1.3× a stat walk"),
                ratio <= 1.3,
                format!("{ratio:.2}×"),
            ),
            Floor::new(
                format!("{what} snapshot faster than git status"),
                vib.median() < status.median(),
                format!("{} to {}", human_ms(vib.median()), human_ms(status.median())),
            ),
        ];
        Ok((vec![section], floors))
    }

    /// A snapshot of one file, without a look at the rest of the tree.
    pub fn single_file(&self, when: &str) -> Result<Outcome> {
        let path = self.file_to_edit()?;
        let file = self.tree.join(&path);
        let mut contenders: Vec<Contender<'_>> = vec![
            Box::new(|| self.tools.empty_process()),
            Box::new(|| {
                self.edit(&file)?;
                self.vib.save_file(&path)
            }),
            Box::new(|| measure::time(&mut self.vib.command(&["--version".as_ref()]))),
        ];
        let times = in_turn(self.runs * 10, &mut contenders)?;
        let [empty, vib, version] = times.as_slice() else {
            anyhow::bail!("a contender is missing");
        };
        let mut section = Section::new(format!("single-file snapshot, {when}"));
        section.time("vib checkpoint FILE", vib, &[]);
        section.time("vib --version", version, &[]);
        section.time("empty Rust process", empty, &[]);
        let more = vib.median() - empty.median();
        let claim = format!("single-file snapshot within 3 ms of an empty process, {when}");
        Ok((vec![section], vec![Floor::new(claim, more <= 3.0, format!("+{}", human_ms(more)))]))
    }

    /// How much the store grows when one file at a time changes.
    pub fn growth(&self) -> Result<Outcome> {
        let path = self.file_to_edit()?;
        let file = self.tree.join(&path);
        self.vib.save_tree()?;
        self.git.save()?;
        let before = (weigh(&self.vib.state())?, weigh(self.git.dir())?);
        let (mut raw, mut packed) = (0, 0);
        for _ in 0..GROWTH_SNAPSHOTS {
            self.edit(&file)?;
            self.vib.save_tree()?;
            self.git.save()?;
            let content = fs::read(&file)?;
            raw += content.len();
            packed += zstd::bulk::compress(&content, 3).context("cannot compress")?.len();
        }
        let after = (weigh(&self.vib.state())?, weigh(self.git.dir())?);
        let each = |after: u64, before: u64| (after as f64 - before as f64) / f64::from(GROWTH_SNAPSHOTS);
        let vib = each(after.0.bytes, before.0.bytes);
        let content = packed as f64 / f64::from(GROWTH_SNAPSHOTS);
        let git = each(after.1.bytes, before.1.bytes);
        let mut section = Section::new(format!("growth per one-file snapshot, mean of {GROWTH_SNAPSHOTS}"));
        section.bytes("vib, sum of file sizes", vib, Some(("shadow git", git)));
        section.bytes("vib, on the disk", each(after.0.disk_bytes, before.0.disk_bytes), None);
        section.bytes("shadow git, sum of file sizes", git, None);
        section.bytes("shadow git, on the disk", each(after.1.disk_bytes, before.1.disk_bytes), None);
        section.bytes("the changed file", raw as f64 / f64::from(GROWTH_SNAPSHOTS), None);
        section.bytes("the changed file, zstd level 3", content, None);
        let floor = Floor::new(
            "a one-file snapshot adds at most 8 KB besides the content",
            vib - content <= GROWTH_LIMIT,
            format!("{} in all, {} besides the content", human_bytes(vib), human_bytes(vib - content)),
        );
        Ok((vec![section], vec![floor]))
    }

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
            exactness("vib", &wrong),
        ];
        // Git knows neither empty folders nor most modes; what it leaves is worth a line, not a verdict on vib.
        if wrong_git.0 > 0 {
            section.title.push_str(" (git left differences)");
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

    /// Saves one file again and again until the store is full of checkpoints.
    pub fn fill_history(&self, checkpoints: usize) -> Result<()> {
        self.vib.keep_everything()?;
        let path = self.file_to_edit()?;
        let text = fs::read(self.tree.join(&path))?;
        for number in 0..checkpoints {
            let line = format!("// version {number:06}\n");
            fs::write(self.tree.join(&path), [&text, line.as_bytes()].concat())?;
            self.vib.save_file(&path)?;
            if number % 1_000 == 999 {
                eprintln!("  {} checkpoints", number + 1);
            }
        }
        Ok(())
    }

    /// A file of ordinary size deep in the tree: always the same one.
    fn file_to_edit(&self) -> Result<PathBuf> {
        if let Some(path) = self.edited.get() {
            return Ok(path.clone());
        }
        let path = deep_file(&self.tree, &self.git.files()?, 2_000..4_000)?;
        Ok(self.edited.get_or_init(|| path).clone())
    }

    /// Changes a file deep in the tree.
    pub fn edit_one(&self) -> Result<()> {
        self.edit(&self.tree.join(self.file_to_edit()?))
    }

    fn edit(&self, file: &Path) -> Result<()> {
        self.edits.set(self.edits.get() + 1);
        append_line(file, &format!("// change {}", self.edits.get()))
    }
}

fn exactness(who: &str, wrong: &(usize, Vec<String>)) -> Floor {
    let measured = match wrong.0 {
        0 => "no difference in paths, content, modes and links".to_owned(),
        count => format!("{count} differences, such as: {}", wrong.1.join("; ")),
    };
    Floor::new(format!("{who} restores the tree exactly"), wrong.0 == 0, measured)
}
