//! What a diagnosis found and what can be done, in the person's language: the same words as `vib recover`.

use maud::{Markup, html};
use recovery::{Actor, Finding, Risk, Sign, Way, WayKind};

use super::{ago, tag};
use crate::ask::Ask;

/// Files that are named before the list is cut.
const SHOWN: usize = 6;

/// Some names, and how many more there are.
pub(crate) fn names(ask: &Ask, names: &[String], most: usize) -> String {
    let shown: Vec<String> = names.iter().take(most).map(|name| ask.clean(name)).collect();
    let shown = shown.join(", ");
    if names.len() > most {
        return ask
            .say("recover-and-more", &[("files", shown.into()), ("count", (names.len() - most).into())]);
    }
    shown
}

fn count_files(ask: &Ask, count: u64) -> String {
    ask.say("common-files", &[("count", count.into())])
}

fn count_lines(ask: &Ask, count: u64) -> String {
    ask.say("common-lines", &[("count", count.into())])
}

/// One thing that looks wrong.
pub(crate) fn finding(ask: &Ask, finding: &Finding, now_ms: i64) -> Markup {
    html! {
        p { strong { (sign(ask, &finding.sign, finding.paths.len())) } }
        p { @for path in finding.paths.iter().take(SHOWN) { code { (ask.clean(path)) } " " }
            @if finding.paths.len() > SHOWN { span.dim { (ask.say("web-and-more", &[("count", (finding.paths.len() - SHOWN).into())])) } } }
        @if !finding.used_by.is_empty() {
            p { (ask.say("recover-used-by", &[("files", names(ask, &finding.used_by, 3).into())])) }
        }
        p.dim {
            @if let Some(time) = finding.time_ms {
                (ago(ask, time, now_ms)) " · "
                @match finding.actor {
                    Some(Actor::Edit) => (ask.t("web-actor-edit")),
                    Some(Actor::Command) => (ask.t("web-actor-command")),
                    Some(Actor::Person) => (ask.t("web-actor-person")),
                    _ => (ask.t("web-actor-unknown")),
                }
            }
            @if let Some(prompt) = &finding.prompt {
                " · " (ask.say("recover-request", &[("prompt", crate::pages::home::first_line(&ask.clean(prompt)).into())]))
            }
        }
    }
}

fn sign(ask: &Ask, sign: &Sign, count: usize) -> String {
    let text = |text: &str| -> texts::Value<'static> { ask.clean(text).into() };
    let id = match sign {
        Sign::Deleted => "recover-sign-deleted",
        Sign::Emptied => "recover-sign-emptied",
        Sign::MostlyLost => "recover-sign-mostly-lost",
        Sign::Placeholder => "recover-sign-placeholder",
        Sign::Overwritten => "recover-sign-overwritten",
        Sign::NamesLost { names: lost } => {
            return ask.say("recover-sign-names-lost", &[("names", names(ask, lost, 3).into())]);
        }
        Sign::HalfRenamed { old, new } => {
            return ask.say("recover-sign-half-renamed", &[("old", text(old)), ("new", text(new))]);
        }
        Sign::Broken => "recover-sign-broken",
        Sign::Markers => "recover-sign-markers",
        Sign::Encoding => "recover-sign-encoding",
        Sign::WhiteSpace => "recover-sign-white-space",
        Sign::LineEnds => "recover-sign-line-ends",
        Sign::NotRunnable => "recover-sign-not-runnable",
        Sign::KindChanged => "recover-sign-kind-changed",
        Sign::TestsWeaker => "recover-sign-tests-weaker",
        Sign::Secret => "recover-sign-secret",
        Sign::Manifest => "recover-sign-manifest",
        Sign::Replaced { old, new } => {
            let values = [("old", text(old)), ("new", text(new)), ("count", count.into())];
            return ask.say("recover-sign-replaced", &values);
        }
        Sign::Rewritten => "recover-sign-rewritten",
        Sign::Renamed => "recover-sign-renamed",
        Sign::WentBack => "recover-sign-went-back",
        Sign::Flood => "recover-sign-flood",
        Sign::Drift => "recover-sign-drift",
        Sign::CheckFails { command } => {
            return ask.say("recover-sign-check-fails", &[("command", text(command))]);
        }
        Sign::Circling => "recover-sign-circling",
        Sign::Protected => "recover-sign-protected",
        Sign::Wanted => "recover-sign-wanted",
    };
    ask.say(id, &[("count", count.into())])
}

/// How risky something is.
pub(crate) fn risk(ask: &Ask, risk: Risk) -> Markup {
    match risk {
        Risk::Low => tag("good", &ask.t("common-risk-low")),
        Risk::Medium => tag("warn", &ask.t("common-risk-medium")),
        Risk::High => tag("bad", &ask.t("common-risk-high")),
    }
}

/// The title of a way.
pub(crate) fn way_title(ask: &Ask, way: &Way) -> String {
    let touched = if way.restores.is_empty() { way.mends.len() } else { way.restores.len() };
    let id = match way.kind {
        WayKind::Nothing => "recover-way-nothing",
        WayKind::Explain => "recover-way-explain",
        WayKind::Mend => "recover-way-mend",
        WayKind::BringBack => "recover-way-bring-back",
        WayKind::TakeBackTurn => "recover-way-take-back-turn",
        WayKind::GoBack => "recover-way-go-back",
    };
    ask.say(id, &[("count", touched.into())])
}

/// What a way is, what it costs, and what stays.
pub(crate) fn way(ask: &Ask, way: &Way, now_ms: i64) -> Markup {
    let paths: Vec<&String> = if way.restores.is_empty() {
        way.mends.iter().map(|mend| &mend.path).collect()
    } else {
        way.restores.iter().map(|restore| &restore.path).collect()
    };
    html! {
        p { strong { (way_title(ask, way)) } @if way.number == 1 { " " (tag("pin", ask.t("recover-recommended").trim_matches(['(', ')', '（', '）']))) } }
        @if !paths.is_empty() {
            p { @for path in paths.iter().take(SHOWN) { code { (ask.clean(path)) } " " }
                @if paths.len() > SHOWN { span.dim { (ask.say("web-and-more", &[("count", (paths.len() - SHOWN).into())])) } } }
        }
        @if !way.restores.is_empty() {
            p {
                (risk(ask, way.risk)) " " (loss(ask, way.loss.files, way.loss.lines, way.loss.not_counted))
                @if way.loss.lines_back > 0 { " " (ask.say("recover-lines-back", &[("lines", count_lines(ask, way.loss.lines_back).into())])) }
                @if way.keeps > 0 { " " (ask.say("recover-keeps", &[("files", count_files(ask, way.keeps).into())])) }
            }
            @if let Some(time) = way.time_ms { p.dim { (ask.t("web-recovery-state")) " " (ago(ask, time, now_ms)) } }
        }
    }
}

/// What would be lost, in one sentence.
pub(crate) fn loss(ask: &Ask, files: u64, lines: u64, not_counted: u64) -> String {
    if files == 0 || (lines == 0 && not_counted == 0) {
        return ask.t("recover-loses-nothing");
    }
    let values = [("files", count_files(ask, files).into()), ("lines", count_lines(ask, lines).into())];
    ask.say("recover-loses", &values)
}
