//! The store: check, clean-up, numbers, export.

use project::StoredProject;
use store::{CheckReport, ExportReport, GcReport, GoneReport, Missing, Stats};

use super::words::{count, grouped, harmless, size};
use crate::commands::store::StatsReport;
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
        if let Some(lost) = &repair.checkpoints_lost {
            let what = match lost.what {
                Missing::Checkpoints => format!(
                    "{} had been kept here, the newest was `{}`; {} there now",
                    count(lost.kept, "checkpoint"),
                    lost.newest,
                    if lost.left == 1 { "1 is".to_owned() } else { format!("{} are", grouped(lost.left)) }
                ),
                Missing::Content => "files with saved content had been removed or cut short".to_owned(),
            };
            out.push_str(&format!(
                "{} {what}. From here on vib goes by what is there.\n",
                paint(theme.error, "lost:")
            ));
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
    if report.gone > 0 {
        out.push_str(&format!(
            "{} the last {} of deleted files went with it; `vib store stats` names them.\n",
            paint(theme.warning, "warning:"),
            if report.gone == 1 { "copy".to_owned() } else { format!("{} copies", grouped(report.gone)) }
        ));
    }
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
pub(crate) fn stats(report: &StatsReport, theme: &Theme) -> String {
    let mut out = one_store(&report.stats, theme);
    if let Some(outside) = &report.outside {
        out.push_str(&format!(
            "Files outside every project: {} in {} (`vib store stats --outside`).\n",
            count(outside.paths, "path"),
            size(outside.bytes_on_disk)
        ));
    }
    out
}

fn one_store(stats: &Stats, theme: &Theme) -> String {
    let mut out = format!("{}\n", paint(theme.strong, harmless(&stats.folder)));
    let mut row = |label: &str, text: String| out.push_str(&format!("  {label:<14}{text}\n"));
    row(
        "checkpoints",
        format!(
            "{} by hand, {} of agents, {} commit, {} safety; {} pinned",
            grouped(stats.manual),
            grouped(stats.turns),
            grouped(stats.commits),
            grouped(stats.safety),
            grouped(stats.pinned)
        ),
    );
    row("steps", grouped(stats.steps));
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
    if stats.gone.files > 0 {
        row("gone", gone(&stats.gone));
    }
    out
}

/// Deleted files whose last copies went.
fn gone(gone: &GoneReport) -> String {
    let names: Vec<String> = gone.newest.iter().map(|one| format!("`{}`", harmless(&one.path))).collect();
    let more = gone.files.saturating_sub(names.len() as u64);
    let more = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
    format!(
        "the last copies of {} ({}) went because of your limits: {}{more}",
        count(gone.files, "deleted file"),
        size(gone.bytes),
        names.join(", ")
    )
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
