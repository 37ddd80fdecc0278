//! What a diagnosis found and what can be done, in the person's language: the same words as `vib recover`.

use engine::recover::{
    Report, Surface, git_states_in_words, one_line, sign_in_words, understood_in_words, whose_in_words,
};
use engine::verdict::{self, Verdict, reason_in_words, risk_in_words};
use maud::{Markup, html};
use recovery::{Actor, Finding, Goes, Risk, Sign, Way, WayKind};

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
        p { strong { (sign_in_words(&finding.sign, finding.paths.len(), &Page(ask))) } }
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

/// A page.
struct Page<'a>(&'a Ask);

impl Surface for Page<'_> {
    fn say(&self, id: &str, values: &[(&str, texts::Value<'_>)]) -> String {
        self.0.say(id, values)
    }

    fn harmless(&self, text: &str) -> String {
        self.0.clean(text)
    }

    fn names(&self, all: &[String]) -> String {
        names(self.0, all, 3)
    }
}

/// "I understood: …", and what is asked back.
pub(crate) fn understood(ask: &Ask, report: &Report) -> Vec<String> {
    understood_in_words(report, &Page(ask), &|moment| super::words::time(moment))
}

/// What git keeps that files were compared with or come from.
pub(crate) fn git_states(ask: &Ask, report: &Report) -> String {
    git_states_in_words(&report.git.states, &Page(ask), &|moment| super::words::time(moment))
}

/// How risky something is.
pub(crate) fn risk(ask: &Ask, risk: Risk) -> Markup {
    match risk {
        Risk::Low => tag("good", &ask.t("common-risk-low")),
        Risk::Medium => tag("warn", &ask.t("common-risk-medium")),
        Risk::High => tag("bad", &ask.t("common-risk-high")),
    }
}

/// The one verdict, with its weightiest reasons: the level and the first reason are those that every command says.
/// `damage`: something is damaged all the same, from before what the verdict speaks of.
pub(crate) fn verdict(ask: &Ask, verdict: &Verdict, most: usize, damage: bool) -> Markup {
    let class = match verdict.risk {
        verdict::Risk::Low => "good",
        verdict::Risk::Medium => "warn",
        verdict::Risk::High => "bad",
    };
    let left = &verdict.not_looked_at;
    html! {
        p.big { (tag(class, &risk_in_words(verdict.risk, &Page(ask)))) }
        @if verdict.reasons.is_empty() { p { (ask.t(if damage { "web-risk-before" } else { "web-risk-none" })) } } @else {
            ul.plain.reasons { @for reason in verdict.reasons.iter().take(most) { li { (reason_in_words(reason, &Page(ask))) } } }
            @if verdict.reasons.len() > most {
                p.dim { (ask.say("verdict-more", &[("count", (verdict.reasons.len() - most).into())]).trim()) }
            }
        }
        @if left.changed_files > 0 { p.dim { (ask.say("verdict-not-read", &[("count", left.changed_files.into())])) } }
        @if left.possible_users > 0 { p.dim { (ask.say("verdict-not-searched", &[("count", left.possible_users.into())])) } }
    }
}

/// The title of a way.
pub(crate) fn way_title(ask: &Ask, way: &Way) -> String {
    let touched = if way.restores.is_empty() { way.mends.len() } else { way.restores.len() };
    let is_chosen = !way.restores.is_empty()
        && way.restores.iter().all(|restore| matches!(restore.sign, Sign::Drift | Sign::Wanted));
    let id = match way.kind {
        WayKind::Nothing => "recover-way-nothing",
        WayKind::Explain => "recover-way-explain",
        WayKind::Mend | WayKind::BringBack if is_chosen => "recover-way-as-before",
        WayKind::Mend => "recover-way-mend",
        WayKind::BringBack => "recover-way-bring-back",
        WayKind::TakeBackStep => "recover-way-take-back-step",
        WayKind::TakeBackTurn if way.request.is_some() => "recover-way-take-back-request",
        WayKind::TakeBackTurn => "recover-way-take-back-turn",
        WayKind::GoBack => "recover-way-go-back",
    };
    let request = ask.clean(&one_line(way.request.as_deref().unwrap_or_default()));
    ask.say(id, &[("count", touched.into()), ("request", request.into())])
}

fn whose(ask: &Ask, some: &[Goes]) -> String {
    whose_in_words(some, &Page(ask))
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
            @if !way.brought_back_goes.is_empty() { p { (ask.say("recover-brought-back-goes", &[("files", names(ask, &way.brought_back_goes, 4).into())])) } }
            @if !way.goes.is_empty() { p { (ask.say("recover-goes", &[("whose", whose(ask, &way.goes).into())])) } }
            @if !way.stays_beside.is_empty() { p { (ask.say("recover-stays-beside", &[("whose", whose(ask, &way.stays_beside).into())])) } }
            @let parts: Vec<String> = way.restores.iter().filter(|restore| restore.repair.is_some()).map(|restore| restore.path.clone()).collect();
            @if !parts.is_empty() { p { (ask.say("recover-repairs", &[("files", names(ask, &parts, 4).into())])) } }
        }
        @if let Some(prompt) = &way.prompt {
            p { (ask.t("recover-prompt-heading")) }
            pre { (ask.clean(prompt)) }
        }
    }
}

/// What would be lost, in one sentence.
pub(crate) fn loss(ask: &Ask, files: u64, lines: u64, not_counted: u64) -> String {
    if files == 0 || (lines == 0 && not_counted == 0) {
        return ask.t("recover-loses-nothing");
    }
    let values = [
        ("files", count_files(ask, files).into()),
        ("lines", count_lines(ask, lines).into()),
        ("uncounted", count_files(ask, not_counted).into()),
    ];
    ask.say(if not_counted > 0 { "recover-loses-uncounted" } else { "recover-loses" }, &values)
}
