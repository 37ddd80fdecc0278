//! The project map in short.

use engine::map::ScanReport;

use super::words::{count, grouped, harmless, notices};
use crate::theme::{Theme, paint};

/// Lines of a list.
const LISTED: usize = 8;

/// `vib scan`
pub(crate) fn scan(report: &ScanReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    out.push_str(&format!(
        "{} on the map ({} read now, {} known)\n",
        paint(theme.strong, count(report.files as u64, "file")),
        grouped(report.parsed as u64),
        grouped(report.reused as u64)
    ));
    let kinds: Vec<String> = report
        .categories
        .iter()
        .filter(|kind| kind.count > 0)
        .map(|kind| format!("{} {}", kind.what.as_str(), grouped(kind.count as u64)))
        .collect();
    out.push_str(&format!("  kinds      {}\n", kinds.join(", ")));
    let languages: Vec<String> = report
        .languages
        .iter()
        .take(LISTED)
        .map(|language| format!("{} {}", language.what.name(), grouped(language.count as u64)))
        .collect();
    if !languages.is_empty() {
        out.push_str(&format!("  languages  {}\n", languages.join(", ")));
    }
    out.push_str(&format!(
        "  holds      {} with a name, {}, {}, {}\n",
        count(report.symbols as u64, "thing"),
        count(report.imports as u64, "import"),
        count(report.anchors as u64, "anchor"),
        count(report.ui_labels as u64, "label")
    ));
    out.push_str(&list(
        "starts at",
        report.entries.iter().map(|path| harmless(path)),
        report.entries.len(),
        theme,
    ));
    let needed = report.most_needed.iter().map(|needed| {
        format!(
            "{}  {}",
            harmless(&needed.path),
            paint(theme.dim, format!("needed by {}", grouped(needed.dependants as u64)))
        )
    });
    // The engine names the first few.
    out.push_str(&list("most needed", needed, report.most_needed.len().min(LISTED), theme));
    if report.syntax_errors > 0 {
        out.push_str(&format!(
            "{} {} could not be understood as a whole\n",
            paint(theme.warning, "note:"),
            count(report.syntax_errors as u64, "file")
        ));
    }
    if !report.unread.is_empty() {
        out.push_str(&format!(
            "{} {} not looked into (too long, or made by a program for a program; see `--json`)\n",
            paint(theme.warning, "note:"),
            count(report.unread.len() as u64, "file")
        ));
    }
    out
}

fn list(title: &str, items: impl Iterator<Item = String>, all: usize, theme: &Theme) -> String {
    let items: Vec<String> = items.take(LISTED).collect();
    if items.is_empty() {
        return String::new();
    }
    let mut out = format!("{}\n", paint(theme.strong, title));
    for item in &items {
        out.push_str(&format!("  {item}\n"));
    }
    if all > items.len() {
        out.push_str(&format!("  and {} more (see `--json`)\n", all - items.len()));
    }
    out
}
