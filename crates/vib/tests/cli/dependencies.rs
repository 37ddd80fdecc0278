//! What vib is built from: licences, sources and doubles as `deny.toml` accepts them, nothing that nobody uses, and tests that are really built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn metadata(more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version", "1"])
        .args(more)
        .current_dir(top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Everything that is compiled here, tests included.
fn packages() -> Vec<Value> {
    let platform = option_env!("VIB_PLATFORM").unwrap_or("x86_64-unknown-linux-gnu");
    let mut metadata = metadata(&["--filter-platform", platform]);
    std::mem::take(metadata["packages"].as_array_mut().unwrap())
}

fn accepted() -> toml::Table {
    std::fs::read_to_string(top().join("deny.toml")).unwrap().parse().unwrap()
}

fn words(list: &toml::Value) -> BTreeSet<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// Does this expression offer a licence that is accepted? `A OR B`, `A AND B`, brackets; `/` is an old way to write `OR`.
fn offers(expression: &str, accepted: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let fine = any_of(&words, &mut at, accepted);
    fine && at == words.len()
}

fn any_of(words: &[&str], at: &mut usize, accepted: &BTreeSet<&str>) -> bool {
    let mut fine = all_of(words, at, accepted);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        fine |= all_of(words, at, accepted);
    }
    fine
}

fn all_of(words: &[&str], at: &mut usize, accepted: &BTreeSet<&str>) -> bool {
    let mut fine = one(words, at, accepted);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        fine &= one(words, at, accepted);
    }
    fine
}

fn one(words: &[&str], at: &mut usize, accepted: &BTreeSet<&str>) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let fine = any_of(words, at, accepted);
        *at += 1;
        return fine;
    }
    if words.get(*at) == Some(&"WITH") {
        let whole = format!("{word} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
        return accepted.contains(whole.as_str());
    }
    accepted.contains(word)
}

#[test]
fn licences_are_read_as_they_are_written() {
    let accepted = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
    for (expression, fine) in [
        ("MIT", true),
        ("GPL-2.0-only", false),
        ("GPL-2.0-only OR MIT", true),
        ("GPL-2.0-only AND MIT", false),
        ("(GPL-2.0-only OR MIT) AND Zlib", true),
        ("(GPL-2.0-only OR MIT) AND MPL-2.0", false),
        ("Unlicense/MIT", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("", false),
    ] {
        assert_eq!(offers(expression, &accepted), fine, "{expression}");
    }
}

#[test]
fn every_licence_and_source_is_an_accepted_one_a13() {
    let rules = accepted();
    let licences = words(&rules["licenses"]["allow"]);
    let registries = words(&rules["sources"]["allow-registry"]);
    for package in packages() {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(
            offers(licence, &licences),
            "{name} is licensed under `{licence}`: is that accepted in deny.toml?"
        );
        // Our own have no source.
        if let Some(source) = package["source"].as_str() {
            let from = source.trim_start_matches("registry+");
            assert!(registries.contains(from), "{name} comes from {source}");
        }
    }
}

#[test]
fn two_versions_of_one_crate_are_known_ones_a13() {
    let rules = accepted();
    let known = words(&rules["bans"]["skip"]);
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str().unwrap().to_owned());
        versions.entry(name).or_default().insert(version);
    }
    let mut unneeded = known.clone();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let named: Vec<String> = versions.iter().map(|version| format!("{name}@{version}")).collect();
        let left = named.iter().filter(|one| !unneeded.remove(one.as_str())).count();
        assert!(left <= 1, "{named:?} are all compiled: can one go? If not, deny.toml says why");
    }
    assert!(unneeded.is_empty(), "no doubles any more, take them out of deny.toml: {unneeded:?}");
}

/// All the Rust below a folder.
fn sources(folder: &Path, text: &mut String) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_dependency_is_used_by_the_crate_that_names_it_a13() {
    let mut unused = Vec::new();
    for package in metadata(&["--no-deps"])["packages"].as_array().unwrap() {
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        let read = |folders: &[&str]| {
            let mut text = std::fs::read_to_string(folder.join("build.rs")).unwrap_or_default();
            folders.iter().for_each(|inside| sources(&folder.join(inside), &mut text));
            text
        };
        let (code, all) = (read(&["src"]), read(&["src", "tests", "examples", "benches"]));
        for needed in package["dependencies"].as_array().unwrap() {
            let name = needed["rename"].as_str().or(needed["name"].as_str()).unwrap().replace('-', "_");
            let text = if needed["kind"] == "dev" { &all } else { &code };
            // `name::…`, `use name as …`, `extern crate name`: the word, and not as a part of another.
            let is_used = text.match_indices(&name).any(|(at, _)| {
                let letter = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
                let (before, behind) = (&text[..at], &text[at + name.len()..]);
                !letter(before.chars().next_back())
                    && !letter(behind.chars().next())
                    && (behind.starts_with("::")
                        || before.ends_with("use ")
                        || before.ends_with("extern crate "))
            });
            if !is_used {
                unused.push(format!("{name} in {}", package["name"]));
            }
        }
    }
    assert!(unused.is_empty(), "named in Cargo.toml and used nowhere: {unused:?}");
}

/// Where a crate has one program for all its tests, a file that the program does not name would never be built.
#[test]
fn every_file_of_tests_is_built() {
    for package in metadata(&["--no-deps"])["packages"].as_array().unwrap() {
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().join("tests");
        let roots: BTreeSet<PathBuf> = package["targets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|target| PathBuf::from(target["src_path"].as_str().unwrap()))
            .filter(|root| root.starts_with(&folder))
            .collect();
        let mut named = String::new();
        roots.iter().for_each(|root| named.push_str(&std::fs::read_to_string(root).unwrap()));
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let is_rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
            let is_code = is_rust(&path) || path.join("mod.rs").exists() || path.join("main.rs").exists();
            let is_root = roots.contains(&path) || roots.contains(&path.join("main.rs"));
            let module = format!("mod {};", path.file_stem().unwrap().to_string_lossy());
            assert!(
                !is_code || is_root || named.contains(&module),
                "no test is built from {}",
                path.display()
            );
        }
    }
}
