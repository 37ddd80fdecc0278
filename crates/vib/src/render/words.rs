//! Small pieces of text: counts, times, sizes, cut lines, notices.

use engine::Notice;
use store::{Problem, Purpose};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::theme::{Theme, paint};

/// `1 file`, `2 files`.
pub(crate) fn count(number: u64, one: &str) -> String {
    let many = match one.strip_suffix('y') {
        // `days`, but `entries`.
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{stem}ies"),
        _ => format!("{one}s"),
    };
    format!("{} {}", grouped(number), if number == 1 { one } else { &many })
}

/// `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `3.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let mut amount = bytes as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if amount < 1024.0 {
            return if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") };
        }
        amount /= 1024.0;
    }
    format!("{amount:.1} TB")
}

/// `5 minutes ago`. A clock that was set back says "just now".
pub(crate) fn ago(then_ms: i64, now_ms: i64) -> String {
    let seconds = u64::try_from((now_ms - then_ms) / 1000).unwrap_or(0);
    let (number, unit) = match seconds {
        0..=9 => return "just now".to_owned(),
        10..=59 => (seconds, "second"),
        60..=3599 => (seconds / 60, "minute"),
        3600..=86_399 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", count(number, unit))
}

/// `2026-11-15 22:44:26`, in the person's time zone.
pub(crate) fn date(ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(ms) {
        Ok(time) => time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => "an unknown time".to_owned(),
    }
}

/// One line that fits: control characters out, the end cut.
pub(crate) fn line(text: &str, theme: &Theme, already_used: usize) -> String {
    let first = text.lines().next().unwrap_or("");
    let clean: String = first.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let Some(room) = theme.width.map(|width| width.saturating_sub(already_used).max(10)) else {
        return clean;
    };
    if clean.width() <= room {
        return clean;
    }
    let mut used = 0;
    let mut out = String::new();
    for character in clean.chars() {
        used += character.width().unwrap_or(0);
        if used > room - 1 {
            break;
        }
        out.push(character);
    }
    out.push('…');
    out
}

/// File content on its way to a terminal: whatever could move the cursor or change its colours is shown, not sent.
pub(crate) fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => '\t',
            c if c.is_control() => {
                char::from_u32(0x2400 + u32::from(c)).filter(|_| (c as u32) < 32).unwrap_or('\u{fffd}')
            }
            c => c,
        })
        .collect()
}

/// What could not be saved, a few lines of it.
pub(crate) fn problems(problems: &[Problem], theme: &Theme) -> String {
    const SHOWN: usize = 8;
    if problems.is_empty() {
        return String::new();
    }
    let mut out = format!("{} {}\n", theme.warn(), theme.count("changes-problems", problems.len()));
    for problem in problems.iter().take(SHOWN) {
        out.push_str(&format!(
            "  {}  {}\n",
            harmless(&problem.path),
            paint(theme.dim, harmless(&problem.detail))
        ));
    }
    if problems.len() > SHOWN {
        out.push_str(&format!("  {}\n", theme.count("changes-more-in-json", problems.len() - SHOWN)));
    }
    out
}

fn names(paths: &[String]) -> String {
    let names: Vec<String> = paths.iter().map(|path| format!("`{}`", harmless(path))).collect();
    names.join(", ")
}

/// What happened on the way.
pub(crate) fn notices(notices: &[Notice], theme: &Theme) -> String {
    let mut out = String::new();
    for notice in notices {
        let text = match notice {
            Notice::RestoreFinished(resumed) => {
                let done = resumed.report.restored.len() + resumed.report.removed.len();
                let what = match resumed.operation.purpose() {
                    Purpose::Patch => "a patch".to_owned(),
                    // Taking steps back leads to no checkpoint.
                    Purpose::Restore if resumed.operation.target.is_empty() => "an undo".to_owned(),
                    Purpose::Restore => format!("an undo to `{}`", resumed.operation.target),
                };
                let mut text = format!(
                    "{what} had been cut off; it is finished now ({}). `vib undo {}` returns to the state \
                     before it",
                    count(done as u64, "change"),
                    resumed.report.safety
                );
                if !resumed.report.kept.is_empty() {
                    let kept = count(resumed.report.kept.len() as u64, "file");
                    text.push_str(&format!("; {kept} changed since and were left alone"));
                }
                text
            }
            Notice::CheckpointsLost(lost) => {
                let text = harmless(&engine::storage::lost_in_words(lost));
                out.push_str(&format!("{} {text}\n", paint(theme.error, "warning:")));
                continue;
            }
            Notice::RestoreBusy => "another vib is in the middle of an undo".to_owned(),
            Notice::NotRecorded { message } => {
                format!("the audit log could not be written, so there is no proof of this: {message}")
            }
            Notice::SwitchedOff { since_ms } => format!(
                "vib is switched off in this project since {}: no agent's step is saved or judged; `vib init --on` switches it on",
                date(*since_ms)
            ),
            Notice::Setting { message } => message.clone(),
            Notice::LeftOut { paths } => format!(
                "ignore rules leave {} out since {}: {}. What an edit or a command names there is saved and comes back; \
                 what programs change there unseen is not",
                count(paths.len() as u64, "saved file"),
                if paths.len() == 1 { "it was saved" } else { "they were saved" },
                names(paths)
            ),
            Notice::FilesOutside { paths } => {
                let first = paths.first().map(String::as_str).unwrap_or_default();
                let (were, it) = match paths.len() {
                    1 => ("was changed too and is", "it"),
                    _ => ("were changed too and are", "the first"),
                };
                format!(
                    "{} outside this project {were} no part of this: {} (`vib undo {}` takes {it} back)",
                    count(paths.len() as u64, "file"),
                    names(paths),
                    engine::outside::word(&harmless(first))
                )
            }
            Notice::CommitsStay { count, newest } => {
                let commits = harmless(&newest.join(", "));
                theme.say("undo-commits-stay", &[("count", (*count).into()), ("commits", commits.into())])
            }
            Notice::OwnEntriesKept { paths } => {
                format!("vib's own entries in {} stay as they are", names(paths))
            }
            Notice::Protected { paths } => {
                format!("protected, and changed with the rest: {}", names(paths))
            }
            Notice::SettingsUnreadable { paths } => {
                format!("{} cannot be read as settings and is left as it is", names(paths))
            }
        };
        out.push_str(&format!("{} {text}\n", paint(theme.warning, "note:")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_read_well() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(12_345, "entry"), "12,345 entries");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KB");
        assert_eq!(ago(0, 5_000), "just now");
        assert_eq!(ago(0, 90_000), "1 minute ago");
        assert_eq!(ago(10_000, 0), "just now");
    }

    #[test]
    fn nothing_reaches_the_terminal_that_could_drive_it() {
        assert_eq!(harmless("a\u{1b}[31mb\tc"), "a␛[31mb\tc");
        assert!(!harmless("\u{7f}\u{9b}2J").chars().any(char::is_control));
    }

    #[test]
    fn lines_are_cut_by_width_not_by_bytes() {
        let theme = Theme::new(Some(12));
        assert_eq!(line("망가졌어 정말로 망가졌어", &theme, 0), "망가졌어 정…");
        assert_eq!(line("one\ntwo", &theme, 0), "one");
    }
}
