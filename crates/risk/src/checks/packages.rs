//! Several packages in one folder, each with checks of its own.

use std::path::Path;

use super::ProjectCheck;

/// So many checks of packages are told, in the order of their folders.
const MOST: usize = 12;
/// So many folders are looked into.
const MOST_FOLDERS: usize = 400;
/// A package lies at most so deep: `packages/api`, `services/shop/web`.
const DEEPEST: usize = 3;

/// What lies in these belongs to somebody else, is made by a program, or is there to be looked at.
const PASSED_OVER: &[&str] = &[
    "node_modules",
    "vendor",
    "third_party",
    "target",
    "dist",
    "build",
    "out",
    "venv",
    "env",
    "site-packages",
    "examples",
    "example",
    "fixtures",
    "testdata",
    "templates",
    "bower_components",
    "Pods",
    "coverage",
];

/// The checks that `of` finds in the packages of a project. A folder that has some is a package: what is below it is its own matter.
pub(super) fn all(root: &Path, of: impl Fn(&Path) -> Vec<ProjectCheck>) -> Vec<ProjectCheck> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut level = vec![String::new()];
    for _ in 0..DEEPEST {
        let mut below = Vec::new();
        for folder in &level {
            below.extend(folders_in(root, folder));
        }
        below.truncate(MOST_FOLDERS - looked_at);
        looked_at += below.len();
        below.retain(|folder| {
            let checks = of(&root.join(folder));
            let is_package = !checks.is_empty();
            found.extend(
                checks.into_iter().map(|check| ProjectCheck { folder: Some(folder.clone()), ..check }),
            );
            !is_package
        });
        level = below;
    }
    found.sort_by(|a, b| a.folder.cmp(&b.folder));
    found.truncate(MOST);
    found
}

fn folders_in(root: &Path, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten().take(1_000);
    let mut found: Vec<String> = entries
        // A link could lead anywhere.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_plain(name) && !PASSED_OVER.contains(&name.as_str()))
        .map(|name| if folder.is_empty() { name } else { format!("{folder}/{name}") })
        .collect();
    found.sort_unstable();
    found
}

/// A name that means itself in any shell: it becomes a part of the line that a person reads and allows.
fn is_plain(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '@' | '+');
    !name.starts_with(['.', '-']) && name.chars().all(plain)
}
