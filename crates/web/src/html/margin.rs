//! The margin of a diff: who wrote the lines that are there now. The same as `vib why`, in short.

use std::cell::Cell;
use std::time::{Duration, Instant};

use engine::why::{Source, WhyQuery, why};
use maud::{Markup, Render, html};
use store::{Actor, Silent};

use crate::ask::Ask;

/// Files of one page that are asked about.
const MOST_FILES: usize = 24;
/// Longer ones are not.
const MOST_LINES: usize = 20_000;
/// So long a page waits for all of it.
const PATIENCE: Duration = Duration::from_millis(600);

/// Asks about the files of one page.
pub(crate) struct Margin<'m> {
    ask: &'m Ask,
    until: Instant,
    left: Cell<usize>,
}

/// The writers of one file.
pub(super) struct Writers {
    shown: Vec<String>,
    lines: Vec<usize>,
}

impl<'m> Margin<'m> {
    pub(crate) fn new(ask: &'m Ask) -> Self {
        Self { ask, until: Instant::now() + PATIENCE, left: Cell::new(MOST_FILES) }
    }

    /// None: there is nothing to say of its lines, or no time for it; its own page has it.
    pub(super) fn of(&self, path: &str) -> Option<Writers> {
        if self.left.get() == 0 || Instant::now() >= self.until {
            return None;
        }
        self.left.set(self.left.get() - 1);
        let query = WhyQuery::file(self.ask.engine.project().root().join(path));
        let report = why(&self.ask.engine, &query, &Silent).ok()?;
        if report.lines.is_empty() || report.lines.len() > MOST_LINES {
            return None;
        }
        let shown = |source: &Source| {
            let mut out = String::new();
            short(self.ask, source).render_to(&mut out);
            out
        };
        Some(Writers {
            shown: report.sources.iter().map(shown).collect(),
            lines: report.lines.iter().map(|line| line.source).collect(),
        })
    }
}

impl Writers {
    /// Which writer a line has, counted from one.
    fn at(&self, line: Option<u32>) -> Option<usize> {
        let line = usize::try_from(line?).ok()?.checked_sub(1)?;
        self.lines.get(line).copied()
    }

    /// The cell beside a line; a writer is named where their lines begin. `before`: who was named last.
    pub(super) fn cell(&self, line: Option<u32>, before: &mut Option<usize>, out: &mut String) {
        let writer = self.at(line);
        out.push_str("<td class=who>");
        if writer.is_some() && writer != *before {
            out.push_str(writer.and_then(|writer| self.shown.get(writer)).map_or("", String::as_str));
        }
        out.push_str("</td>");
        *before = writer;
    }
}

fn short(ask: &Ask, source: &Source) -> Markup {
    match source {
        Source::Step { facts, .. } => html! {
            @for (at, fact) in facts.iter().enumerate() {
                @if at > 0 { " | " }
                @let who = match fact.actor {
                    Actor::Vib => "vib".to_owned(),
                    _ => ask.clean(fact.client.as_deref().unwrap_or_default()),
                };
                a href={ "/step/" (fact.step) } title=[fact.prompt.as_deref().map(|prompt| ask.clean(prompt))] { (fact.step) }
                " " (who)
            }
        },
        Source::ByHand { .. } => html! { (ask.t("web-why-by-hand")) },
        Source::OneOf { steps, or_by_hand } => html! {
            (ask.t("web-why-one-of")) " "
            @for (at, step) in steps.iter().enumerate() { @if at > 0 { " | " } a href={ "/step/" (step) } { (step) } }
            @if *or_by_hand && steps.len() == 1 { " | " (ask.t("web-why-by-hand")) }
        },
        Source::Either { of } => html! {
            (ask.t("web-why-one-of")) " "
            @for (at, one) in of.iter().enumerate() { @if at > 0 { " | " } (short(ask, one)) }
        },
        Source::Git { commit, author, .. } => {
            let name = commit.chars().take(8).collect::<String>();
            html! { span title=(ask.clean(author)) { "git " (name) } }
        }
        Source::FromGit { brought_by } => {
            html! { (ask.t("web-why-from-git")) " " a href={ "/step/" (brought_by) } { (brought_by) } }
        }
        Source::BeforeVib => html! { (ask.t("web-why-before")) },
        Source::Unseen => html! { (ask.t("web-why-unseen")) },
        Source::Unsaved => html! { (ask.t("web-why-unsaved")) },
    }
}
