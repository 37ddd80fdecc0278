//! What checkpoints cost: vib against shadow git, and against what the machine can do at best.

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::Tools;
use crate::measure::{self, Contender, Times, in_turn, settle};
use crate::report::{Floor, Section, human_bytes, human_ms};
use crate::shadow_git::ShadowGit;
use crate::tree::{append_line, deep_file, parts, weigh};
use crate::vib::Vib;

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
        for (name, bytes) in parts(&self.vib.state())? {
            size.bytes(&format!("  of it {name}"), bytes as f64, None);
        }
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
            smaller("on the disk", ours.disk_bytes, theirs.disk_bytes),
            smaller("in the sum of file sizes", ours.bytes, theirs.bytes),
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

    /// A file of ordinary size deep in the tree: always the same one.
    pub fn file_to_edit(&self) -> Result<PathBuf> {
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

    /// Adds a line to a file.
    pub fn edit(&self, file: &Path) -> Result<()> {
        self.edits.set(self.edits.get() + 1);
        append_line(file, &format!("// change {}", self.edits.get()))
    }
}

fn smaller(how: &str, ours: u64, theirs: u64) -> Floor {
    let measured = format!("{} to {}", human_bytes(ours as f64), human_bytes(theirs as f64));
    let claim = format!("store after the first snapshot smaller than shadow git's {how}");
    Floor::new(claim, ours < theirs, measured)
}
