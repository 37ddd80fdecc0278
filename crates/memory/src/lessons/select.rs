//! Which lessons fit: the same file, the same moment, the same answer. (LS3)

use std::cmp::Ordering;
use std::collections::BTreeSet;

use words::fits_path;

use super::Lesson;
use super::terms::terms;

/// Most lessons that are told at once.
pub const MOST: usize = 5;

/// After so many days without being of use, a lesson counts half.
const HALF_LIFE_DAYS: f64 = 90.0;
/// A lesson that counts less than this rests: it stays in the file and is not told.
const RESTS_BELOW: f64 = 0.1;
const DAY_MS: f64 = 86_400_000.0;

/// The moment for which lessons are sought.
#[derive(Debug, Clone, Copy)]
pub enum Occasion<'a> {
    /// A session begins.
    Start,
    /// A person asks for something.
    Prompt(&'a str),
    /// A tool is about to run.
    Tool {
        /// Its name and the names of its kind, such as `Write` and `edit`.
        names: &'a [&'a str],
        /// The files it names, relative to the root.
        paths: &'a [String],
        /// The command line, for a shell.
        text: &'a str,
    },
}

/// How much a lesson counts now. Age takes away, use gives back; a pin stops the clock.
pub fn strength(lesson: &Lesson, now_ms: i64, last_used_ms: Option<i64>) -> f64 {
    if lesson.pinned {
        return lesson.weight.max(1.0);
    }
    let created = lesson.created.as_deref().and_then(day_ms);
    let Some(since) = created.max(last_used_ms) else {
        return lesson.weight;
    };
    let days = (now_ms.saturating_sub(since)).max(0) as f64 / DAY_MS;
    lesson.weight * 0.5_f64.powf(days / HALF_LIFE_DAYS)
}

/// Too weak to be told.
pub fn is_resting(lesson: &Lesson, now_ms: i64, last_used_ms: Option<i64>) -> bool {
    !lesson.pinned && strength(lesson, now_ms, last_used_ms) < RESTS_BELOW
}

fn day_ms(day: &str) -> Option<i64> {
    let date: jiff::civil::Date = day.parse().ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

/// The few that fit best: pins first, then by fit and strength, then the newest (of one day: the last in the file), then by id.
pub fn select<'l>(
    lessons: impl Iterator<Item = &'l Lesson>,
    occasion: Occasion<'_>,
    now_ms: i64,
    last_used_ms: &dyn Fn(&str) -> Option<i64>,
) -> Vec<&'l Lesson> {
    let said = match occasion {
        Occasion::Start => BTreeSet::new(),
        Occasion::Prompt(text) | Occasion::Tool { text, .. } => terms(text),
    };
    let mut ranked: Vec<(f64, &Lesson)> = lessons
        .filter_map(|lesson| {
            let used = last_used_ms(&lesson.id);
            if is_resting(lesson, now_ms, used) {
                return None;
            }
            let fit = fit(lesson, occasion, &said);
            (fit > 0.0).then(|| (fit * strength(lesson, now_ms, used), lesson))
        })
        .collect();
    ranked.sort_by(|(left_score, left), (right_score, right)| {
        right
            .pinned
            .cmp(&left.pinned)
            .then(right_score.partial_cmp(left_score).unwrap_or(Ordering::Equal))
            .then(right.created.cmp(&left.created))
            .then(right.line.cmp(&left.line))
            .then(left.id.cmp(&right.id))
    });
    ranked.into_iter().map(|(_, lesson)| lesson).take(MOST).collect()
}

fn fit(lesson: &Lesson, occasion: Occasion<'_>, said: &BTreeSet<String>) -> f64 {
    match occasion {
        Occasion::Start => 1.0,
        Occasion::Prompt(text) => {
            let named = |path: &str| lesson.paths.iter().any(|pattern| fits_path(pattern, path));
            let paths = text
                .split(|letter: char| letter.is_whitespace() || "`'\"(),:;".contains(letter))
                .map(|word| word.trim_start_matches("./").trim_end_matches(['.', '?', '!']))
                .filter(|word| word.contains(['.', '/']));
            let path = if paths.take(200).any(named) { 3.0 } else { 0.0 };
            path + about(lesson, said)
        }
        Occasion::Tool { names, paths, .. } => {
            let tool =
                lesson.tools.iter().any(|tool| names.iter().any(|name| name.eq_ignore_ascii_case(tool)));
            let path = paths.iter().any(|path| lesson.paths.iter().any(|pattern| fits_path(pattern, path)));
            // What the lesson is limited to has to be so.
            if (!lesson.tools.is_empty() && !tool) || (!lesson.paths.is_empty() && !path) {
                return 0.0;
            }
            let limits = f64::from(u8::from(tool)) * 3.0 + f64::from(u8::from(path)) * 3.0;
            limits + about(lesson, said)
        }
    }
}

/// How much of the lesson's words is in the text. One word that the person listed is enough; of the sentence's own words
/// it takes two, or all.
fn about(lesson: &Lesson, said: &BTreeSet<String>) -> f64 {
    if said.is_empty() {
        return 0.0;
    }
    let listed = lesson.words.iter().map(|word| terms(word)).filter(|word| !word.is_empty());
    let listed = listed.filter(|word| word.is_subset(said)).count();
    let own = terms(&lesson.text);
    let common = own.intersection(said).count();
    let enough = common >= 2 || (common > 0 && common == own.len());
    let share = if enough { common as f64 / (own.len() as f64).sqrt() } else { 0.0 };
    2.0 * listed as f64 + share
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;

    const NOW: i64 = 1_800_000_000_000; // 2027-01-15

    fn lesson(id: &str, text: &str) -> Lesson {
        Lesson {
            id: id.to_owned(),
            text: text.to_owned(),
            tools: Vec::new(),
            paths: Vec::new(),
            words: Vec::new(),
            created: Some("2027-01-10".to_owned()),
            source: Source::Person,
            pinned: false,
            weight: 1.0,
            line: 1,
        }
    }

    fn ids(lessons: &[Lesson], occasion: Occasion<'_>) -> Vec<String> {
        select(lessons.iter(), occasion, NOW, &|_| None).iter().map(|lesson| lesson.id.clone()).collect()
    }

    #[test]
    fn five_at_most_pins_first_and_in_one_order_ls3() {
        let mut lessons: Vec<Lesson> = (0..9).map(|n| lesson(&format!("l{n}"), "Read first")).collect();
        lessons[7].pinned = true;
        lessons[7].created = Some("2001-01-01".to_owned());
        lessons[3].created = Some("2027-01-14".to_owned());
        assert_eq!(ids(&lessons, Occasion::Start), ["l7", "l3", "l0", "l1", "l2"]);
        lessons.reverse();
        assert_eq!(
            ids(&lessons, Occasion::Start),
            ["l7", "l3", "l0", "l1", "l2"],
            "whatever the order of the file"
        );
    }

    #[test]
    fn age_takes_away_and_use_gives_back_ls2() {
        let mut old = lesson("old", "Read first");
        old.created = Some("2026-01-01".to_owned());
        assert!(is_resting(&old, NOW, None));
        assert!(!is_resting(&old, NOW, Some(NOW - 86_400_000)), "it was of use yesterday");
        assert!(ids(&[old.clone()], Occasion::Start).is_empty());
        old.pinned = true;
        assert_eq!(ids(&[old.clone()], Occasion::Start), ["old"]);
        old.pinned = false;
        old.created = None;
        assert!(!is_resting(&old, NOW, None), "no day, no age");
    }

    #[test]
    fn a_prompt_calls_by_file_by_word_and_by_sentence() {
        let mut by_path = lesson("path", "Keep the colours");
        by_path.paths = vec!["*.css".to_owned()];
        let mut by_word = lesson("word", "Ask first");
        by_word.words = vec!["database".to_owned()];
        let all = [
            by_path,
            by_word,
            lesson("text", "Read the config file before changing it"),
            lesson("ko", "설정 파일을 먼저 읽어"),
        ];
        assert_eq!(ids(&all, Occasion::Prompt("make web/site.css blue")), ["path"]);
        assert_eq!(ids(&all, Occasion::Prompt("move the databases")), ["word"]);
        assert_eq!(ids(&all, Occasion::Prompt("add a port to the config file")), ["text"]);
        assert_eq!(ids(&all, Occasion::Prompt("설정 파일에 포트를 추가해줘")), ["ko"]);
        assert!(ids(&all, Occasion::Prompt("write a poem")).is_empty());
    }

    #[test]
    fn a_tool_calls_only_what_is_meant_for_it() {
        let mut both = lesson("both", "Read it again first");
        both.tools = vec!["edit".to_owned()];
        both.paths = vec!["src/**".to_owned()];
        let mut shell = lesson("shell", "Ask first");
        shell.tools = vec!["Bash".to_owned()];
        let all = [both, shell, lesson("free", "Run npm install with the lockfile")];
        let tool = |names: &[&str], path: &str, text: &str| {
            ids(&all, Occasion::Tool { names, paths: &[path.to_owned()], text })
        };
        assert_eq!(tool(&["Write", "edit"], "src/a.rs", ""), ["both"]);
        assert!(tool(&["Write", "edit"], "docs/a.md", "").is_empty());
        assert_eq!(tool(&["bash", "shell"], "", "ls"), ["shell"]);
        assert_eq!(tool(&["run", "shell"], "", "npm install left-pad"), ["free"]);
    }
}
