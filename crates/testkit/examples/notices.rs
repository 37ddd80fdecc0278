//! Writes the notices of everybody whose code is in `vib`: names, licences and their texts. `cargo run -p vib-testkit --example notices`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result, Write};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn main() -> Result<()> {
    let metadata = metadata()?;
    let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut without = Vec::new();
    let mut out = std::io::stdout().lock();
    writeln!(out, "vib is built from the work of many. Their names, then the texts of their licences.\n")?;
    for package in shipped(&metadata) {
        let named = format!("{} {}", text(&package["name"]), text(&package["version"]));
        writeln!(out, "{named}: {} {}", text(&package["license"]), text(&package["repository"]))?;
        let texts = licence_texts(package)?;
        if texts.is_empty() {
            without.push(named.clone());
        }
        for text in texts {
            by_text.entry(text).or_default().insert(named.clone());
        }
    }
    if !without.is_empty() {
        writeln!(
            out,
            "\nWithout a text of their own, under the licence named above: {}",
            without.join(", ")
        )?;
    }
    for (text, names) in by_text {
        let names: Vec<String> = names.into_iter().collect();
        writeln!(out, "\n{}\n{}\n\n{text}", "-".repeat(80), names.join(", "))?;
    }
    Ok(())
}

fn metadata() -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--offline", "--format-version", "1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .output()?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The crates of others that end up in the program: what it needs, and what that needs; not what only builds or tests it.
fn shipped(metadata: &Value) -> Vec<&Value> {
    let packages: BTreeMap<&str, &Value> =
        each(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let is_linked = |need: &&Value| each(&need["dep_kinds"]).any(|kind| kind["kind"].is_null());
    let needs: BTreeMap<&str, Vec<&str>> = each(&metadata["resolve"]["nodes"])
        .map(|node| {
            let linked = each(&node["deps"]).filter(is_linked).map(|need| text(&need["pkg"]));
            (text(&node["id"]), linked.collect())
        })
        .collect();
    let mut open: Vec<&str> =
        packages.iter().filter(|(_, package)| package["name"] == "vib").map(|(id, _)| *id).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(needs.get(id).into_iter().flatten());
        }
    }
    let others = found.iter().filter_map(|id| packages.get(id).copied());
    let mut others: Vec<&Value> = others.filter(|package| !package["source"].is_null()).collect();
    others.sort_by_key(|package| (text(&package["name"]), text(&package["version"])));
    others
}

/// What the authors put beside the code.
fn licence_texts(package: &Value) -> Result<BTreeSet<String>> {
    const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
    let folder = Path::new(text(&package["manifest_path"])).parent().unwrap_or_else(|| Path::new("."));
    let mut texts = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            texts.insert(String::from_utf8_lossy(&std::fs::read(&path)?).trim().replace('\r', ""));
        }
    }
    Ok(texts)
}
