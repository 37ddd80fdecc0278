//! What a card did, for people and programs to read in the project itself: `.vibelign/artifacts/<run>/<card>.{json,md}`. Derived from the log,
//! cleaned, small; written again at any time.

use std::path::PathBuf;

use project::platform;
use serde::Serialize;
use serde_json::Value;

use super::evidence::tail;
use super::fold::{Card, Run};
use super::{RunError, show};
use crate::{Engine, Result, private_file};

/// No file is longer.
pub const LARGEST: usize = 256 * 1024;
/// So much of each text is kept, the first that fits.
const TEXTS: [usize; 5] = [16_384, 4_096, 1_024, 256, 64];
/// So many entries of each list, likewise.
const LISTS: [usize; 5] = [2_000, 1_000, 400, 100, 20];

#[derive(Serialize)]
struct Artifact<'a> {
    schema_version: u32,
    run: &'a str,
    task: &'a str,
    #[serde(flatten)]
    card: &'a Card,
}

/// Writes those of every card of a run. The files come back.
pub fn write(engine: &Engine, id: &str) -> Result<Vec<PathBuf>> {
    let run = show(engine, id)?;
    let io = |source| RunError::Log { run: id.to_owned(), source };
    let mut folder = engine.project().own_folder();
    for part in ["artifacts", id] {
        folder.push(part);
        // Whoever can put names into the project must not say where vib writes.
        match std::fs::symlink_metadata(&folder) {
            Ok(metadata) if !metadata.is_dir() => {
                let why = format!("`{}` is not a folder", folder.display());
                return Err(io(std::io::Error::new(std::io::ErrorKind::NotADirectory, why)).into());
            }
            _ => platform::make_private_dir(&folder).map_err(io)?,
        }
    }
    let mut written = Vec::new();
    for card in run.cards.iter().filter(|card| super::list::is_part(&card.id)) {
        for (end, text) in [("json", json(engine, &run, card)), ("md", markdown(engine, &run, card))] {
            let path = folder.join(format!("{}.{end}", card.id));
            private_file::write(&path, text.as_bytes()).map_err(io)?;
            written.push(path);
        }
    }
    Ok(written)
}

/// The card as JSON, cleaned and not too long.
fn json(engine: &Engine, run: &Run, card: &Card) -> String {
    let artifact = Artifact { schema_version: 1, run: &run.id, task: &run.task, card };
    let whole = serde_json::to_value(&artifact).unwrap_or_default();
    let mut gate = engine.gate();
    let mut last = String::new();
    for (most_text, most_items) in TEXTS.into_iter().zip(LISTS) {
        let mut value = whole.clone();
        shorten(&mut value, most_text, most_items, &mut gate);
        last = serde_json::to_string_pretty(&value).unwrap_or_default();
        last.push('\n');
        if last.len() <= LARGEST {
            return last;
        }
    }
    // Lists of lists: what it is about stays.
    let short = serde_json::json!({
        "schema_version": 1, "run": run.id, "id": card.id, "status": card.status, "cut": last.len(),
    });
    format!("{short}\n")
}

/// Every text cleaned and cut at its beginning, where a log says least; every list cut at its end, with a mark.
fn shorten(value: &mut Value, most_text: usize, most_items: usize, gate: &mut redact::Gate) {
    match value {
        Value::String(text) => {
            let clean = gate.clean(text).into_string();
            *text = cut(&clean, most_text);
        }
        Value::Array(items) => {
            let left_out = items.len().saturating_sub(most_items);
            items.truncate(most_items);
            items.iter_mut().for_each(|item| shorten(item, most_text, most_items, gate));
            if left_out > 0 {
                items.push(serde_json::json!({ "left_out": left_out }));
            }
        }
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| shorten(field, most_text, most_items, gate));
        }
        _ => {}
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = tail(text, most);
    format!("[… {} bytes left out]\n{end}", text.len() - end.len())
}

/// The card for people.
fn markdown(engine: &Engine, run: &Run, card: &Card) -> String {
    let mut gate = engine.gate();
    for (most_text, most_items) in TEXTS.into_iter().zip(LISTS) {
        let text = gate.clean(&page(run, card, most_text, most_items)).into_string();
        if text.len() <= LARGEST {
            return text;
        }
    }
    format!(
        "# {}/{}\n\nThere is too much of it: see `vib run show {}/{}`.\n",
        run.id, card.id, run.id, card.id
    )
}

fn page(run: &Run, card: &Card, most_text: usize, most_items: usize) -> String {
    let word = |status| serde_json::to_value(status).ok().and_then(|word| word.as_str().map(str::to_owned));
    let mut out = format!(
        "# {}/{}: {}\n\nStatus: {}",
        run.id,
        card.id,
        card.title,
        word(card.status).unwrap_or_default()
    );
    for reason in [&card.code, &card.why].into_iter().flatten() {
        out.push_str(&format!(" ({reason})"));
    }
    out.push_str(&format!("\n\nTask: {}\n", cut(&run.task, most_text)));
    list(&mut out, "Done when", card.acceptance.iter().cloned(), most_items);
    list(&mut out, "Steps", card.steps.iter().cloned(), most_items);
    for attempt in card.attempts.iter().take(most_items) {
        let ended = attempt.ended.as_deref().unwrap_or("running");
        out.push_str(&format!("\n## Attempt {} ({ended}, lane {})\n", attempt.id, attempt.lane));
        if let Some(tree) = &attempt.tree {
            let proven = if attempt.is_proven() { "checked" } else { "not checked" };
            out.push_str(&format!("\nFiles {tree}, {proven}\n"));
        }
        let files =
            attempt.files.iter().map(|file| format!("{} +{} -{}", file.path, file.added, file.removed));
        list(&mut out, "Changed", files, most_items);
        let checks = attempt.checks.iter().map(|check| format!("`{}` {}", check.command, check.status));
        list(&mut out, "Checks", checks, most_items);
        list(&mut out, "Findings", attempt.findings.iter().cloned(), most_items);
        list(&mut out, "Weakened tests", attempt.weakened.iter().cloned(), most_items);
        for check in attempt.checks.iter().filter(|check| check.status != "passed").take(most_items) {
            out.push_str(&format!("\n`{}`:\n\n{}", check.command, indented(&cut(&check.tail, most_text))));
        }
    }
    let evidence = &card.evidence;
    for command in evidence.commands.iter().take(most_items) {
        let exit = command.exit.map_or_else(|| "ended".to_owned(), |exit| format!("exit {exit}"));
        out.push_str(&format!(
            "\n`{}` ({exit}):\n\n{}",
            command.command,
            indented(&cut(&command.tail, most_text))
        ));
    }
    if evidence.commands.len() > most_items {
        out.push_str(&format!("\n… and {} more commands\n", evidence.commands.len() - most_items));
    }
    let unfinished = evidence.unfinished.iter().map(|open| format!("{} ({})", open.name, open.n));
    list(&mut out, "Nobody knows what came of", unfinished, most_items);
    if let Some(note) = &card.note {
        out.push_str(&format!("\n## Review\n\n{}\n", cut(note, most_text)));
    }
    list(&mut out, "Taken for granted", card.assumptions.iter().cloned(), most_items);
    list(&mut out, "Comparison", card.reasons.iter().cloned(), most_items);
    out
}

fn list(out: &mut String, title: &str, items: impl ExactSizeIterator<Item = String>, most: usize) {
    let count = items.len();
    if count == 0 {
        return;
    }
    out.push_str(&format!("\n{title}:\n\n"));
    for item in items.take(most) {
        out.push_str(&format!("- {}\n", item.replace('\n', " ")));
    }
    if count > most {
        out.push_str(&format!("- … and {} more\n", count - most));
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
