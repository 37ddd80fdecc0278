//! `vib secrets scan --format jsonl {dir}` in small: prints one JSON object for each finding, for the scoring script.
//!
//! `scan DIR` prints findings; `scan --time DIR` prints how much was scanned and how fast instead.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::path::Path;
use std::time::Instant;

use vib_redact::Scanner;

fn main() -> std::io::Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let timed = args.first().is_some_and(|arg| arg == "--time");
    if timed {
        args.remove(0);
    }
    let (mut bytes, mut found) = (0, 0);
    let started = Instant::now();
    for root in &args {
        walk(Path::new(root), &mut |path| {
            let Ok(text) = std::fs::read(path) else { return };
            if text.iter().take(8000).any(|byte| *byte == 0) {
                return;
            }
            bytes += text.len();
            let shown = path.display().to_string();
            let hint = path.strip_prefix(root).unwrap_or(path).display().to_string();
            let hint = if hint.is_empty() { &shown } else { &hint };
            for finding in Scanner::shared().scan(&text, Some(hint)) {
                found += 1;
                if !timed {
                    let mut row = serde_json::to_value(&finding).unwrap_or_default();
                    row["path"] = shown.clone().into();
                    let line_start =
                        text[..finding.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                    let end = text.len().min(finding.end + 40).min(line_start + 240);
                    row["text"] = String::from_utf8_lossy(
                        &text[line_start.max(finding.start.saturating_sub(120))..end.max(finding.start)],
                    )
                    .into();
                    println!("{row}");
                }
            }
        })?;
    }
    if timed {
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{:.1} MB, {found} findings, {seconds:.2} s, {:.0} MB/s",
            bytes as f64 / 1e6,
            bytes as f64 / 1e6 / seconds
        );
    }
    Ok(())
}

fn walk(path: &Path, visit: &mut impl FnMut(&Path)) -> std::io::Result<()> {
    if !path.is_dir() {
        visit(path);
        return Ok(());
    }
    let mut entries: Vec<_> = std::fs::read_dir(path)?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_symlink() || entry.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        walk(&entry, visit)?;
    }
    Ok(())
}
