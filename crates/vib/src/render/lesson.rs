//! Lessons.

use engine::lessons::{LessonAdded, LessonChanged, LessonList, LessonsKept, Standing};

use super::words::{count, harmless};
use crate::theme::{Theme, paint};

/// `vib lesson add`
pub(crate) fn lesson_added(report: &LessonAdded, theme: &Theme) -> String {
    let id = paint(theme.id, harmless(&report.lesson.id));
    let mut out = if report.known_before {
        format!("{} already has this as lesson {id}.\n", report.file)
    } else {
        format!("Kept as lesson {id} in {}.\n", report.file)
    };
    if report.redacted {
        out.push_str(&format!(
            "{} A secret or private detail in it was replaced by a mark: {}\n",
            paint(theme.warning, "note:"),
            harmless(&report.lesson.text)
        ));
    }
    out
}

/// `vib lesson keep`
pub(crate) fn lessons_kept(report: &LessonsKept, theme: &Theme) -> String {
    if report.lessons.is_empty() {
        return format!("Every lesson of {} was confirmed before; nothing to do.\n", report.file);
    }
    let mut out = "Agents are told from now on that a person stands behind:\n".to_owned();
    for lesson in &report.lessons {
        let id = paint(theme.id, harmless(&lesson.id));
        out.push_str(&format!("  {id}  {}\n", harmless(&lesson.text)));
    }
    out
}

/// `vib lesson pin`, `vib lesson unpin`
pub(crate) fn lesson_pinned(report: &LessonChanged, theme: &Theme) -> String {
    let id = paint(theme.id, harmless(&report.lesson.id));
    if report.lesson.pinned {
        format!(
            "Lesson {id} is kept for ever now. `vib lesson unpin {}` takes that back.\n",
            harmless(&report.lesson.id)
        )
    } else {
        format!("Lesson {id} fades like the others now.\n")
    }
}

/// `vib lesson remove`
pub(crate) fn lesson_removed(report: &LessonChanged, theme: &Theme) -> String {
    let id = paint(theme.id, harmless(&report.lesson.id));
    format!("Lesson {id} is gone from {}: {}\n", report.file, harmless(&report.lesson.text))
}

/// `vib lesson list`
pub(crate) fn lessons(report: &LessonList, theme: &Theme) -> String {
    let mut out = String::new();
    if report.lessons.is_empty() {
        out.push_str("No lesson yet. `vib lesson add TEXT` writes one down.\n");
    }
    for standing in &report.lessons {
        out.push_str(&one(standing, theme));
    }
    for problem in &report.problems {
        out.push_str(&format!(
            "{} line {} of {}: {}\n",
            paint(theme.warning, "mistake:"),
            problem.line,
            report.file,
            harmless(&problem.message)
        ));
    }
    if !report.problems.is_empty() {
        out.push_str(&format!(
            "The other lessons count. vib does not write {} until {} corrected or deleted.\n",
            report.file,
            if report.problems.len() == 1 {
                "this is".to_owned()
            } else {
                format!("these {} are", count(report.problems.len() as u64, "mistake"))
            }
        ));
    }
    out
}

fn one(standing: &Standing, theme: &Theme) -> String {
    let lesson = &standing.lesson;
    let mut facts = Vec::new();
    if lesson.pinned {
        facts.push("pinned".to_owned());
    }
    if !standing.confirmed {
        facts.push(format!("nobody here confirmed it; `vib lesson keep {}` does", lesson.id));
    }
    if standing.resting {
        facts.push("rests: too old to be shown to an agent".to_owned());
    }
    if !lesson.tools.is_empty() {
        facts.push(format!("with {}", lesson.tools.join(", ")));
    }
    if !lesson.paths.is_empty() {
        facts.push(format!("for {}", lesson.paths.join(", ")));
    }
    facts.extend(lesson.created.clone());
    let facts = if facts.is_empty() { String::new() } else { format!("  ({})", facts.join("; ")) };
    format!(
        "{}  {}{}\n",
        paint(theme.id, harmless(&lesson.id)),
        harmless(&lesson.text),
        paint(theme.dim, harmless(&facts))
    )
}
