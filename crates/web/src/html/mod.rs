//! The frame of every page, and the pieces that pages share.

mod chart;
mod diff;
mod margin;
pub(crate) mod recover;
pub(crate) mod run;
pub(crate) mod steps;
mod words;

pub(crate) use chart::{bars, meter};
pub(crate) use diff::{Changes, MOST_TEXT, View, file_link, summary, summary_of_preview};
pub(crate) use margin::Margin;
pub(crate) use words::{ago, link_with, size, time};

use maud::{DOCTYPE, Markup, Render, html};
use texts::Language;

use crate::ask::Ask;
use crate::assets;

/// The pages of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nav {
    Home,
    Memory,
    History,
    Runs,
    Recovery,
    Lessons,
    Permissions,
    Spirals,
    Audit,
    Settings,
}

const MENU: [(Nav, &str, &str); 10] = [
    (Nav::Home, "/", "web-nav-home"),
    (Nav::Memory, "/memory", "web-nav-memory"),
    (Nav::History, "/history", "web-nav-history"),
    (Nav::Runs, "/runs", "web-nav-runs"),
    (Nav::Recovery, "/recovery", "web-nav-recovery"),
    (Nav::Lessons, "/lessons", "web-nav-lessons"),
    (Nav::Permissions, "/permissions", "web-nav-permissions"),
    (Nav::Spirals, "/spirals", "web-nav-spirals"),
    (Nav::Audit, "/audit", "web-nav-audit"),
    (Nav::Settings, "/settings", "web-nav-settings"),
];

/// What a page is made of.
pub(crate) struct Page<'p> {
    pub(crate) nav: Nav,
    pub(crate) title: String,
    /// One sentence under the title.
    pub(crate) lead: Option<String>,
    /// Which changes make it fetch itself anew; see [`crate::live`].
    pub(crate) topics: &'p str,
    /// Seconds after which a browser without scripts loads it again.
    pub(crate) again: Option<u32>,
    pub(crate) body: Markup,
}

impl Page<'_> {
    /// The whole document.
    pub(crate) fn render(self, ask: &Ask) -> Markup {
        self.render_with(ask, &html! {})
    }

    /// The whole document, with something long after the body.
    pub(crate) fn render_with(self, ask: &Ask, long: &dyn Render) -> Markup {
        let language = ask.visit.language;
        let name = ask.engine.project().root().file_name().map(|name| name.to_string_lossy().into_owned());
        let project = ask.clean(&name.unwrap_or_default());
        html! {
            (DOCTYPE)
            html lang=(language.code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="csrf" content=(ask.visit.visitor.csrf());
                    @if let Some(seconds) = self.again {
                        noscript { meta http-equiv="refresh" content=(seconds); }
                    }
                    title { (self.title) " · " (project) }
                    link rel="stylesheet" href=(assets::url("style.css"));
                    link rel="icon" href=(assets::url("icon.svg"));
                    script type="module" src=(assets::url("page.js")) {}
                }
                body {
                    a.skip href="#main" { (ask.t("web-skip")) }
                    header.top {
                        a.brand href="/" { span.mark aria-hidden="true" {} span { "VibeLign" } }
                        span.project { (project) }
                        (state_of_connection(ask))
                        (languages(ask, language))
                    }
                    nav.menu aria-label=(ask.t("web-nav")) {
                        ul {
                            @for (nav, link, id) in MENU {
                                li { a href=(link) aria-current=[(nav == self.nav).then_some("page")] { (ask.t(id)) } }
                            }
                        }
                    }
                    main #main tabindex="-1" data-topics=(self.topics) data-again=[self.again] {
                        (said(ask))
                        h1 { (self.title) }
                        @if let Some(lead) = &self.lead { p.lead { (lead) } }
                        (self.body)
                        (long)
                        (redacted(ask))
                    }
                    div #announce .hidden role="status" aria-live="polite" {}
                }
            }
        }
    }
}

/// Says whether the page is kept up to date; scripts fill it in.
fn state_of_connection(ask: &Ask) -> Markup {
    html! {
        vib-live href="/events" data-seen=(ask.seen) data-on=(ask.t("web-live-on")) data-off=(ask.t("web-live-off")) data-new=(ask.t("web-live-new")) {}
    }
}

fn languages(ask: &Ask, now: Language) -> Markup {
    let name = |language: Language| match language {
        Language::En => "English",
        Language::Ko => "한국어",
        Language::Zh => "中文",
    };
    html! {
        form.languages method="post" action="/language" {
            (csrf(ask))
            input type="hidden" name="back" value=(ask.visit.here);
            @for language in Language::ALL {
                button type="submit" name="language" value=(language.code()) lang=(language.code())
                    aria-pressed=(if language == now { "true" } else { "false" }) { (name(language)) }
            }
        }
    }
}

/// What the last form did, in words from a fixed list.
fn said(ask: &Ask) -> Markup {
    let query = ask.visit.here.split_once('?').map_or("", |(_, query)| query);
    let word = query.split('&').find_map(|pair| pair.strip_prefix("said="));
    let text = match word {
        Some("saved") => ask.t("web-said-saved"),
        Some("pinned") => ask.t("web-said-pinned"),
        Some("unpinned") => ask.t("web-said-unpinned"),
        Some("remembered") => ask.t("web-said-remembered"),
        Some("redacted") => ask.t("web-said-redacted"),
        Some("removed") => ask.t("web-said-removed"),
        Some("resumed") => ask.t("web-said-resumed"),
        Some("changed") => ask.t("web-said-changed"),
        Some("known") => ask.t("web-said-known"),
        Some("answered") => ask.t("board-answer-kept"),
        Some("stopping") => ask.t("board-stop-asked"),
        Some("stopped") => ask.t("board-stop-done"),
        _ => return html! {},
    };
    html! { p.said role="status" { (text) } }
}

/// Says that something was left out on purpose.
fn redacted(ask: &Ask) -> Markup {
    let counts = ask.counts();
    let number = counts.secrets + counts.private + usize::from(counts.withheld);
    html! {
        @if number > 0 {
            p.dim.redacted-note #redacted data-live {
                (ask.say("web-redacted", &[("count", (number as i64).into())]))
            }
        }
    }
}

/// The token that every form must carry, first.
pub(crate) fn csrf(ask: &Ask) -> Markup {
    html! { input type="hidden" name="csrf" value=(ask.visit.visitor.csrf()); }
}

/// A form with one button, and hidden values.
pub(crate) fn button(ask: &Ask, action: &str, label: &str, class: &str, values: &[(&str, &str)]) -> Markup {
    html! {
        form.inline method="post" action=(action) data-inline {
            (csrf(ask))
            @for (name, value) in values { input type="hidden" name=(name) value=(value); }
            button type="submit" class=(class) { (label) }
        }
    }
}

/// A card.
pub(crate) fn card(id: &str, title: &str, body: &Markup) -> Markup {
    html! {
        section.card id=(id) data-live aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (body)
        }
    }
}

/// A small coloured word.
pub(crate) fn tag(class: &str, text: &str) -> Markup {
    html! { span class={ "tag " (class) } { (text) } }
}
