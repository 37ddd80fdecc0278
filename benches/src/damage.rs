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
    ensure!(pool.len() >= FILES, "a tree of {} files is too small to damage {FILES}", pool.len());
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
        fs::write(beside.with_file_name(format!("fixed_copy_{number}.txt")), "junk\n".repeat(100))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, generate};
    use crate::tree::{Manifest, copy};

    fn files_of(folder: &Path, under: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder.join(under)).unwrap() {
            let entry = entry.unwrap();
            let path = under.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                files_of(folder, &path, files);
            } else {
                files.push(path);
            }
        }
    }

    #[test]
    fn a_copy_is_the_same_and_a_damaged_copy_differs_in_as_many_files_as_promised() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, twin) = (folder.path().join("tree"), folder.path().join("twin"));
        fs::create_dir(&tree).unwrap();
        generate(&tree, Shape::small_files(1_500)).unwrap();
        copy(&tree, &twin).unwrap();
        let before = Manifest::of(&tree).unwrap();
        assert_eq!(before.differences(&Manifest::of(&twin).unwrap()), (0, Vec::new()));

        let mut files = Vec::new();
        files_of(&twin, Path::new(""), &mut files);
        damage(&twin, &files, 1).unwrap();
        let (count, examples) = before.differences(&Manifest::of(&twin).unwrap());
        assert_eq!(count, FILES, "{examples:?}");
    }

    #[test]
    fn the_same_tree_is_generated_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let trees = ["one", "two"].map(|name| {
            let tree = folder.path().join(name);
            fs::create_dir(&tree).unwrap();
            generate(&tree, Shape::checkout(300)).unwrap();
            Manifest::of(&tree).unwrap()
        });
        assert!(trees[0] == trees[1]);
    }
}
