//! The store: check, clean-up, numbers, export.

use project::StoredProject;
use store::{CheckReport, ExportReport, GcReport, Stats};

use super::words::{count, grouped, harmless, size};
use crate::theme::{Theme, paint};

/// `vib store check`
pub(crate) fn check(report: &CheckReport, theme: &Theme) -> String {
    let mut out = String::new();
    let what = format!(
        "{} and {} ({}) verified",
        count(report.checkpoints, "checkpoint"),
        count(report.contents, "piece of content").replace("piece of contents", "pieces of content"),
        size(report.bytes)
    );
    if let Some(repair) = &report.repair {
        if let Some(words) = &repair.index_rebuilt {
            out.push_str(&format!("{} {words}.\n", paint(theme.warning, "rebuilt:")));
        }
        if repair.healed > 0 {
            out.push_str(&format!(
                "{} stored again from your files.\n",
                count(repair.healed, "damaged content")
            ));
        }
    }
    if report.is_clean() {
        out.push_str(&format!("Everything is whole: {what}.\n"));
        if report.known_lost > 0 {
            out.push_str(&format!(
                "{} in old checkpoints, known from an earlier repair, cannot be restored.\n",
                count(report.known_lost, "lost file")
            ));
        }
        return out;
    }
    out.push_str(&format!("{} {what}.\n", paint(theme.error, "Damage found:")));
    for error in &report.index_errors {
        out.push_str(&format!("  index: {}\n", harmless(error)));
    }
    for damage in report.damaged.iter().take(50) {
        out.push_str(&format!("  {}\n", harmless(&damage.detail)));
        out.push_str(&format!("    files: {}\n", harmless(&short_list(&damage.paths))));
        out.push_str(&format!("    checkpoints: {}\n", short_list(&damage.checkpoints)));
    }
    if report.repair.is_some() {
        out.push_str("What is listed here is lost and written down; everything else can be restored.\n");
    } else {
        out.push_str(&format!(
            "{} `vib store check --repair` stores again what your project still has. Everything else can be restored.\n",
            paint(theme.strong, "next:")
        ));
    }
    out
}

fn short_list(items: &[String]) -> String {
    let shown = items.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
    if items.len() > 6 { format!("{shown} and {} more", items.len() - 6) } else { shown }
}

/// `vib store gc`
pub(crate) fn gc(report: &GcReport, theme: &Theme) -> String {
    let mut out = format!(
        "Cleaned up: {} expired, {} given back, {} in use.\n",
        count(report.expired as u64, "checkpoint"),
        size(report.bytes_freed),
        size(report.bytes_used)
    );
    if report.over_limit {
        out.push_str(&format!(
            "{} the store is larger than `retention.max_store_size`, and what is left was made by hand or pinned. \
             Unpin checkpoints, or raise the limit.\n",
            paint(theme.warning, "warning:")
        ));
    }
    out
}

/// `vib store list`
pub(crate) fn projects(projects: &Vec<StoredProject>, theme: &Theme) -> String {
    if projects.is_empty() {
        return "No project has checkpoints on this machine yet.\n".to_owned();
    }
    let mut out = String::new();
    for project in projects {
        let gone = if project.exists { "" } else { "  (this folder is gone)" };
        out.push_str(&format!(
            "{}  {}{}\n",
            paint(theme.id, &project.id),
            harmless(&project.root),
            paint(theme.dim, gone)
        ));
    }
    out.push_str("In a new clone of a project, `vib init --adopt ID` joins it to its checkpoints.\n");
    out
}

/// `vib store stats`
pub(crate) fn stats(stats: &Stats, theme: &Theme) -> String {
    let mut out = format!("{}\n", paint(theme.strong, harmless(&stats.folder)));
    let mut row = |label: &str, text: String| out.push_str(&format!("  {label:<14}{text}\n"));
    row(
        "checkpoints",
        format!(
            "{} by hand, {} turn, {} commit, {} safety; {} pinned",
            grouped(stats.manual),
            grouped(stats.turns),
            grouped(stats.commits),
            grouped(stats.safety),
            grouped(stats.pinned)
        ),
    );
    row("paths", format!("{} in {}", grouped(stats.paths), count(stats.versions, "version")));
    row(
        "content",
        format!(
            "{} different, {}, stored in {}",
            grouped(stats.contents),
            size(stats.content_bytes),
            size(stats.stored_bytes)
        ),
    );
    row(
        "on disk",
        format!(
            "{} in {}, index {}",
            size(stats.bytes_on_disk),
            count(stats.packs, "pack"),
            size(stats.index_bytes)
        ),
    );
    out
}

/// `vib store export`
pub(crate) fn export(report: &ExportReport, _theme: &Theme) -> String {
    let mut out = format!(
        "Wrote {} of {} to `{}`.\n",
        count(report.files, "file"),
        count(report.checkpoints, "checkpoint"),
        harmless(&report.target)
    );
    if report.left_out > 0 {
        out.push_str(&format!(
            "{} left out, because they usually hold secrets.\n",
            count(report.left_out, "sensitive file")
        ));
    }
    out
}
