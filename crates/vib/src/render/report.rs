//! `vib report` as text: Markdown, which reads well as it is.

use engine::report::{Cost, Report, RequestRow};

use super::words::{count, date, grouped};

/// Rows of each list.
const ROWS: usize = 40;

/// The whole of it.
pub(crate) fn report_text(report: &Report) -> String {
    let mut out = format!("# What the agents did in {}\n\n", plain(&report.project));
    let since =
        report.since_ms.map_or("from the beginning".to_owned(), |since| format!("since {}", date(since)));
    let session =
        report.session.as_ref().map(|session| format!(", session {}", plain(session))).unwrap_or_default();
    out.push_str(&format!("{since}{session}, as of {}\n\n", date(report.now_ms)));
    out.push_str(&sums(report));
    out.push_str(&requests(report));
    out.push_str(&lists(report));
    out.push_str(&money(report));
    if report.redacted {
        out.push_str("\nSecrets and private details were taken out of the texts above.\n");
    }
    out
}

/// Text that cannot be read as Markdown.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// `$0.42`, `at least $0.42`, `unknown`.
pub(super) fn dollars(cost: &Cost) -> String {
    match cost.dollars {
        Some(dollars) if cost.partly_unknown => format!("at least {}", dollar(dollars)),
        Some(dollars) => dollar(dollars),
        None => "unknown".to_owned(),
    }
}

fn dollar(amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 { format!("${amount:.4}") } else { format!("${amount:.2}") }
}

/// `12,345 in, 678 out`, `at least …`, `unknown`.
pub(super) fn tokens(cost: &Cost) -> String {
    match cost.tokens {
        Some(tokens) if cost.tokens_partly_unknown => {
            format!("at least {} in, {} out", grouped(tokens.prompt()), grouped(tokens.output))
        }
        Some(tokens) => format!("{} in, {} out", grouped(tokens.prompt()), grouped(tokens.output)),
        None => "unknown".to_owned(),
    }
}

/// `12 of 40 lines stand`.
pub(super) fn standing(written: Option<u64>, stands: Option<u64>) -> String {
    match (written, stands) {
        (Some(written), Some(stands)) if written > 0 => {
            format!("{} of {}", grouped(stands), grouped(written))
        }
        _ => "–".to_owned(),
    }
}

fn sums(report: &Report) -> String {
    let totals = &report.totals;
    let mut out = String::new();
    let mut row = |name: &str, value: String| out.push_str(&format!("- {name}: {value}\n"));
    row("Requests", format!("{} in {}", grouped(totals.requests), count(totals.sessions, "session")));
    row("Steps", format!("{}, of them {}", grouped(totals.steps), count(totals.commands, "command")));
    row("Files changed", grouped(totals.files));
    row(
        "Checks",
        format!("{} passed, {} failed", grouped(totals.checks_passed), grouped(totals.checks_failed)),
    );
    row("Stopped", grouped(totals.stopped));
    row("Went back", grouped(totals.back));
    row("Changes by hand", grouped(totals.by_hand));
    let mut stands = standing(totals.lines_written, totals.lines_standing);
    if report.lines_thinned {
        stands.push_str(" or more (older states are let go)");
    }
    row("Lines written that still stand", stands);
    row("Tokens", tokens(&totals.cost));
    row("Cost", dollars(&totals.cost));
    out
}

fn requests(report: &Report) -> String {
    if report.requests.is_empty() {
        return "\nNo request in this time.\n".to_owned();
    }
    let mut out =
        "\n## Requests\n\n| | asked for | by | steps | files | checks | lines that stand | tokens | cost |\n\
                   | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for request in &report.requests {
        out.push_str(&format!(
            "| {} | {}{} | {} | {} | {} | {} | {} | {} | {} |\n",
            request.number,
            plain(&request.words),
            if request.undone { " *(taken back)*" } else { "" },
            request.client.as_deref().map_or("–".to_owned(), plain),
            steps(request),
            request.files_count,
            checks(request),
            standing(request.lines_written, request.lines_standing),
            tokens(&request.cost),
            dollars(&request.cost),
        ));
    }
    out
}

fn steps(request: &RequestRow) -> String {
    match request.stopped {
        0 => request.steps.to_string(),
        some => format!("{}, {some} stopped", request.steps),
    }
}

fn checks(request: &RequestRow) -> String {
    match (request.checks_passed, request.checks_failed) {
        (0, 0) => "–".to_owned(),
        (passed, 0) => format!("{passed} passed"),
        (passed, failed) => format!("{passed} passed, {failed} failed"),
    }
}

fn lists(report: &Report) -> String {
    let mut out = String::new();
    if !report.checks.is_empty() {
        out.push_str("\n## Checks\n\n");
        for check in report.checks.iter().rev().take(ROWS) {
            let how = match check.passed {
                Some(true) => "passed",
                Some(false) => "failed",
                None => "unknown",
            };
            let by = check.step.map_or("`vib verify`".to_owned(), |step| step.to_string());
            out.push_str(&format!("- {by} {} ({})\n", plain(&check.command), how));
        }
    }
    if !report.stopped.is_empty() {
        out.push_str("\n## Stopped\n\n");
        for stopped in report.stopped.iter().rev().take(ROWS) {
            let by = if stopped.by_person { "refused" } else { "stopped by vib" };
            let reason =
                stopped.reason.as_deref().map(|reason| format!(": {}", plain(reason))).unwrap_or_default();
            out.push_str(&format!("- {} {} ({by}{reason})\n", stopped.step, plain(&stopped.what)));
        }
    }
    if !report.back.is_empty() {
        out.push_str("\n## Went back\n\n");
        for back in report.back.iter().rev().take(ROWS) {
            out.push_str(&format!(
                "- {} vib {}: {} ({})\n",
                back.step,
                plain(&back.tool),
                plain(&back.what),
                count(back.files, "file")
            ));
        }
    }
    if !report.files.is_empty() {
        out.push_str("\n## Files\n\n| file | steps | lines by agents |\n| --- | --- | --- |\n");
        for file in &report.files {
            let lines = match (file.lines_by_agents, file.lines) {
                (Some(own), Some(all)) => format!("{} of {}", grouped(own), grouped(all)),
                _ => "–".to_owned(),
            };
            out.push_str(&format!("| {} | {} | {lines} |\n", plain(&file.path), file.steps));
        }
    }
    out
}

fn money(report: &Report) -> String {
    if report.sessions.is_empty() {
        return String::new();
    }
    let mut out =
        "\n## Cost\n\n| session | model | calls | tokens | cost |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
    for session in &report.sessions {
        let name = format!(
            "{} {}",
            plain(&session.client),
            plain(&session.session.chars().take(8).collect::<String>())
        );
        if session.models.is_empty() {
            out.push_str(&format!("| {name} | unknown | unknown | unknown | unknown |\n"));
        }
        for model in &session.models {
            let helpers = if model.by_helpers { " (sub-agents)" } else { "" };
            out.push_str(&format!(
                "| {name} | {}{helpers} | {} | {} | {} |\n",
                model.model.as_deref().map_or("unknown".to_owned(), plain),
                model.cost.calls.map_or("unknown".to_owned(), grouped),
                tokens(&model.cost),
                dollars(&model.cost)
            ));
        }
        if session.told_by_client {
            out.push_str(&format!(
                "| {name} | *as the client sums it up* | | | {} |\n",
                dollars(&session.cost)
            ));
        }
    }
    out.push_str(&format!(
        "\nTokens are those that the clients' own records tell, sub-agents included. Prices as of {} ({}); what is not known there is unknown.\n",
        report.prices.date, report.prices.sources
    ));
    out
}
