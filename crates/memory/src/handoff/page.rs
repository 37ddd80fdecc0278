//! The page itself: headings and lists, the most important first.

use words::upper_tokens;

use crate::log::Provenance;
use crate::work::{CheckResult, Recent, RelevantFile, Verification, WorkMemory};

/// A value that nobody has confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What it says.
    pub text: String,
    /// Why it is proposed.
    pub because: String,
}

/// What goes onto the page besides work memory.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The project's name.
    pub project: String,
    /// For which client it is, if it is for one.
    pub reader: Option<String>,
    /// When, as text.
    pub written: String,
    /// The last that worked here: client and time, as text.
    pub last_worker: Option<String>,
    /// A goal, where nobody gave one.
    pub proposed_intent: Option<Proposal>,
    /// A next step, where nobody confirmed one.
    pub proposed_next: Option<Proposal>,
    /// Files that were edited since the last commit, the newest first.
    pub changed: Vec<String>,
    /// Those of them that are not among the files that matter.
    pub drift: Vec<String>,
    /// Lessons for the agent.
    pub lessons: Vec<String>,
}

/// A line and how gladly it is given up: the highest first.
struct Line {
    text: String,
    spare: u8,
}

/// One text of a fact beyond this is shortened; where facts that matter do not fit, all become shorter, so that more of them fit.
const LONGEST_FACT: [usize; 4] = [400, 240, 140, 80];
/// A line up to this rank is missed when it is left out.
const MISSED: u8 = 2;

/// Makes the page, at most `budget` tokens long by the upper estimate.
pub fn page(memory: &WorkMemory, about: &Page, budget: usize) -> String {
    let mut text = String::new();
    for longest in LONGEST_FACT {
        let mut lines = Vec::new();
        head(&mut lines, about);
        goal(&mut lines, memory, about, longest);
        next(&mut lines, memory, about, longest);
        conflicts(&mut lines, memory, longest);
        checks(&mut lines, memory);
        decisions(&mut lines, memory, longest);
        files(&mut lines, memory, about, longest);
        risks(&mut lines, memory, about, longest);
        recent(&mut lines, memory);
        let missed;
        (text, missed) = fit(lines, budget);
        if !missed {
            break;
        }
    }
    text
}

fn must(lines: &mut Vec<Line>, text: impl Into<String>) {
    lines.push(Line { text: text.into(), spare: 0 });
}

fn may(lines: &mut Vec<Line>, spare: u8, text: impl Into<String>) {
    lines.push(Line { text: text.into(), spare });
}

fn head(lines: &mut Vec<Line>, about: &Page) {
    must(lines, format!("# {}: where we are", one_line(&about.project, 80)));
    must(lines, "");
    let reader = about.reader.as_deref().map(|client| format!(" for {client}")).unwrap_or_default();
    must(
        lines,
        format!(
            "Written by vib{reader}, {}. These are facts about the work, not instructions.",
            about.written
        ),
    );
    if let Some(last) = &about.last_worker {
        may(lines, 3, format!("Last worked on by {last}."));
    }
}

fn goal(lines: &mut Vec<Line>, memory: &WorkMemory, about: &Page, longest: usize) {
    must(lines, "\n## Goal");
    match (&memory.active_intent, &about.proposed_intent) {
        (Some(intent), _) => {
            let stale = if intent.stale { " **(stale: ask whether this is still the goal)**" } else { "" };
            must(
                lines,
                format!("- {}{stale} (said through {})", one_line(&intent.text, longest), intent.updated_by),
            );
        }
        (None, Some(proposal)) => must(
            lines,
            format!(
                "- **Proposed, not confirmed**: {} ({})",
                one_line(&proposal.text, longest),
                proposal.because
            ),
        ),
        (None, None) => must(lines, "- Nobody has said what the goal is. Ask."),
    }
}

fn next(lines: &mut Vec<Line>, memory: &WorkMemory, about: &Page, longest: usize) {
    must(lines, "\n## Next step");
    let confirmed = memory.next_action.as_ref().filter(|next| next.source == Provenance::Explicit);
    match (confirmed, &about.proposed_next) {
        (Some(next), _) => {
            let stale =
                if next.stale { " **(stale: said before the goal changed or long ago)**" } else { "" };
            must(lines, format!("- {}{stale}", one_line(&next.text, longest)));
        }
        (None, Some(proposal)) => must(
            lines,
            format!(
                "- **Proposed, not confirmed**: {} ({})",
                one_line(&proposal.text, longest),
                proposal.because
            ),
        ),
        (None, None) => must(lines, "- Not agreed yet. Ask."),
    }
}

fn conflicts(lines: &mut Vec<Line>, memory: &WorkMemory, longest: usize) {
    for conflict in &memory.conflicts {
        must(
            lines,
            format!(
                "- **Two tools disagree** about {}: \"{}\" ({}) or \"{}\" ({}). Ask.",
                conflict.field.replace('_', " "),
                one_line(&conflict.first.text, longest.min(120)),
                conflict.first.updated_by,
                one_line(&conflict.second.text, longest.min(120)),
                conflict.second.updated_by
            ),
        );
    }
}

fn checks(lines: &mut Vec<Line>, memory: &WorkMemory) {
    must(lines, "\n## Verified");
    let mut seen: Vec<&str> = Vec::new();
    let mut shown = 0;
    for check in memory.verification.iter().rev() {
        if seen.contains(&check.command.as_str()) {
            continue;
        }
        seen.push(&check.command);
        let spare = match shown {
            0 => 0,
            1..=2 => 4,
            _ => 8,
        };
        may(lines, spare, check_line(check));
        shown += 1;
        if shown == 6 {
            break;
        }
    }
    if shown == 0 {
        must(lines, "- Nothing is known to have been checked.");
    }
}

fn check_line(check: &Verification) -> String {
    let how = match check.result {
        CheckResult::Passed => "passed",
        CheckResult::Failed => "**failed**",
        CheckResult::Skipped => "skipped",
        CheckResult::Unknown => "ran, result not known",
    };
    let trust = match (&check.stale, check.scope_unknown) {
        (Some(why), _) => format!(" **(stale: {})**", one_line(why, 120)),
        (None, true) => " (which files it covers is not known)".to_owned(),
        (None, false) => String::new(),
    };
    let seen = if check.source == Provenance::Explicit { "" } else { ", seen by vib" };
    format!("- `{}`: {how}{seen}{trust}", one_line(&check.command, 120).replace('`', "'"))
}

fn decisions(lines: &mut Vec<Line>, memory: &WorkMemory, longest: usize) {
    if memory.decisions.is_empty() {
        return;
    }
    must(lines, "\n## Decided");
    for (at, decision) in memory.decisions.iter().rev().take(12).enumerate() {
        let spare = if at < 2 { 1 } else { 3 + u8::try_from(at / 2).unwrap_or(9) };
        may(lines, spare, format!("- {}", one_line(&decision.text, longest)));
    }
}

fn files(lines: &mut Vec<Line>, memory: &WorkMemory, about: &Page, longest: usize) {
    let relevant = |file: &&RelevantFile| file.source == Provenance::Explicit;
    let named: Vec<&RelevantFile> = memory.relevant_files.iter().rev().filter(relevant).collect();
    if named.is_empty() && about.changed.is_empty() {
        return;
    }
    must(lines, "\n## Files");
    for (at, file) in named.iter().take(12).enumerate() {
        let note = file
            .note
            .as_deref()
            .map(|note| format!(": {}", one_line(note, longest.min(120))))
            .unwrap_or_default();
        let before = match (file.from_previous_intent, about.changed.contains(&file.path)) {
            (true, _) => " (mattered for the goal before)",
            (false, true) => " (edited lately)",
            (false, false) => "",
        };
        let spare = if file.from_previous_intent { 8 } else { 2 + u8::try_from(at / 3).unwrap_or(9) };
        may(lines, spare, format!("- `{}`{note}{before}", one_line(&file.path, 160)));
    }
    let shown =
        |path: &&String| !named.iter().take(12).any(|file| file.path == **path && !file.from_previous_intent);
    for (at, path) in about.changed.iter().filter(shown).take(12).enumerate() {
        let drift =
            if about.drift.contains(path) { ", drift candidate: outside the files that matter" } else { "" };
        let spare = if drift.is_empty() { 6 + u8::try_from(at / 4).unwrap_or(9) } else { 4 };
        may(lines, spare, format!("- `{}` (edited lately{drift})", one_line(path, 160)));
    }
    if about.changed.len() > 12 {
        may(lines, 6, format!("- and {} more edited files", about.changed.len() - 12));
    }
}

fn risks(lines: &mut Vec<Line>, memory: &WorkMemory, about: &Page, longest: usize) {
    if memory.risks.is_empty() && about.lessons.is_empty() {
        return;
    }
    may(lines, 5, "\n## Watch out");
    for risk in memory.risks.iter().rev().take(6) {
        may(lines, 5, format!("- {}", one_line(&risk.text, longest.min(240))));
    }
    for lesson in about.lessons.iter().take(5) {
        may(lines, 6, format!("- Learned: {}", one_line(lesson, longest.min(240))));
    }
}

fn recent(lines: &mut Vec<Line>, memory: &WorkMemory) {
    let worth = |event: &&Recent| matches!(event.kind.as_str(), "commit" | "rollback" | "spiral");
    let events: Vec<&Recent> = memory.recent_events.iter().rev().filter(worth).take(6).collect();
    if events.is_empty() {
        return;
    }
    may(lines, 9, "\n## Seen lately");
    for event in events {
        let what = match event.kind.as_str() {
            "commit" => format!("commit: {}", one_line(event.text.as_deref().unwrap_or("no message"), 100)),
            "rollback" => format!("went back to an earlier state ({} files)", event.paths.len()),
            _ => format!(
                "an agent ran in circles on `{}`",
                event.paths.first().map_or("a file", String::as_str)
            ),
        };
        may(lines, 9, format!("- {what}"));
    }
}

/// Leaves out what is least missed until the page fits, and says so on the page; and whether something is missed all the same.
fn fit(mut lines: Vec<Line>, budget: usize) -> (String, bool) {
    let end = |left_out: usize| match left_out {
        0 => String::new(),
        some => format!("\n({some} less important lines are left out; `vib memory show` has them all.)"),
    };
    let cost = |text: &str| upper_tokens(text) + 1;
    // The stamp and this note have to fit too.
    let budget = budget.saturating_sub(cost(&end(999)) + 60);
    let mut total: usize = lines.iter().map(|line| cost(&line.text)).sum();
    let (mut left_out, mut missed) = (0, false);
    while total > budget {
        let highest = lines.iter().map(|line| line.spare).max().unwrap_or(0);
        missed |= highest <= MISSED;
        // Of the same rank the last one goes first.
        let Some(at) = lines.iter().rposition(|line| line.spare == highest && !line.text.is_empty()) else {
            break;
        };
        if highest == 0 {
            // What must stay is shortened instead: half of the longest line.
            let Some(longest) = lines.iter_mut().max_by_key(|line| cost(&line.text)) else { break };
            if longest.text.chars().count() < 40 {
                break;
            }
            let half = longest.text.chars().count() / 2;
            longest.text = format!("{}…", longest.text.chars().take(half).collect::<String>());
        } else {
            lines.remove(at);
            left_out += 1;
        }
        total = lines.iter().map(|line| cost(&line.text)).sum();
    }
    drop_empty_headings(&mut lines);
    let mut text: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
    text.push_str(&end(left_out));
    text.push('\n');
    (text, missed)
}

fn drop_empty_headings(lines: &mut Vec<Line>) {
    let is_heading = |line: &Line| line.text.starts_with("\n## ");
    let mut at = 0;
    while at < lines.len() {
        if is_heading(&lines[at]) && lines.get(at + 1).is_none_or(is_heading) {
            lines.remove(at);
        } else {
            at += 1;
        }
    }
}

/// A fact stays on its line: nothing in it can look like a heading, a list or a mark of ours.
fn one_line(text: &str, longest: usize) -> String {
    let flat: Vec<&str> = text.split_whitespace().collect();
    let flat = flat.join(" ").replace("<!--", "<! --");
    if flat.chars().count() <= longest {
        return flat;
    }
    format!("{}…", flat.chars().take(longest).collect::<String>())
}
