//! The house as it is built: the crate graph in ARCHITECTURE.md is the real one, and a name means one thing. `VIB_UPDATE_DOCS=1` draws the
//! graph anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const BEGIN: &str =
    "<!-- The crate graph: drawn by `VIB_UPDATE_DOCS=1 cargo test -p vib --test cli house`. -->\n";
const END: &str = "<!-- End of the crate graph. -->";

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Which crate needs which, as cargo sees it; what only tests need is no part of it.
fn needs() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let short = |name: &str| name.strip_prefix("vib-").unwrap_or(name).to_owned();
    let packages = metadata["packages"].as_array().unwrap();
    let own = |package: &&serde_json::Value| package["manifest_path"].as_str().unwrap().contains("/crates/");
    let names: BTreeSet<String> =
        packages.iter().filter(own).map(|package| short(package["name"].as_str().unwrap())).collect();
    packages
        .iter()
        .filter(own)
        .map(|package| {
            let needed = package["dependencies"].as_array().unwrap().iter();
            let needed = needed
                .filter(|needed| needed["kind"].is_null())
                .map(|needed| short(needed["name"].as_str().unwrap()))
                .filter(|name| names.contains(name));
            (short(package["name"].as_str().unwrap()), needed.collect())
        })
        .filter(|(name, _): &(String, _)| name != "testkit")
        .collect()
}

/// Everything below a crate.
fn below<'n>(
    name: &str,
    needs: &'n BTreeMap<String, BTreeSet<String>>,
    found: &mut BTreeSet<&'n str>,
) -> usize {
    let levels = needs[name].iter().map(|needed| {
        found.insert(needed);
        below(needed, needs, found)
    });
    levels.max().map_or(0, |level| level + 1)
}

/// One line for each crate, storey by storey from the top; a need that another need implies is not drawn.
fn graph() -> String {
    let needs = needs();
    let mut storeys: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (name, direct) in &needs {
        let storey = below(name, &needs, &mut BTreeSet::new());
        let implied = |one: &&String| {
            direct.iter().filter(|other| other != one).any(|other| {
                let mut found = BTreeSet::new();
                below(other, &needs, &mut found);
                found.contains(one.as_str())
            })
        };
        let drawn: Vec<&str> = direct.iter().filter(|one| !implied(one)).map(String::as_str).collect();
        let line =
            if drawn.is_empty() { name.clone() } else { format!("{name:<9} → {}", drawn.join(", ")) };
        storeys.entry(storey).or_default().push(line);
    }
    let mut out = String::from("```\n");
    for (storey, lines) in storeys.iter().rev() {
        for (at, line) in lines.iter().enumerate() {
            let number = if at == 0 { storey.to_string() } else { String::new() };
            out.push_str(format!("{number:>2}  {line}").trim_end());
            out.push('\n');
        }
    }
    out.push_str("```\n");
    out
}

#[test]
fn the_crate_graph_is_drawn_from_what_cargo_says() {
    let file = top().join("ARCHITECTURE.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let start = page.find(BEGIN).expect("the mark where the graph begins") + BEGIN.len();
    let end = page.find(END).expect("the mark where the graph ends");
    let real = graph();
    if std::env::var_os("VIB_UPDATE_DOCS").is_some() {
        std::fs::write(&file, format!("{}{real}{}", &page[..start], &page[end..])).unwrap();
        return;
    }
    assert_eq!(&page[start..end], real, "draw it anew with VIB_UPDATE_DOCS=1");
}

#[test]
fn every_crate_has_its_line_in_the_list_of_crates() {
    let page = std::fs::read_to_string(top().join("ARCHITECTURE.md")).unwrap();
    for name in needs().keys() {
        assert!(page.contains(&format!("\n  {name}/ ")), "`{name}` is not in the list of ARCHITECTURE.md");
    }
}

/// Names that three crates or more used before this rule. A name leaves the list with the type that is renamed; none is added.
const OLDER_THAN_THE_RULE: &[&str] = &[
    "Actor", "Answer", "Call", "Choice", "Decision", "Entry", "Event", "Finding", "Kind", "Limits",
    "Options", "Outcome", "Place", "Policy", "Problem", "Reason", "Request", "Scope", "Server", "Source",
    "Step", "Told", "Unread", "Verdict", "Why",
];

/// The crates that offer a type of each name.
fn public_types(folder: &Path, name: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            public_types(&path, name, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for line in text.lines() {
            let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let (first, second, third) = (words.next(), words.next(), words.next());
            if first == Some("pub") && matches!(second, Some("struct" | "enum" | "trait" | "type")) {
                found.entry(third.unwrap_or_default().to_owned()).or_default().insert(name.to_owned());
            }
        }
    }
}

#[test]
fn a_name_means_one_thing_a10() {
    let mut found = BTreeMap::new();
    for name in needs().keys() {
        public_types(&top().join("crates").join(name).join("src"), name, &mut found);
    }
    // Every crate has its own of these two, as everywhere in Rust.
    found.retain(|name, crates| crates.len() >= 3 && name != "Error" && name != "Result");
    for (name, crates) in &found {
        assert!(
            OLDER_THAN_THE_RULE.contains(&name.as_str()),
            "`{name}` is the name of a type in {crates:?}: choose another by docs/glossary.md"
        );
    }
    for name in OLDER_THAN_THE_RULE {
        assert!(
            found.contains_key(*name),
            "`{name}` is in fewer than three crates now: take it off the list"
        );
    }
}
