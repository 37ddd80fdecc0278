//! One file per class of defect: what a model wrote, what the file was, what comes out or why not.
//!
//! In the case files `␍` is a carriage return, `⇥` a tab, `␠` a space at the end of a line and `¬` means that no newline follows.
//! `VIB_UPDATE_GOLDEN=1 cargo test -p vib-patch --test all golden` writes the outcome; look at the difference afterwards.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::fmt::Write;
use std::path::Path;

use patch::{Options, Outcome};

fn plain(text: &str) -> String {
    text.replace('␍', "\r").replace('⇥', "\t").replace('␠', " ").replace("¬\n", "").replace('¬', "")
}

fn marked(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, "¬\n"), |body| (body, "\n"));
        let body = body.replace('\t', "⇥").replace('\r', "␍");
        let trimmed = body.trim_end_matches(' ');
        out.push_str(trimmed);
        out.push_str(&"␠".repeat(body.len() - trimmed.len()));
        out.push_str(end);
    }
    out
}

/// The sections of a case: `original`, `patch`, `outcome`.
fn section<'c>(case: &'c str, name: &str) -> Option<&'c str> {
    let head = format!("=== {name}\n");
    let start = case.find(&head)? + head.len();
    let rest = &case[start..];
    Some(&rest[..rest.find("\n=== ").map_or(rest.len(), |at| at + 1)])
}

fn outcome(original: &str, text: &str) -> String {
    let mut out = String::new();
    let parsed = match patch::parse(text.as_bytes()) {
        Ok(parsed) => parsed,
        Err(error) => return format!("{}: {error}\n", error.code()),
    };
    for file in &parsed.files {
        let show = |path: &Option<Vec<u8>>| {
            path.as_ref().map_or("-".to_owned(), |path| String::from_utf8_lossy(path).into_owned())
        };
        writeln!(
            out,
            "{:?} {:?} {} {}",
            file.format,
            file.action,
            show(&file.old_path),
            show(&file.new_path)
        )
        .unwrap();
        if file.binary {
            writeln!(out, "binary").unwrap();
            continue;
        }
        let result = patch::apply(file, original.as_bytes(), &Options::default());
        for decision in &result.decisions {
            match &decision.outcome {
                Outcome::Placed { level, line, offset, confidence, repairs } => {
                    let offset = offset.map_or("?".to_owned(), |offset| format!("{offset:+}"));
                    write!(
                        out,
                        "hunk {}: {level:?} line {line} offset {offset} confidence {confidence:.2}",
                        decision.hunk
                    )
                    .unwrap();
                    writeln!(
                        out,
                        "{}",
                        repairs.iter().map(|repair| format!("; {repair}")).collect::<String>()
                    )
                    .unwrap();
                }
                Outcome::Duplicate { of } => writeln!(out, "hunk {}: same as {of}", decision.hunk).unwrap(),
                Outcome::Refused(refusal) => {
                    writeln!(out, "hunk {}: {}: {}", decision.hunk, refusal.reason.code(), refusal.message)
                        .unwrap();
                    if let Some(nearest) = &refusal.nearest {
                        for (at, line) in nearest.lines.iter().enumerate() {
                            writeln!(out, "{:>4} {line}", nearest.first_line + at).unwrap();
                        }
                    }
                }
            }
        }
        for warning in &result.warnings {
            writeln!(out, "warning: {warning}").unwrap();
        }
        if let Some(content) = result.content {
            write!(out, "--- result\n{}", marked(std::str::from_utf8(&content).unwrap())).unwrap();
        }
    }
    out
}

#[test]
fn every_class_of_defect_comes_out_as_recorded_ed2() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let update = std::env::var_os("VIB_UPDATE_GOLDEN").is_some();
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 40, "cases are missing");
    let mut wrong = Vec::new();
    for path in names {
        let case = std::fs::read_to_string(&path).unwrap();
        let original = plain(section(&case, "original").unwrap());
        let text = plain(section(&case, "patch").unwrap());
        let now = outcome(&original, &text);
        if update {
            let head = &case[..case.find("\n=== outcome\n").map_or(case.len(), |at| at + 1)];
            std::fs::write(&path, format!("{head}=== outcome\n{now}")).unwrap();
        } else if section(&case, "outcome") != Some(&now) {
            wrong.push(format!("{}:\n{now}", path.file_name().unwrap().to_string_lossy()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
