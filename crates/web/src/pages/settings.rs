//! Settings: all of them, those that matter most first; each changed in place.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::config::{self, Setting, Target};
use maud::{Markup, html};
use project::config::{KEYS, Kind, Source};

use super::Posted;
use crate::acts::{Act, needs_code, wait_for_code};
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::error::Problem;
use crate::html::{Nav, Page, card, csrf, tag};

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let all = config::list(&ask.engine)?;
    let group =
        |wanted: &dyn Fn(&str) -> bool| all.iter().filter(|setting| wanted(setting.name)).collect::<Vec<_>>();
    let part =
        |prefixes: &[&str]| group(&|name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix)));
    let known = ["retention.", "patch.", "guard.", "checkpoint.", "privacy.", "ui."];
    let rest = group(&|name: &str| !known.iter().any(|prefix| name.starts_with(prefix)));
    let body = html! {
        (card("retention", &ask.t("web-settings-retention"), &list(ask, &part(&["retention."]))))
        (card("guard", &ask.t("web-settings-guard"), &list(ask, &part(&["patch.", "guard."]))))
        (card("saving", &ask.t("web-settings-saving"), &list(ask, &part(&["checkpoint."]))))
        (card("privacy", &ask.t("web-settings-privacy"), &list(ask, &part(&["privacy."]))))
        (card("look", &ask.t("web-settings-look"), &list(ask, &part(&["ui."]))))
        (card("other", &ask.t("web-settings-other"), &list(ask, &rest)))
    };
    let page = Page {
        nav: Nav::Settings,
        title: ask.t("web-nav-settings"),
        lead: Some(ask.t("web-settings-lead")),
        topics: "settings",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

fn list(ask: &Ask, settings: &[&Setting]) -> Markup {
    html! { ul.plain.settings { @for setting in settings { li { (one(ask, setting)) } } } }
}

fn one(ask: &Ask, setting: &Setting) -> Markup {
    let value = ask.clean(&setting.value.to_string());
    let id = format!("set-{}", setting.name.replace('.', "-"));
    html! {
        div.row {
            label for=(id) { code { (setting.name) } }
            @match setting.source {
                Source::Default => (tag("", &ask.t("web-source-default"))),
                Source::User => (tag("good", &ask.t("web-source-user"))),
                Source::Team => (tag("pin", &ask.t("web-source-team"))),
                Source::Project => (tag("pin", &ask.t("web-source-project"))),
            }
        }
        p.dim id={ (id) "-about" } { (ask.t(&about(setting.name))) }
        form.row method="post" action="/settings" data-inline {
            (csrf(ask))
            input type="hidden" name="name" value=(setting.name);
            (input(&id, setting.name, &value))
            select name="target" aria-label=(ask.t("web-settings-where")) {
                option value="user" { (ask.t("web-source-user")) }
                option value="project" { (ask.t("web-source-project")) }
            }
            button type="submit" { (ask.t("web-save")) }
        }
    }
}

/// The message that says what a setting is for.
fn about(name: &str) -> String {
    format!("web-setting-{}", name.replace(['.', '_'], "-"))
}

fn input(id: &str, name: &str, value: &str) -> Markup {
    let about = format!("{id}-about");
    let kind = KEYS.iter().find(|key| key.name == name).map(|key| key.kind);
    html! {
        @match kind {
            Some(Kind::Flag(_)) => select id=(id) name="value" aria-describedby=(about) {
                @for word in ["true", "false"] { option value=(word) selected[word == value] { (word) } }
            },
            Some(Kind::Choice(words)) => select id=(id) name="value" aria-describedby=(about) {
                @for word in words { option value=(word) selected[*word == value] { (word) } }
            },
            Some(Kind::Number(_)) => input id=(id) name="value" type="number" min="0" value=(value) aria-describedby=(about);,
            _ => input id=(id) name="value" value=(value) autocomplete="off" aria-describedby=(about);,
        }
    }
}

pub(crate) async fn change(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    form(app, visit, move |ask| {
        let target = if posted.get("target") == "project" { Target::Project } else { Target::User };
        let (name, value) = (posted.needed("name")?, posted.get("value"));
        if needs_code(ask, name, value) {
            let (name, value) = (name.to_owned(), value.to_owned());
            return wait_for_code(ask, Act::Setting { target, name, value });
        }
        config::set(&ask.engine, target, name, value)?;
        Ok("/settings?said=changed".to_owned())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use texts::{Language, Texts};

    #[test]
    fn every_setting_is_explained_in_every_language() {
        for key in KEYS {
            let said = |language| Texts::new(language).say(&about(key.name), &[]);
            // In English the page says what `vib config` says.
            assert_eq!(said(Language::En), key.doc);
            for language in [Language::Ko, Language::Zh] {
                let text = said(language);
                assert!(!text.starts_with('[') && text != key.doc, "{}: {text}", key.name);
            }
        }
    }
}
