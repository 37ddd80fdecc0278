//! Records of one JSON object per line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// More of a record is not read: a session of a month is smaller.
const MOST_BYTES: u64 = 512 << 20;
/// A longer line holds a picture or a file, and no count.
const LONGEST_LINE: usize = 8 << 20;

/// Calls `each` with every line that has one of these words in it and is JSON. A record that ends in the middle of a line is fine. `None`: it
/// cannot be read.
pub(super) fn each(path: &Path, words: &[&str], mut each: impl FnMut(&Value)) -> Option<()> {
    // A pipe in its place would never answer.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut reader = BufReader::new(File::open(path).ok()?.take(MOST_BYTES));
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).ok()? == 0 {
            return Some(());
        }
        let Some(text) = Some(&line)
            .filter(|line| line.len() <= LONGEST_LINE)
            .and_then(|line| std::str::from_utf8(line).ok())
        else {
            continue;
        };
        if words.iter().any(|word| text.contains(word))
            && let Ok(value) = serde_json::from_str::<Value>(text)
        {
            each(&value);
        }
    }
}

/// The entries of a folder, sorted by name.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    out.sort();
    out
}

/// The name of a file, where it is text.
pub(super) fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// A number by its path of names; zero where there is none.
pub(super) fn number(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or(0)
}

/// Whether all of these are numbers.
pub(super) fn are_numbers(value: &Value, paths: &[&str]) -> bool {
    paths.iter().all(|path| value.pointer(path).is_some_and(Value::is_u64))
}

/// A text by its path of names.
pub(super) fn text(value: &Value, path: &str) -> Option<String> {
    value.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// `2026-11-17T15:35:46.472Z`, in milliseconds since 1970.
pub(super) fn time(value: &Value, path: &str) -> i64 {
    let text = value.pointer(path).and_then(Value::as_str).unwrap_or_default();
    text.parse::<jiff::Timestamp>().map_or(0, jiff::Timestamp::as_millisecond)
}
