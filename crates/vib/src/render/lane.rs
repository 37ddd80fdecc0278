//! Lanes, in the person's language.

use ::gates::CheckStanding;
use change::landing::{Take, Why};
use change::reverse::NotByLines;
use engine::lane::{
    Dropped, LandChecks, LandConflict, LandPreview, Landed, LaneLine, LaneList, LaneStatus, Made, Merged,
    Opened, Wanted,
};
use engine::verification::ChangedHow;
use texts::Texts;

use super::diff::{plan_list, totals};
use super::patch_text::one_file;
use super::words::{ago, harmless, line, notices};
use crate::theme::{Theme, paint};

/// Lines of a side of a conflict that are shown.
const LINES: usize = 6;

/// `vib lane new`
pub(crate) fn lane_made(made: &Made, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&made.notices, theme);
    let name = paint(theme.id, &made.name);
    let key = if made.warm { "lane-made-warm" } else { "lane-made" };
    let values = [("name", name.into()), ("written", made.written.into()), ("ms", made.milliseconds.into())];
    out.push_str(&format!("{}\n", texts.say(key, &values)));
    out.push_str(&format!("  {}\n", paint(theme.strong, harmless(&made.folder))));
    if !made.carried.is_empty() {
        let list = made.carried.iter().map(|name| harmless(name)).collect::<Vec<_>>().join(", ");
        out.push_str(&format!("{}\n", texts.say("lane-carried", &[("list", list.into())])));
    }
    if !made.not_carried.is_empty() {
        let list = made.not_carried.iter().map(|name| harmless(name)).collect::<Vec<_>>().join(", ");
        out.push_str(&format!("{}\n", texts.say("lane-not-carried", &[("list", list.into())])));
    }
    let values = [("folder", harmless(&made.folder).into()), ("name", made.name.as_str().into())];
    out.push_str(&format!("{}\n", texts.say("lane-made-next", &values)));
    out
}

/// `vib lane open`, for one that came back.
pub(crate) fn lane_opened(opened: &Opened, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&opened.notices, theme);
    let name = paint(theme.id, &opened.name);
    if let Some(count) = opened.brought_back {
        let values = [("name", name.into()), ("count", count.into())];
        out.push_str(&format!("{}\n", texts.say("lane-back", &values)));
    }
    if opened.without_git {
        out.push_str(&format!("{}\n", texts.say("lane-without-git", &[])));
    }
    out.push_str(&format!("{}\n", harmless(&opened.folder)));
    out
}

/// `vib lane drop`
pub(crate) fn lane_dropped(dropped: &Dropped, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&dropped.notices, theme);
    let values = [("name", paint(theme.id, &dropped.name).into()), ("plain", dropped.name.as_str().into())];
    out.push_str(&format!("{}\n", texts.say("lane-dropped", &values)));
    if dropped.not_landed {
        out.push_str(&format!("{}\n", texts.say("lane-never-landed", &[])));
    }
    out
}

/// `vib lane list`
pub(crate) fn lanes(list: &LaneList, texts: &Texts, theme: &Theme) -> String {
    let mut out = String::new();
    if list.lanes.is_empty() {
        out.push_str(&format!("{}\n", texts.say("lane-none", &[])));
    }
    for lane in &list.lanes {
        out.push_str(&one_lane(lane, list.now_ms, texts, theme));
    }
    if list.dropped > 0 {
        let said = texts.say("lane-dropped-ones", &[("count", list.dropped.into())]);
        out.push_str(&paint(theme.dim, format!("{said}\n")));
    }
    out
}

fn one_lane(lane: &LaneLine, now_ms: i64, texts: &Texts, theme: &Theme) -> String {
    let mut facts = Vec::new();
    match lane.status {
        LaneStatus::Dropped => facts.push(texts.say("lane-is-dropped", &[])),
        LaneStatus::Landed => facts.push(texts.say("lane-is-landed", &[])),
        LaneStatus::Open | LaneStatus::Making => {}
    }
    if lane.gone && lane.status != LaneStatus::Dropped {
        facts.push(paint(theme.warning, texts.say("lane-is-gone", &[("name", lane.name.as_str().into())])));
    }
    match lane.files {
        Some(0) => facts.push(texts.say("lane-nothing-done", &[])),
        Some(files) => {
            let values =
                [("files", files.into()), ("added", lane.added.into()), ("removed", lane.removed.into())];
            facts.push(texts.say("lane-did", &values));
        }
        None => {}
    }
    if lane.conflicts > 0 {
        let said = texts.say("lane-conflicts-count", &[("count", lane.conflicts.into())]);
        facts.push(paint(theme.warning, said));
    }
    if !lane.agents.is_empty() || !lane.programs.is_empty() {
        let mut who = lane.agents.clone();
        who.extend(lane.programs.iter().filter(|name| !lane.agents.contains(name)).cloned());
        let who = harmless(&who.join(", "));
        facts.push(texts.say("lane-at-work", &[("who", who.into())]));
    }
    let made = match lane.made_by.as_str() {
        "person" => ago(lane.made_ms, now_ms),
        "git" => texts.say("lane-by-git", &[("when", ago(lane.made_ms, now_ms).into())]),
        who => format!("{}, {}", ago(lane.made_ms, now_ms), harmless(who)),
    };
    format!(
        "{}  {}\n  {}\n  {}\n",
        paint(theme.id, harmless(&lane.name)),
        paint(theme.dim, made),
        harmless(&lane.folder),
        facts.join("; ")
    )
}

/// `vib land`, before the yes.
pub(crate) fn land_preview(
    preview: &LandPreview,
    patch: bool,
    dry_run: bool,
    texts: &Texts,
    theme: &Theme,
) -> String {
    let mut out = notices(&preview.notices, theme);
    let name = paint(theme.id, &preview.name);
    if !preview.is_empty() {
        out.push_str(&format!("{}\n", texts.say("lane-would-land", &[("name", name.into())])));
        if patch {
            for file in &preview.changes.files {
                out.push_str(&one_file(file, theme));
            }
        } else {
            out.push_str(&plan_list(&preview.changes, theme));
        }
        out.push_str(&totals(&preview.changes, theme));
    }
    if !preview.merged.is_empty() {
        let list = harmless(&preview.merged.join(", "));
        let values = [("count", preview.merged.len().into()), ("list", list.into())];
        out.push_str(&format!("{}\n", texts.say("lane-put-together", &values)));
    }
    for told in &preview.conflicts {
        out.push_str(&conflict(told, texts, theme));
    }
    if !preview.left().is_empty() {
        let values = [("count", preview.left().len().into()), ("name", preview.name.as_str().into())];
        let said = texts.say("lane-left", &values);
        out.push_str(&format!("{} {said}\n", paint(theme.warning, texts.say("lane-note", &[]))));
    }
    if let Some(checks) = &preview.checks {
        out.push_str(&told_checks(checks, texts, theme));
    }
    if dry_run {
        out.push_str(&format!("{}\n", texts.say("lane-dry-run", &[])));
    }
    out
}

pub(super) fn told_checks(checks: &LandChecks, texts: &Texts, theme: &Theme) -> String {
    let mut out = String::new();
    for check in &checks.checks {
        let (key, style) = match check.standing {
            CheckStanding::Passes => ("lane-check-passes", theme.added),
            CheckStanding::Regression | CheckStanding::Fails => ("lane-check-breaks", theme.removed),
            CheckStanding::OldFailure => ("lane-check-old", theme.warning),
            CheckStanding::Flaky => ("lane-check-flaky", theme.warning),
            CheckStanding::NoAnswer => ("lane-check-no-answer", theme.warning),
        };
        let said = texts.say(key, &[("check", harmless(&check.command).into())]);
        out.push_str(&format!("{}\n", paint(style, said)));
        for failure in check.new_failures.iter().take(LINES) {
            out.push_str(&format!("  {}\n", line(&harmless(failure), theme, 4)));
        }
    }
    for changed in &checks.changed {
        let key = match changed.how {
            ChangedHow::Fails => "lane-check-changed",
            ChangedHow::NoAnswer => "lane-check-changed-no-answer",
            ChangedHow::Gone => "lane-check-gone",
        };
        let files = harmless(&changed.files.join(", "));
        let values = [("check", harmless(&changed.command).into()), ("files", files.into())];
        let used = if changed.how == ChangedHow::Gone { &values[..1] } else { &values[..] };
        out.push_str(&format!("{}\n", paint(theme.removed, texts.say(key, used))));
    }
    if !checks.not_allowed.is_empty() {
        let list = harmless(&checks.not_allowed.join(", "));
        out.push_str(&format!("{}\n", texts.say("lane-checks-not-allowed", &[("list", list.into())])));
    }
    out
}

fn conflict(told: &LandConflict, texts: &Texts, theme: &Theme) -> String {
    let path = harmless(&told.conflict.path.to_string());
    let said = match &told.conflict.why {
        Why::Lines { line, .. } => {
            texts.say("lane-conflict-lines", &[("path", path.into()), ("line", (*line).into())])
        }
        Why::BothMade => texts.say("lane-conflict-both-made", &[("path", path.into())]),
        Why::RemovedInLane => texts.say("lane-conflict-removed-in-lane", &[("path", path.into())]),
        Why::RemovedInMain => texts.say("lane-conflict-removed-in-main", &[("path", path.into())]),
        Why::Permissions => texts.say("lane-conflict-permissions", &[("path", path.into())]),
        Why::WholeFile { because } => {
            let key = match because {
                NotByLines::Binary => "lane-conflict-binary",
                NotByLines::TooLong => "lane-conflict-too-long",
                NotByLines::NoFile => "lane-conflict-no-file",
            };
            texts.say(key, &[("path", path.into())])
        }
    };
    let mut out = format!("{}\n", paint(theme.warning, said));
    if let Why::Lines { main, lane, .. } = &told.conflict.why {
        out.push_str(&side(&texts.say("lane-side-project", &[]), main, &told.in_project, texts, theme));
        out.push_str(&side(&texts.say("lane-side-lane", &[]), lane, &told.in_lane, texts, theme));
    } else {
        out.push_str(&wanted(&texts.say("lane-side-project", &[]), &told.in_project, texts, theme));
        out.push_str(&wanted(&texts.say("lane-side-lane", &[]), &told.in_lane, texts, theme));
    }
    if let Some(take) = told.conflict.taken {
        let key = if take == Take::Lane { "lane-taken-lane" } else { "lane-taken-main" };
        out.push_str(&format!("  {}\n", texts.say(key, &[])));
    }
    out
}

fn side(name: &str, text: &str, intents: &[Wanted], texts: &Texts, theme: &Theme) -> String {
    let mut out = wanted(name, intents, texts, theme);
    if out.is_empty() {
        out.push_str(&format!("  {name}:\n"));
    }
    let all: Vec<&str> = text.lines().collect();
    for one in all.iter().take(LINES) {
        out.push_str(&format!("    {}\n", line(&harmless(one), theme, 6)));
    }
    if all.len() > LINES {
        let more = texts.say("lane-more-lines", &[("count", (all.len() - LINES).into())]);
        out.push_str(&format!("    {}\n", paint(theme.dim, more)));
    }
    out
}

/// What was wanted on one side.
fn wanted(name: &str, intents: &[Wanted], texts: &Texts, theme: &Theme) -> String {
    let Some(intent) = intents.first() else { return String::new() };
    let who = match intent.who.as_str() {
        "by_hand" => texts.say("lane-by-hand", &[]),
        other => harmless(other),
    };
    let words = intent.words.as_deref().map(|words| format!(" “{}”", line(&harmless(words), theme, 24)));
    format!("  {name} ({who}, {}{}):\n", intent.step, words.unwrap_or_default())
}

/// `vib land`, afterwards.
pub(crate) fn landed(landed: &Landed, dropped: bool, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&landed.notices, theme);
    let values = [
        ("name", paint(theme.id, &landed.name).into()),
        ("paths", landed.paths.into()),
        ("step", landed.step.clone().unwrap_or_default().into()),
    ];
    out.push_str(&format!("{}\n", texts.say("lane-landed", &values)));
    if !landed.left.is_empty() {
        let list = harmless(&landed.left.join(", "));
        let values = [("list", list.into()), ("name", landed.name.as_str().into())];
        let said = texts.say("lane-landed-without", &values);
        out.push_str(&format!("{} {said}\n", paint(theme.warning, texts.say("lane-note", &[]))));
    }
    for kept in landed.kept.iter().take(20) {
        out.push_str(&format!(
            "  {}  {}\n",
            harmless(&kept.path.to_string()),
            paint(theme.dim, harmless(&kept.detail))
        ));
    }
    out.push_str(&format!(
        "{}\n",
        texts.say("lane-landed-undo", &[("id", landed.safety.id.to_string().into())])
    ));
    let key = if dropped { "lane-landed-dropped" } else { "lane-landed-stays" };
    out.push_str(&paint(
        theme.dim,
        format!("{}\n", texts.say(key, &[("name", landed.name.as_str().into())])),
    ));
    out
}

/// `vib lane merge`
pub(crate) fn lane_merged(merged: &Merged, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&merged.notices, theme);
    let values = [
        ("name", paint(theme.id, &merged.name).into()),
        ("taken", merged.taken.len().into()),
        ("merged", merged.merged.len().into()),
    ];
    out.push_str(&format!("{}\n", texts.say("lane-merged", &values)));
    for file in &merged.marked {
        let said = texts.say("lane-marked", &[("path", harmless(file).into())]);
        out.push_str(&format!("{}\n", paint(theme.warning, said)));
    }
    for file in &merged.left {
        let said = texts.say("lane-merge-left", &[("path", harmless(file).into())]);
        out.push_str(&format!("{}\n", paint(theme.warning, said)));
    }
    out.push_str(&paint(theme.dim, format!("{}\n", harmless(&merged.folder))));
    out
}
