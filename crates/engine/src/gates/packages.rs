//! Several packages in one project: was the one checked that was changed? (HK8)

use ::gates::stop::KnownCheck;
use project::RelPath;

use super::seen::{SeenCheck, StopState};
use crate::Engine;

/// Files by which a folder is a package.
const MANIFESTS: [&str; 11] = [
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "mix.exs",
    "Gemfile",
];
/// A manifest that is larger is not read.
const LARGEST: u64 = 1 << 20;
/// What says that something was not done, in a sentence that names the package.
const NOT: [&str; 14] = [
    "not ",
    "n't ",
    "untested",
    "unchecked",
    "without",
    "skipped",
    "않",
    "못",
    "안 ",
    "未",
    "没",
    "ません",
    "ない",
    "无",
];

/// Packages that this turn changed and that no check reached that passed on what they hold now. Only what is certain: a run that may have reached a package
/// has reached it, and a package that has no check needs none. What the message itself says not to have checked is no secret.
pub(super) fn not_reached(
    engine: &Engine,
    stop: &StopState,
    known: &[KnownCheck],
    only_tests: bool,
    message: &str,
) -> Vec<String> {
    // What vib ran itself, it ran for the whole.
    if known.iter().any(|check| check.standing.is_some()) {
        return Vec::new();
    }
    let mut changed: Vec<(String, u64)> = Vec::new();
    for (folder, at) in &stop.folders {
        let Some(package) = package_of(engine, folder) else { continue };
        match changed.iter_mut().find(|(known, _)| *known == package) {
            Some(one) => one.1 = one.1.max(*at),
            None => changed.push((package, *at)),
        }
    }
    if changed.is_empty() {
        return Vec::new();
    }
    let passed = |check: &&SeenCheck| check.passed == Some(true) && (!only_tests || check.runs_tests());
    let named = |check: &SeenCheck| {
        let folders = check.ids.iter().flat_map(|id| {
            let inside = id.paths.iter().map(|path| format!("{}/{path}", id.folder));
            inside.chain([id.folder.clone()])
        });
        folders.filter_map(|folder| package_of(engine, folder.trim_matches('/'))).collect::<Vec<_>>()
    };
    let mut packages: Vec<String> = stop.checks.iter().filter(passed).flat_map(named).collect();
    packages.extend(changed.iter().map(|(package, _)| package.clone()));
    let is_reached = |package: &str, at: u64| {
        let names = names_of(engine, package);
        stop.checks.iter().filter(passed).any(|check| {
            // One that is as good as new: nothing that checks are about has changed since.
            let fresh = check.at >= at || known.iter().any(|one| one.command == check.command && !one.stale);
            fresh
                && (check.ids.is_empty()
                    || check.ids.iter().any(|id| !id.leaves_out(package, &names, &packages)))
        })
    };
    let has_check = |package: &str| !risk::checks::detect(&engine.project().root().join(package)).is_empty();
    changed
        .into_iter()
        .filter(|(package, at)| !is_reached(package, *at) && has_check(package) && !is_told(message, package))
        .map(|(package, _)| package)
        .collect()
}

/// The innermost package that holds this folder; none: only the project itself does.
fn package_of(engine: &Engine, folder: &str) -> Option<String> {
    let mut folder = folder;
    loop {
        RelPath::new(folder.as_bytes()).ok()?;
        let place = engine.project().root().join(folder);
        if MANIFESTS.iter().any(|manifest| place.join(manifest).is_file()) {
            return Some(folder.to_owned());
        }
        folder = folder.rsplit_once('/')?.0;
    }
}

/// How a package calls itself, where its folder is called otherwise.
fn names_of(engine: &Engine, package: &str) -> Vec<String> {
    let place = engine.project().root().join(package);
    let read = |name: &str| {
        let file = place.join(name);
        std::fs::metadata(&file).ok().filter(|facts| facts.len() < LARGEST)?;
        std::fs::read_to_string(file).ok()
    };
    let of_json = read("package.json").and_then(|text| {
        serde_json::from_str::<serde_json::Value>(&text).ok()?.get("name")?.as_str().map(str::to_owned)
    });
    let of_toml = |text: String| {
        let line =
            text.lines().find_map(|line| line.trim().strip_prefix("name")?.trim().strip_prefix('='))?;
        Some(line.trim().trim_matches(['"', '\'']).to_owned())
    };
    let all = [of_json, read("Cargo.toml").and_then(of_toml), read("pyproject.toml").and_then(of_toml)];
    all.into_iter().flatten().collect()
}

/// The message says that this package was not checked.
fn is_told(message: &str, package: &str) -> bool {
    let name = package.rsplit('/').next().unwrap_or(package).to_lowercase();
    message.to_lowercase().split(['.', '\n', ';', '。', '!']).any(|sentence| {
        let mut words = sentence.split(|letter: char| !(letter.is_alphanumeric() || "-_@".contains(letter)));
        let is_named = words.any(|word| word == name) || sentence.contains(&package.to_lowercase());
        is_named && NOT.iter().any(|not| format!("{sentence} ").contains(not))
    })
}
