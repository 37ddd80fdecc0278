//! Runs and their cards, in the person's language.

use engine::run::fold::{Attempt, Card, CardCommit, Spent};
use engine::run::model::{By, CardStatus, CheckEvidence, RunEvent};
use engine::run::words;
use engine::run::{CardPreview, CardsDone, Outcome, Replayed, RunDropped, RunLine, RunList};
use texts::Texts;

use super::diff::{file_list, plan_list, totals};
use super::lane::told_checks;
use super::patch_text::one_file;
use super::words::{ago, grouped, harmless, line, notices};
use crate::commands::run::{Shown, Stopped};
use crate::theme::{Theme, paint};

/// `vib run list`
pub(crate) fn runs(list: &RunList, texts: &Texts, theme: &Theme) -> String {
    if list.runs.is_empty() {
        return format!("{}\n", texts.say("runs-none", &[]));
    }
    list.runs.iter().map(|run| one_run(run, list.now_ms, texts, theme)).collect()
}

fn one_run(run: &RunLine, now_ms: i64, texts: &Texts, theme: &Theme) -> String {
    let values = [("done", run.done.into()), ("cards", run.cards.into())];
    let mut facts = vec![texts.say("runs-counts", &values)];
    if run.waiting > 0 {
        facts.push(texts.say("runs-waiting", &[("count", run.waiting.into())]));
    }
    facts.extend(standing(&run.id, run.running, run.paused.as_deref(), run.ended.as_deref(), texts));
    facts.extend(spent(&run.spent, texts));
    format!(
        "{}  {}\n  {}\n  {}\n",
        paint(theme.id, &run.id),
        paint(theme.dim, ago(run.last_ms, now_ms)),
        line(&harmless(&run.task), theme, 2),
        facts.join("; ")
    )
}

fn standing(
    name: &str,
    running: bool,
    paused: Option<&str>,
    ended: Option<&str>,
    texts: &Texts,
) -> Option<String> {
    match (running, paused, ended) {
        (true, ..) => Some(texts.say("runs-running", &[])),
        (_, Some(why), _) => Some(texts.say("runs-paused", &[("why", harmless(why).into())])),
        (_, _, Some(why)) => Some(texts.say("runs-ended", &[("why", harmless(why).into())])),
        // Whoever worked on it was killed.
        _ => Some(texts.say("runs-left-alone", &[("name", name.into())])),
    }
}

fn spent(spent: &Spent, texts: &Texts) -> Option<String> {
    let tokens = spent.tokens.prompt().saturating_add(spent.tokens.output);
    if tokens == 0 && spent.dollars == 0.0 {
        return None;
    }
    let values = [("tokens", grouped(tokens).into()), ("dollars", format!("{:.2}", spent.dollars).into())];
    let key = if spent.unpriced > 0 { "runs-spent-partly" } else { "runs-spent" };
    Some(texts.say(key, &values))
}

/// `vib run show`
pub(crate) fn run(shown: &Shown, texts: &Texts, theme: &Theme) -> String {
    let run = &shown.run;
    let mut out = format!(
        "{}  {}\n{}\n",
        paint(theme.id, &run.id),
        paint(theme.dim, ago(run.began_ms, shown.now_ms)),
        paint(theme.strong, harmless(&run.task))
    );
    let why = run.paused.as_ref().map(|pause| pause.why.as_str());
    let mut facts: Vec<String> =
        standing(&run.id, shown.running, why, run.ended.as_deref(), texts).into_iter().collect();
    facts.extend(spent(&run.spent, texts));
    if !facts.is_empty() {
        out.push_str(&format!("{}\n", facts.join("; ")));
    }
    if let Some(branch) = &run.branch {
        let name = paint(theme.id, harmless(&branch.name));
        out.push_str(&format!("{}\n", texts.say("runs-branch", &[("branch", name.into())])));
        if !branch.left_out.is_empty() {
            let list = harmless(&branch.left_out.join(", "));
            let said = texts.say("runs-branch-without", &[("list", list.into())]);
            out.push_str(&format!("  {}\n", paint(theme.warning, said)));
        }
    }
    for card in &run.cards {
        out.push_str(&one_card(&run.id, card, shown.one, texts, theme));
    }
    if !shown.not_allowed.is_empty() {
        let list = harmless(&shown.not_allowed.join(", "));
        let values = [("list", list.into()), ("name", run.id.as_str().into())];
        out.push_str(&format!("{}\n", paint(theme.warning, texts.say("runs-checks-not-allowed", &values))));
    }
    if !shown.one && run.cards.iter().any(|card| card.status == CardStatus::Preview) {
        let said = texts.say("runs-next-apply", &[("name", run.id.as_str().into())]);
        out.push_str(&format!("{}\n", paint(theme.dim, said)));
    }
    out
}

fn status(status: CardStatus, texts: &Texts) -> String {
    let key = match status {
        CardStatus::Todo => "runs-is-todo",
        CardStatus::Running => "runs-is-running",
        CardStatus::Preview => "runs-is-preview",
        CardStatus::Review => "runs-is-review",
        CardStatus::Done => "runs-is-done",
        CardStatus::Blocked => "runs-is-blocked",
        CardStatus::Reverted => "runs-is-reverted",
        CardStatus::Dropped => "runs-is-dropped",
    };
    texts.say(key, &[])
}

fn one_card(run: &str, card: &Card, whole: bool, texts: &Texts, theme: &Theme) -> String {
    let style = match card.status {
        CardStatus::Done => theme.added,
        CardStatus::Blocked => theme.removed,
        CardStatus::Preview | CardStatus::Review => theme.warning,
        _ => theme.dim,
    };
    let mut out = format!(
        "\n{}  {}  {}\n",
        paint(theme.id, format!("{run}/{}", card.id)),
        paint(style, status(card.status, texts)),
        harmless(&card.title)
    );
    let say = |id: &str, values: &[(&str, texts::Value<'_>)]| texts.say(id, values);
    if let Some(why) = words::why_it_stands(run, card, &say, &harmless) {
        out.push_str(&format!("  {why}\n"));
    }
    if whole {
        for words in card.acceptance.iter().chain(&card.steps) {
            out.push_str(&format!("  - {}\n", harmless(words)));
        }
    }
    for attempt in &card.attempts {
        out.push_str(&one_attempt(card, attempt, whole, texts, theme));
    }
    for reason in words::comparison(card, &say, &harmless) {
        out.push_str(&format!("  {}\n", paint(theme.dim, reason)));
    }
    for commit in &card.commits {
        out.push_str(&format!("  {}\n", one_commit(commit, texts, theme)));
    }
    if let Some(note) = &card.note {
        out.push_str(&format!("  {}\n", texts.say("runs-note", &[("note", harmless(note).into())])));
    }
    let open: Vec<&str> = card.evidence.unfinished.iter().map(|open| open.name.as_str()).collect();
    if !open.is_empty() {
        let said = texts.say("runs-unfinished", &[("list", harmless(&open.join(", ")).into())]);
        out.push_str(&format!("  {}\n", paint(theme.warning, said)));
    }
    if whole {
        for command in &card.evidence.commands {
            let exit = command.exit.map_or_else(|| "-".to_owned(), |exit| exit.to_string());
            out.push_str(&format!("  $ {}  [{exit}]\n", harmless(&command.command)));
        }
    }
    out
}

fn one_commit(commit: &CardCommit, texts: &Texts, theme: &Theme) -> String {
    let Some(id) = &commit.commit else {
        let why = harmless(commit.why.as_deref().unwrap_or_default());
        return paint(theme.warning, texts.say("runs-not-committed", &[("why", why.into())]));
    };
    let mut said = texts.say("runs-commit", &[("commit", short(id).into())]);
    if !commit.left_out.is_empty() {
        let list = harmless(&commit.left_out.join(", "));
        said.push_str(&format!("; {}", texts.say("runs-branch-without", &[("list", list.into())])));
    }
    said
}

fn one_attempt(card: &Card, attempt: &Attempt, whole: bool, texts: &Texts, theme: &Theme) -> String {
    let who = match &attempt.by {
        Some(By::Vib { model }) => format!("vib ({model})"),
        Some(By::Client { name }) => name.clone(),
        None => "?".to_owned(),
    };
    let mut facts = vec![harmless(&who)];
    facts.extend(attempt.ended.as_deref().map(harmless));
    if !attempt.files.is_empty() {
        let (added, removed) = attempt.files.iter().fold((0_u64, 0_u64), |(added, removed), file| {
            (added.saturating_add(file.added), removed.saturating_add(file.removed))
        });
        let values =
            [("files", attempt.files.len().into()), ("added", added.into()), ("removed", removed.into())];
        facts.push(texts.say("runs-files", &values));
    }
    if card.landed.as_ref() == Some(&attempt.id) && card.is_in_project() {
        facts.push(paint(theme.added, texts.say("runs-landed", &[])));
    } else if card.recommended.as_ref() == Some(&attempt.id) {
        facts.push(paint(theme.added, texts.say("runs-recommended", &[])));
    }
    if attempt.dropped {
        facts.push(texts.say("runs-put-away", &[("lane", attempt.lane.as_str().into())]));
    }
    let mut out = format!("  {}  {}\n", attempt.id, facts.join("; "));
    for check in &attempt.checks {
        out.push_str(&format!("    {}\n", one_check(check, texts, theme)));
    }
    // While it is under way nobody knows yet what it leaves behind.
    if !attempt.checks.is_empty() && attempt.tree.is_some() && !attempt.is_proven() {
        out.push_str(&format!("    {}\n", paint(theme.warning, texts.say("runs-stale", &[]))));
    }
    for (key, list) in [("runs-weakened", &attempt.weakened), ("runs-findings", &attempt.findings)] {
        if !list.is_empty() {
            let said = texts.say(key, &[("list", harmless(&list.join(", ")).into())]);
            out.push_str(&format!("    {}\n", paint(theme.warning, said)));
        }
    }
    if whole {
        for file in &attempt.files {
            out.push_str(&format!("    {}  +{} −{}\n", harmless(&file.path), file.added, file.removed));
        }
        if !attempt.text.is_empty() {
            out.push_str(&format!("    “{}”\n", harmless(attempt.text.trim())));
        }
    }
    out
}

fn one_check(check: &CheckEvidence, texts: &Texts, theme: &Theme) -> String {
    let (key, style) = match check.status.as_str() {
        "passed" => ("runs-check-passed", theme.added),
        "failed" => ("runs-check-failed", theme.removed),
        "still_fails" => ("runs-check-still", theme.warning),
        _ => ("runs-check-other", theme.warning),
    };
    let values = [("check", harmless(&check.command).into()), ("status", harmless(&check.status).into())];
    let used = if key == "runs-check-other" { &values[..] } else { &values[..1] };
    paint(style, texts.say(key, used))
}

/// `vib run stop`
pub(crate) fn run_stopped(stopped: &Stopped, texts: &Texts) -> String {
    let key = if stopped.asked { "runs-stop-asked" } else { "runs-stopped" };
    format!("{}\n", texts.say(key, &[("name", stopped.run.as_str().into())]))
}

/// `vib run apply` and `revert`, before the yes.
pub(crate) fn cards_preview(
    preview: &CardPreview,
    patch: bool,
    dry_run: bool,
    texts: &Texts,
    theme: &Theme,
) -> String {
    let mut out = notices(&preview.notices, theme);
    let name = paint(theme.id, preview.name());
    for card in &preview.cards {
        out.push_str(&format!("{}  {}\n", paint(theme.id, &card.card), harmless(&card.title)));
    }
    if preview.already {
        out.push_str(&format!("{}\n", texts.say("runs-already", &[("name", name.into())])));
        return out;
    }
    let said = match (&preview.in_lane, preview.revert) {
        (_, false) => texts.say("runs-would-apply", &[("name", name.into())]),
        (None, true) => texts.say("runs-would-revert", &[("name", name.into())]),
        (Some(lane), true) => {
            texts.say("runs-would-revert-lane", &[("name", name.into()), ("lane", lane.as_str().into())])
        }
    };
    out.push_str(&format!("{said}\n"));
    if patch {
        for file in &preview.changes.files {
            out.push_str(&one_file(file, theme));
        }
    } else if preview.revert {
        out.push_str(&plan_list(&preview.changes, theme));
    } else {
        out.push_str(&file_list(&preview.changes, theme));
    }
    out.push_str(&totals(&preview.changes, theme));
    if !preview.merged.is_empty() {
        let list = harmless(&preview.merged.join(", "));
        out.push_str(&format!("{}\n", texts.say("runs-merged", &[("list", list.into())])));
    }
    let note = || paint(theme.warning, texts.say("lane-note", &[]));
    if !preview.without.is_empty() {
        let values = [("list", preview.without.join(", ").into()), ("name", preview.run.as_str().into())];
        out.push_str(&format!("{} {}\n", note(), texts.say("runs-without", &values)));
    }
    if !preview.later.is_empty() {
        let values = [("list", preview.later.join(", ").into())];
        out.push_str(&format!("{}\n", texts.say("runs-later", &values)));
    }
    let left = preview.left();
    if !left.is_empty() {
        let list = harmless(&left.join(", "));
        out.push_str(&format!("{} {}\n", note(), texts.say("runs-left", &[("list", list.into())])));
    }
    if !preview.weakened.is_empty() {
        let list = harmless(&preview.weakened.join("; "));
        let said = paint(theme.removed, texts.say("runs-weakened", &[("list", list.into())]));
        out.push_str(&format!("{} {said}\n", note()));
    }
    if let Some(checks) = &preview.checks {
        out.push_str(&told_checks(checks, texts, theme));
    }
    if dry_run {
        out.push_str(&format!("{}\n", texts.say("runs-dry-run", &[])));
    }
    out
}

/// `vib run apply` and `revert`, afterwards.
pub(crate) fn cards_done(done: &CardsDone, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&done.notices, theme);
    let name = match done.cards.as_slice() {
        [one] => format!("{}/{}", done.run, one.card),
        _ => done.run.clone(),
    };
    let name = paint(theme.id, name);
    let Some(safety) = &done.safety else {
        out.push_str(&format!("{}\n", texts.say("runs-already", &[("name", name.into())])));
        return out;
    };
    let values = [
        ("name", name.into()),
        ("paths", done.paths.into()),
        ("step", done.step.clone().unwrap_or_default().into()),
    ];
    let key = if done.revert { "runs-reverted" } else { "runs-applied" };
    out.push_str(&format!("{}\n", texts.say(key, &values)));
    if !done.left.is_empty() {
        let list = harmless(&done.left.join(", "));
        let said = texts.say("runs-left", &[("list", list.into())]);
        out.push_str(&format!("{} {said}\n", paint(theme.warning, texts.say("lane-note", &[]))));
    }
    if !done.stays.is_empty() {
        let list = done.stays.iter().map(|one| format!("{}/{}", done.run, one.card)).collect::<Vec<_>>();
        let said = texts.say("runs-stays", &[("list", list.join(", ").into())]);
        out.push_str(&format!("{} {said}\n", paint(theme.warning, texts.say("lane-note", &[]))));
    }
    let id = safety.id.to_string();
    out.push_str(&match &done.in_lane {
        None => format!("{}\n", texts.say("lane-landed-undo", &[("id", id.into())])),
        Some(lane) => {
            let values = [("id", id.into()), ("lane", lane.as_str().into())];
            format!("{}\n", texts.say("runs-undo-in-lane", &values))
        }
    });
    out
}

/// `vib run replay`
pub(crate) fn run_replayed(replayed: &Replayed, texts: &Texts, theme: &Theme) -> String {
    let mut out = String::new();
    for card in &replayed.cards {
        let (said, style) = match &card.outcome {
            Outcome::Same => (texts.say("runs-replay-same", &[]), theme.added),
            Outcome::Done => (texts.say("runs-replay-done", &[]), theme.added),
            Outcome::Nothing => (texts.say("runs-replay-nothing", &[]), theme.dim),
            Outcome::Differs { path } => {
                (texts.say("runs-replay-differs", &[("path", harmless(path).into())]), theme.warning)
            }
            Outcome::Refused { message, .. } => {
                (texts.say("runs-replay-refused", &[("why", harmless(message).into())]), theme.removed)
            }
        };
        out.push_str(&format!(
            "{}  {}  {}\n",
            paint(theme.id, &card.card),
            paint(style, said),
            harmless(&card.title)
        ));
    }
    out.push_str(&format!("{}\n", paint(theme.dim, &replayed.tree)));
    let key = if replayed.dropped { "runs-replay-dropped" } else { "runs-replay-lane" };
    out.push_str(&format!("{}\n", texts.say(key, &[("lane", replayed.lane.as_str().into())])));
    out
}

/// `vib run drop`
pub(crate) fn run_dropped(dropped: &RunDropped, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&dropped.notices, theme);
    let name = paint(theme.id, &dropped.run);
    let list = dropped.attempts.join(", ");
    let values = [("name", name.into()), ("list", list.into())];
    out.push_str(&format!("{}\n", texts.say("runs-dropped", &values)));
    for lane in &dropped.lanes {
        let said = texts.say("runs-lane-open", &[("lane", lane.name.as_str().into())]);
        out.push_str(&format!("  {said}\n"));
    }
    if let Some(branch) = &dropped.branch {
        out.push_str(&format!(
            "{}\n",
            texts.say("runs-branch-stays", &[("branch", harmless(branch).into())])
        ));
    }
    out
}

/// The beginning of a commit's id.
fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

fn without(left_out: &[String]) -> String {
    if left_out.is_empty() { String::new() } else { format!(", without {}", harmless(&left_out.join(", "))) }
}

/// One line about what happens in a run, while it works; most of it is not worth one.
pub(crate) fn run_event(id: &str, event: &RunEvent) -> Option<String> {
    let line = match event {
        RunEvent::Started { .. } | RunEvent::Resumed { .. } => return None,
        RunEvent::Planned { cards } => {
            let titles: String =
                cards.iter().map(|card| format!("\n  {} {}", card.id, harmless(&card.title))).collect();
            format!("{} cards{titles}", cards.len())
        }
        RunEvent::Status { card, status, why, .. } => {
            let why = why.as_deref().map(|why| format!(": {}", harmless(why))).unwrap_or_default();
            format!("{card} {}{why}", format!("{status:?}").to_lowercase())
        }
        RunEvent::AttemptBegan { card, attempt, by, .. } => {
            let who = match by {
                By::Vib { model } => format!("vib with {model}"),
                By::Client { name } => name.clone(),
            };
            format!("{card}/{attempt} begins: {}", harmless(&who))
        }
        RunEvent::AttemptEnded { card, attempt, ended, files, .. } => {
            let (added, removed) = files
                .iter()
                .fold((0, 0), |(added, removed), file| (added + file.added, removed + file.removed));
            format!("{card}/{attempt} ended ({ended}): {} files, +{added} -{removed}", files.len())
        }
        RunEvent::ActionBegan { card, n, name, .. } => format!("{card} {n} {name}"),
        RunEvent::ActionEnded { card, n, ok: false, code, .. } => {
            format!("{card} {n} refused: {}", code.as_deref().unwrap_or_default())
        }
        RunEvent::Rejected { card, n, code, message } => {
            format!("{card} {n} no action ({code}): {}", harmless(message))
        }
        RunEvent::Patched { card, files, .. } => {
            let names: Vec<String> = files
                .iter()
                .map(|file| format!("{} +{} -{}", harmless(&file.path), file.added, file.removed))
                .collect();
            format!("{card} changed {}", names.join(", "))
        }
        RunEvent::Checked { card, attempt, checks, weakened, .. } => {
            let mut all: Vec<String> =
                checks.iter().map(|check| format!("{} {}", harmless(&check.command), check.status)).collect();
            all.extend(weakened.iter().map(|line| harmless(line).to_string()));
            format!(
                "{card}/{attempt} checked by vib: {}",
                if all.is_empty() { "nothing to run".to_owned() } else { all.join(", ") }
            )
        }
        RunEvent::Branched { branch, left_out, .. } => {
            format!("the branch {} begins{}", harmless(branch), without(left_out))
        }
        RunEvent::Committed { card, commit: Some(commit), left_out, .. } => {
            format!("{card} committed: {}{}", short(commit), without(left_out))
        }
        RunEvent::Committed { card, why, .. } => {
            format!("{card} is not committed: {}", harmless(why.as_deref().unwrap_or_default()))
        }
        RunEvent::Switched { from, to, why, lost, .. } => {
            format!("{to} answers instead of {from} ({why}); lost: {}", lost.join(", "))
        }
        RunEvent::Adapted { what, .. } => what.replace('_', " "),
        RunEvent::Budget { of, used } => format!("{used} % of the budget of the {of} is used"),
        RunEvent::Meta { card, risk, note, .. } => {
            format!("{card} reviewed: risk {}, {}", format!("{risk:?}").to_lowercase(), harmless(note))
        }
        RunEvent::Paused { why, options, .. } => {
            let options =
                if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
            format!("waits for you: {}{}", harmless(why), harmless(&options))
        }
        RunEvent::Compared { recommended, reasons, .. } => {
            let reasons: String = reasons.iter().map(|reason| format!("\n  {}", harmless(reason))).collect();
            format!("compared: {}{reasons}", recommended.as_deref().unwrap_or("nobody"))
        }
        RunEvent::ActionEnded { .. }
        | RunEvent::CommandRan { .. }
        | RunEvent::ModelCalled { .. }
        | RunEvent::Landed { .. }
        | RunEvent::Reverted { .. }
        | RunEvent::Dropped { .. }
        | RunEvent::Ended { .. } => return None,
    };
    Some(format!("{id}  {line}\n"))
}
