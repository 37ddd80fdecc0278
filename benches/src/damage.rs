//! What an agent on the wrong track does to a tree.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use fs_err as fs;

use crate::random::Random;

const EMPTIED: usize = 350;
const OVERWRITTEN: usize = 350;
const DELETED: usize = 200;
const ADDED: usize = 100;

/// How many files a damage touches.
pub const FILES: usize = EMPTIED + OVERWRITTEN + DELETED + ADDED;

/// Empties and overwrites 700 of the files, deletes 200 and adds 100. `round` decides which.
pub fn damage(root: &Path, files: &[PathBuf], round: u64) -> Result<()> {
    let mut random = Random::new(round);
    let mut pool: Vec<&PathBuf> = files
        .iter()
        .filter(|path| fs::symlink_metadata(root.join(path)).is_ok_and(|data| data.is_file()))
        .collect();
    ensure!(
        pool.len() >= FILES,
        "a tree of {} files is too small to damage {FILES}",
        pool.len()
    );
    let mut pick = || pool.swap_remove(random.below(pool.len()));
    for _ in 0..EMPTIED {
        fs::File::create(root.join(pick()))?;
    }
    for number in 0..OVERWRITTEN {
        let text =
            format!("// TODO: rest of the file unchanged ({round}, {number})\n").repeat(1 + number % 40);
        fs::write(root.join(pick()), text)?;
    }
    for _ in 0..DELETED {
        fs::remove_file(root.join(pick()))?;
    }
    for number in 0..ADDED {
        let beside = root.join(pick());
        fs::write(
            beside.with_file_name(format!("fixed_copy_{number}.txt")),
            "junk\n".repeat(100),
        )?;
    }
    Ok(())
}
