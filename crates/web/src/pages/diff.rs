//! A comparison of two moments, or of one file in them.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use engine::diff::DiffOptions;
use maud::{Markup, html};
use serde::Deserialize;
use store::Silent;

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::{Changes, MOST_TEXT, Margin, Nav, Page, View, link_with, summary};

/// What to compare.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    pub(crate) path: Option<String>,
    view: Option<String>,
}

impl Wanted {
    /// Empty values count as not given.
    pub(crate) fn options(&self, root: &std::path::Path) -> DiffOptions {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        DiffOptions {
            from: given(&self.from),
            to: given(&self.to),
            // Paths of a web page are relative to the project, wherever the server was started.
            paths: given(&self.path).map(|path| root.join(PathBuf::from(path))).into_iter().collect(),
            stat_only: false,
            most_text: Some(MOST_TEXT),
        }
    }
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| render(ask, &wanted)).await
}

fn render(ask: &Ask, wanted: &Wanted) -> Result<Markup, Problem> {
    let report = engine::diff::diff(&ask.engine, &wanted.options(ask.engine.project().root()), &Silent)?;
    let view = View::from_word(wanted.view.as_deref());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (from, to, path) = (text(&wanted.from), text(&wanted.to), text(&wanted.path));
    let link = |view: View| {
        link_with("/diff", &[("from", &from), ("to", &to), ("path", &path), ("view", view.word())])
    };
    let moment = |name: &str| match name {
        "now" => ask.t("web-moment-now"),
        "last saved" => ask.t("web-moment-saved"),
        id => id.to_owned(),
    };
    let head = html! {
        @if report.files.is_empty() { p { (ask.t("web-home-nothing-changed")) } } @else { (summary(ask, &report, 30, None)) }
    };
    let lead = [("from", moment(&report.from).into()), ("to", moment(&report.to).into())];
    let page = Page {
        nav: Nav::History,
        title: ask.t("web-see-changes"),
        lead: Some(ask.say("web-diff-lead", &lead)),
        topics: "store sessions",
        again: None,
        body: html! {},
    };
    // Only of what is there now it is told who wrote it.
    let margin = (report.to == "now").then(|| Margin::new(ask));
    let changes = Changes { ask, report: &report, view, here: &link, head, live: true, margin };
    Ok(page.render_with(ask, &changes))
}
