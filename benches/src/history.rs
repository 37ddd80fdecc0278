//! What many checkpoints do to the store.

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;

use crate::checkpoints::{Bench, Outcome};
use crate::report::{Floor, Section, human_bytes};
use crate::tree::weigh;

/// 8 KB: what a one-file snapshot may add besides the content.
const GROWTH_LIMIT: f64 = 8.0 * 1024.0;
const GROWTH_SNAPSHOTS: u32 = 100;

impl Bench<'_> {
    /// How much the store grows when one file at a time changes.
    pub fn growth(&self) -> Result<Outcome> {
        let file = self.tree.join(self.file_to_edit()?);
        // Expiry and clean-up would hide growth; a clean-up first makes what is made once (its copy of the index).
        self.vib.keep_everything()?;
        self.vib.save_tree()?;
        self.vib.json(&["store", "gc", "--json"])?;
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

    /// Saves one file again and again until the store is full of checkpoints.
    pub fn fill_history(&self, checkpoints: usize) -> Result<()> {
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
        let stats = self.vib.json(&["store", "stats", "--json"])?;
        let kept = stats.pointer("/data/manual").and_then(serde_json::Value::as_u64).unwrap_or(0);
        ensure!(kept >= checkpoints as u64, "only {kept} of {checkpoints} checkpoints are in the store");
        Ok(())
    }
}
