//! Bigger and bigger trees: does the time grow with the files and not faster, and does the memory stay small?

use std::path::Path;

use anyhow::{Context as _, Result};
use fs_err as fs;

use crate::Tools;
use crate::checkpoints::{Bench, Outcome};
use crate::generate::{Shape, generate};
use crate::measure::{self, Times, settle};
use crate::report::{Floor, Section, human_bytes, human_ms};
use crate::vib::Vib;

const SIZES: [usize; 3] = [25_000, 50_000, 100_000];
/// "Linear": at four times the files, the cost of one file may be this much higher. Leaves room for noise and caches.
const SLACK: f64 = 1.3;
const MEMORY_LIMIT: f64 = 200e6;

/// The promises of this module, for a run that leaves it out.
pub fn not_measured() -> Vec<Floor> {
    [memory_claim(), linear_claim("first"), linear_claim("unchanged")]
        .map(|claim| Floor::not_measured(claim, "add --scale"))
        .into()
}

fn memory_claim() -> String {
    format!("memory under 200 MB at {} files", SIZES[2])
}

fn linear_claim(what: &str) -> String {
    format!("{what} snapshot grows linearly with files")
}

/// Generates the trees in `folder` and measures vib on them.
pub fn scale(tools: &Tools, folder: &Path, runs: usize) -> Result<Outcome> {
    let mut times = Section::new("growth with the number of small files");
    let mut memory = Section::new("memory by number of small files");
    let mut medians = Vec::new();
    let mut most: f64 = 0.0;
    for files in SIZES {
        eprintln!("{files} files");
        let tree = folder.join("scale");
        fs::create_dir(&tree)?;
        generate(&tree, Shape::small_files(files))?;
        let vib = Vib::new(&tools.vib, &tree, &folder.join("scale-vib"))?;
        let first_memory = peak(tools, &vib, folder)?;
        let unchanged_memory = peak(tools, &vib, folder)?;
        memory.bytes(&format!("first, {files} files"), first_memory, None);
        memory.bytes(&format!("unchanged, {files} files"), unchanged_memory, None);
        most = first_memory.max(unchanged_memory);
        let mut first = Vec::new();
        for _ in 0..runs.clamp(1, 3) {
            vib.forget()?;
            settle();
            first.push(vib.save_tree()?);
        }
        settle();
        vib.save_tree()?;
        let unchanged = (0..runs).map(|_| vib.save_tree()).collect::<Result<Vec<_>>>()?;
        let walk = (0..runs).map(|_| tools.stat_walk(&tree)).collect::<Result<Vec<_>>>()?;
        let (first, unchanged, walk) = (Times::new(first), Times::new(unchanged), Times::new(walk));
        times.time(&format!("first, {files} files"), &first, &[]);
        times.time(&format!("unchanged, {files} files"), &unchanged, &[("stat walk", &walk)]);
        medians.push((files as f64, first.median(), unchanged.median()));
        vib.forget()?;
        fs::remove_dir_all(&tree)?;
    }
    let mut floors = vec![Floor::new(memory_claim(), most < MEMORY_LIMIT, human_bytes(most))];
    if let (Some(small), Some(large)) = (medians.first(), medians.last()) {
        floors.push(linear("first", (small.0, small.1), (large.0, large.1)));
        floors.push(linear("unchanged", (small.0, small.2), (large.0, large.2)));
    }
    Ok((vec![times, memory], floors))
}

fn linear(what: &str, small: (f64, f64), large: (f64, f64)) -> Floor {
    let growth = (large.1 / small.1) / (large.0 / small.0);
    let measured = format!(
        "{} to {}: {:.1}× the files, {:.1}× the time",
        human_ms(small.1),
        human_ms(large.1),
        large.0 / small.0,
        large.1 / small.1
    );
    Floor::new(linear_claim(what), growth <= SLACK, measured)
}

impl Bench<'_> {
    /// The memory that vib needs on the tree, from nothing and again. Forgets all checkpoints.
    pub fn memory(&self, folder: &Path) -> Result<Section> {
        self.vib.forget()?;
        let mut section = Section::new("memory (most held at once)");
        section.bytes("first snapshot", peak(self.tools, &self.vib, folder)?, None);
        section.bytes("unchanged snapshot", peak(self.tools, &self.vib, folder)?, None);
        Ok(section)
    }
}

/// The memory of one snapshot of the tree.
fn peak(tools: &Tools, vib: &Vib, folder: &Path) -> Result<f64> {
    let file = folder.join("maxrss");
    let args = ["checkpoint", "-m", "bench"].map(std::ffi::OsStr::new);
    measure::time(&mut vib.command_under(&tools.maxrss, &[file.as_os_str()], &args))?;
    let text = fs::read_to_string(&file)?;
    text.parse().with_context(|| format!("`{text}` is no number of bytes"))
}
