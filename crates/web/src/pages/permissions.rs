//! Permissions: what agents may do without asking, and what waits for a yes.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::{Nav, Page, card};

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let body = card("grants", &ask.t("web-grants"), &html! { p.dim { (ask.t("web-grants-none")) } });
    let page = Page {
        nav: Nav::Permissions,
        title: ask.t("web-nav-permissions"),
        lead: Some(ask.t("web-permissions-lead")),
        topics: "permissions",
        again: None,
        body,
    };
    Ok(page.render(ask))
}
