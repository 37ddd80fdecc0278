//! Runs a corpus of cases through the crate in one process and prints correct / wrong / refused per class.
//!
//! `cargo run -p vib-patch --example corpus -- CASES.jsonl [CLASS] [--show N]`: a case is one JSON object per line with
//! `original`, `diff`, `expected` (null: must be refused), `defect`, `id`.

#![expect(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a tool for people")]

use std::collections::BTreeMap;

fn run(original: &[u8], diff: &[u8]) -> Result<Vec<u8>, String> {
    let patch = patch::parse(diff).map_err(|error| error.code().to_owned())?;
    let [file] = &patch.files[..] else { return Err(format!("{} files", patch.files.len())) };
    let result = patch::apply(file, original, &patch::Options::default());
    let mut refusals = result.refusals();
    match (&result.content, refusals.next()) {
        (Some(content), _) => Ok(content.clone()),
        (None, Some((decision, refusal))) => {
            Err(format!("hunk {}: {}: {}", decision.hunk, refusal.reason.code(), refusal.message))
        }
        (None, None) => Err("nothing".to_owned()),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = args.first().expect("a file of cases");
    let class = args.get(1).filter(|word| !word.starts_with('-'));
    let show: usize =
        args.iter().position(|word| word == "--show").map_or(0, |at| args[at + 1].parse().unwrap());
    let mut table: BTreeMap<(bool, String), [usize; 4]> = BTreeMap::new();
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        if class.is_some_and(|class| class != text("defect")) {
            continue;
        }
        let result = run(text("original").as_bytes(), text("diff").as_bytes());
        let negative = case["expected"].is_null();
        let (column, note) = match &result {
            Err(error) if negative => (0, error.clone()),
            Ok(_) if negative => (1, "applied".to_owned()),
            Ok(content) if content == text("expected").as_bytes() => (0, String::new()),
            Ok(_) => (1, "other bytes".to_owned()),
            Err(error) => (2, error.clone()),
        };
        let row = table.entry((negative, text("defect").to_owned())).or_default();
        row[column] += 1;
        row[3] += 1;
        let count = shown.entry(text("defect").to_owned()).or_default();
        if column > 0 && *count < show {
            *count += 1;
            println!("{} {}: {note}", ["", "WRONG", "refused"][column], text("id"));
        }
    }
    let mut totals = [[0; 4]; 2];
    for ((negative, class), row) in &table {
        println!("{class:34}{:6}{:8}{:8}{:8}", row[3], row[0], row[1], row[2]);
        for (total, count) in totals[usize::from(*negative)].iter_mut().zip(row) {
            *total += count;
        }
    }
    for (name, row) in ["should apply", "must refuse"].iter().zip(totals) {
        let percent = |count: usize| 100.0 * count as f64 / row[3].max(1) as f64;
        println!(
            "{name:34}{:6}{:8}{:8}{:8}   correct {:.2} %  wrong {:.2} %",
            row[3],
            row[0],
            row[1],
            row[2],
            percent(row[0]),
            percent(row[1])
        );
    }
}
