//! Whose line is this: a file with the writers of its lines in the margin. The same as `vib why`.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use engine::why::{Fact, Source, WhyQuery, WhyReport, why};
use maud::{Markup, html};
use store::{Actor, Silent, StepNumber};

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::steps::file_history;
use crate::html::{Nav, Page, ago};

/// Lines of one page.
const MOST: usize = 3_000;

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit, Path(file): Path<String>) -> Response {
    page(app, visit, move |ask| render(ask, &file)).await
}

/// The page of a file's lines.
pub(crate) fn link(path: &str) -> String {
    file_history(path).replacen("/history/", "/why/", 1)
}

fn render(ask: &Ask, file: &str) -> Result<Markup, Problem> {
    // Paths of a page are relative to the project, wherever the server was started.
    let query = WhyQuery::file(ask.engine.project().root().join(PathBuf::from(file)));
    let report = why(&ask.engine, &query, &Silent)?;
    let body = html! {
        p.beside { a href=(file_history(file)) { (ask.t("web-why-history")) } }
        section.card #why data-live {
            @if report.no_lines.is_some() {
                p { (ask.t("web-why-no-lines")) }
                @if let Some(last) = &report.last { p { (ask.t("web-why-last")) " " (source(ask, last, report.now_ms)) } }
            } @else { (lines(ask, &report)) }
        }
    };
    let title = ask.say("web-why-title", &[("path", ask.clean(file).into())]);
    let lead = Some(ask.t("web-why-lead"));
    Ok(Page { nav: Nav::History, title, lead, topics: "store", again: None, body }.render(ask))
}

fn lines(ask: &Ask, report: &WhyReport) -> Markup {
    // The file goes through the gate as one text: a secret may be spread over lines. Cleaning keeps the number of lines, or the text is
    // withheld as a whole.
    let all: Vec<&str> = report.lines.iter().map(|line| line.text.as_str()).collect();
    let clean = ask.clean(&all.join("\n"));
    let texts: Vec<&str> = clean.split('\n').collect();
    let fits = texts.len() == report.lines.len();
    html! {
        table.diff {
            thead { tr { th { (ask.t("web-why-writer")) } th { (ask.t("web-why-line")) } th {} } }
            tbody {
                @for (at, line) in report.lines.iter().enumerate().take(MOST) {
                    @let begins = at == 0 || (report.lines[at - 1].source, report.lines[at - 1].blanks) != (line.source, line.blanks);
                    tr {
                        td {
                            @if begins { (source(ask, &report.sources[line.source], report.now_ms)) }
                            @if let Some(blanks) = line.blanks {
                                " " span.dim { (ask.t("web-why-blanks")) " " (source(ask, &report.sources[blanks], report.now_ms)) }
                            }
                        }
                        td.num { (line.number) }
                        td.code { @if fits { (texts[at]) } @else { "…" } }
                    }
                }
            }
        }
        @if report.lines.len() > MOST { p.dim { (ask.say("web-why-more", &[("count", (report.lines.len() - MOST).into())])) } }
    }
}

fn step_links(steps: &[StepNumber]) -> Markup {
    html! { @for (at, step) in steps.iter().enumerate() { @if at > 0 { " | " } a href={ "/step/" (step) } { (step) } } }
}

fn source(ask: &Ask, source: &Source, now_ms: i64) -> Markup {
    match source {
        Source::Step { steps, facts } => html! {
            (step_links(steps))
            @if let Some(fact) = facts.first() { " " (ask.clean(&who(fact))) " · " (ago(ask, fact.time_ms, now_ms)) (asked(ask, fact)) }
        },
        Source::ByHand { time_ms, .. } => {
            html! { (ask.t("web-why-by-hand")) " · " (ago(ask, *time_ms, now_ms)) }
        }
        Source::Either { of } => html! {
            (ask.t("web-why-one-of")) " "
            @for (at, one) in of.iter().enumerate() { @if at > 0 { " | " } (self::source(ask, one, now_ms)) }
        },
        Source::OneOf { steps, or_by_hand } => html! {
            (ask.t("web-why-one-of")) " " (step_links(steps))
            @if *or_by_hand && steps.len() == 1 { " | " (ask.t("web-why-by-hand")) }
        },
        Source::Git { commit, author, summary, .. } => {
            let name = commit.chars().take(8).collect::<String>();
            html! { span title=(ask.clean(summary)) { "git " code { (name) } " " (ask.clean(author)) } }
        }
        Source::FromGit { brought_by } => {
            html! { (ask.t("web-why-from-git")) " " a href={ "/step/" (brought_by) } { (brought_by) } }
        }
        Source::BeforeVib => html! { (ask.t("web-why-before")) },
        Source::Unseen => html! { (ask.t("web-why-unseen")) },
        Source::Unsaved => html! { (ask.t("web-why-unsaved")) },
    }
}

fn who(fact: &Fact) -> String {
    match fact.actor {
        Actor::Vib => "vib".to_owned(),
        _ => {
            let model = fact.model.as_ref().map(|model| format!(" ({model})")).unwrap_or_default();
            let helper = fact.agent_type.as_ref().map(|kind| format!(", {kind}")).unwrap_or_default();
            format!("{}{model}{helper}", fact.client.as_deref().unwrap_or_default())
        }
    }
}

fn asked(ask: &Ask, fact: &Fact) -> Markup {
    html! {
        @if let Some(request) = &fact.request {
            " · " a href={ "/request/" (request) } title=[fact.prompt.as_deref().map(|prompt| ask.clean(prompt))] { (request) }
        }
    }
}
