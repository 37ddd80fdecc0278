//! What the store has to say on the home page: checkpoints that vanished, and last copies that had to go.

use maud::{Markup, html};
use store::{GoneReport, Lost, Missing, Silent};

use crate::ask::Ask;
use crate::html::{self, tag};

/// So many of the files that went are named.
const NAMED: usize = 5;

/// The card on the home page; nothing where nothing is amiss.
pub(crate) fn card(ask: &Ask) -> Markup {
    let Ok(opened) = ask.engine.store(&Silent) else { return html! {} };
    let lost = opened.store.lost().ok().flatten();
    let gone = opened.store.gone(NAMED).unwrap_or_default();
    if lost.is_none() && gone.files == 0 {
        return html! {};
    }
    let body = html! {
        @if let Some(lost) = &lost { (vanished(ask, lost)) }
        @if gone.files > 0 { (went(ask, &gone)) }
    };
    html::card("store", &ask.t("web-store-title"), &body)
}

fn vanished(ask: &Ask, lost: &Lost) -> Markup {
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX).into();
    let what = match lost.what {
        Missing::Checkpoints => {
            ask.say("web-store-lost", &[("kept", number(lost.kept)), ("left", number(lost.left))])
        }
        Missing::Content => ask.say("web-store-lost-content", &[("kept", number(lost.kept))]),
    };
    html! {
        p { (tag("bad", &ask.t("web-store-lost-tag"))) " " (what) }
        p.dim { (ask.t("web-store-lost-next")) " " code { "vib store check --repair" } }
    }
}

fn went(ask: &Ask, gone: &GoneReport) -> Markup {
    let files = i64::try_from(gone.files).unwrap_or(i64::MAX);
    html! {
        p { (tag("warn", &ask.t("web-store-gone-tag"))) " " (ask.say("web-store-gone", &[("count", files.into())])) }
        ul.plain { @for one in &gone.newest { li { code { (ask.clean(&one.path)) } } } }
        p.dim { (ask.t("web-store-gone-next")) " " a href="/settings" { (ask.t("web-nav-settings")) } }
    }
}
